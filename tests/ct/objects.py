# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Object files as prove.py reads them: instructions, symbols, layouts.

Instructions are decoded by objdump, which knows every extension that the
assembler knows. The layouts of variables and structures come from DWARF, at
most version 4.
"""

import re
import subprocess

from elftools.common.construct_utils import SLEB128
from elftools.dwarf.locationlists import LocationExpr, LocationParser
from elftools.elf.elffile import ELFFile
from machine import Operand

CFA, FBREG, BREG6, BREG7 = 0x9c, 0x91, 0x76, 0x77    # DW_OP_...
OPERAND = re.compile(r'(?:[^,[(]|\[[^]]*\]|\([^)]*\))+')
JUMP = re.compile(r'^([0-9a-f]+)(?: <.*>)?$')
RELOCATION = re.compile(r'^\s*([0-9a-f]+): R_X86_64_\w+\s+([^\s+-]+)([+-]0x[0-9a-f]+)?$')
PREFIXES = {'{vex}', 'cs', 'data16', 'ds', 'notrack', 'bnd', 'rep', 'repz', 'repnz'}


class Instruction:
    """One instruction: its place, its name, and its operands as text"""

    def __init__(self, at, after, text):
        self.at, self.after, self.text = at, after, text
        self.prefix = set()
        if text.split() == ['xchg', 'ax,ax']:
            text = 'nop'        # which it encodes
        words = text.split(None, 1)
        while words and words[0] in PREFIXES and len(words) > 1:
            self.prefix.add(words[0])
            words = words[1].split(None, 1)
        self.name = words[0] if words else 'nop'
        self.operands = [operand.strip() for operand in OPERAND.findall(
            words[1].split('#')[0])] if len(words) > 1 else []
        self.ops = []           # the same, each as an Operand
        self.symbol = None      # the symbol of a relocation
        self.addend = 0         # and its addend
        self.field = None       # the offset of the field that it fills
        self.target = None      # of a direct jump or call within its section


class Program:
    """Object files taken together, as a linker would"""

    def __init__(self, files):
        self.code = {}          # (file, section, offset) -> Instruction
        self.symbols = {}       # global name -> place
        self.local = {}         # (file, name) -> place
        self.numbers = {}       # (file, name) -> value, of .set
        self.functions = {}     # place -> name, sorted when asked for
        self.owners = {}
        self.leaders = set()
        # function place -> [(from, to, whether offsets count from the call frame
        # address, just above the return address, or else from the stack pointer)]
        self.frames = {}
        self.layouts = {}       # structure -> [(from, to, path)]
        for file in files:
            self.read_symbols(file)
            self.read_code(file)
            self.read_dwarf(file)
        self.link()

    def read_symbols(self, file):
        with open(file, 'rb') as stream:
            elf = ELFFile(stream)
            for symbol in elf.get_section_by_name('.symtab').iter_symbols():
                index = symbol['st_shndx']
                if index == 'SHN_ABS':
                    self.numbers[file, symbol.name] = symbol['st_value']
                if not isinstance(index, int):
                    continue
                section = elf.get_section(index).name
                place = (file, section, symbol['st_value'])
                self.local[file, symbol.name or section] = place
                if symbol['st_info']['bind'] == 'STB_GLOBAL':
                    self.symbols[symbol.name] = place
                if section.startswith('.text') and symbol['st_info']['type'] == 'STT_FUNC':
                    self.functions[place] = (symbol.name, symbol['st_size'])

    def read_code(self, file):
        out = subprocess.run(['objdump', '-dr', '-Mintel', '-w', '--no-show-raw-insn', file],
                             check=True, capture_output=True, text=True).stdout
        section, last = None, None
        for line in out.splitlines():
            if line.startswith('Disassembly of section '):
                section, last = line[23:-1], None
                continue
            # -w puts a relocation on the line of its instruction.
            fields = line.split('\t')
            if len(fields) < 2 or not fields[0].strip().endswith(':'):
                continue
            offset = int(fields[0].strip()[:-1], 16)
            insn = Instruction((file, section, offset), None, fields[1].strip())
            if len(fields) > 2:
                found = RELOCATION.match(' '.join(fields[2:]))
                if not found:
                    raise ValueError('%s: no relocation: %r' % (file, line))
                insn.field = int(found.group(1), 16)
                insn.symbol = found.group(2)
                insn.addend = int(found.group(3) or '0', 16)
            insn.ops = [Operand(operand, insn) for operand in insn.operands]
            self.code[insn.at] = insn
            if last:
                last.after = insn.at
            last = insn

    def link(self):
        """Set the targets of direct jumps and calls."""
        for insn in self.code.values():
            if insn.name[0] != 'j' and insn.name != 'call':
                continue
            found = JUMP.match(insn.operands[0])    # not if it goes through memory
            if found and insn.symbol:
                place = self.local.get((insn.at[0], insn.symbol)) or self.symbols.get(insn.symbol)
                if place and place[1].startswith('.text'):
                    insn.target = place[:2] + (place[2] + insn.addend + 4,)
            elif found:
                insn.target = insn.at[:2] + (int(found.group(1), 16),)
            if insn.target:
                self.leaders.add(insn.target)
            if insn.name[0] == 'j' and insn.after:
                self.leaders.add(insn.after)

    def function_at(self, place):
        """The function that an instruction belongs to, if any: its place and name"""
        if place not in self.owners:
            entry = max((entry for entry in self.functions
                         if entry[:2] == place[:2] and entry[2] <= place[2]), default=None)
            self.owners[place] = entry and (entry, self.functions[entry][0])
        return self.owners[place]

    # DWARF: the layouts of structures, and the variables in stack frames

    def read_dwarf(self, file):
        with open(file, 'rb') as stream:
            elf = ELFFile(stream)
            if not elf.has_dwarf_info():
                return
            dwarf = elf.get_dwarf_info()
            lists = dwarf.location_lists()
            for unit in dwarf.iter_CUs():
                for die in unit.iter_DIEs():
                    if die.tag == 'DW_TAG_structure_type' and \
                            {'DW_AT_name', 'DW_AT_byte_size'} <= die.attributes.keys():
                        self.layouts[value(die, 'DW_AT_name').decode()] = leaves(die, 0, '')
                    if die.tag == 'DW_TAG_subprogram' and 'DW_AT_frame_base' in die.attributes:
                        self.read_frame(file, die, lists)

    def read_frame(self, file, function, lists):
        # A function in several sections has no single address, but a name.
        if 'DW_AT_low_pc' in function.attributes:
            place = file, '.text', value(function, 'DW_AT_low_pc')
        else:
            name = value(holder(function, 'DW_AT_name'), 'DW_AT_name').decode()
            place = self.local.get((file, name))
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
