# SPDX-License-Identifier: GPL-2.0 OR MIT
"""The knowledge of taint.py at one point of a program, and operands."""

import collections
import re

SECRET, PUBLIC, AMBIGUOUS = 'secret', 'public', 'ambiguous'
Address = collections.namedtuple('Address', 'region offset fuzzy')
GLOBALS = Address('globals', 0, True)

REGISTERS = {}
for number, names in enumerate((
        'rax eax ax al', 'rcx ecx cx cl', 'rdx edx dx dl', 'rbx ebx bx bl',
        'rsp esp sp spl', 'rbp ebp bp bpl', 'rsi esi si sil', 'rdi edi di dil')):
    for size, name in zip((8, 4, 2, 1), names.split()):
        REGISTERS[name] = number, size
for number in range(8, 16):
    for size, suffix in ((8, ''), (4, 'd'), (2, 'w'), (1, 'b')):
        REGISTERS['r%d%s' % (number, suffix)] = number, size
for number, name in enumerate(('ah', 'ch', 'dh', 'bh')):
    REGISTERS[name] = number, 1
RAX, RCX, RDX, RSP, RSI, RDI = 0, 1, 2, 4, 6, 7
ARGUMENTS = (7, 6, 2, 1, 8, 9)
CLOBBERED = (0, 1, 2, 6, 7, 8, 9, 10, 11)

SIZES = {'BYTE': 1, 'WORD': 2, 'DWORD': 4, 'QWORD': 8, 'XMMWORD': 16,
         'YMMWORD': 32, 'ZMMWORD': 64, 'TBYTE': 10}
MEMORY = re.compile(r'^(?:(\w+) (?:PTR|BCST) )?(?:(\w\w):)?\[(.*?)\]|'
                    r'^(?:(\w+) PTR )(\w\w):(0x[0-9a-f]+)$')
VECTOR = re.compile(r'^([xyz])mm(\d+)$')
WIDTH = {'x': 16, 'y': 32, 'z': 64}
MASKING = re.compile(r'\{(k[0-7]|z|1to\d+)\}')
ALL = (1 << 64) - 1

IMMEDIATE = re.compile(r'^-?0x[0-9a-f]+$|^-?\d+$')


def bits(size):
    return (1 << size) - 1


def join(a, b):
    """The knowledge about a value that is a or b"""
    if a == b:
        return a
    if SECRET in (a, b):
        return SECRET
    if isinstance(a, Address) and isinstance(b, Address) and \
            a.region == b.region:
        return Address(a.region, a.offset, True)
    return AMBIGUOUS


class Lost(Exception):
    """The analysis cannot go on from here."""


