# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Taint analysis of x86-64 code: does anything observable depend on secrets?

This is abstract interpretation. Each register, flag and byte of memory is public
or secret. For a public value the analysis knows whether it is an address, and of
which region. It follows control flow to a fixpoint: where paths meet, a value is
secret if it is secret on either path. It follows a path whatever its condition, so
the result holds for every length.

A value is
    SECRET          it may depend on a secret
    PUBLIC          a number that does not depend on a secret
    AMBIGUOUS       a public value that may be an address of unknown origin
    Address         an address in a region, at a known offset unless it is fuzzy

Regions are the objects to which arguments point, and the stack frame of each running
function. Memory is secret unless declared public. The analysis makes two
assumptions. First, as every C compiler assumes, the address of an object plus an
unknown number stays in that object. Second, no path depends on general registers that
hold no arguments on entry. checkpoly1305 tests both, with guarded memory and with junk
in those registers.
"""

import instructions as known
from machine import (
    SECRET, PUBLIC, AMBIGUOUS, Address, GLOBALS, REGISTERS, RAX, RCX, RDX,
    RSP, RSI, RDI, CLOBBERED, ALL, bits, join, Lost, Operand)
from memory import Memory


# Kernel code calls through a register by these; and functions that do not return
THUNK = '__x86_indirect_thunk_'
NO_RETURN = {'abort', '__stack_chk_fail', 'fortify_panic'}

# The most states that are kept apart for one place
CASES = 4


class Analysis(Memory):
    """One function, with all functions that it calls"""

    def decode(self, insn):
        if insn.at not in self.decoded:
            self.decoded[insn.at] = [Operand(text, insn)
                                     for text in insn.operands]
        return self.decoded[insn.at]

    @staticmethod
    def flags(state, written, secret):
        state.compared = None
        for flag in written:
            state.flags[flag] = secret

    def step(self, state, insn):
        """Execute one instruction that is not a jump."""
        name, ops = insn.name, self.decode(insn)
        if name in known.NOTHING:
            return
        if name in ('mov', 'movabs', 'movzx', 'movsx', 'movsxd'):
            value = self.read(state, insn, ops[1],
                              ops[1].size if name != 'mov' else ops[0].size)
            low = name == 'mov' and ops[0].size >= 4 and ops[1].kind == 'general' and \
                ops[1].number in state.low_bytes
            self.write(state, insn, ops[0], value)
            if low and ops[0].kind == 'general':
                state.low_bytes.add(ops[0].number)
            number = self.number(state, ops[1])
            if number is None:
                return
            if ops[0].kind == 'general':
                if ops[0].size >= 4:
                    state.constants[ops[0].number] = number
            elif ops[0].kind == 'memory':
                at = self.address(state, insn, ops[0])
                if isinstance(at, Address) and not at.fuzzy:
                    state.words[at.region, at.offset] = ops[0].size, number
                    if ops[0].place in self.program.deciding(insn.at)[0]:
                        self.deciding.add((at.region, at.offset))
        elif name in known.PREFETCH:
            self.place(state, insn, ops[0])
        elif name == 'lea':
            value = self.address(state, insn, ops[1])
            self.write(state, insn, ops[0], value)
        elif name == 'push':
            value = self.read(state, insn, ops[0], 8)
            state.general[RSP] = self.moved(state.general[RSP], -8)
            self.stack_moved(state, insn)
            self.store_at(state, insn, state.general[RSP],
                          self.entries(value, 8))
        elif name in ('pop', 'leave'):
            if name == 'leave':
                state.general[RSP] = state.general[5]
                self.stack_moved(state, insn)
            top = state.general[RSP]
            memory = state.memory.get(top.region, {})
            value = self.value([memory.get(top.offset + i) for i in range(8)])
            state.general[RSP] = self.moved(top, 8)
            self.put(state, 5 if name == 'leave' else ops[0].number, value)
            self.stack_moved(state, insn)
        elif name == 'xchg':
            a, b = (self.read(state, insn, op) for op in ops)
            self.write(state, insn, ops[0], b)
            self.write(state, insn, ops[1], a)
        elif name in ('cdqe', 'cwde'):
            self.put(state, RAX, self.combine([state.general[RAX]]))
        elif name in ('cdq', 'cqo'):
            self.put(state, RDX, self.combine([state.general[RAX]]))
        elif name[:3] == 'set' or name[:4] == 'cmov':
            self.conditional(state, insn, ops)
        elif name in ('mul', 'imul') and len(ops) == 1 or name == 'mulx' or \
                name in known.PUBLIC_ONLY:
            self.multiply(state, insn, ops)
        elif name == 'imul':
            value = self.combine([self.read(state, insn, op, ops[0].size)
                                  for op in ops[-2:]])
            self.write(state, insn, ops[0], value)
            self.flags(state, 'czsop', value == SECRET)
        elif name in known.GENERAL:
            self.general(state, insn, ops)
        elif name in known.COMPARE:
            secret = SECRET in [self.read(state, insn, op, ops[0].size)
                                for op in ops]
            self.flags(state, known.COMPARE[name], secret)
            if name == 'cmp' and ops[1].kind == 'number':
                state.compared = self.numbers(state, insn, ops)
        elif name in ('stos', 'movs'):
            self.string(state, insn, ops)
        elif name in known.MASK or name in known.MASK_TEST:
            self.masks(state, insn, ops)
        elif name in known.TO_MASK and ops[0].kind == 'mask':
            value = self.combine([self.read(state, insn, op, op.size)
                                  for op in ops[1:]])
            state.mask[ops[0].number] = value == SECRET or any(
                state.mask[k] for k in ops[0].masking)
        elif name in known.VECTOR_MOVE:
            self.vector_move(state, insn, ops)
        elif name == 'vzeroall':
            state.vector[:16] = [0] * 16
        elif name in known.VECTOR:
            self.vector(state, insn, ops)
        else:
            self.leak(insn, 'an instruction that instructions.py lacks')
            raise Lost

    @staticmethod
    def number(state, op):
        """The value of an operand, if it is a known number"""
        if op.kind == 'number' and not op.symbol:
            return op.value
        if op.kind == 'general' and op.size >= 4:
            return state.constants.get(op.number)
        return None

    def numbers(self, state, insn, ops):
        """The word of memory and the number compared, if both are known"""
        if ops[0].kind != 'memory':
            return None
        at = self.address(state, insn, ops[0])
        if not isinstance(at, Address) or at.fuzzy:
            return None
        size, word = state.words.get((at.region, at.offset), (0, 0))
        if size < ops[0].size:
            return None
        top = 1 << 8 * ops[0].size - 1
        return ((word + top) % (2 * top) - top, ops[1].value)

    @staticmethod
    def moved(address, by):
        return Address(address.region, address.offset + by, address.fuzzy)

    def general(self, state, insn, ops):
        reads, flags_read, flags_written = known.GENERAL[insn.name]
        name, size = insn.name, ops[0].size
        secret = any(state.flags[flag] for flag in flags_read)
        same = len(ops) == 2 and ops[0].text == ops[1].text and \
            ops[0].kind == 'general'
        if same and name in known.ZEROING:
            value = PUBLIC
        elif same and name == 'sbb':
            value = SECRET if secret else PUBLIC
        elif name == 'and' and ops[0].kind == 'general' and \
                ops[0].number == RSP and ops[1].kind == 'number':
            self.align(state, insn)
            return
        else:
            sources = ops if reads else ops[1:]
            values = [self.read(state, insn, op, size) for op in sources]
            if name == 'xor' and ops[1].kind == 'number' and \
                    isinstance(values[0], Address):
                values[0] = AMBIGUOUS
            value = self.arithmetic(insn, name, ops, values)
            if secret:
                value = SECRET
        self.write(state, insn, ops[0], value)
        if same and name in known.ZEROING and size >= 4:
            state.constants[ops[0].number] = 0
        self.flags(state, flags_written, value == SECRET)

    def align(self, state, insn):
        """Begin a new frame, below all that was pushed and not popped so far."""
        top = state.general[RSP]
        region = '%s, aligned' % top.region
        memory = state.memory.get(top.region, {})
        for offset in [offset for offset in memory if offset < top.offset]:
            del memory[offset]
        lowest = min(memory, default=0)
        self.frames.add(region)
        self.tops[region] = lowest - top.offset
        state.memory[region] = {}
        state.general[RSP] = Address(region, 0, False)
        state.lows[region] = 0, insn.at
        state.settled.discard(region)
        self.flags(state, 'czsop', False)

    def conditional(self, state, insn, ops):
        name = insn.name
        condition = name[3:] if name[:3] == 'set' else name[4:]
        secret = any(state.flags[flag] for flag in known.CONDITIONS[condition])
        if name[:3] == 'set':
            value = PUBLIC
        else:
            a, b = (self.read(state, insn, op, ops[0].size) for op in ops)
            value = join(a, b)
            for one, other in ((a, b), (b, a)):
                if one == GLOBALS and isinstance(other, Address) and \
                        other.region in self.contract.constant:
                    # Nothing is written there, so public parts count as secret.
                    value = Address(other.region, other.offset, True)
        self.write(state, insn, ops[0], SECRET if secret else value)

    def multiply(self, state, insn, ops):
        name = insn.name
        if name == 'mulx':
            values = [state.general[RDX], self.read(state, insn, ops[2],
                                                    ops[0].size)]
            value = self.combine(values)
            self.write(state, insn, ops[0], value)
            self.write(state, insn, ops[1], value)
            return
        values = [state.general[RAX], self.read(state, insn, ops[0])]
        if name in known.PUBLIC_ONLY:
            values.append(state.general[RDX])
        value = self.combine(values)
        if name in known.PUBLIC_ONLY and value == SECRET:
            self.leak(insn, 'its time depends on a secret')
        self.put(state, RAX, value)
        self.put(state, RDX, value)
        self.flags(state, 'czsop', value == SECRET)

    def string(self, state, insn, ops):
        """rep stos, rep movs: %rcx has the count."""
        count = state.general[RCX]
        if count == SECRET:
            self.leak(insn, 'its time depends on a secret')
        size = ops[0].size * state.constants.get(RCX, 0)
        self.block(state, insn, size or None,
                   state.general[RAX] if insn.name == 'stos' else None)
        self.put(state, RCX, PUBLIC)
        for register in (RDI, RSI) if insn.name == 'movs' else (RDI,):
            if isinstance(state.general[register], Address):
                at = state.general[register]
                self.put(state, register, Address(at.region, at.offset, True))

    def block(self, state, insn, size, fill):
        """memset() and memcpy(): size in bytes, or None if unknown"""
        target, source = state.general[RDI], state.general[RSI]
        for at in (target,) if fill is not None else (target, source):
            if at == SECRET:
                self.leak(insn, 'the address depends on a secret')
                return
            if not isinstance(at, Address):
                self.leak(insn, 'an address of what? (not understood)')
                return
        if fill is not None:
            entry = None if fill == SECRET else PUBLIC
            if size and not target.fuzzy:
                self.store_at(state, insn, target, [entry] * size)
            else:
                self.store_at(state, insn, Address(target.region, target.offset,
                                                   True), [entry])
            return
        if size and not target.fuzzy and not source.fuzzy and \
                source != GLOBALS:
            memory = state.memory.get(source.region, {})
            entries = [memory.get(source.offset + i) for i in range(size)]
            self.store_at(state, insn, target, entries)
            return
        entry = PUBLIC if source == GLOBALS else None
        self.store_at(state, insn, Address(target.region, target.offset, True), [entry])

    def masks(self, state, insn, ops):
        name = insn.name
        if name in known.MASK_TEST:
            self.flags(state, 'czsop', any(state.mask[op.number] for op in ops))
            return
        if name in known.ZEROING and ops[1].text == ops[2].text:
            value = PUBLIC
        else:
            value = self.combine([self.read(state, insn, op, 8)
                                  if op.kind != 'memory' else
                                  self.read(state, insn, op, op.size)
                                  for op in ops[1:]])
        self.write(state, insn, ops[0], value)

    def masking(self, state, insn, op, memory):
        """A secret mask may choose lanes of registers, but not bytes of memory."""
        secret = any(state.mask[k] for k in op.masking)
        if secret and memory:
            self.leak(insn, 'which bytes are touched depends on a secret')
        return secret

    def vector_bytes(self, state, insn, op, size):
        if op.kind == 'vector':
            return state.vector[op.number] & bits(size)
        if op.kind == 'memory':
            entries = self.load(state, insn, op, size)
            return sum(1 << i for i, entry in enumerate(entries)
                       if entry is None)
        return bits(size) if self.read(state, insn, op, size) == SECRET else 0

    def vector_move(self, state, insn, ops):
        to, source = ops
        sizes = [op.size for op in ops if op.kind != 'vector']
        size = min(sizes + [to.size or 64, source.size or 64])
        narrow = {'movq': 8, 'vmovq': 8, 'movd': 4, 'vmovd': 4, 'movss': 4}
        size = min(size, narrow.get(insn.name, 64))
        memory = 'memory' in (to.kind, source.kind)
        secret = self.masking(state, insn, to, memory)
        moved = self.vector_bytes(state, insn, source, size)
        if to.kind == 'memory':
            if to.masking:
                # Masked bytes keep their old value, which may be secret.
                old = self.load(state, insn, to, size)
                moved |= sum(1 << i for i, e in enumerate(old) if e is None)
            self.store(state, insn, to, [None if moved >> i & 1 else PUBLIC
                                         for i in range(size)])
        elif to.kind == 'general':
            self.write(state, insn, to, SECRET if moved else
                       AMBIGUOUS if size == 8 else PUBLIC)
        else:
            old = state.vector[to.number]
            if to.masking and not to.zeroing:
                moved |= old & bits(size)
            if secret:
                moved |= bits(size)
            if insn.name[0] != 'v':
                # Legacy SSE keeps the bits above 128.
                moved |= old & ~bits(16)
            state.vector[to.number] = moved

    def vector(self, state, insn, ops):
        name, to = insn.name, ops[0]
        legacy = name[0] != 'v'
        if name in known.ZEROING and ops[-1].text == ops[-2].text and \
                not to.masking or \
                name == 'vpternlogq' and ops[3].text == '0xff':
            secret = 0
        else:
            secret = 0
            for op in ops[1:]:
                size = to.size if op.kind != 'memory' else op.size
                if op.kind == 'vector':
                    secret |= state.vector[op.number] & bits(op.size)
                else:
                    secret |= self.vector_bytes(state, insn, op, size or 8)
            if known.VECTOR[name] or to.masking and not to.zeroing:
                secret |= self.vector_bytes(state, insn, to, to.size)
        touches = any(op.kind == 'memory' for op in ops)
        if self.masking(state, insn, to, touches):
            secret = ALL
        if to.kind == 'memory':
            self.store(state, insn, to,
                       [None if secret else PUBLIC] * to.size)
        elif to.kind == 'general':
            self.write(state, insn, to, SECRET if secret else AMBIGUOUS)
        elif legacy:
            state.vector[to.number] = (bits(16) if secret else 0) | \
                state.vector[to.number] & ~bits(16)
        else:
            state.vector[to.number] = ALL if secret else 0

    # Control flow

    def run(self, place, state, name, depth):
        """
        Run a function from its entry to its returns, and join their states. Paths
        that meet are joined only if they agree in the numbers that decide branches.
        So a variable may be set on some paths only, if code that reads it first
        tests a flag for these paths.
        """
        program = self.program
        region = state.general[RSP].region
        waiting, before, after = [(place, None)], {(place, None): state}, None
        cases = {}
        while waiting:
            meeting = waiting.pop()
            at, state = meeting[0], before[meeting].copy()
            while True:
                insn = program.code.get(at)
                if insn is None:
                    raise ValueError('no code at %s' % (at,))
                self.seen.add(at)
                try:
                    successors = self.follow(state, insn, depth)
                except Lost:
                    break
                if successors == 'return':
                    top = state.general[RSP]
                    if top != Address(region, 0, False):
                        self.leak(insn, 'returns elsewhere (not understood)')
                    if after is None:
                        after = state
                    else:
                        after.merge(state)
                    break
                if len(successors) == 1 and \
                        successors[0] not in program.leaders:
                    at = successors[0]
                    continue
                case = self.case(state, at)
                for successor in successors:
                    known_cases = cases.setdefault(successor, set())
                    if case not in known_cases and len(known_cases) == CASES:
                        meeting = successor, None
                    else:
                        known_cases.add(case)
                        meeting = successor, case
                    if meeting not in before:
                        before[meeting] = state.copy()
                        waiting.append(meeting)
                    elif before[meeting].merge(state) and \
                            meeting not in waiting:
                        waiting.append(meeting)
                break
        return after

    def case(self, state, place):
        """The known numbers that decide branches of the function at a place"""
        _, registers = self.program.deciding(place)
        return frozenset(
            [item for item in state.constants.items() if item[0] in registers] +
            [at + word for at, word in state.words.items()
             if at in self.deciding and at[0] == state.general[RSP].region])

    def follow(self, state, insn, depth):
        """Execute one instruction; return its successors, or 'return'."""
        name = insn.name
        if name == 'ret' or name == 'jmp' and insn.symbol == '__x86_return_thunk':
            return 'return'
        if name == 'call' and insn.symbol == '__fentry__':
            return [insn.after]     # patched to do nothing
        if name == 'call' or name == 'jmp' and not insn.target:
            if not self.call(state, insn, depth):
                return []
            after = insn.after
            if insn.symbol == '__warn_printk':
                # The trap behind it belongs to WARN(), which returns.
                after = self.program.code[after].after
            return 'return' if name == 'jmp' else [after]
        if name == 'jmp':
            return [insn.target]
        if name[0] == 'j':
            flags = known.CONDITIONS[name[1:]]
            if any(state.flags[flag] for flag in flags):
                self.leak(insn, 'a branch depends on a secret')
            taken = None
            if state.compared is not None and name[1:] in known.SIGNED:
                taken = known.SIGNED[name[1:]](*state.compared)
            return ([insn.target] if taken is not False else []) + \
                ([insn.after] if taken is not True else [])
        if name in known.TRAPS:
            return []
        self.step(state, insn)
        return [insn.after]

    def call(self, state, insn, depth):
        """Execute a call; return False if it does not come back."""
        target = insn.target
        if target is None:
            name, value = insn.symbol, PUBLIC
            if '[' in insn.operands[0] or insn.operands[0] in REGISTERS:
                name = 'indirect'
                value = self.read(state, insn, self.decode(insn)[0], 8)
            elif name and name.startswith(THUNK):
                value = state.general[REGISTERS[name[len(THUNK):]][0]]
                name = 'indirect'
            elif name and name.startswith('__SCT__'):
                name = 'indirect'
            if value == SECRET:
                self.leak(insn, 'the target of a jump depends on a secret')
            return self.external(state, insn, name)
        name = self.program.function_at(target)[1]
        if name.split('.')[0] in self.contract.external:
            return self.external(state, insn, name.split('.')[0])
        if depth > 8:
            self.leak(insn, 'calls too deep (not understood)')
            raise Lost
        region = '%s at depth %d' % (name, depth + 1)
        self.frames.add(region)
        stack = state.general[RSP]
        inner = state.copy()
        inner.general[RSP] = Address(region, 0, False)
        # The return address; arguments beyond the sixth lie above it.
        inner.memory[region] = dict.fromkeys(range(8), PUBLIC)
        above = state.memory.get(stack.region, {})
        inner.memory[region].update((8 + i, above[stack.offset + i]) for i in range(16)
                                    if stack.offset + i in above)
        inner.lows[region] = 0, target
        inner.settled.discard(region)
        after = self.run(target, inner, name, depth + 1)
        if after is None:
            return False
        state.__dict__.update(after.__dict__)
        for dead in (region, region + ', aligned'):
            state.memory.pop(dead, None)
            state.lows.pop(dead, None)
        state.general[RSP] = stack
        if name.split('.')[0] in self.contract.declassified:
            state.low_bytes.add(RAX)    # a bool
        return True

    def external(self, state, insn, name):
        """The effects of a function whose code is not at hand"""
        if name in NO_RETURN:
            return False
        if state.general[RDX] == SECRET and name[:3] == 'mem':
            self.leak(insn, 'a length depends on a secret')
        size = state.constants.get(RDX)
        target = state.general[RDI]
        if name == 'memset':
            self.block(state, insn, size, self.combine([state.general[RSI]]))
        elif name in ('memcpy', 'memmove'):
            self.block(state, insn, size, None)
        elif name in self.contract.external:
            described = self.contract.external[name]
            target = described and described(self, state, insn)
        else:
            self.leak(insn, 'calls %s, whose effects prove.py does not describe' % name)
            raise Lost
        for register in CLOBBERED:
            self.put(state, register, PUBLIC)
        if target is not None:
            self.put(state, RAX, target)
        state.vector = [ALL] * 32
        state.mask = [True] * 8
        self.flags(state, 'czsop', True)
        return True
