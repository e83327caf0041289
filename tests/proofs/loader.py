# SPDX-License-Identifier: GPL-2.0 OR MIT
"""
Object files, linked: instructions, symbols, constants, loops.

iced-x86 decodes. What that means to the tools is printed: the text must be objdump's, and what GNU
as makes of it must be the bytes and the relocations in the object. All else is an error, and so is
what Objects.refused() names.
"""

import copy
import functools
import pathlib
import re
import subprocess
import sys
import tempfile

from elftools.elf.elffile import ELFFile

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path += map(str, TOP.glob('build/venv/lib/python3*/site-packages'))
import iced_x86 as iced                 # noqa: E402

PADDING = {'nop', 'int3'}
# The forms of nop with which assemblers fill gaps
NOP = re.compile(rb'\x66*\x2e?(\x90|\x0f\x1f(\0|[\x40\x80]\0|[\x44\x84]\0\0)(\0\0\0)?)')
# If an instruction has two encodings, one of these asks as for the other.
ENCODINGS = '{disp8} ', '{disp32} ', '{load} ', '{store} ', '{vex3} ', '{evex} '
SIZES = {1: 'BYTE', 2: 'WORD', 4: 'DWORD', 8: 'QWORD', 16: 'XMMWORD', 32: 'YMMWORD', 64: 'ZMMWORD'}
WRITABLE, ALLOCATED, EXECUTABLE = 1, 2, 4       # SHF_*
PC32, PLT32 = 2, 4                              # R_X86_64_*
# Allocated sections of proved objects: code and constants, and those that change no code but nops
# before a function's first instruction, and returns. Others, such as .altinstructions, are refused.
SECTIONS = {'.text', '.bss', '.data..ro_after_init', '.eh_frame', '.note.gnu.property',
            '.orc_unwind', '.orc_unwind_ip', '.return_sites', '__mcount_loc', '__patchable_function_entries'}
THUNK = '__x86_return_thunk'            # to which ret is a jump
MOVSB = 'rep movs BYTE PTR es:[rdi],BYTE PTR ds:[rsi]'          # the one prefix that is understood


def enumeration(enum):
    """{number: name}"""
    return {number: name.lower() for name, number in vars(enum).items() if isinstance(number, int)}


NAMES, KINDS, REGISTERS, FEATURES = map(enumeration, (
    iced.Mnemonic, iced.OpKind, iced.Register, iced.CpuidFeature))


INFO = iced.InstructionInfoFactory()
WRITES = {number for number, name in enumeration(iced.OpAccess).items() if 'write' in name}


def register(raw):
    """(kind, number, size, first byte) of a register"""
    ext = iced.RegisterExt
    kind = 'general' if ext.is_gpr(raw) else 'mask' if ext.is_k(raw) else \
        'vector' if ext.is_vector_register(raw) else 'other'
    return kind, ext.number(ext.full_register(raw)), ext.size(raw), int(
        iced.Register.AH <= raw <= iced.Register.BH)


REGISTER_NAMES = {register(raw): re.sub(r'(r\d+)l', r'\1b', name)
                  for raw, name in REGISTERS.items() if register(raw)[0] != 'other'}


