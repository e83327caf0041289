#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""
prepare.py TREE PROOF: write to TREE/cbmc/PROOF what the proof of the sources in TREE needs: contracts
of the assembly, contracts of loops, and the commands. Without arguments: list the proofs.
"""

import json
import pathlib
import sys

import contracts

X86 = ['chapoly_x86_', 'chapoly_mulx']
AVX2 = X86 + ['chapoly_avx2_']
AVX512 = X86 + ['chapoly_avx512_', 'chacha20_avx512', 'poly1305_packet_avx512']
NENTS = 'sg_nents_for_len:ghost_nents_for_len'
LIST_CALLS = [NENTS, 'next_piece:ghost_piece', 'copy_tag:ghost_copy_tag']
CHAPOLY = ['crypt:ghost_crypt', 'mac_chunks:ghost_mac_chunks']

FLAGS = ('-DKBUILD_MODNAME=\'"chapoly"\' -DPOLY1305_USER_INTERNAL -DCONFIG_X86_64 -DCONFIG_64BIT '
         '-DCONFIG_ARCH_SUPPORTS_INT128 -Itests/cbmc/shim -Iuser/shim -Iuser/include -I.')
CHECKS = '--pointer-check --bounds-check --signed-overflow-check --unwinding-assertions'

# A loop: function, what an iteration assigns, what holds before each, what decreases, names of the
# function, as cbmc knows them, and others for variables of the harness that these hide
PARTS = 'done + len == all && len <= all && (!(done & 63) || !len) && (!len || %s)'
FITS = ('announced <= 274877906880UL && packet.left <= announced && '
        'position + (unsigned __CPROVER_bitvector[40])packet.left == announced && packet.made && '
        'packet.made <= 512 && !(packet.made & 63) && packet.used <= packet.made && '
        'unused == packet.made - packet.used && packet.cipher[12] == (unsigned int)next && next && '
        'next <= 9 + (announced >> 6) && (!unused || next_of_stream == next) && '
        '(!packet.left || (next - 1) << 6 == position + unused)')
TEXT = ('n == rest && n <= packet.left && dst == to_next && src == from_next && '
        'to_next == to + ciphered && from_next == from + ciphered && ' + FITS)
STREAM = ('next, next_of_stream, unused, position, rest, to_next, from_next, ciphered, '
          'packet.cipher[12], packet.used, packet.made, packet.left')
FRAME = 'f.blocks.numbers, f.word, f.mac.h, f.stream'
# chapoly_list.c: where a cursor is, at the first entry of a list or at a later one, and a pair
CURSOR = ('(({0}.sg == &list[{1}] && {0}.at == {2}) || '
          '({0}.sg == &moved[{1}] && {0}.at + (1UL << 63) == {2}))')
PAIR = 'pair.left <= len && %s && (out ? %s : pair.dst.sg == 0)' % (
    CURSOR.format('pair.src', 0, 'end - pair.left'),
    CURSOR.format('pair.dst', 1, 'end - pair.left'))
PASS = 'n, from, to, pair, at, size, piece, written, '
LOCALS = 'n,{0}::1::n;from,{0}::1::from;to,{0}::1::to;pair,{0}::1::pair'
LOOPS = {
    'seal_avx2': (
        'done, mac, n, section, ciphered, taken, mac_begun, next, stream_any, secret, ' + FRAME,
        'done <= len && section && has_key && has_state && !mac_ended && taken == mac && '
        'ciphered == (any < done) && mac_begun == (ad_len || mac) && f.mac.h[2] <= 9885365384200275968UL && '
        '(mac_begun || !(f.mac.h[0] | f.mac.h[1] | f.mac.h[2])) && '
        '(!secret || frame_any < 288 + (len <= 64 ? 128 : 512)) && '
        '(len < 512 ? done == len && !mac : done >= 512 && mac == ((done + 511) & ~511UL) - 512 && '
        '(done == len || (!(done & 511) && next[0] == (unsigned int)(1 + (done >> 6)) && '
        'next[1] == (unsigned int)(next[0] + 1))))', 'len - done',
        'done,seal_avx2::1::done;mac,seal_avx2::1::mac;n,seal_avx2::1::n;f,seal_avx2::1::f'),
    'chapoly_pieces_crypt': (
        'n, dst, src, take, %s, __CPROVER_object_upto(packet.stream, 512)' % STREAM,
        TEXT + ' && n + ciphered == len && n <= len', 'n, packet.used < packet.made ? 0 : 1',
        'n,chapoly_pieces_crypt::n;dst,chapoly_pieces_crypt::dst;src,chapoly_pieces_crypt::src;'
        'take,chapoly_pieces_crypt::1::take;to,dst;from,src'),
    'chapoly_text': (
        'n, dst, src, chunk, copied, authenticated, ciphered, taken, padded, position, packet.len, '
        'packet.left',
        'ciphered == authenticated && n + ciphered == len && n <= len && n <= packet.left && '
        'dst == to + ciphered && src == from + ciphered && '
        'copied == (!sealing && to != from ? ciphered : 0) && packet.left <= announced && '
        'position + (unsigned __CPROVER_bitvector[40])packet.left == announced && '
        'packet.len == taken && taken == position && '
        '(!taken ? !padded : padded || !(ad_taken & 15))',
        'n', 'n,chapoly_text::n;dst,chapoly_text::dst;src,chapoly_text::src;'
        'chunk,chapoly_text::1::chunk;to,dst;from,src'),
    'crypt': ('n, dst, src, len, done, simd_usable',
              PARTS % '(dst == to + done && src == from + done)', 'len',
              'n,crypt::1::n;dst,crypt::dst;src,crypt::src;len,crypt::len;all,len;to,dst;from,src'),
    'mac_chunks': ('n, data, len, done', PARTS % 'data == from + done', 'len',
                  'n,mac_chunks::1::n;data,mac_chunks::data;len,mac_chunks::len;all,len;from,src'),
    'next_piece': (
        'c->sg, c->at, entry.length, entry.addr, start, entries',
        'c->sg == &entry && start <= position && c->at == position - start && '
        'entry.length <= all - start && (entries || start + entry.length == all)', 'entries',
        'c,next_piece::c'),
    'copy_tag': (
        'n, piece_of, d, c, next, at, size, piece',
        'd <= 16 && d == next - skip && ' + CURSOR.format('c', 0, 'next'), '16 - d',
        'n,copy_tag::1::n;piece_of,copy_tag::1::piece;d,copy_tag::1::done;c,copy_tag::c'),
    'chapoly_ad_list': (
        'n, piece_of, c, l, next, at, size, piece',
        'n <= len && n == end - next && ' + CURSOR.format('c', 0, 'next'), 'n',
        'n,chapoly_ad_list::n;piece_of,chapoly_ad_list::1::piece;c,chapoly_ad_list::1::c;'
        'l,chapoly_ad_list::1::len'),
    'chapoly_seal_list': (
        PASS + 'next, packet.left, packet.len',
        PAIR + ' && pair.left == packet.left && next == end - pair.left', 'pair.left',
        LOCALS.format('chapoly_seal_list')),
    'chapoly_open_list.0': (
        PASS + 'next, packet.len, any_copied',
        PAIR + ' && next == end - pair.left && '
        'any_copied == (any < next && any_at[0] != any_at[out])',
        'pair.left', LOCALS.format('chapoly_open_list')),
    'chapoly_open_list.1': (
        PASS + 'opened, packet.left, any_zeroed',
        PAIR + ' && (!right || (opened == end - pair.left && packet.left == pair.left)) && '
        'any_zeroed == (!right && any < end - pair.left && any_at[0] != any_at[out])',
        'pair.left', LOCALS.format('chapoly_open_list')),
    'simd_blocks_vectors': (
        'n, data, len, done, mac.state.h, mac.state.have_powers, mac.state.pow, powers, pow_word, '
        'section',
        'state == &mac.state && done >= had && done <= total && len <= total && '
        'done + len == (total & ~15UL) && !(len & 15) && data == from + (done - had) && '
        '!section && simd_usable && mac.state.h[2] <= 4 && (!mac.state.have_powers || '
        '(powers && mac.state.pow[pow_any] == pow_word))', 'len',
        'n,simd_blocks_vectors::1::n;data,simd_blocks_vectors::data;len,simd_blocks_vectors::len;'
        'state,simd_blocks_vectors::state'),
}

# Name: (harness, macros, assembly, functions to replace, loops, further options)
PROOFS = {
    'seal_avx512': ('glue.c', 'AVX512 SEAL', AVX512, [], [], '--unwind 10'),
    'open_avx512': ('glue.c', 'AVX512 OPEN', AVX512, [], [], '--unwind 10'),
    'crypt_avx512': ('glue.c', 'AVX512 CRYPT', AVX512, [], [], '--unwind 10'),
    'seal_avx2': ('glue.c', 'AVX2 SEAL', AVX2, [], ['seal_avx2'], '--unwind 34'),
    'open_avx2': ('glue.c', 'AVX2 OPEN', AVX2, [], [], '--unwind 34'),
    'crypt_avx2': ('glue.c', 'AVX2 CRYPT', AVX2, [], [], '--unwind 34'),
    'chapoly_seal': ('oneshot.c', 'SEAL', [], CHAPOLY, [], '--unwind 70'),
    'chapoly_open': ('oneshot.c', 'OPEN', [], CHAPOLY, [], '--unwind 70'),
    'crypt': ('oneshot.c', 'PARTS', [], [], ['crypt'], '--unwind 4'),
    'mac_chunks': ('oneshot.c', 'PARTS MAC', [], ['poly1305_mac_update:ghost_update'], ['mac_chunks'],
                  '--unwind 4'),
    'chapoly_begin': ('pieces.c', 'BEGIN', [], CHAPOLY, [], '--unwind 40'),
    'chapoly_ad': ('pieces.c', 'AD', [], CHAPOLY, [], '--unwind 40'),
    'chapoly_pieces_crypt': ('pieces.c', 'CRYPT', [], CHAPOLY, ['chapoly_pieces_crypt'],
                             '--unwind 40'),
    'chapoly_text': (
        'pieces.c', 'TEXT', [], ['chapoly_pieces_crypt:ghost_pieces_crypt',
                                 'chapoly_pieces_mac:ghost_pieces_mac'], ['chapoly_text'],
        '--unwind 40'),
    'chapoly_end': ('pieces.c', 'END', [], CHAPOLY, [], '--unwind 40'),
    'chapoly_verify': ('pieces.c', 'VERIFY', [], CHAPOLY, [], '--unwind 40'),
    'chapoly_pieces_mac': ('pieces.c', 'MAC', [], CHAPOLY, [], '--unwind 40'),
    'chapoly_pieces_tag': ('pieces.c', 'TAG', [], CHAPOLY, [], '--unwind 40'),
    'next_piece': ('lists.c', 'PIECE', [], ['sg_next:ghost_next'], ['next_piece'], '--unwind 4'),
    'copy_tag': ('lists.c', 'TAG', [], ['next_piece:ghost_piece'], ['copy_tag'], '--unwind 4'),
    'chapoly_ad_list': ('lists.c', 'AD', [], ['next_piece:ghost_piece', NENTS], ['chapoly_ad_list'],
                        '--unwind 4'),
    'chapoly_seal_list': ('lists.c', 'SEAL', [], LIST_CALLS, ['chapoly_seal_list'], '--unwind 4'),
    'chapoly_open_list': ('lists.c', 'OPEN', [], LIST_CALLS,
                          ['chapoly_open_list.0', 'chapoly_open_list.1'], '--unwind 4'),
    'aead_setkey': ('aead.c', 'SETKEY', [], [], [], '--unwind 40'),
    'aead_crypt': ('aead.c', 'CRYPT', [], [], [], '--unwind 40'),
    'poly1305_tail': ('mac.c', 'TAIL', [], [], [], '--unwind 40'),
    'poly1305_import': ('mac.c', 'IMPORT', [], [], [], '--unwind 120'),
    'poly1305_export': ('mac.c', 'EXPORT', [], [], [], '--unwind 120'),
    'shash_update': ('mac.c', 'SHASH', [], ['update_portable:ghost_update'], [], '--unwind 40'),
    'shash_end': ('mac.c', 'SHASH_END', [],
                  ['final_portable:ghost_final', 'digest_portable:ghost_digest'], [], '--unwind 40'),
}
for tier, least in ('portable', 0), ('x86_64', 0), ('sse2', 8192), ('avx2', 288), ('avx512', 193):
    isa, loops = ' ISA=' + tier, []
    PROOFS['final_' + tier] = ('mac.c', 'FINAL' + isa, [], [], [], '--unwind 50')
    PROOFS['digest_' + tier] = ('mac.c', 'DIGEST LEAST=%d' % least + isa, [],
                                ['digest_ctx_%s:ghost_digest' % tier], [], '--unwind 40')
    if least:
        isa, loops = ' ISA=vectors SIMD_FROM=%d' % least, ['simd_blocks_vectors']
    PROOFS['update_' + tier] = ('mac.c', 'UPDATE' + isa, [], ['poly1305_tail:ghost_tail'], loops,
                                '--unwind 40')


def loop_file(names):
    """What goto-instrument reads; FUNCTION.1 is the function's second loop"""
    functions = {}
    for name in names:
        function, _, number = name.partition('.')
        functions.setdefault(function, []).append(dict(zip(
            ('loop_id', 'assigns', 'invariants', 'decreases', 'symbol_map'),
            (number or '0', *LOOPS[name]))))
    return json.dumps({'sources': [''], 'output': '', 'functions': [
        {function: loops} for function, loops in functions.items()]}, indent=1)


