#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""
cosim.py [--short] OBJECT...: whole functions, run by this CPU, against a reference in plain Python.

They begin with random registers, flags and memory, at many lengths, alignments and overlaps. In
the end each byte of memory must be what the reference makes of it, or as before, but for the stack
below the return address; callee-saved registers must be as before; and the function must have
returned.
"""

import argparse
import ctypes
import random
import re
import sys

from chacha import AT, Beside
from check import P, double_rounds, parallel
from cpu import PRESERVED, RSP
from loader import Objects
from native import CPU, FLAGS, Machine, SLOT, TARGET, WORDS, child, operand, runnable
from proof import ARGUMENTS

CLAMP = 0x0ffffffc0ffffffc0ffffffc0fffffff
FLAG = 'poly1305_has_mulx'
WITH_KEY = Beside.rounds_of['key']
MOST_H2 = int(2 ** 63.1)         # of an h that has yet to be multiplied by r


def number(data):
    return int.from_bytes(data, 'little')


def numbers(*values):
    return b''.join(x.to_bytes(8, 'little') for x in values)


# The arguments of a case are numbers, and places: (region, its size, offset). The output is dst, or
# src in place.

def blocks(rng, n, _):
    return [('state', 240, 0), ('data', 16 * n, 0), n, rng.randrange(2) | rng.getrandbits(32) << 32]


def digest(rng, n, _):
    tag = [('tag', 16, 0), *(('key', 32, i) for i in (0, 7, 16)), ('data', n, n - 16)]
    return [('key', 32, 0), ('data', n, 0), n, rng.choice(tag[:5 if n > 15 else 4])]


def chacha(rng, n, dst):
    return [('words', 64, 0), (dst, n, 0), ('src', n, 0), n, ('key', 32, 0),
            n & 1 | rng.getrandbits(56) << 8]


def block_xor(rng, n, dst):
    """Linux's own"""
    return [('words', 64, 0), (dst, n, 0), ('src', n, 0), n, 20 | rng.getrandbits(32) << 32]


def strides(rng, n, dst):
    """n strides, the MAC's text apart or the stride before dst; or one with block 0 if n is 0"""
    size, b = 512 * (n or 1) + 512, rng.randrange(11)
    mac, b = rng.choice([(('data', 64 * b * n, 0), b), ((dst, size, 0), 8)]) if n else (
        ('data', 704, 0), WITH_KEY)
    return [FRAME, mac, b, (dst, size, 512), ('src', size, 512), n or 1]


def rows(rng, n, _):
    b = rng.randrange(11)
    return [FRAME, ('data', 64 * b, 0), b, n]


def mulx(rng, n, _):
    e = rng.randrange(0 if n else 1, 4)
    return [MAC, ('data', 16 * n, 0), n, ('end', 16 * e, 0), e,
            rng.choice([('tag', 16, 0), MAC[:2] + (AT['MAC_END'] + 48,)])]


def stream(_rng, n, _):
    return [FRAME, n]