class Operand:
    """
    An operand: a register, a number, or a place in memory or code. If there is a symbol, value or
    displacement counts from it.
    """

    number = size = symbol = segment = base = index = None
    begin = displacement = 0            # begin: 1 for ah to dh
    scale = 1
    masking = ()
    zeroing = broadcast = relative = False

    def __init__(self, raw, i, fields):
        kind = KINDS[raw.op_kind(i)]
        self.field = None       # offset and size of what a relocation may fill
        if i == 0 and raw.has_op_mask:
            self.masking, self.zeroing = [raw.op_mask - iced.Register.K0], raw.zeroing_masking
        if kind == 'register':
            self.kind, self.number, self.size, self.begin = register(raw.op_register(i))
        elif re.fullmatch(r'immediate[\dto]+', kind):
            self.kind, self.size = 'number', int(re.findall(r'\d+', kind)[-1]) // 8
            self.field = fields.immediate_offset, fields.immediate_size
            self.value = raw.immediate(i) & ((1 << 8 * self.size) - 1)
            self.value -= self.value >> 63 << 64
        elif kind == 'near_branch64':
            self.kind, self.displacement = 'code', raw.near_branch64
            self.field = fields.immediate_offset, fields.immediate_size
        elif kind.startswith('memory'):
            self.memory(raw, kind)
            self.field = fields.displacement_offset, fields.displacement_size
        else:
            self.kind = kind
        self.text = self.show()

    def memory(self, raw, kind):
        self.kind, size = 'memory', iced.MemorySizeExt
        self.broadcast = raw.is_broadcast
        self.size = (size.element_size if self.broadcast else size.size)(raw.memory_size)
        base, index, segment = raw.memory_base, raw.memory_index, raw.segment_prefix
        if kind != 'memory':            # of a string
            base = getattr(iced.Register, kind[-3:].upper())
            segment = iced.Register.ES if '_es' in kind else segment or iced.Register.DS
        self.segment = segment and REGISTERS[segment]
        self.relative = base == iced.Register.RIP
        self.displacement = raw.memory_displacement - (raw.next_ip if self.relative else 0)
        self.displacement -= self.displacement >> 63 << 64
        for which, name in (base, 'base'), (index, 'index'):
            if which and not self.relative:
                setattr(self, name, register(which)[1])
        self.scale = raw.memory_index_scale

    def show(self, at=None):
        """The operand as objdump has it, or, of an instruction that is at a place, for GNU as"""
        distance = '%s%#x' % ('-' if self.displacement < 0 else '+', abs(self.displacement))
        if self.kind == 'number':
            text = 'OFFSET %s%+d' % (self.link, self.value) if self.symbol else \
                '%#x' % (self.value & ((1 << 8 * self.size) - 1)) if self.field[1] else '1'
        elif self.kind == 'code':
            text = self.link + distance if self.symbol else \
                '%x' % self.displacement if at is None else '.%+d' % (self.displacement - at)
        elif self.kind == 'memory':
            terms = ['rip'] if self.relative else []
            if self.base is not None:
                terms.append(REGISTER_NAMES['general', self.base, 8, 0])
            if self.index is not None:
                terms.append('%s*%d' % (REGISTER_NAMES['general', self.index, 8, 0], self.scale))
            segment = self.segment or ('' if terms else 'ds')
            if self.symbol:
                terms.append(self.link)
            text = '%s%s%s' % (
                '%s %s ' % (SIZES.get(self.size), 'BCST' if self.broadcast else 'PTR') if
                self.size else '', segment + ':' if segment else '', '[%s%s]' % (
                    '+'.join(terms), distance if self.field[1] else '') if terms else distance[1:])
        else:
            text = REGISTER_NAMES.get((self.kind, self.number, self.size, self.begin), '?')
        return text + ''.join('{k%d}' % k for k in self.masking) + '{z}' * self.zeroing