def main(tree, name):
    harness, macros, assembly, replaced, loops, options = PROOFS[name]
    out = pathlib.Path(tree, 'cbmc', name)
    out.mkdir(parents=True, exist_ok=True)
    at = 'cbmc/' + name
    (out / 'contracts.h').write_text(contracts.text(tree, assembly))
    commands = ['set -e', 'cd /mnt', 'goto-cc %s -I%s %s -o %s/a tests/cbmc/%s' % (
        FLAGS, at, ' '.join('-D' + x for x in macros.split()), at, harness)]
    for pair in replaced:
        commands += ['goto-instrument --replace-calls %s %s/a %s/b' % (pair, at, at),
                     'mv %s/b %s/a' % (at, at)]
    if loops:
        (out / 'loops.json').write_text(loop_file(loops))
        commands += ['goto-instrument --loop-contracts-file %s/loops.json %s/a %s/b' % (at, at, at),
                     'goto-instrument --apply-loop-contracts %s/b %s/a' % (at, at)]
    commands.append('cbmc %s/a %s %s' % (at, CHECKS, options))
    (out / 'run').write_text('\n'.join(commands) + '\n')


if __name__ == '__main__':
    if len(sys.argv) > 1:
        main(*sys.argv[1:])
    else:
        print('\n'.join(PROOFS))
