# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Object files for the proofs: what tests/ct/objects.py reads, and constants, loops, operands."""

import pathlib
import sys

from elftools.elf.elffile import ELFFile

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(1, str(TOP / 'tests/ct'))
from machine import Operand             # noqa: E402  the operand parser of tests/ct
from objects import Program             # noqa: E402

PADDING = {'nop', 'nopw', 'nopl', 'data16', 'cs', 'int3'}
THUNKS = {'__x86_return_thunk', '__x86_indirect_thunk_array'}


class Objects(Program):
    """Object files, linked; a place is (file, section, offset)"""

    def __init__(self, files):
        self.data = {}          # (file, section) -> its bytes, if the section is read-only
        super().__init__(files)
        for insn in self.code.values():
            insn.ops = None
            if insn.name == 'jmp' and insn.symbol in THUNKS or insn.prefix & {'repz', 'bnd'} \
                    and insn.name == 'ret':
                insn.name = 'ret'

    def read_symbols(self, file):
        super().read_symbols(file)
        with open(file, 'rb') as stream:
            for section in ELFFile(stream).iter_sections():
                if section.name.startswith('.rodata') and section['sh_size']:
                    self.data[file, section.name] = section.data()

    def read_dwarf(self, file):
        """Nothing here needs it."""

    def operands(self, insn):
        if insn.ops is None:
            insn.ops = [Operand(t, insn) for t in insn.operands]
        return insn.ops

    def entry(self, name):
        """The place of a function, which may be local to its file"""
        places = {p for (_, n), p in self.local.items() if n == name and p in self.functions}
        if len(places) != 1:
            raise LookupError('%d functions are named %s' % (len(places), name))
        return places.pop()

    def constant(self, insn):
        """Where a %rip-relative operand points: (file, section) or a name, and the offset"""
        end = insn.after[2] if insn.after else insn.field + 4
        offset = insn.addend + end - insn.field
        place = self.local.get((insn.at[0], insn.symbol)) or self.symbols.get(insn.symbol)
        if place and place[:2] in self.data:
            return place[:2], place[2] + offset
        if (insn.at[0], insn.symbol) in self.data:
            return (insn.at[0], insn.symbol), offset
        return insn.symbol, offset

    def callee(self, insn):
        """The name of the function that a jump or call goes to, if it goes to a beginning"""
        if insn.target in self.functions:
            return self.functions[insn.target][0]
        return None if insn.target else insn.symbol

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
