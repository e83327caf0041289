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
IMMEDIATE = re.compile(r'-?(?:0x[0-9a-f]+|\d+)')

# A byte is PUBLIC, (address, i) if it is byte i of a public address, or None if it may be secret.
UNKNOWN = {**{('vector', number): (None,) * 64 for number in range(32)},
           **{('mask', number): (None,) * 8 for number in range(8)}}


def to_bytes(value, size):
    if value == PUBLIC:
        return [PUBLIC] * size
    if value == SECRET or size != 8 and value != GLOBALS:
        return [None] * size
    return [(value, i) for i in range(size)]


def to_value(known):
    if all(byte == PUBLIC for byte in known):
        return PUBLIC
    value = known[0] and known[0][0]
    return value if known[0] and list(known) == to_bytes(value, len(known)) else SECRET


def join(a, b):
    """The kind of a byte that is of kind a or of kind b"""
    if a == b:
        return a
    if PUBLIC in (a, b) or None in (a, b) or a[0].region != b[0].region or a[1] != b[1]:
        return None
    return a[0].plus(), a[1]


class Lost(Exception):
    """The analysis cannot go on from here."""


class State:
    """Registers, flags and memory at one point of the program"""

    def __init__(self):
        self.registers = {**UNKNOWN, **{('general', n): (PUBLIC,) * 8 for n in range(16)}}
        self.secret_flags = set('czsop')
        self.memory = {}        # region -> {offset: byte}, without those that are secret
        self.constants = {}     # general registers just loaded with a number
        # Frame -> the lowest stack pointer, and the instruction that made it so; None where
        # paths differ
        self.lows = {}
        self.settled = set()    # frames whose low end the analysis relied upon

    def general(self, number):
        """The value of a general register"""
        return to_value(self.registers['general', number])

    def put(self, number, value):
        self.registers['general', number] = tuple(to_bytes(value, 8))
        self.constants.pop(number, None)

    def set_flags(self, flags, secret):
        self.secret_flags = self.secret_flags | set(flags) if secret else \
            self.secret_flags - set(flags)

    def copy(self):
        other = State.__new__(State)
        other.__dict__ = {name: copy.copy(value) for name, value in self.__dict__.items()}
        other.memory = {region: dict(bytes_) for region, bytes_ in self.memory.items()}
        return other

    def merge(self, other):
        """Join with another state; return whether this one changed."""
        before = dict(self.__dict__)
        self.registers = {register: mine if mine == theirs else tuple(map(join, mine, theirs))
                          for (register, mine), theirs in zip(
                              self.registers.items(), other.registers.values())}
        self.secret_flags = self.secret_flags | other.secret_flags
        self.memory = {region: self.join_memory(bytes_, other.memory.get(region, {}))
                       for region, bytes_ in self.memory.items()}
        self.lows = {region: low if low == other.lows.get(region) else None
                     for region, low in self.lows.items()}
        self.settled = self.settled | other.settled
        self.constants = dict(self.constants.items() & other.constants.items())
        return self.__dict__ != before

    @staticmethod
    def join_memory(mine, theirs):
        joined = {offset: join(mine[offset], theirs[offset])
                  for offset in mine.keys() & theirs.keys()}
        return {offset: byte for offset, byte in joined.items() if byte}


class Operand:
    """One operand of an instruction: a register, number or place in memory"""

    def __init__(self, text, insn):
        self.text = text
        self.masks = MASKING.findall(text)
        self.masking = [int(m[1]) for m in self.masks if m[0] == 'k']
        self.zeroing = 'z' in self.masks
        self.broadcast = any(m.startswith('1to') for m in self.masks)
        self.kind = self.symbol = self.number = None
        self.begin = self.size = 0
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
            self.begin = int(text[-1] == 'h')
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
