# SPDX-License-Identifier: GPL-2.0 OR MIT
"""The knowledge of taint.py at one point of a program, and operands."""

import collections
import copy
import re

SECRET, PUBLIC = 'secret', 'public'


class Address(collections.namedtuple('Address', 'region offset')):
    """A public address in a region, at an offset that may be unknown (None)"""

    def plus(self, number=None):
        unknown = None in (self.offset, number)
        return Address(self.region, None if unknown else self.offset + number)


GLOBALS = Address('globals', None)

REGISTERS = {}              # name -> number, size
for number, names in enumerate((
        'rax eax ax al', 'rcx ecx cx cl', 'rdx edx dx dl', 'rbx ebx bx bl',
        'rsp esp sp spl', 'rbp ebp bp bpl', 'rsi esi si sil', 'rdi edi di dil',
        *('r{0} r{0}d r{0}w r{0}b'.format(number) for number in range(8, 16)))):
    REGISTERS.update((name, (number, size)) for name, size in zip(names.split(), (8, 4, 2, 1)))
REGISTERS.update((name, (number, 1)) for number, name in enumerate(('ah', 'ch', 'dh', 'bh')))
RAX, RCX, RDX, RSP, RSI, RDI = 0, 1, 2, 4, 6, 7
ARGUMENTS = (7, 6, 2, 1, 8, 9)
CLOBBERED = (0, 1, 2, 6, 7, 8, 9, 10, 11)

SIZES = {'BYTE': 1, 'WORD': 2, 'DWORD': 4, 'QWORD': 8, 'XMMWORD': 16,
         'YMMWORD': 32, 'ZMMWORD': 64, 'TBYTE': 10}
MEMORY = re.compile(r'(?:(\w+) (?:PTR|BCST) )?(?:(\w\w):)?(?:\[(.*)\]|(0x[0-9a-f]+))')
VECTOR = re.compile(r'([xyz])mm(\d+)')
WIDTH = {'x': 16, 'y': 32, 'z': 64}
MASKING = re.compile(r'\{(k[0-7]|z|1to\d+)\}')
ALL = (1 << 64) - 1
IMMEDIATE = re.compile(r'-?(?:0x[0-9a-f]+|\d+)')


def bits(size):
    return (1 << size) - 1


def join(a, b):
    """The knowledge about a value that is a or b"""
    if a == b:
        return a
    if isinstance(a, Address) and isinstance(b, Address) and a.region == b.region:
        return a.plus()
    return SECRET


class Lost(Exception):
    """The analysis cannot go on from here."""


class State:
    """Registers, flags and memory at one point of the program"""

    def __init__(self):
        self.general = [PUBLIC] * 16
        self.flags = dict.fromkeys('czsop', True)   # is it secret?
        self.vector = [ALL] * 32                    # which bytes are secret
        self.mask = [True] * 8
        self.memory = {}    # region -> {offset: PUBLIC, or (address, byte)}; the rest is secret
        self.constants = {}     # registers just loaded with a number
        # Frame -> the lowest stack pointer, and the instruction that made it so; None where
        # paths differ
        self.lows = {}
        self.low_bytes = set()  # registers whose lowest byte is public
        self.settled = set()    # frames whose low end the analysis relied upon

    def copy(self):
        other = State.__new__(State)
        other.__dict__ = {name: copy.copy(value) for name, value in self.__dict__.items()}
        other.memory = {region: dict(bytes_) for region, bytes_ in self.memory.items()}
        return other

    def merge(self, other):
        """Join with another state; return whether this one changed."""
        before = dict(self.__dict__)
        self.general = [join(a, b) for a, b in zip(self.general, other.general)]
        self.flags = {flag: secret or other.flags[flag] for flag, secret in self.flags.items()}
        self.vector = [a | b for a, b in zip(self.vector, other.vector)]
        self.mask = [a or b for a, b in zip(self.mask, other.mask)]
        self.memory = {region: self.join_bytes(bytes_, other.memory.get(region, {}))
                       for region, bytes_ in self.memory.items()}
        self.lows = {region: low if low == other.lows.get(region) else None
                     for region, low in self.lows.items()}
        self.settled = self.settled | other.settled
        self.low_bytes = self.low_bytes & other.low_bytes
        self.constants = dict(self.constants.items() & other.constants.items())
        return self.__dict__ != before

    @staticmethod
    def join_bytes(mine, theirs):
        joined = {}
        for offset in mine.keys() & theirs.keys():
            a, b = mine[offset], theirs[offset]
            if a == b:
                joined[offset] = a
            elif PUBLIC not in (a, b) and a[0].region == b[0].region and a[1] == b[1]:
                joined[offset] = a[0].plus(), a[1]
        return joined


class Operand:
    """One operand of an instruction: a register, number or place in memory"""

    def __init__(self, text, insn):
        self.text = text
        self.masks = MASKING.findall(text)
        self.masking = [int(m[1]) for m in self.masks if m[0] == 'k']
        self.zeroing = 'z' in self.masks
        self.broadcast = any(m.startswith('1to') for m in self.masks)
        self.kind, self.symbol = None, None
        text = MASKING.sub('', text).strip()
        vector, memory = VECTOR.fullmatch(text), MEMORY.fullmatch(text)
        if IMMEDIATE.fullmatch(text):
            self.kind, self.size = 'number', 8
            self.value = int(text, 0)
            if self.value >= 1 << 63:
                self.value -= 1 << 64
            self.symbol = None if '[rip' in insn.text else insn.symbol
        elif memory:
            self.kind = 'memory'
            size, self.segment, terms, number = memory.groups()
            self.size = SIZES.get(size, 0)
            self.terms(terms or number, insn)
        elif vector:
            self.kind = 'vector'
            self.size, self.number = WIDTH[vector.group(1)], int(vector.group(2))
        elif text in REGISTERS:
            self.kind = 'general'
            self.number, self.size = REGISTERS[text]
        elif re.fullmatch(r'k[0-7]', text):
            self.kind = 'mask'
            self.number, self.size = int(text[1]), 8

    def terms(self, text, insn):
        """The parts of an address, and the symbol that it is relative to, if any"""
        self.base = self.index = None
        self.displacement, self.scale = 0, 1
        self.symbol = insn.symbol
        for sign, term in re.findall(r'([+-]?)([^+-]+)', text):
            register, _, scale = term.partition('*')
            if register == 'rip':
                self.symbol = insn.symbol or '(this section)'
            elif register in REGISTERS and (scale or self.base is not None):
                self.index, self.scale = REGISTERS[register][0], int(scale or 1)
            elif register in REGISTERS:
                self.base = REGISTERS[register][0]
            elif register not in ('riz', 'eiz'):
                self.displacement += int(sign + term, 0)
