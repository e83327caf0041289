# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Registers and memory, as taint.py sees them."""

from machine import SECRET, PUBLIC, Address, GLOBALS, RSP, Lost, to_bytes, to_value


class Memory:
    """Findings, and access to registers and memory"""

    def __init__(self, program, contract):
        self.program = program
        self.contract = contract
        self.found = {}         # (place, what): in order of discovery
        self.frames = set()     # regions that are frames
        self.seen = set()       # instructions reached

    def enter(self, state, region, place, arguments):
        """Begin a frame. The arguments beyond the sixth lie above the return address."""
        self.frames.add(region)
        state.put(RSP, Address(region, 0))
        state.memory[region] = dict.fromkeys(range(8), PUBLIC)
        state.memory[region].update(
            (offset, byte) for offset, byte in enumerate(arguments, 8) if byte is not None)
        state.lows[region] = 0, place
        state.settled.discard(region)

    def leak(self, insn, what):
        self.found.setdefault((insn.at, what), insn)

    # Memory

    def address(self, state, insn, op):
        """The address of a memory operand, as a value"""
        parts = [(state.general(register), scale) for register, scale in (
            (op.base, 1), (op.index, op.scale)) if register is not None]
        if op.symbol or op.segment in ('fs', 'gs'):
            parts.append((GLOBALS, 1))
        addresses = [value for value, scale in parts if isinstance(value, Address) and scale == 1]
        if len(addresses) != 1:
            return self.combine([value for value, _ in parts])
        if any(value != PUBLIC for value, _ in parts if value is not addresses[0]):
            return SECRET
        return addresses[0].plus(op.displacement if len(parts) == 1 else None)

    def known(self, insn, at):
        """An address; a finding, and None, if it is secret or unknown"""
        if isinstance(at, Address):
            return at
        self.leak(insn, 'the address depends on a secret, or on nothing that is understood')
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
        """The bytes of an operand in memory"""
        at = self.known(insn, self.address(state, insn, op))
        if at == GLOBALS or at and at.region in self.contract.tables:
            return [PUBLIC] * size
        if at is None or at.offset is None:
            return [None] * size
        return self.load_at(state, at, size)

    @staticmethod
    def load_at(state, at, size):
        memory = state.memory.get(at.region, {})
        return [memory.get(at.offset + i) for i in range(size)]

    def store(self, state, insn, op, entries):
        at = self.known(insn, self.address(state, insn, op))
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
        if at.offset is not None:
            for offset, entry in enumerate(entries, at.offset):
                if entry is None:
                    memory.pop(offset, None)
                else:
                    memory[offset] = entry
            return
        public = set(entries) == {PUBLIC}
        for begin, end in self.arrays(state, insn, at.region):
            for offset in [offset for offset in memory if begin <= offset < end]:
                if not public or memory[offset] != PUBLIC:
                    del memory[offset]

    # Values

    def bytes(self, state, insn, op, size):
        """The bytes of an operand"""
        if op.kind == 'number' or op.kind == 'memory' and op.symbol in self.contract.pointers:
            return to_bytes(GLOBALS if op.symbol else PUBLIC, size)
        if op.kind == 'memory':
            return self.load(state, insn, op, size)
        return list(state.registers[op.kind, op.number][op.begin:op.begin + size])

    def read(self, state, insn, op, size=None):
        """An operand as a value"""
        return to_value(self.bytes(state, insn, op, size or op.size))

    def put_bytes(self, state, insn, op, new):
        if op.kind == 'memory':
            self.store(state, insn, op, new)
            return
        if op.kind == 'general' and len(new) == 4:
            new = to_bytes(GLOBALS, 8) if to_value(new) == GLOBALS else new + [PUBLIC] * 4
        self.put_register(state, insn, (op.kind, op.number), op.begin, new)

    def put_register(self, state, insn, place, begin, new):
        old = state.registers[place]
        state.registers[place] = *old[:begin], *new, *old[begin + len(new):]
        if place[0] == 'general':
            state.constants.pop(place[1], None)
            if place[1] == RSP:
                self.stack_moved(state, insn)

    def write(self, state, insn, op, value):
        self.put_bytes(state, insn, op, to_bytes(value, op.size))

    def stack_moved(self, state, insn):
        top = state.general(RSP)
        if not isinstance(top, Address) or top.offset is None or top.region not in self.frames:
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
        return PUBLIC if all(value == PUBLIC for value in values) else SECRET

    @classmethod
    def arithmetic(cls, name, ops, values):
        """The result of an instruction that reads these values, which may be addresses"""
        constant = 1 if name in ('inc', 'dec') else \
            ops[-1].value if ops and ops[-1].kind == 'number' and not ops[-1].symbol else None
        sign = {'add': 1, 'inc': 1, 'sub': -1, 'dec': -1}.get(name)
        a, b = (values + [PUBLIC] * 2)[:2]
        if sign and isinstance(a, Address) and b == PUBLIC:
            return a.plus(None if constant is None else sign * constant)
        if name == 'add' and a == PUBLIC and isinstance(b, Address):
            return b.plus()
        if name == 'sub' and isinstance(a, Address) and \
                isinstance(b, Address) and a.region == b.region:
            return PUBLIC
        if name == 'and' and isinstance(a, Address) and constant is not None and constant < 0:
            return a.plus()
        return cls.combine(values)