class Instruction:
    """One instruction: its place, its name, and its operands"""

    def __init__(self, where, raw, fields):
        self.at, self.after = (*where, raw.ip), None
        self.raw, self.name = raw, NAMES[raw.mnemonic]
        if raw.is_string_instruction:
            self.name = self.name[:-1]
        self.ops = [Operand(raw, i, fields) for i in range(raw.op_count)]
        if any(KINDS[raw.op_kind(i)] == 'immediate64' for i in range(raw.op_count)):
            self.name = 'movabs'
        self.prefix = 'rep' * raw.has_rep_prefix + 'cs' * (
            raw.segment_prefix == iced.Register.CS and self.name in ('jmp', 'call'))
        if self.name == 'ret':
            self.prefix = self.prefix and 'repz'
        self.operands = [op.text for op in self.ops]
        self.text = self.source(self.operands)
        self.symbol = None      # of a relocation
        self.target = None      # of a direct jump or call within the objects

    def features(self):
        """The CPU's features that it needs, as /proc/cpuinfo has them"""
        return {FEATURES[f].replace('512_ifma', '512ifma') for f in self.raw.cpuid_features()}

    def written(self):
        """The registers that it may change: kind and number; those of VEX and EVEX as zmm"""
        found = {('flags', 0)} if self.raw.rflags_modified else set()
        for used in INFO.info(self.raw).used_registers():
            kind, number, size, _ = register(used.register)
            if used.access in WRITES and kind != 'other':
                found.add(('r' if kind == 'general' else 'k' if kind == 'mask' else
                           {16: 'xmm'}.get(size, 'zmm'), number))
        return found

    def source(self, operands=None):
        """The instruction for GNU as, or with these operands"""
        return ('%s %s %s' % (self.prefix, self.name, ','.join(
            [op.show(self.at[2]) for op in self.ops] if operands is None else operands))).strip()

    def relocate(self, offset, kind, link, addend, symbol):
        """A relocation fills the field at an offset in the instruction."""
        for op in self.ops:
            if op.field == (offset, 8 if kind == 1 else 4):
                self.symbol = op.symbol = symbol
                op.link, op.value = link, addend
                if op.relative or op.kind == 'code':
                    addend += self.raw.len - offset
                op.displacement = addend

    def is_(self, made):
        """Whether that is what as has made"""
        return made == ((self.bytes + b'|').ljust(32, b'\0'), {fill[:4] for fill in self.fills})

    def at_register(self, number):
        """The same instruction, but what is in memory is where a register points"""
        other = copy.deepcopy(self)
        for op in other.ops:
            if op.kind == 'memory':
                vars(op).update(base=number, index=None, symbol=None, relative=False,
                                displacement=0, field=(0, 0))
        other.text = other.source()
        return other


