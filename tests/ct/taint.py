# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Taint analysis of x86-64 code: does anything observable depend on secrets?

This is abstract interpretation. Each register, flag and byte of memory is public or secret. For a
public value the analysis knows whether it is an address, and of which region. It follows control
flow to a fixpoint: where paths meet, a value is secret if it is secret on either path. It follows
a path whatever its condition, so the result holds for every length.

A value is
    SECRET          it may depend on a secret, or is not understood
    PUBLIC          a number that does not depend on a secret
    Address         a public address in a region, at a known or unknown offset

Regions are the objects to which arguments point, and the stack frame of each running function.
Memory is secret unless declared public. README.md lists the assumptions.
"""

import instructions as known
from machine import (
    SECRET, PUBLIC, UNKNOWN, Address, GLOBALS, REGISTERS, RAX, RCX, RDX, RSP, RSI, RDI,
    CLOBBERED, join, Lost)
from memory import Memory


# Functions that do not return
NO_RETURN = {'abort', '__stack_chk_fail', 'fortify_panic'}


class Analysis(Memory):
    """One function, with all functions that it calls"""

    def step(self, state, insn):
        """Execute one instruction that is not a jump."""
        name, ops = insn.name, insn.ops
        if name in known.NOTHING:
            return
        if name in known.MOVE:
            self.move(state, insn, ops)
        elif name == 'prefetcht0':      # its address is observable
            self.known(insn, self.address(state, insn, ops[0]))
        elif name == 'lea':
            self.write(state, insn, ops[0], self.address(state, insn, ops[1]))
        elif name == 'push':
            pushed = self.bytes(state, insn, ops[0], 8)
            state.put(RSP, state.general(RSP).plus(-8))
            self.stack_moved(state, insn)
            self.store_at(state, insn, state.general(RSP), pushed)
        elif name == 'pop':
            top = state.general(RSP)
            state.put(RSP, top.plus(8))
            self.put_bytes(state, insn, ops[0], self.load_at(state, top, 8))
            self.stack_moved(state, insn)
        elif name[:3] == 'set' or name[:4] == 'cmov':
            self.conditional(state, insn, ops)
        elif name in ('mul', 'mulx', 'div'):
            self.multiply(state, insn, ops)
        elif name in known.GENERAL:
            self.general(state, insn, ops)
        elif name in known.COMPARE:
            state.set_flags('czsop', SECRET in [
                self.read(state, insn, op, ops[0].size) for op in ops])
        elif name in ('stos', 'movs'):
            self.string(state, insn, ops)
        elif name in known.VECTOR:
            self.vector(state, insn, ops)
        else:
            self.leak(insn, 'an instruction that instructions.py lacks')
            raise Lost

    def move(self, state, insn, ops):
        """
        A copy, byte for byte. The rest of a general register and of the low half of a vector
        becomes zero. The bytes above stay, as if all instructions were legacy SSE.
        """
        to, source = ops
        size = 8 if insn.name in ('movq', 'vmovq') else min(op.size for op in ops)
        moved = self.bytes(state, insn, source, size)
        if to.masking:          # Of bytes that stay nothing is known.
            self.secret_mask(state, insn, ops)
            moved = [None] * size
        if to.kind != 'memory':
            moved += [PUBLIC] * ((16 if to.kind == 'vector' else to.size) - size)
        self.put_bytes(state, insn, to, moved)
        if to.kind == 'general' and size >= 4 and source.kind == 'number' and not source.symbol:
            state.constants[to.number] = source.value

    def general(self, state, insn, ops):
        reads, flags_read, flags_written = known.GENERAL[insn.name]
        name, size = insn.name, ops[0].size
        secret = not state.secret_flags.isdisjoint(flags_read)
        same = len(ops) == 2 and ops[0].text == ops[1].text and ops[0].kind == 'general'
        if same and name in known.ZEROING:
            value = PUBLIC
        elif name == 'and' and ops[0].text == 'rsp':
            self.align(state, insn)
            return
        else:
            sources = ops[-2:] if name == 'imul' else ops if reads else ops[1:]
            values = [self.read(state, insn, op, size) for op in sources]
            value = SECRET if secret else self.arithmetic(name, ops, values)
        self.write(state, insn, ops[0], value)
        state.set_flags(flags_written, value == SECRET)

    def align(self, state, insn):
        """Align the frame, as if the return address ended at a multiple of 64."""
        top = state.general(RSP)
        state.put(RSP, top.plus(((top.offset + 8) & insn.ops[1].value) - 8 - top.offset))
        self.stack_moved(state, insn)
        state.set_flags('czsop', False)

    def conditional(self, state, insn, ops):
        kind = 'set' if insn.name[:3] == 'set' else 'cmov'
        new = [PUBLIC] if kind == 'set' else list(map(join, *(
            self.bytes(state, insn, op, ops[0].size) for op in ops)))
        if not state.secret_flags.isdisjoint(known.CONDITIONS[insn.name[len(kind):]]):
            new = [None] * len(new)
        self.put_bytes(state, insn, ops[0], new)

    def multiply(self, state, insn, ops):
        """Instructions that read and write registers without naming them"""
        name = insn.name
        implied = {'mul': (RAX,), 'mulx': (RDX,), 'div': (RAX, RDX)}[name]
        value = self.combine([state.general(register) for register in implied] +
                             [self.read(state, insn, ops[-1])])
        if name == 'div' and value == SECRET:
            self.leak(insn, 'its time depends on a secret')
        if name == 'mulx':
            self.write(state, insn, ops[0], value)
            self.write(state, insn, ops[1], value)
            return
        state.put(RAX, value)
        state.put(RDX, value)
        state.set_flags('czsop', value == SECRET)

    def string(self, state, insn, ops):
        """rep stos, rep movs: %rcx has the count."""
        count = state.general(RCX)
        if count == SECRET:
            self.leak(insn, 'its time depends on a secret')
        size = ops[0].size * state.constants.get(RCX, 0)
        self.block(state, insn, size or None, state.general(RAX) if insn.name == 'stos' else None)
        state.put(RCX, PUBLIC)
        for register in (RDI, RSI) if insn.name == 'movs' else (RDI,):
            if isinstance(state.general(register), Address):
                state.put(register, state.general(register).plus())

    def block(self, state, insn, size, fill):
        """memset() and memcpy(): size in bytes, or None if unknown"""
        target = self.known(insn, state.general(RDI))
        source = target if fill is not None else self.known(insn, state.general(RSI))
        if target is None or source is None:
            return
        exact = size and target.offset is not None
        if fill is not None:
            entries = [None if fill == SECRET else PUBLIC] * (size or 1)
        elif exact and source.offset is not None:
            entries = self.load_at(state, source, size)
        else:
            exact, entries = False, [PUBLIC if source == GLOBALS else None]
        self.store_at(state, insn, target if exact else target.plus(), entries)

    def secret_mask(self, state, insn, ops):
        """A secret mask may choose lanes of registers, but not bytes of memory."""
        secret = any(None in state.registers['mask', k] for k in ops[0].masking)
        if secret and any(op.kind == 'memory' for op in ops):
            self.leak(insn, 'which bytes are touched depends on a secret')
        return secret

    def vector(self, state, insn, ops):
        """Other instructions on vectors and masks"""
        name, to = insn.name, ops[0]
        secret = self.secret_mask(state, insn, ops)
        if name not in known.ZEROING or ops[-1].text != ops[-2].text or to.masking:
            reads = known.VECTOR[name] or to.masking and not to.zeroing
            secret |= SECRET in [self.read(state, insn, op, op.size or 8)
                                 for op in (ops if reads else ops[1:])]
        # A general register may then hold an address.
        self.write(state, insn, to, SECRET if secret or to.kind == 'general' else PUBLIC)

    # Control flow

    def run(self, place, state):
        """Run a function from its entry to its returns, and join their states."""
        program = self.program
        region = state.general(RSP).region
        waiting, before, after = [place], {place: state}, None
        while waiting:
            at = waiting.pop()
            state = before[at].copy()
            while True:
                insn = program.code[at]
                self.seen.add(at)
                try:
                    successors = self.follow(state, insn)
                except Lost:
                    break
                if successors == 'return':
                    if state.general(RSP) != Address(region, 0):
                        self.leak(insn, 'returns elsewhere (not understood)')
                    after = after or state
                    after.merge(state)
                    break
                if len(successors) == 1 and successors[0] not in program.leaders:
                    at = successors[0]
                    continue
                for successor in successors:
                    if successor not in before:
                        before[successor] = state.copy()
                        waiting.append(successor)
                    elif before[successor].merge(state) and successor not in waiting:
                        waiting.append(successor)
                break
        return after

    def follow(self, state, insn):
        """Execute one instruction; return its successors, or 'return'."""
        name = insn.name
        if name == 'ret' or name == 'jmp' and insn.symbol == '__x86_return_thunk':
            return 'return'
        if name == 'call' and insn.symbol == '__fentry__':
            return [insn.after]     # patched to do nothing
        if name == 'call' or name == 'jmp' and not insn.target:
            if not self.call(state, insn):
                return []
            after = insn.after
            if insn.symbol == '__warn_printk':
                # The trap behind it belongs to WARN(), which returns.
                after = self.program.code[after].after
            return 'return' if name == 'jmp' else [after]
        if name == 'jmp':
            return [insn.target]
        if name[0] == 'j':
            if not state.secret_flags.isdisjoint(known.CONDITIONS[name[1:]]):
                self.leak(insn, 'a branch depends on a secret')
            return [insn.target, insn.after]
        if name in known.TRAPS:
            return []
        self.step(state, insn)
        return [insn.after]

    def call(self, state, insn):
        """Execute a call; return False if it does not come back."""
        target = insn.target
        if target is None:
            name = insn.symbol
            if '[' in insn.operands[0] or insn.operands[0] in REGISTERS:
                name = 'indirect'
                if self.read(state, insn, insn.ops[0]) == SECRET:
                    self.leak(insn, 'the target of a jump depends on a secret')
            elif name and name.startswith('__SCT__'):
                name = 'indirect'
            return self.external(state, insn, name)
        name = self.program.function_at(target)[1]
        if name.split('.')[0] in self.contract.external:
            return self.external(state, insn, name.split('.')[0])
        stack = state.general(RSP)
        inner, region = state.copy(), '%s > %s' % (stack.region, name)
        self.enter(inner, region, target, self.load_at(state, stack, 16))
        after = self.run(target, inner)
        if after is None:
            return False
        state.__dict__.update(after.__dict__)
        del state.memory[region], state.lows[region]
        state.put(RSP, stack)
        if name.split('.')[0] in self.contract.declassified:
            state.put(RAX, PUBLIC)
        return True

    def external(self, state, insn, name):
        """The effects of a function whose code is not at hand"""
        if name in NO_RETURN:
            return False
        if state.general(RDX) == SECRET and name[:3] == 'mem':
            self.leak(insn, 'a length depends on a secret')
        size = state.constants.get(RDX)
        target = state.general(RDI)
        if name == 'memset':
            self.block(state, insn, size, self.combine([state.general(RSI)]))
        elif name in ('memcpy', 'memmove'):
            self.block(state, insn, size, None)
        elif name in self.contract.external:
            described = self.contract.external[name]
            target = described and described(self, state, insn)
        else:
            self.leak(insn, 'calls %s, whose effects prove.py does not describe' % name)
            raise Lost
        for register in CLOBBERED:
            state.put(register, PUBLIC)
        if target is not None:
            state.put(RAX, target)
        state.registers.update(UNKNOWN)
        state.set_flags('czsop', True)
        return True
