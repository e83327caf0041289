# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Object files as prove.py reads them: what tests/proofs reads, and the layouts of variables and
structures from DWARF, at most version 4."""

import pathlib
import sys

from elftools.common.construct_utils import SLEB128
from elftools.dwarf.locationlists import LocationExpr, LocationParser

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / 'proofs'))
from loader import Objects, iced, register      # noqa: E402, F401

CFA, FBREG, BREG6, BREG7 = 0x9c, 0x91, 0x76, 0x77    # DW_OP_...


class Program(Objects):
    """Object files taken together, as a linker would"""

    strict = False          # C has what the proofs do not know.

    def __init__(self, files):
        self.owners = {}
        # function place -> [(from, to, whether offsets count from the call frame
        # address, just above the return address, or else from the stack pointer)]
        self.frames = {}
        self.layouts = {}       # structure -> [(from, to, path)]
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
