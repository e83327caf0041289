# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Registers and memory, as taint.py sees them."""

from machine import SECRET, PUBLIC, AMBIGUOUS, Address, GLOBALS, RSP, ALL, bits, Lost


class Memory:
    """Findings, and access to registers and memory"""

    def __init__(self, program, contract):
        self.program = program
        self.contract = contract
        self.found = {}         # (place, what): in order of discovery
        self.tops = {}          # region of an aligned frame -> where it ends
        self.frames = set()     # regions that are frames
        self.seen = set()       # instructions reached
        self.decoded = {}

    # Findings

    def leak(self, insn, what):
        self.found.setdefault((insn.at, what), insn)

    # Memory

    def address(self, state, insn, op):
        """The address of a memory operand, as a value"""
        if op.segment in ('fs', 'gs'):
            return GLOBALS
        parts = [(state.general[register], scale) for register, scale in (
            (op.base, 1), (op.index, op.scale)) if register is not None]
        values = [value for value, _ in parts]
        if SECRET in values:
            return SECRET
        if op.symbol:
            return GLOBALS if all(v == PUBLIC for v in values) else AMBIGUOUS
        addresses = [(v, s) for v, s in parts if isinstance(v, Address)]
        if not addresses:
            return self.combine(values)
        base, scale = addresses[0]
        if len(addresses) > 1 or scale != 1 or AMBIGUOUS in values:
            return AMBIGUOUS
        if base == GLOBALS:
            return GLOBALS
        return Address(base.region, base.offset + op.displacement, base.fuzzy or len(parts) > 1)

    def place(self, state, insn, op):
        """The place of an operand, if known_place() knows it"""
        return self.known_place(insn, self.address(state, insn, op))

    def known_place(self, insn, at):
        """An address; a finding, and None, if it is secret or unknown"""
        if isinstance(at, Address):
            return at
        self.leak(insn, 'the address depends on a secret' if at == SECRET else
                  'an address of unknown origin (not understood)')
        return None

    def arrays(self, state, insn, region):
        """The parts of a region that a store to an unknown offset may change"""
        if region not in self.frames:
            return self.contract.arrays[region]
        if state.lows[region] is None:
            self.leak(insn, 'an array in an unknown frame (not understood)')
            return []
        low, lowered = state.lows[region]
        arrays = self.contract.frame(self.program, self.program.function_at(lowered))
        if not arrays:
            self.leak(insn, 'an undeclared array (not understood)')
        if not all(from_top for _, _, from_top in arrays):
            state.settled.add(region)
        return [(begin + (8 if from_top else low), end + (8 if from_top else low))
                for begin, end, from_top in arrays]

    def load(self, state, insn, op, size):
        """The bytes of an operand: a list of entries"""
        at = self.place(state, insn, op)
        if at == GLOBALS or at and at.region in self.contract.tables:
            return [PUBLIC] * size
        if at is None or at.fuzzy:
            return [None] * size
        self.bounds(insn, at, size)
        memory = state.memory.get(at.region, {})
        return [memory.get(at.offset + i) for i in range(size)]

    def store(self, state, insn, op, entries):
        at = self.place(state, insn, op)
        if at is not None:
            self.store_at(state, insn, at, entries)

    def store_at(self, state, insn, at, entries):
        if at.region in self.contract.constant:
            self.leak(insn, 'writes to an input')
            return
        if at == GLOBALS:
            if None in entries:
                self.leak(insn, 'writes a secret to a global variable')
            return
        memory = state.memory.setdefault(at.region, {})
        if not at.fuzzy:
            self.bounds(insn, at, len(entries))
            for offset, entry in enumerate(entries, at.offset):
                if entry is None:
                    memory.pop(offset, None)
                else:
                    memory[offset] = entry
            return
        arrays = self.arrays(state, insn, at.region)
        for offset in list(memory):
            if not any(begin <= offset < end for begin, end in arrays):
                continue
            if None in entries:
                del memory[offset]
            elif memory[offset] != PUBLIC or entries[0] != PUBLIC:
                memory[offset] = (AMBIGUOUS, 0)

    def bounds(self, insn, at, size):
        """An aligned frame ends below all that was pushed before."""
        if at.offset + size > self.tops.get(at.region, at.offset + size):
            self.leak(insn, 'beyond the aligned frame (not understood)')

    # Values

    @staticmethod
    def entries(value, size):
        """A general register as bytes in memory"""
        if value in (SECRET, PUBLIC):
            return [None if value == SECRET else PUBLIC] * size
        return [(value, i) for i in range(8)] if size == 8 else [(AMBIGUOUS, 0)] * size

    @staticmethod
    def value(entries):
        """Bytes of memory as a general register"""
        if any(entry is None for entry in entries):
            return SECRET
        if all(entry == PUBLIC for entry in entries):
            return PUBLIC
        value = entries[0][0]
        return value if entries == [(value, i) for i in range(8)] else AMBIGUOUS

    def read(self, state, insn, op, size=None):
        """An operand as a value"""
        if op.kind == 'general':
            value = state.general[op.number]
            if op.size == 1 and op.number in state.low_bytes and op.text[-1] != 'h':
                return PUBLIC
            return value if op.size == 8 or value in (SECRET, PUBLIC) else AMBIGUOUS
        if op.kind == 'number':
            return GLOBALS if op.symbol else PUBLIC
        if op.kind == 'memory' and op.symbol in self.contract.pointers:
            return GLOBALS
        if op.kind == 'memory':
            return self.value(self.load(state, insn, op, size or op.size))
        if op.kind == 'vector':
            return SECRET if state.vector[op.number] & bits(op.size) else PUBLIC
        if op.kind == 'mask':
            return SECRET if state.mask[op.number] else PUBLIC
        raise KeyError(op.text)

    @staticmethod
    def put(state, register, value):
        """All of a general register"""
        state.general[register] = value
        state.constants.pop(register, None)
        state.low_bytes.discard(register)

    def write(self, state, insn, op, value):
        if op.kind == 'general':
            clean = op.size == 1 and value == PUBLIC and op.text[-1] != 'h'
            if op.size < 4:
                value = self.combine([state.general[op.number], value])
            elif op.size == 4 and isinstance(value, Address) and value != GLOBALS:
                value = AMBIGUOUS
            self.put(state, op.number, value)
            if clean:
                state.low_bytes.add(op.number)
            if op.number == RSP:
                self.stack_moved(state, insn)
        elif op.kind == 'memory':
            self.store(state, insn, op, self.entries(value, op.size))
        elif op.kind == 'vector':
            above = state.vector[op.number] & ~bits(op.size)    # which legacy SSE keeps
            state.vector[op.number] = ALL if value == SECRET else above
        elif op.kind == 'mask':
            state.mask[op.number] = value == SECRET
        else:
            raise KeyError(op.text)

    def stack_moved(self, state, insn):
        top = state.general[RSP]
        if not isinstance(top, Address) or top.fuzzy or top.region not in self.frames:
            self.leak(insn, 'the stack pointer is unknown (not understood)')
            raise Lost
        low = state.lows.get(top.region)
        if top.offset == 0 or low is not None and top.offset < low[0]:
            if top.offset and top.region in state.settled:
                self.leak(insn, 'the frame grows late (not understood)')
            state.lows[top.region] = top.offset, insn.at
            if top.offset == 0:
                state.settled.discard(top.region)

    @staticmethod
    def combine(values):
        if SECRET in values:
            return SECRET
        return PUBLIC if all(v == PUBLIC for v in values) else AMBIGUOUS

    def arithmetic(self, name, ops, values):
        """The result of arithmetic on addresses and numbers"""
        if SECRET in values:
            return SECRET
        a, b = (values + [PUBLIC])[:2]
        constant = 1 if name in ('inc', 'dec') else \
            ops[-1].value if ops[-1].kind == 'number' and not ops[-1].symbol else None
        sign = {'add': 1, 'inc': 1, 'sub': -1, 'dec': -1}.get(name)
        if sign and isinstance(a, Address) and b == PUBLIC:
            if constant is None:
                return Address(a.region, a.offset, True)
            return Address(a.region, a.offset + sign * constant, a.fuzzy)
        if name == 'add' and a == PUBLIC and isinstance(b, Address):
            return Address(b.region, b.offset, True)
        if name == 'sub' and isinstance(a, Address) and \
                isinstance(b, Address) and a.region == b.region:
            return PUBLIC
        if name == 'and' and isinstance(a, Address) and constant is not None and constant < 0:
            return Address(a.region, a.offset, True)
        return self.combine(values)