ALIGN = {'state': 8, 'mac': 8, 'chapoly': 32}       # of regions that are structs
FRAME = 'chapoly', AT['STREAM'] + 512, 0
BYTES = [*range(70), 127, 128, 129, 255, 256, 257, 1024, 1419, 1420, 1500, 2048]
WHOLE = range(2049)
MAC = 'mac', AT['MAC_END'] + 64, 0
LONG = [223, 224, 225, 240, 255, 256, 300, 479, 480, 511, 512, 600]
# Function -> (arguments, lengths of the short form, and of the whole)
CASES = {
    'poly1305_blocks_x86_64': (blocks, range(8), range(129)),
    'poly1305_blocks_mulx': (blocks, range(8), range(129)),
    'poly1305_blocks_generic': (blocks, range(8), range(129)),
    'poly1305_blocks_sse2': (blocks, [0, 1, 63, 64, 67, 131], [*range(160), *LONG]),
    'poly1305_blocks_avx2': (blocks, [*range(12), 15, 30], [*range(129), 500, 501]),
    'poly1305_blocks_avx512': (blocks, [*range(10), 17, 31, 270, 400, 1100], [
        *range(129), *LONG, 1500]),
    'poly1305_digest_x86_64': (digest, BYTES, WHOLE),
    'poly1305_digest_mulx': (digest, BYTES, WHOLE),
    'poly1305_digest_avx2': (digest, BYTES, [*WHOLE, 5001]),
    'poly1305_digest_avx512': (digest, BYTES, [*WHOLE, *(16 * n + 5 for n in LONG), 20000]),
    'poly1305_emit': (lambda *_: [('h', 24, 0), ('s', 16, 0), ('tag', 16, 0)], range(9), range(99)),
    'chacha20_avx512': (chacha, [0, 1, 64, 251, 500, 1101, 1600], [*WHOLE, 3201, 6500]),
    'poly1305_packet_avx512': (lambda rng, n, _: [MAC, ('data', n, 0), n, ('tag', 16, 0)], [
        128, 129, 143, 144, 257, 1420], [*WHOLE[128:], *(16 * n + 5 for n in LONG), 16384]),
    'chapoly_avx2_strides': (strides, [0, 1, 2], [0, 1, 1, 2, 3] * 20),
    'chapoly_avx2_rows': (rows, [1, 2, 3, 6], [1, 2, 3, 4, 5, 6] * 15),
    'chapoly_x86_begin': (lambda rng, n, _: [FRAME, ('key', 32, 0), ('nonce', 12, 0), operand(rng),
                                          operand(rng)], range(2), range(99)),
    'chapoly_x86_xor': (lambda rng, n, dst: [(dst, n, 0), ('src', n, 0),
                                        ('stream', n, 0), n], BYTES, WHOLE),
    'chapoly_x86_wipe': (stream, [32, 64, 800], range(32, 801, 32)),
    'chapoly_avx512_xor': (lambda rng, n, dst: [('stream', n, 0), (dst, n, 0), ('src', n, 0), n],
                           BYTES, WHOLE),
    'chapoly_avx512_wipe': (lambda rng, n, _: [('dst', n, 0), n], [64, 128], range(64, 1729, 64)),
    'chapoly_mulx': (mulx, range(4), range(129)),
    **{'chacha_%sblock_xor_%s' % (n, tier): (block_xor, BYTES, range(600))
       for tier in ('ssse3', 'avx2', 'avx512vl') for n in ('', '2', '4', '8')},
}


# A part of a function's name -> how Reference does it
KINDS = ('blocks_x86_64', 'blocks_mulx', 'blocks_generic', 'blocks_sse2', 'blocks', 'digest',
         'emit', 'packet', 'chacha20', 'strides', 'rows', 'begin', 'block_xor', 'xor', 'wipe')


def content(rng, name, size):
    """What is in a region at first"""
    r = number(rng.choice([rng.randbytes(16), bytes(16), b'\xff' * 16])) & CLAMP
    low, high, h = r % (1 << 64), r >> 64, [operand(rng), operand(rng)]
    if name == 'state':
        return numbers(*h, rng.randrange(5), low, high, 0) + rng.randbytes(size - 48)
    if name in ('chapoly', 'mac'):
        mac = numbers(*h, rng.choice([0, 3, 1 << 62]), low, high, *h, high + high // 4, 5 * low,
                      rng.randrange(2)) + bytes(48) + rng.randbytes(16)
        mac = rng.randbytes(AT['H'] if name == 'chapoly' else 0) + mac
        return mac + rng.randbytes(size - len(mac))
    if name == 'h':
        return (P - 2 + rng.randrange(9)).to_bytes(24, 'little') if rng.randrange(2) else \
            numbers(*h, rng.randrange(5))
    return rng.choice([rng.randbytes(size), bytes(size), b'\xff' * size])


def horner(h, r, data, hibit=1):
    """Poly1305's polynomial: h, then the blocks of data"""
    for i in range(0, len(data), 16):
        h = (h + number(data[i:i + 16]) + (hibit << 8 * len(data[i:i + 16]))) * r % P
    return h