def assembled(lines):
    """[(bytes, relocations)] of lines of assembly, each of which as puts in 32 bytes of its own"""
    text = ''.join('%s\n.ascii "|"\n.org %d\n' % (line, 32 * i + 32)
                   for i, line in enumerate(lines))
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(['as', '-o', folder + '/o', '-'], text=True, capture_output=True,
                              input='.intel_syntax noprefix\n' + text, check=False)
        if done.returncode:
            raise ValueError(' '.join(done.stderr.split('\n')[1:2]))
        with open(folder + '/o', 'rb') as stream:
            elf = ELFFile(stream)
            code, fills = elf.get_section_by_name('.text').data(), relocations(elf)
    found = [(code[i:i + 32], set()) for i in range(0, len(code), 32)]
    for at, (kind, _, addend, name) in fills.get('.text', {}).items():
        found[at // 32][1].add((at % 32, kind, name, addend))
    return found


def relocations(elf):
    """
    {section: {offset: (type, a name for the symbol, addend, its own name)}}. Linkers of what is
    defined take PLT32 for PC32, and as chooses between them by where the symbol is.
    """
    found = {}
    for section in elf.iter_sections('SHT_RELA'):
        symbols = elf.get_section(section['sh_link'])
        of = found.setdefault(elf.get_section(section['sh_info']).name, {})
        for r in section.iter_relocations():
            symbol = symbols.get_symbol(r['r_info_sym'])
            kind = PC32 if r['r_info_type'] == PLT32 else r['r_info_type']
            of[r['r_offset']] = kind, 'S%d' % r['r_info_sym'], r['r_addend'], \
                symbol.name or elf.get_section(symbol['st_shndx']).name
    return found


class Objects:
    """Object files, linked; a place is (file, section, offset)"""

    strict = True           # only what the proofs understand

    def __init__(self, files):
        self.code = {}          # place -> Instruction
        self.symbols = {}       # global name -> place
        self.local = {}         # (file, name) -> place
        self.numbers = {}       # (file, name) -> value, of .set
        self.functions = {}     # place -> name, size
        self.data = {}          # (file, section) -> its bytes, if it is constant
        self.align = {}         # and the alignment of each
        for file in files:
            with open(file, 'rb') as stream:
                self.read(file, ELFFile(stream))
        for insn in self.code.values():
            self.link(insn)
            why = self.refused(insn)
            if why:
                raise ValueError('%s+%#x %s: %s' % (*insn.at[1:], insn.text, why))

    def read(self, file, elf):
        fills, names = relocations(elf), [section.name for section in elf.iter_sections()]
        for section in elf.iter_sections():
            name, flags = section.name, section['sh_flags']
            if not flags & ALLOCATED or not section['sh_size']:
                continue
            constant = name.startswith('.rodata') and not flags & WRITABLE
            if self.strict and (not constant and name not in SECTIONS or
                                bool(flags & EXECUTABLE) != (name == '.text') or
                                flags & WRITABLE and flags & EXECUTABLE):
                raise ValueError('%s: a section %s' % (file, name))
            if (flags & EXECUTABLE or constant) and names.count(name) > 1:
                raise ValueError('%s: another section %s' % (file, name))
            if flags & EXECUTABLE:
                self.decode(file, name, section.data(), fills.get(name, {}))
            elif constant:
                self.data[file, name] = section.data()
                self.align[file, name] = section['sh_addralign']
                if self.strict and name in fills:
                    raise ValueError('%s: a relocation among constants' % file)
        symbols = elf.get_section_by_name('.symtab')
        for symbol in symbols.iter_symbols() if symbols else ():
            index = symbol['st_shndx']
            if index == 'SHN_ABS':
                self.numbers[file, symbol.name] = symbol['st_value']
            if not isinstance(index, int):
                continue
            section = elf.get_section(index)
            place = file, section.name, symbol['st_value']
            self.local[file, symbol.name or section.name] = place
            if symbol['st_info']['bind'] != 'STB_LOCAL':
                self.symbols[symbol.name] = place
            if section['sh_flags'] & EXECUTABLE and symbol['st_info']['type'] == 'STT_FUNC':
                self.functions[place] = symbol.name, symbol['st_size']
                if self.strict and symbol['st_info']['bind'] == 'STB_WEAK':
                    raise ValueError('%s: linkers may choose another one' % symbol.name)
        ends = {}               # section -> where the function before ends
        for (of, name, begin), (function, size) in sorted(self.functions.items()):
            if self.strict and (not size or begin < ends.get((of, name), 0) or of == file and
                                begin + size > elf.get_section_by_name(name)['sh_size']):
                raise ValueError('%s: it has no size of its own' % function)
            ends[of, name] = begin + size

    def decode(self, file, section, code, fills):
        """Read the instructions of a section, as iced-x86, objdump and GNU as all have them."""
        decoder, last, insns = iced.Decoder(64, code), None, []
        while decoder.can_decode:
            raw = decoder.decode()
            insn = Instruction((file, section), raw, decoder.get_constant_offsets(raw))
            self.code[insn.at] = insn
            if last:
                last.after = insn.at
            last = insn
            insns.append(insn)
        out = subprocess.run(['objdump', '-dw', '-Mintel', '--no-show-raw-insn', '-j', section, file],
                             check=True, capture_output=True, text=True).stdout
        shown = {int(at, 16): ' '.join(text.split('<')[0].split('#')[0].split())
                 for at, text in re.findall('^ *([0-9a-f]+):\t(.*)', out, re.M)}
        fills, lines = dict(fills), []
        for insn in insns:
            at, end = insn.at[2], insn.at[2] + insn.raw.len
            insn.bytes = code[at:end]
            insn.fills = {(f - at, *fills.pop(f)) for f in range(at, end) if f in fills}
            if not (insn.name == 'nop' and NOP.fullmatch(insn.bytes)) and \
                    shown.get(at) != insn.text:
                raise ValueError('%s+%#x: iced-x86 has %s, objdump %s' % (
                    section, at, insn.text, shown.get(at)))
            for fill in insn.fills:
                insn.relocate(*fill)
        insns = [i for i in insns if not NOP.fullmatch(i.bytes)]
        for insn, made in zip(insns, assembled([i.source() for i in insns])):
            if not insn.is_(made):
                for encoding in ENCODINGS:
                    try:
                        if insn.is_(*assembled([encoding + insn.source()])):
                            break
                    except ValueError:
                        pass
                else:
                    raise ValueError('%s+%#x: as has other bytes for %s' % (
                        section, insn.at[2], insn.source()))

    def link(self, insn):
        """Set the target of a direct jump or call."""
        for op in insn.ops:
            if op.kind == 'code' and op.symbol:
                place = self.local.get((insn.at[0], op.symbol)) or self.symbols.get(op.symbol)
                if place:
                    insn.target = place[:2] + (place[2] + op.displacement,)
                elif insn.name == 'jmp' and op.symbol == THUNK and not op.displacement:
                    insn.name, insn.ops = 'ret', []
            elif op.kind == 'code':
                insn.target = insn.at[:2] + (op.displacement,)

    def refused(self, insn):
        """Why the tools do not understand an instruction, or None"""
        for op in insn.ops:
            if op.relative and not op.symbol:
                return 'an address relative to %rip, without a relocation'
        if insn.name == 'nop' or not self.strict:
            return None
        if insn.text == MOVSB:
            return None
        for op in insn.ops:
            if op.begin:
                return 'a high byte'
            if op.segment:
                return 'a segment'
            if op.symbol and not op.relative and op.kind != 'code':
                return 'a relocation of a number, or with a base register'
            if op.kind == 'code' and op.symbol and not insn.target and op.displacement:
                return 'into a function'
        if insn.prefix and insn.name != 'ret':
            return 'a prefix'
        if insn.name in ('push', 'pop') and abs(insn.raw.stack_pointer_increment) != 8:
            return 'of 16 bits'
        return None

    def entry(self, name):
        """The place of a function, which may be local to its file"""
        places = {p for (_, n), p in self.local.items() if n == name and p in self.functions}
        if len(places) != 1:
            raise LookupError('%d functions are named %s' % (len(places), name))
        return places.pop()

    def constant(self, insn, op):
        """Where a %rip-relative operand points: (file, section) or a name, and the offset"""
        place = self.local.get((insn.at[0], op.symbol)) or self.symbols.get(op.symbol)
        if place and place[:2] in self.data:
            return place[:2], place[2] + op.displacement
        return op.symbol, op.displacement

    def callee(self, insn):
        """The name of the function that a jump or call goes to, if it goes to a beginning"""
        if insn.target in self.functions:
            return self.functions[insn.target][0]
        return None if insn.target else insn.symbol

    @functools.cache
    def body(self, name):
        """The instructions of a function, without padding"""
        entry = self.entry(name)
        end = entry[2] + self.functions[entry][1]
        return [i for at, i in sorted(self.code.items())
                if at[:2] == entry[:2] and entry[2] <= at[2] < end and i.name not in PADDING]

    def loops(self, name):
        """
        The loops of a function, by their heads: [(head, where the code goes on after the last
        jump back to it)]. A head is the target of a conditional jump backward.
        """
        body, exits = self.body(name), {}
        for insn in body:
            if insn.name[0] == 'j' and insn.target and insn.target[:2] == insn.at[:2] and \
                    body[0].at[2] <= insn.target[2] <= insn.at[2]:
                exits[insn.target] = insn.after
        return sorted(exits.items())
