#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""prove.py FILE.o...: nothing observable depends on secrets.

Analyses every function that the object files define and ENTRIES names. Its
declaration, or CONTRACTS, describes the arguments. Prints for each function
    ok FUNCTION: N instructions
or a line for each finding. The exit status is 1 if there is a finding. taint.py
describes the analysis and its assumptions.
"""

import fnmatch
import sys

from elftools.common.construct_utils import SLEB128
from elftools.dwarf.locationlists import LocationExpr, LocationParser

import taint
from taint import Address, PUBLIC
import stated
from loader import Objects, TOP
from proof import ARGUMENTS

CFA, FBREG, BREG6, BREG7 = 0x9c, 0x91, 0x76, 0x77    # DW_OP_...


# Members of structures that may be public: lengths, counters and pointers. All
# other memory that an argument points to is secret.
PUBLIC_MEMBERS = {'buflen', 'prefix_len', 'have_powers', 'want_powers', 'ad_len', 'len', 'left',
                  'used', 'made', 'seal', 'fresh', 'assoclen', 'cryptlen', 'authsize', 'flags'}

# Arguments: a public number, or the structure or array to which they point
DESC, AEAD, SHASH = 'shash_desc', 'crypto_aead', 'crypto_shash'
INPUT, OUTPUT, NUMBER = 'input', 'output', 'number'
TABLE = 'scatterlist'   # a structure without secrets

# What something outside calls, or by a pointer
ENTRIES = ('poly1305_*', 'chapoly_*', 'chacha20_*', 'shash_*', 'update_*', 'final_*', 'digest_*',
           'seal_*', 'open_*', 'crypt_avx*')

# Where C's declarations, which DWARF has, do not say it: of one function that gcc has made a jump
# to another tier's, and of a void *. Of assembly, the blocks above the functions say it.
CONTRACTS = {
    'update_*': ('poly1305_mac_ctx', INPUT, NUMBER),
    'final_*': ('poly1305_mac_ctx', OUTPUT),
    'digest_*': (INPUT, INPUT, NUMBER, OUTPUT),
    'shash_export': (DESC, 'poly1305_saved'),
    'shash_import': (DESC, 'poly1305_saved'),
    'shash_update*': (DESC, INPUT, NUMBER),
    'shash_final*': (DESC, OUTPUT),
    'shash_finup*': (DESC, INPUT, NUMBER, OUTPUT),
    'shash_digest*': (DESC, INPUT, NUMBER, OUTPUT),
}

# These call functions that only the kernel has.
KERNEL = ('poly1305_mac_digest_sg', 'shash_setkey', 'chapoly_setkey', 'chapoly_encrypt',
          'chapoly_decrypt', 'chapoly_ad_list', 'chapoly_seal_list', 'chapoly_open_list')

# The results of these depend on secrets but are public: whether a key, or a state to import, is a
# permitted one, and whether a tag is right. Callers learn that, so attackers may. The code of these
# functions is proven like all other code.
DECLASSIFIED = {'r_permitted', 'saved_permitted', 'chapoly_is_right'}

# These say where a text is, which they compute from a list.
PLACES = {'one_piece', 'next_piece', 'next_pair'}

# tests/suites/ct keeps compilers from inlining the functions in both sets.

# Parts of other functions, which are analysed with those
PARTS = ('*.part.*', '*.cold')

# Functions that are not analysed: jumps through static calls to functions above;
# functions that see no secrets; a part of functions above, chapoly_crypt; and those that
# make transforms and instances of poly1305(aes)
NOT_ENTRIES = (
    'poly1305_mac_update', 'poly1305_mac_final', 'poly1305_mac_digest',
    'poly1305_selftest', 'poly1305_user_*',
    'poly1305_prime_fpu', 'poly1305_arch_init', 'poly1305_use_tier', 'poly1305_mac_tier',
    'chapoly_init', 'chapoly_exit', 'chapoly_use', 'chapoly_setauthsize', 'chapoly_crypt',
    'shash_init_tfm', 'shash_exit_tfm', 'poly1305_aes_create',
)

# Code that runs at load
NOT_FILES = ('poly1305_selftest.o',)

# A piece of a message in a list; the rest of what the kernel's structures point to
MESSAGE, TEXT = Address('a message', None), Address('a text', None)
ALGORITHM, LIST, NONCE, CIPHER = (
    Address(name, 0) for name in ('an algorithm', 'a list', 'a nonce', 'a cipher'))
POINTERS = {'tfm': Address(SHASH, 0), 'cipher': CIPHER, 'iv': NONCE, 'src': LIST, 'dst': LIST,
            'base.__crt_alg': ALGORITHM}

def writes(analysis, state, insn):
    """A function writes secrets to each argument that is not constant."""
    for register in ARGUMENTS[:4]:
        at = state.general(register)
        if isinstance(at, Address) and at != taint.GLOBALS and \
                at.region not in analysis.contract.constant:
            analysis.store_at(state, insn, at.plus(), [None])


def next_piece(analysis, state, insn):
    """sg_miter_next(): the place of the next piece of a message"""
    at, values = state.general(taint.RDI), {'addr': MESSAGE, 'length': PUBLIC}
    for begin, _, path in analysis.program.layouts['sg_mapping_iter']:
        if path in values:
            state.memory.setdefault(at.region, {}).update(enumerate(
                taint.to_bytes(values[path], 8), at.offset + begin))


def next_pair(analysis, state, insn):
    """next_pair(): where the next piece of two lists is"""
    for pointer in (taint.RSI, taint.RDX):
        analysis.store_at(state, insn, state.general(pointer), taint.to_bytes(TEXT, 8))


class Program(Objects):
    """
    Object files taken together, as a linker would, and from DWARF, at most version 4, the layouts
    of variables and structures
    """

    strict = False          # C has what the proofs do not know.
    blocks = stated.sources(TOP).blocks

    def __init__(self, files):
        self.owners = {}
        # function place -> [(from, to, whether offsets count from the call frame
        # address, just above the return address, or else from the stack pointer)]
        self.frames = {}
        self.layouts = {}       # structure -> [(from, to, path)]
        self.declared = {}      # function place -> its arguments
        super().__init__(files)
        jumps = [i for i in self.code.values() if i.name[0] == 'j']
        self.leaders = {i.after for i in jumps} | {i.target for i in self.code.values()}

    def read(self, file, elf):
        super().read(file, elf)
        if elf.has_dwarf_info():
            self.read_dwarf(file, elf.get_dwarf_info())

    def function_at(self, place):
        """The function that an instruction belongs to, if any: its place and name"""
        if place not in self.owners:
            entry = max((entry for entry in self.functions
                         if entry[:2] == place[:2] and entry[2] <= place[2]), default=None)
            self.owners[place] = entry and (entry, self.functions[entry][0])
        return self.owners[place]

    def read_dwarf(self, file, dwarf):
        lists = dwarf.location_lists()
        for unit in dwarf.iter_CUs():
            for die in unit.iter_DIEs():
                if die.tag == 'DW_TAG_structure_type' and \
                        {'DW_AT_name', 'DW_AT_byte_size'} <= die.attributes.keys():
                    self.layouts[value(die, 'DW_AT_name').decode()] = leaves(die, 0, '')
                if die.tag == 'DW_TAG_subprogram' and 'DW_AT_frame_base' in die.attributes:
                    self.read_function(file, die, lists)

    def read_function(self, file, function, lists):
        name = value(holder(function, 'DW_AT_name'), 'DW_AT_name').decode()
        # A function in several sections has no single address, but a name.
        place = (file, '.text', value(function, 'DW_AT_low_pc')) if \
            'DW_AT_low_pc' in function.attributes else self.local.get((file, name))
        if self.functions.get(place, ('',))[0].split('.')[0] == name:
            self.declared[place] = arguments_of(function)
        base = value(function, 'DW_AT_frame_base')[0]
        self.frames[place] = sorted({
            (begin, end, from_top and base == CFA) for variable in variables(function)
            for offset, from_top in frame_offsets(variable, lists)
            for begin, end, _ in leaves(type_of(variable), offset, '')})


def variables(die):
    """The variables and arguments of a function, those of blocks in it included"""
    for child in die.iter_children():
        if child.tag in ('DW_TAG_variable', 'DW_TAG_formal_parameter'):
            yield child
        elif child.has_children:
            yield from variables(child)


def value(die, attribute, default=None):
    return die.attributes[attribute].value if attribute in die.attributes else default


def holder(die, attribute):
    """The entry that has an attribute: this one or that of which it is an instance"""
    while attribute not in die.attributes:
        die = die.get_DIE_from_attribute('DW_AT_abstract_origin')
    return die


def type_of(die):
    """The type of a variable or member, behind all names and qualifiers"""
    while True:
        die = holder(die, 'DW_AT_type').get_DIE_from_attribute('DW_AT_type')
        if die.tag not in ('DW_TAG_typedef', 'DW_TAG_const_type', 'DW_TAG_volatile_type'):
            return die


def kind_of(kind, pointer, constant):
    """What an argument is, by the type of it or of what it points to"""
    return NUMBER if not pointer else INPUT if constant else \
        kind.split()[1] if kind.startswith('struct ') else OUTPUT


def arguments_of(function):
    """What each argument of a function is"""
    found = []
    for child in function.iter_children():
        if child.tag == 'DW_TAG_formal_parameter':
            die = type_of(child)
            to = die.get_DIE_from_attribute('DW_AT_type') if 'DW_AT_type' in die.attributes else die
            found.append(kind_of('struct ' + value(to, 'DW_AT_name').decode() if to.tag ==
                                 'DW_TAG_structure_type' else '', die.tag == 'DW_TAG_pointer_type',
                                 to.tag == 'DW_TAG_const_type'))
    return found


def size_of(die):
    if die.tag == 'DW_TAG_array_type':
        size = size_of(type_of(die))
        for child in die.iter_children():
            if child.tag == 'DW_TAG_subrange_type':
                size *= value(child, 'DW_AT_count', value(child, 'DW_AT_upper_bound', -1) + 1)
        return size
    return value(die, 'DW_AT_byte_size', 8 if die.tag == 'DW_TAG_pointer_type' else 0)


def leaves(die, at, path):
    """The parts of a type, each array as one part: [(from, to, path)]"""
    if die.tag != 'DW_TAG_structure_type':
        size = size_of(die)
        return [(at, at + size, path)] if size else []
    found = []
    for child in die.iter_children():
        if child.tag == 'DW_TAG_member':
            name = value(child, 'DW_AT_name', b'').decode()
            offset = value(child, 'DW_AT_data_member_location')
            found += leaves(type_of(child), at + offset, path + '.' + name if path else name)
    return found


def frame_offsets(die, lists):
    """
    The offsets of a variable in the frame, and whether each counts from the frame's
    base (DW_OP_fbreg, or 16 bytes below it DW_OP_breg6, a frame pointer) or from the
    stack pointer (DW_OP_breg7)
    """
    location = die.attributes.get('DW_AT_location')
    if location is None or not LocationParser.attribute_has_location(location, 4):
        return []
    found = LocationParser(lists).parse_from_attribute(location, 4, die)
    expressions = [entry.loc_expr for entry in (
        [found] if isinstance(found, LocationExpr) else found) if hasattr(entry, 'loc_expr')]
    return [(SLEB128('').parse(bytes(e[1:])) - (16 if e[0] == BREG6 else 0), e[0] != BREG7)
            for e in expressions if e and e[0] in (FBREG, BREG6, BREG7)]


class Contract:
    """The knowledge on entry to a function"""

    # Functions of the kernel, which are trusted: they get no secret in a register
    # or, as crypto_memneq(), promise constant time themselves. And functions of
    # chapoly.h, which are analysed alone. None: no effect.
    external = {
        **dict.fromkeys((
            'irq_fpu_usable', 'kernel_fpu_begin_mask', 'kernel_fpu_end', 'crypto_cipher_setkey',
            '__crypto_memneq', '__warn_printk', 'sg_miter_start', 'sg_miter_stop',
            'sg_nents_for_len')),
        **dict.fromkeys((
            '__crypto_xor', 'chacha_init_arch', 'chacha_crypt_arch', 'chacha_block_generic',
            'crypto_cipher_encrypt_one', 'chapoly_seal', 'chapoly_open', 'chapoly_begin',
            'chapoly_ad', 'chapoly_text', 'chapoly_end', 'chapoly_verify', 'chapoly_pieces_mac',
            'chapoly_pieces_crypt', 'chapoly_pieces_tag', 'chapoly_ad_list', 'chapoly_seal_list',
            'chapoly_open_list', 'indirect'), writes),
        'sg_miter_next': next_piece,
        'sg_next': lambda *_: LIST,
        **dict.fromkeys(PLACES, lambda *_: TEXT),
        'next_pair': next_pair,
    }
    declassified = DECLASSIFIED
    # Variables of the kernel that hold the address of something public
    pointers = {'current_task', 'pcpu_hot', 'const_current_task'}

    def __init__(self, program, arguments):
        self.values, self.arrays, self.memory = [], {TEXT.region: []}, {}
        self.tables = {ALGORITHM.region, LIST.region}
        self.constant = {at.region for at in (MESSAGE, ALGORITHM, LIST, NONCE, CIPHER)}
        for number, argument in enumerate(arguments, 1):
            name = argument if argument in (AEAD, SHASH) else 'argument %d' % number
            self.values.append(PUBLIC if argument == NUMBER else Address(name, 0))
            self.describe(program, name, argument)
            if argument == TABLE:
                self.tables.add(name)
            if argument in (INPUT, TABLE):
                self.constant.add(name)
        for transform in AEAD, SHASH:
            self.describe(program, transform, transform)

    def describe(self, program, region, structure):
        """A region has this layout, if there is a structure of that name."""
        layout, pointers = program.layouts.get(structure, []), program.pointers
        self.arrays[region] = [part[:2] for part in arrays(layout)]
        self.memory[region] = memory = {}
        for begin, end, path in layout:
            if path in pointers and end - begin == 8:
                memory.update(enumerate(taint.to_bytes(pointers[path], 8), begin))
            elif path.split('.')[-1] in PUBLIC_MEMBERS:
                memory.update(dict.fromkeys(range(begin, end), PUBLIC))

    def frame(self, program, function):
        """The arrays in a frame, as Program.frames has them; of assembly, that of its block"""
        place, name = function
        if name not in program.blocks:
            return arrays(program.frames.get(place, []))
        ends = [int(x) if x.isdigit() else program.numbers[place[0], x]
                for x in program.blocks[name].array if x]
        return [(*ends, False)] if ends else []


def arrays(layout):
    return [part for part in layout if part[1] - part[0] > 8]


def shifted(layout, by):
    return [(begin + by, end + by, path) for begin, end, path in layout]


def matches(name, patterns):
    return any(fnmatch.fnmatch(name, pattern) for pattern in patterns)


def analyse(program, place, name, arguments):
    contract = Contract(program, arguments)
    analysis = taint.Analysis(program, contract)
    state = taint.State()
    for register, value in zip(ARGUMENTS, contract.values):
        state.put(register, value)
    state.memory = {region: dict(memory) for region, memory in contract.memory.items()}
    analysis.enter(state, name, place, [
        byte for value in contract.values[len(ARGUMENTS):]
        for byte in taint.to_bytes(value, 8)])
    after = analysis.run(place, state)
    # Members that other functions take for public must still be public.
    for region, memory in contract.memory.items():
        if after and not memory.keys() <= after.memory[region].keys():
            analysis.leak(program.code[place], 'leaves a secret where lengths are, in ' + region)
    return analysis


def missed(program, seen):
    """For each function analysed, the first instruction that was not reached"""
    functions = {program.function_at(at) for at in seen}
    found = {}
    for at, insn in program.code.items():
        function = program.function_at(at)
        if at not in seen and function in functions and \
                insn.name not in taint.NOTHING | taint.TRAPS:
            found.setdefault(function[1], insn.text)
    return found.items()


def main(files):
    program = Program(files)
    blocks = program.blocks
    layouts = program.layouts
    layouts[DESC] = [(0, 8, 'tfm')] + shifted(layouts.get('poly1305_desc', []), 8)
    # The module's context follows the transform of the API.
    layouts[SHASH] = shifted(layouts.get('poly1305_aes_key', []),
                             max((end for _, end, _ in layouts.get(SHASH, [])), default=0))
    base = [begin for begin, _, path in layouts.get(AEAD, []) if path.startswith('base.')]
    program.pointers = {**POINTERS, 'base.tfm': Address(AEAD, min(base, default=0))}
    kernel = any(insn.symbol == '__fentry__' for insn in program.code.values())
    left_out = PARTS + NOT_ENTRIES + (() if kernel else KERNEL)
    failures, met, seen = [], set(), set()
    for place, (name, _) in sorted(program.functions.items()):
        if not matches(name, ENTRIES) or matches(name, left_out) or \
                place[0].endswith(NOT_FILES) or not place[1].startswith('.text'):
            continue
        arguments = next((CONTRACTS[c] for c in CONTRACTS if fnmatch.fnmatch(name, c)),
                         program.declared.get(place))
        if name in blocks:
            arguments = [kind_of(*x) for x in blocks[name].arguments.values()]
        if arguments is None:
            failures.append(name + ': it has no contract in prove.py')
            continue
        met.add(name)
        analysis = analyse(program, place, name, arguments)
        seen |= analysis.seen
        if not analysis.found:
            print('ok %s: %d instructions' % (name, len(analysis.seen)))
        for (at, what), insn in analysis.found.items():
            failures.append('%s: %s, in %s: %s' % (
                name, what, program.function_at(at)[1], insn.text))
    for name, text in missed(program, seen):
        failures.append('%s: no path that is understood leads to %s' % (name, text))
    failures += [name + ': there is no such function' for name in (
        *ENTRIES, *CONTRACTS, *(KERNEL if kernel else ())) if not fnmatch.filter(met, name)]
    print(*('not ok ' + failure for failure in failures), '%d functions' % len(met), sep='\n')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
