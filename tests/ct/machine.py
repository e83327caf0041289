# SPDX-License-Identifier: GPL-2.0 OR MIT
"""The knowledge of taint.py at one point of a program"""

import collections
import copy

SECRET, PUBLIC = 'secret', 'public'


class Address(collections.namedtuple('Address', 'region offset')):
    """A public address in a region, at an offset that may be unknown (None)"""

    def plus(self, number=None):
        unknown = None in (self.offset, number)
        return Address(self.region, None if unknown else self.offset + number)


GLOBALS = Address('globals', None)

RAX, RCX, RDX, RSP, RSI, RDI = 0, 1, 2, 4, 6, 7
ARGUMENTS = (7, 6, 2, 1, 8, 9)
CLOBBERED = (0, 1, 2, 6, 7, 8, 9, 10, 11)
FLAGS = 63              # those of iced.RflagsBits that arithmetic writes

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
        self.secret_flags = FLAGS
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
        self.secret_flags = self.secret_flags | flags if secret else self.secret_flags & ~flags

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
