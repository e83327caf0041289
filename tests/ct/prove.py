#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""prove.py [--only=PATTERN...] FILE.o...: nothing observable depends on secrets.

Analyses every function that the object files define and CONTRACTS names. The
contract describes the arguments. Prints for each function
    ok FUNCTION: N instructions
or a line for each finding. The exit status is 1 if there is a finding. taint.py
describes the analysis and its assumptions.
"""

import fnmatch
import sys

import instructions as known
import machine
import objects
import taint
from machine import Address, PUBLIC

# Members of structures that may be public: lengths, counters and pointers. All
# other memory that an argument points to is secret.
PUBLIC_MEMBERS = {'buflen', 'headlen', 'npow', 'hint', 'own', 'unfolded', 'tfm'}

# Arguments: the structure or array to which they point, or a public number
STATE, CTX, DESC = 'poly1305_mac_state', 'poly1305_mac_ctx', 'desc'
PREPARED = 'poly1305_mac_prepared'
SAVED = 'poly1305_saved'
INPUT, OUTPUT, NUMBER = 'input', 'output', 'number'
REQUESTS = 'addresses of poly1305_mac_req'
RUN = 'array of poly1305_mac_req'
TABLE = 'public'        # a structure without secrets
TIER = 'poly1305_tier'  # the same, with the address of its operations
AEAD, AEAD_REQUEST = 'crypto_aead', 'aead_request'
SHASH, SHASH_DESC = 'crypto_shash', 'shash_desc'    # of poly1305_aes.c

CONTRACTS = {
    'poly1305_emit': (INPUT, INPUT, OUTPUT),
    'poly1305_blocks_*': (STATE, INPUT, NUMBER, NUMBER),
    'poly1305_powers_*': (STATE,),
    'poly1305_digest_*': (INPUT, INPUT, NUMBER, OUTPUT),
    'poly1305_parts_*': (INPUT, INPUT, NUMBER, INPUT, NUMBER, OUTPUT),
    'poly1305_batch_*': (REQUESTS, NUMBER),
    'poly1305_run_*': (RUN, NUMBER),
    'poly1305_mac_init': (CTX, INPUT),
    'poly1305_mac_init_hint': (CTX, INPUT, NUMBER),
    'poly1305_mac_prepare': (PREPARED, INPUT),
    'poly1305_mac_init_prepared': (CTX, PREPARED, INPUT),
    'poly1305_mac_digest_prepared': (PREPARED, INPUT, INPUT, NUMBER, OUTPUT),
    'poly1305_extend_powers': (STATE,),
    'poly1305_mac_verify': (INPUT, INPUT, NUMBER, INPUT),
    'update_*': (CTX, INPUT, NUMBER),
    'final_*': (CTX, OUTPUT),
    'digest_*': (INPUT, INPUT, NUMBER, OUTPUT),
    'mac_aead_*': (INPUT, INPUT, NUMBER, INPUT, NUMBER, OUTPUT),
    'shash_init': (DESC,),
    'shash_export': (DESC, SAVED),
    'shash_import': (DESC, SAVED),
    'shash_update_*': (DESC, INPUT, NUMBER),
    'shash_final_*': (DESC, OUTPUT),
    'shash_finup_*': (DESC, INPUT, NUMBER, OUTPUT),
    'shash_digest_*': (DESC, INPUT, NUMBER, OUTPUT),
}

# What another MAC from the same sources lacks; all else has its name for Poly1305's.
ONLY_POLY1305 = {
    'poly1305_batch_*', 'poly1305_run_*', 'poly1305_extend_powers', 'poly1305_powers_*',
    'poly1305_mac_init_hint', 'poly1305_mac_prepare', 'poly1305_mac_init_prepared',
    'poly1305_mac_digest_prepared', 'poly1305_parts_*', 'mac_aead_*'}


def contracts_of(mac):
    return {name.replace('poly1305', mac):
            tuple(a.replace('poly1305', mac) if a == CTX else a for a in arguments)
            for name, arguments in CONTRACTS.items() if name not in ONLY_POLY1305}


# These call functions that only the kernel has.
KERNEL_CONTRACTS = {
    'poly1305_digest_sg': (TIER, INPUT, TABLE, NUMBER, OUTPUT),
    'chapoly_setkey': (AEAD, INPUT, NUMBER),
    'chapoly_encrypt': (AEAD_REQUEST,),
    'chapoly_decrypt': (AEAD_REQUEST,),
}

# Functions of other files have the same names as functions of this one.
AES, AES_FILE = 'aes: ', 'poly1305_aes.o'
AES_CONTRACTS = {
    'aes: shash_setkey': (SHASH, INPUT, NUMBER),
    'aes: shash_init': (SHASH_DESC,),
    'aes: shash_update': (SHASH_DESC, INPUT, NUMBER),
    'aes: shash_final': (SHASH_DESC, OUTPUT),
    'aes: shash_digest': (SHASH_DESC, INPUT, NUMBER, OUTPUT),
    'aes: shash_export': (SHASH_DESC, SAVED),
    'aes: shash_import': (SHASH_DESC, SAVED),
}

# The results of these depend on secrets but are public: whether a key, or a state to
# import, is a permitted one. Callers learn that, so attackers may. The code of these
# functions is proven like all other code.
DECLASSIFIED = {'r_permitted', 'saved_permitted'}

# Parts of other functions, which are analysed with those
PARTS = ('*.part.*', '*.cold')

# Functions that are not analysed: jumps through static calls to functions above;
# functions that see no secrets; those that group the messages of a batch, which only
# look at lengths; and those that make transforms and instances of poly1305(aes)
NOT_ENTRIES = (
    'poly1305_mac_update', 'poly1305_mac_final',
    'poly1305_mac_digest', 'poly1305_mac_aead', 'poly1305_mac_digest_sg',
    'poly1305_selftest',
    'poly1305_user_*', 'poly1305_chains',
    'poly1305_section_*', 'poly1305_arch_init', 'poly1305_x86_use', 'poly1305_use_tier',
    'poly1305_mac_batch',
    'poly1305_batch', 'digest_list*',
    'aes: shash_init_tfm', 'aes: shash_exit_tfm', 'aes: poly1305_aes_create',
    'poly1271_some_blocks',
)

# Code that runs at load
NOT_FILES = ('poly1305_selftest.o',)

# All messages of a batch count as one, and so do their requests, keys and tags.
MESSAGE = machine.Address('a message', 0, True)
REQUEST = machine.Address('a request', 0, False)
MEMBERS = {'key': machine.Address('a key', 0, False),
           'data': machine.Address('a message', 0, False), 'len': PUBLIC,
           'tag': machine.Address('a tag', 0, False), 'sgl': PUBLIC}

# The ops of a tier
OPERATIONS = machine.Address('operations', 0, False)

# A request to encrypt or decrypt
TEXT = machine.Address('a text', 0, True)
ALGORITHM = machine.Address('an algorithm', 0, False)
LIST = machine.Address('a list', 0, False)
NONCE = machine.Address('a nonce', 0, False)
CIPHER = machine.Address('a cipher', 0, False)

# Arrays in the stack frames of assembly, from the stack pointer on; README.md explains
# the entries. (For compiled functions, DWARF has them.)
FRAMES = {
    'poly1305_digest_mul': [(0, 40, None)],
    'poly1305_blocks_sse2': [('VAR_POWERS', 'FRAME', None)],
    'poly1305_blocks_avx2': [('VAR_POWERS', 'FRAME', None)],
    'poly1305_digest_avx2': [('VAR_R', 'FRAME', None)],
    'poly1305_parts_avx2': [('VAR_R', 'FRAME', None)],
    'poly1305_blocks_avx2_short': [('VAR_R', 'FRAME', None)],
    'poly1305_digest_avxifma': [('VAR_R', 'FRAME', None)],
    'poly1305_parts_avxifma': [('VAR_R', 'FRAME', None)],
    'poly1305_blocks_avxifma': [('VAR_R', 'FRAME', None)],
    'poly1305_blocks_avx512f': [('VAR_POWERS', 'FRAME', None)],
    'poly1305_parts_avx512f': [('MESSAGE_FIRST', 'MESSAGE_LEN', None)],
    'finish_avx512': [('TABLE_BEGIN', 'TABLE_END', None)],
    'poly1271_blocks_avx2': [('VAR_SUMS', 'FRAME', None)],
    'fours_avx2': [
        ('VAR_5R0', 'VAR_BEGIN', None), ('VAR_BEGIN', 'VAR_END', PUBLIC),
        ('VAR_END', 'VAR_LEN_OF', MESSAGE),
        ('VAR_LEN_OF', 'VAR_LEN', PUBLIC)],
    'eights_avx512': [
        ('VAR_NEG_HALVES', 'VAR_PADS', PUBLIC), ('VAR_PADS', 'FRAME', None)],
}


def writes(analysis, state, insn):
    """A function writes secrets to each argument that is not constant."""
    for register in machine.ARGUMENTS[:4]:
        at = state.general[register]
        if isinstance(at, Address) and at != machine.GLOBALS and \
                at.region not in analysis.contract.constant:
            analysis.store_at(state, insn, Address(at.region, at.offset, True),
                              [None])


def members(analysis, state, struct, at, values):
    """Give members of the structure at an address these values."""
    for begin, _, path in analysis.program.layouts[struct]:
        if path in values:
            state.memory.setdefault(at.region, {}).update(enumerate(
                analysis.entries(values[path], 8), at.offset + begin))


def next_piece(analysis, state, insn):
    """sg_miter_next(): the place of the next piece of a message"""
    at = state.general[machine.RDI]
    members(analysis, state, 'sg_mapping_iter', at,
            {'addr': MESSAGE, 'length': PUBLIC})


def first_part(analysis, state, insn):
    """skcipher_walk_aead_*crypt(): the places of a text to read and to write"""
    at = state.general[machine.RDI]
    members(analysis, state, 'skcipher_walk', at,
            {'nbytes': PUBLIC, 'total': PUBLIC})
    for begin, _, path in analysis.program.layouts['skcipher_walk']:
        if path in ('src', 'dst'):      # a union, in which addr is second
            state.memory[at.region].update(enumerate(
                analysis.entries(TEXT, 8), at.offset + begin + 8))


def text_in_one_piece(analysis, state, insn):
    """one_piece(): where a text is; it computes that from a list"""
    return TEXT


class Contract:
    """The knowledge on entry to a function"""

    # Functions of the kernel, which are trusted: they get no secret in a register
    # or, as crypto_memneq(), promise constant time themselves. None: no effect.
    external = dict.fromkeys((
        'irq_fpu_usable', 'kernel_fpu_begin_mask', 'kernel_fpu_end',
        'crypto_cipher_setkey',
        '__crypto_memneq', '__warn_printk', 'sg_miter_start', 'sg_miter_stop',
        'sg_nents_for_len'))
    external.update(dict.fromkeys((
        'scatterwalk_map_and_copy', '__crypto_xor', 'chacha_init_arch', 'chacha_crypt_arch',
        'chacha_block_generic', 'sg_zero_buffer', 'sg_nents',
        'crypto_cipher_encrypt_one'), writes))
    external.update(dict.fromkeys((
        'skcipher_walk_aead_encrypt', 'skcipher_walk_aead_decrypt',
        'skcipher_walk_done'), first_part))
    external['sg_miter_next'] = next_piece
    external['one_piece'] = text_in_one_piece
    external['indirect'] = writes
    declassified = DECLASSIFIED
    # Variables of the kernel that hold the address of something public
    pointers = {'current_task', 'pcpu_hot', 'const_current_task'}

    def __init__(self, program, arguments):
        self.values, self.arrays = [], {}
        self.public, self.constant = {}, {MESSAGE.region}
        self.contents, self.several = {}, set()
        self.members, self.resolved, self.runs = {}, {}, {}
        for number, argument in enumerate(arguments):
            name = 'argument %d' % (number + 1)
            if argument == NUMBER:
                self.values.append(PUBLIC)
                continue
            self.values.append(Address(name, 0, False))
            if argument == TABLE:
                self.contents[name] = PUBLIC
                self.constant.add(name)
            if argument == TIER:
                self.tier(program, name)
                continue
            if argument == REQUESTS:
                self.requests(program, name)
            if argument == RUN:
                self.run(program, name)
            if argument in (INPUT, REQUESTS, RUN):
                self.constant.add(name)
            layout = program.layouts.get(argument, [])
            if argument in (AEAD, AEAD_REQUEST):
                self.aead(program, name, argument)
                continue
            if argument in (SHASH, SHASH_DESC):
                self.shash(program, name, argument)
                continue
            self.arrays[name] = [part[:2] for part in arrays(layout)]
            self.public[name] = public_members(layout)

    def tier(self, program, name):
        """An argument that is a tier, with the address of its operations"""
        layout = program.layouts[TIER]
        self.arrays[name] = []
        self.public[name] = [i for begin, end, _ in layout
                             for i in range(begin, end)]
        self.members.update(((name, begin), OPERATIONS)
                            for begin, _, path in layout if path == 'ops')
        self.contents[OPERATIONS.region] = PUBLIC
        self.constant.update((name, OPERATIONS.region))

    def requests(self, program, name):
        """An argument that is an array of addresses of requests"""
        self.contents[name] = REQUEST
        self.constant.add('a request')
        self.keys_and_tags()
        for begin, end, member in program.layouts['poly1305_mac_req']:
            self.members[REQUEST.region, begin] = MEMBERS[member]

    def run(self, program, name):
        """An argument that is an array of requests"""
        layout = program.layouts['poly1305_mac_req']
        self.runs[name] = (layout[-1][1], {
            begin: MEMBERS[member] for begin, end, member in layout})
        self.keys_and_tags()

    def keys_and_tags(self):
        """The keys, messages and tags of requests"""
        self.constant.update(('a key', 'a message'))
        self.several.add('a tag')
        self.arrays['a tag'] = []

    def aead(self, program, name, argument):
        """An argument of the kernel's AEAD API: a request or a transform"""
        for address in (ALGORITHM, LIST):
            self.contents[address.region] = PUBLIC
        self.constant.update(
            address.region for address in (ALGORITHM, LIST, NONCE))
        self.arrays[TEXT.region] = []
        layouts = program.layouts
        tfm = name if argument == AEAD else 'the key'
        base = min(begin for begin, _, path in layouts[AEAD]
                   if path.startswith('base.'))
        pointers = {'base.tfm': machine.Address(tfm, base, False), 'iv': NONCE,
                    'src': LIST, 'dst': LIST, 'base.__crt_alg': ALGORITHM}
        self.arrays[tfm] = []
        for region, layout in (name, layouts[argument]), (tfm, layouts[AEAD]):
            self.public[region] = [i for begin, end, _ in layout
                                   for i in range(begin, end)]
            for begin, _, path in layout:
                if path in pointers:
                    self.members[region, begin] = pointers[path]

    def shash(self, program, name, argument):
        """An argument of the kernel's shash API: a descriptor or a transform"""
        layouts = program.layouts
        tfm = name if argument == SHASH else 'the key'
        # The module's context follows the API's structure.
        key = max(end for _, end, _ in layouts[SHASH])
        parts = {tfm: shifted(layouts.get('poly1305_aes_key', []), key)}
        self.constant.add(CIPHER.region)
        if argument == SHASH_DESC:
            parts[name] = shifted(layouts['poly1305_desc'], 8)
            self.members[name, 0] = Address(tfm, 0, False)
            self.constant.add(tfm)
        for region, layout in parts.items():
            self.arrays[region] = [part[:2] for part in arrays(layout)]
            self.public[region] = public_members(layout)
            for begin, _, path in layout:
                if path == 'cipher':
                    self.members[region, begin] = CIPHER

    def declared(self, program, function):
        """The arrays in a frame of assembly, with their contents"""
        (file, *_), name = function
        if name not in self.resolved:
            self.resolved[name] = [
                [place_in(program, file, begin),
                 place_in(program, file, end), content]
                for begin, end, content in FRAMES.get(name, [])]
        return self.resolved[name]

    def frame(self, program, function):
        """The arrays in a frame, as Program.frames has them"""
        place, name = function
        if name in FRAMES:
            return [(begin, end, False) for begin, end, content
                    in self.declared(program, function) if content is None]
        return arrays(program.frames.get(place, []))