class State:
    """Registers, flags and memory at one point of the program"""

    def __init__(self):
        self.general = [PUBLIC] * 16
        self.flags = dict.fromkeys('czsop', True)   # is it secret?
        self.vector = [ALL] * 32                    # which bytes are secret
        self.mask = [True] * 8
        self.memory = {}    # region -> {offset: PUBLIC, or (value, byte)}
        self.constants = {}     # registers just loaded with a number
        # Frame -> the lowest stack pointer, and the instruction that made it so. Where
        # paths differ: None, or (0, None) if nothing is on the stack.
        self.lows = {}
        self.settled = set()    # frames whose low end the analysis relied upon
        self.words = {}         # (region, offset) -> (size, number) in memory
        self.low_bytes = set()  # registers whose lowest byte is public
        self.compared = None    # the numbers that the flags compare, if known

    def copy(self):
        other = State.__new__(State)
        other.general = self.general[:]
        other.flags = dict(self.flags)
        other.vector = self.vector[:]
        other.mask = self.mask[:]
        other.constants = dict(self.constants)
        other.lows = dict(self.lows)
        other.settled = set(self.settled)
        other.words = dict(self.words)
        other.low_bytes = set(self.low_bytes)
        other.compared = self.compared
        other.memory = {region: dict(bytes_)
                        for region, bytes_ in self.memory.items()}
        return other

    def merge(self, other):
        """Join with another state; return whether this one changed."""
        changed = False
        for i in range(16):
            value = join(self.general[i], other.general[i])
            if value != self.general[i]:
                self.general[i], changed = value, True
        for flag, secret in other.flags.items():
            if secret and not self.flags[flag]:
                self.flags[flag] = changed = True
        for i in range(32):
            if other.vector[i] & ~self.vector[i]:
                self.vector[i] |= other.vector[i]
                changed = True
        for i in range(8):
            if other.mask[i] and not self.mask[i]:
                self.mask[i] = changed = True
        for region, mine in self.memory.items():
            theirs = other.memory.get(region, {})
            for offset in list(mine):
                value = theirs.get(offset)
                if value == mine[offset]:
                    continue
                if value is None:
                    del mine[offset]
                    changed = True
                    continue
                was, byte = mine[offset] if mine[offset] != PUBLIC else (PUBLIC, 0)
                value, other_byte = value if value != PUBLIC else (PUBLIC, 0)
                new = (join(was, value), byte) \
                    if byte == other_byte else (AMBIGUOUS, 0)
                changed |= new != mine[offset]
                mine[offset] = new
        for region, low in self.lows.items():
            theirs = other.lows.get(region)
            if low in (None, theirs):
                continue
            empty = theirs is not None and low[0] == theirs[0] == 0
            self.lows[region] = (0, None) if empty else None
            changed |= self.lows[region] != low
        self.settled |= other.settled
        if self.low_bytes - other.low_bytes:
            self.low_bytes &= other.low_bytes
            changed = True
        for at in [at for at, word in self.words.items()
                   if other.words.get(at) != word]:
            del self.words[at]
            changed = True
        if self.compared not in (None, other.compared):
            self.compared = None
            changed = True
        for register in [register for register, number in self.constants.items()
                         if other.constants.get(register) != number]:
            del self.constants[register]
            changed = True
        return changed


class Operand:
    """One operand of an instruction: a register, number or place in memory"""

    def __init__(self, text, insn):
        self.text = text
        self.masks = MASKING.findall(text)
        text = MASKING.sub('', text).strip()
        self.kind = None
        memory = MEMORY.match(text)
        vector = VECTOR.match(text)
        if memory:
            self.kind = 'memory'
            first = 1 if memory.group(3) else 4
            size, self.segment, self.place = memory.groups()[first - 1:first + 2]
            self.size = SIZES.get(size, 0)
            self.terms(self.place, insn)
        elif vector:
            self.kind = 'vector'
            self.number = int(vector.group(2))
            self.size = WIDTH[vector.group(1)]
        elif text in REGISTERS:
            self.kind = 'general'
            self.number, self.size = REGISTERS[text]
        elif re.match(r'^k[0-7]$', text):
            self.kind = 'mask'
            self.number, self.size = int(text[1]), 8
        elif IMMEDIATE.match(text):
            self.kind = 'number'
            self.size = 8
            self.value = int(text, 0)
            if self.value >= 1 << 63:
                self.value -= 1 << 64
            self.symbol = insn.symbol
        self.masking = [int(m[1]) for m in self.masks if m[0] == 'k']
        self.zeroing = 'z' in self.masks
        self.broadcast = any(m.startswith('1to') for m in self.masks)

    def terms(self, text, insn):
        self.base = self.index = None
        self.displacement, self.scale = 0, 1
        self.symbol = None
        for sign, term in re.findall(r'([+-]?)([^+-]+)', text):
            if '*' in term:
                register, scale = term.split('*')
                self.index, self.scale = REGISTERS[register][0], int(scale)
            elif term == 'rip':
                self.symbol = insn.symbol or '(this section)'
            elif term in REGISTERS:
                if self.base is None:
                    self.base = REGISTERS[term][0]
                else:
                    self.index = REGISTERS[term][0]
            elif term not in ('riz', 'eiz'):
                value = int(term, 0)
                self.displacement += -value if sign == '-' else value
        if insn.symbol:
            self.symbol = insn.symbol