def keystream(state, counter):
    """A block of RFC 8439, for a state of bytes and another word 12"""
    x = [number(state[i:i + 4]) for i in range(0, 64, 4)]
    x[12] = counter % (1 << 32)
    return b''.join(((a + b) % (1 << 32)).to_bytes(4, 'little')
                    for a, b in zip(x, double_rounds(x, 10)))


def xored(a, b):
    return bytes(map(int.__xor__, a, b))


class Reference:
    """What a function leaves in memory: old regions, with other bytes, and tests of some"""

    def __init__(self, name, args, old):
        self.name, self.args, self.old = name, args, old
        self.new = {region: bytearray(data) for region, data in old.items()}
        self.tests = []         # (region, first byte, size, test of these bytes)
        self.mac = next((r for r in ('mac', 'chapoly') if r in old), None)
        self.at_mac = AT['H'] - AT['MAC_H'] if self.mac == 'chapoly' else 0
        kind = next((k for k in KINDS if k in name), name)
        getattr(self, kind)(*args)

    def put(self, place, data):
        region, _, at = place
        self.new[region][at:at + len(data)] = data

    def test(self, region, at, size, test=lambda data: True):
        self.tests.append((region, at, size, test))

    def holds(self, new):
        """Whether that is in memory afterwards"""
        for region, at, size, test in self.tests:
            if not test(new[region][at:at + size]):
                return False
            self.new[region][at:at + size] = new[region][at:at + size]
        return all(self.new[region] == new[region] for region in self.new)

    def of_mac(self, name, at, size):
        at += self.at_mac + AT[name]
        return number(self.old[self.mac][at:at + size])

    def have_h(self, h, most, at=0):
        """h is that modulo p, and its upper word at most that"""
        self.test(self.mac or 'state', at, 24, lambda x: number(x) % P == h % P and
                  number(x[16:]) <= most)

    def tag(self, place, h, s):
        self.put(place, ((h + s) % (1 << 128)).to_bytes(16, 'little'))

    def frame(self, at, size):
        return self.old['chapoly'][at:at + size]

    def block(self, i, strides=0):
        """A block of AVX2's numbers"""
        count = number(self.frame(AT['NUMBERS'] + 4 * i, 4))
        return keystream(self.frame(0, 64), count + 8 * strides)

    def blocks(self, state, data, n, hibit):
        old = self.old['state']
        h = horner(number(old[:24]), number(old[24:40]), self.old['data'], hibit & 1)
        self.have_h(h, 4)
        if n and self.powers:
            self.test('state', 40, 200)

    powers = True               # whether a block function leaves powers in the state

    def blocks_x86_64(self, *args):
        self.powers = False
        self.blocks(*args)

    blocks_mulx = blocks_generic = blocks_sse2 = blocks_x86_64

    def digest(self, key, data, n, tag):
        key = self.old['key']
        self.tag(tag, horner(0, number(key[:16]) & CLAMP, self.old['data']), number(key[16:]))

    def emit(self, h, s, tag):
        self.tag(tag, number(self.old['h']) % P, number(self.old['s']))

    def packet(self, mac, data, n, tag):
        x, r = self.of_mac('MAC_H', 0, 24), self.of_mac('MAC_R', 0, 16)
        end = self.old['mac'][AT['MAC_END'] + 48:]
        h = horner(x * r, r, self.old['data'] + bytes(-n % 16) + end)
        self.tag(tag, h, self.of_mac('MAC_R', 16, 16))
        self.test('mac', 0, 24)

    def chapoly_mulx(self, mac, data, n, end, e, tag):
        x, r = self.of_mac('MAC_H', 0, 24), self.of_mac('MAC_R', 0, 16)
        text = self.old['data'] + self.old['end']
        h = 0 if self.of_mac('MAC_FRESH', 0, 8) else x * r
        self.tag(tag, horner(h, r, text), self.of_mac('MAC_R', 16, 16))
        self.have_h(horner(h, r, text[:-16]) + number(text[-16:]) + (1 << 128), MOST_H2)

    def chacha20(self, words, dst, src, n, key, with_key):
        counter, with_key = number(self.old['words'][48:52]), with_key & 1
        stream = b''.join(keystream(self.old['words'], counter + i) for i in range(n // 64 + 2))
        self.put(dst, xored(self.old['src'], stream[64 * with_key:]))
        if with_key:
            self.put(key, stream[:32])

    def block_xor(self, words, dst, src, n, nrounds):
        counter, count = number(self.old['words'][48:52]), re.search(r'(\d?)block', self.name)[1]
        stream = b''.join(keystream(self.old['words'], counter + i) for i in range(int(count or 1)))
        self.put(dst, xored(self.old['src'], stream))

    def stride(self, dst, src, i):
        """A stride of text"""
        at = src[2] + 512 * i
        stream = b''.join(self.block(j, i) for j in range(8))
        self.put((*dst[:2], dst[2] + 512 * i), xored(self.old['src'][at:at + 512], stream))

    def strides_done(self, n):
        """The numbers of blocks went up; the spilled word is wiped."""
        new = [number(self.frame(AT['NUMBERS'] + 4 * i, 4)) + 8 * n for i in range(8)]
        self.put(('chapoly', 0, AT['NUMBERS']), b''.join(
            (x % (1 << 32)).to_bytes(4, 'little') for x in new))
        self.put(('chapoly', 0, AT['WORD']), bytes(32))

    def taken(self, data):
        """The MAC of the frame has taken these blocks."""
        r, h = self.of_mac('MAC_R', 0, 16), self.of_mac('MAC_H', 0, 24)
        for i in range(0, len(data), 16):
            h = h * r + number(data[i:i + 16]) + (1 << 128)
        self.have_h(h, MOST_H2, AT['H'])

    def strides(self, frame, mac, rounds, dst, src, n):
        text, with_key = b'', rounds == WITH_KEY
        for i in range(n):
            at = mac[2] + 64 * rounds * i
            text += self.new[mac[0]][at:at + 64 * rounds]
            self.stride(dst, src, i)
        self.strides_done(n)
        if with_key:
            block = keystream(self.frame(0, 64), number(self.frame(48, 4)))
            self.put(('chapoly', 0, AT['R']), block[:32])
            self.test('chapoly', AT['H'], 24)
        else:
            self.taken(text)

    def rows(self, frame, mac, rounds, n):
        for i in range(2 if n <= 2 else 6):
            self.put(('chapoly', 0, AT['STREAM'] + 64 * i), self.block(i))
        self.taken(self.old['data'])
        self.put(('chapoly', 0, AT['WORD']), bytes(32))

    def begin(self, frame, key, nonce, first, second):
        numbers_of = [first] + [second + i for i in range(7)]
        state = b'expand 32-byte k' + self.old['key'] + bytes(4) + self.old['nonce']
        self.put(frame, state + b''.join((x % (1 << 32)).to_bytes(4, 'little') for x in numbers_of))

    def xor(self, *args):
        dst = next(x for x in args if x[0] != 'stream')
        self.put(dst, xored(self.old['src'], self.old['stream']))

    def wipe(self, frame, n):
        self.put(frame, bytes(n))


class Harness:
    """The functions of some objects, for this CPU"""

    def __init__(self, files):
        self.obj, self.machine = Objects(files), Machine(files, slots=8)
        here = {name for name, _ in self.obj.functions.values()}
        self.names = [n for n in CASES if n in here]

    def runs_here(self, name):
        """Whether the CPU has all instructions of a function's file"""
        file = self.obj.entry(name)[0]
        return all(runnable(i) for i in self.obj.code.values() if i.at[0] == file)

    def prepare(self, name, rng, n, dst, before=None):
        """
        Fill the slots for a case: (arguments, {region: bytes}, {region: address}, registers). The
        state may be that of an earlier case.
        """
        machine, regions, at = self.machine, {'stack': b''}, {}
        args = CASES[name][0](rng, n, dst)
        for x in args:
            if isinstance(x, tuple) and x[0] not in regions:
                regions[x[0]] = content(rng, *x[:2])
        if before and rng.randrange(2) and 'state' in before:
            regions['state'] = before['state']
        for slot, (region, data) in zip(machine.slots, regions.items()):
            machine.memory[slot:slot + SLOT] = rng.randbytes(256) * (SLOT // 256)
            shift, last = rng.choice([0, 0, rng.randrange(64)]), rng.randrange(4) > 0
            if region == 'stack':
                data, shift, last = numbers(machine.at['land']), 56 + (shift & -8), True
            where = slot + (SLOT - len(data) - shift if last else shift) & -ALIGN.get(region, 1)
            machine.memory[where:where + len(data)] = data
            at[region] = machine.base + where
        if FLAG in machine.at:
            ctypes.c_bool.from_address(machine.at[FLAG]).value = not rng.randrange(4)
        entry = self.obj.entry(name)
        state = (ctypes.c_uint64 * WORDS)(*(operand(rng) for _ in range(WORDS)))
        state[FLAGS] = 2 | rng.getrandbits(1) | rng.getrandbits(1) << 6
        state[TARGET] = machine.at[entry[:2]] + entry[2]
        for i, x in zip((RSP, *ARGUMENTS), [('stack', 8, 0), *args]):
            state[i] = at[x[0]] + x[2] if isinstance(x, tuple) else x
        return args, regions, at, state

    def compare(self, name, rng, n, dst, before=None):
        """Run a case: (what is wrong or None, the regions afterwards)"""
        machine = self.machine
        args, regions, at, state = self.prepare(name, rng, n, dst, before)
        memory = {slot: bytearray(machine.memory[slot:slot + SLOT]) for slot in machine.slots}
        saved = [state[i] for i in PRESERVED]
        machine.run(state)

        def region(name, data):
            begin = at[name] - machine.base
            return bytes(machine.memory[begin:begin + len(data)])
        after = {name: region(name, data) for name, data in regions.items()}
        known = {name: data for name, data in regions.items() if name != 'stack'}
        if not Reference(name, args, known).holds(after):
            return 'the reference has another result', None
        for name, data in regions.items():
            slot = max(s for s in machine.slots if s <= at[name] - machine.base)
            begin = at[name] - machine.base - slot
            memory[slot][begin:begin + len(data)] = after[name]
            if name == 'stack':         # what is below belongs to the function
                memory[slot][:begin] = machine.memory[slot:slot + begin]
        if any(machine.memory[slot:slot + SLOT] != data for slot, data in memory.items()):
            return 'other memory is changed', None
        if state[RSP] != at['stack'] + 8 or saved != [state[i] for i in PRESERVED]:
            return 'a callee-saved register is changed', None
        return None, after

    def function(self, name, short):
        """(how many cases agree, what does not agree or None)"""
        rng, before = random.Random(name), None
        _, few, whole = CASES[name]
        for done, n in enumerate(few if short else whole):
            for dst in ('dst', 'src')[done % 2:][:1] if short else ('dst', 'src'):
                wrong, before = self.compare(name, rng, n, dst, before)
                if wrong:
                    return done, 'length %d: %s' % (n, wrong)
        return (done + 1) * (1 if short else 2), None


def job(name):
    return name, child(lambda: HARNESS.function(name, SHORT), 600)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--short', action='store_true')
    parser.add_argument('objects', nargs='+')
    args = parser.parse_args()
    global HARNESS, SHORT
    HARNESS, SHORT = Harness(args.objects), args.short
    good, total, names = bool(HARNESS.names), 0, list(filter(HARNESS.runs_here, HARNESS.names))
    for name, result in parallel(job, names):
        done, wrong = (0, result) if isinstance(result, str) else result
        total += done
        if wrong:
            good = False
            print('not ok %s, %s' % (name, wrong))
    print('%s %d runs of %d functions agree with the reference on %s; %d need another CPU' % (
        'ok' if good else 'not ok', total, len(names), CPU, len(HARNESS.names) - len(names)))
    return not good


if __name__ == '__main__':
    sys.exit(main())