def place_in(program, file, place):
    """A place in a frame: a number, or a name from .set"""
    if not isinstance(place, str):
        return place
    if (file, place) not in program.numbers:
        raise LookupError('FRAMES has %s, which no .set defines' % place)
    return program.numbers[file, place]


def arrays(layout):
    return [part for part in layout if part[1] - part[0] > 8]


def shifted(layout, by):
    return [(begin + by, end + by, path) for begin, end, path in layout]


def public_members(layout):
    """The offsets of bytes in a structure that may be public"""
    return [i for begin, end, path in layout for i in range(begin, end)
            if path.split('.')[-1] in PUBLIC_MEMBERS]


def analyse(program, place, name, arguments):
    contract = Contract(program, arguments)
    analysis = taint.Analysis(program, contract)
    state = machine.State()
    for register, value in zip(machine.ARGUMENTS, contract.values):
        state.general[register] = value
    for region, offsets in contract.public.items():
        state.memory[region] = dict.fromkeys(offsets, PUBLIC)
    for (region, offset), value in contract.members.items():
        state.memory.setdefault(region, {}).update(
            enumerate(analysis.entries(value, 8), offset))
    region = name + ' at depth 0'
    analysis.frames.add(region)
    state.lows[region] = 0, place
    state.general[machine.RSP] = Address(region, 0, False)
    state.memory[region] = dict.fromkeys(range(8), PUBLIC)
    after = analysis.run(place, state, name, 0)
    # Members that other functions take for public must still be public.
    for region, offsets in contract.public.items():
        if after and any(i not in after.memory[region] for i in offsets):
            analysis.leak(program.code[place],
                          'leaves a secret where lengths are, in ' + region)
    return analysis


def missed(program, seen):
    """For each function analysed, the first instruction that was not reached"""
    functions = {program.function_at(at) for at in seen}
    found = {}
    for at, insn in program.code.items():
        if at in seen or insn.name in known.NOTHING | known.TRAPS or \
                not any(place[:2] == at[:2] for place in program.functions):
            continue
        function = program.function_at(at)
        if function in functions:
            found.setdefault(function[1], insn.text)
    return found.items()


def main(files):
    only = []
    while files and files[0].startswith('--only='):
        only.append(files.pop(0)[7:])
    program = objects.Program(files)
    program.layouts['desc'] = [(0, 8, 'tfm')] + \
        shifted(program.layouts.get('poly1305_desc', []), 8)
    contracts, left_out = CONTRACTS, NOT_ENTRIES
    names = {name for name, _ in program.functions.values()}
    mac = next((n[:-len('_emit')] for n in names if n.endswith('_emit')), 'poly1305')
    left_out += tuple(name.replace('poly1305', mac) for name in left_out)
    if mac != 'poly1305':
        contracts, left_out = contracts_of(mac), left_out + tuple(KERNEL_CONTRACTS)
    elif any(insn.symbol == '__fentry__' for insn in program.code.values()):
        contracts = {**AES_CONTRACTS, **KERNEL_CONTRACTS, **CONTRACTS}
    else:
        left_out += tuple(KERNEL_CONTRACTS)
    done = failed = 0
    met, seen = set(), set()
    for place, (name, _) in sorted(program.functions.items()):
        if any(fnmatch.fnmatch(name, other) for other in PARTS) or \
                place[0].endswith(NOT_FILES):
            continue
        wanted = name.startswith(('poly1305_', mac + '_', 'shash_'))
        if place[0].endswith(AES_FILE):
            name = AES + name
        contract = next((c for c in contracts if fnmatch.fnmatch(name, c)), None)
        if any(fnmatch.fnmatch(name, other) for other in left_out):
            continue
        if contract is None:
            if wanted:
                print('not ok %s: it has no contract in prove.py' % name)
                failed += 1
            continue
        met.add(contract)
        if only and not any(fnmatch.fnmatch(name, o) for o in only):
            continue
        try:
            analysis = analyse(program, place, name, contracts[contract])
        except LookupError as error:
            print('not ok %s: %s' % (name, error))
            failed += 1
            continue
        seen |= analysis.seen
        done += 1
        failed += bool(analysis.found)
        if not analysis.found:
            print('ok %s: %d instructions' % (name, len(analysis.seen)))
        for (at, what), insn in analysis.found.items():
            print('not ok %s: %s, in %s: %s' % (
                name, what, program.function_at(at)[1], insn.text))
    for name, text in ([] if only else missed(program, seen)):
        print('not ok %s: no path that is understood leads to %s' % (name, text))
        failed += 1
    for contract in set(contracts) - met:
        print('not ok %s: there is no such function' % contract)
        failed += 1
    print('%d functions' % done)
    return 1 if failed or not done else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
