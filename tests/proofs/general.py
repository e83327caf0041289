# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Instructions on general registers and flags, on values"""

from values import Val, const

RAX, RCX, RDX, RSP, RSI, RDI = 0, 1, 2, 4, 6, 7
ZERO = const(0)


def left(cpu, x, n, bits):
    return cpu.mod(cpu.ctx.times(x, 1 << n), bits)


def right(cpu, x, n, bits):
    return cpu.ctx.split(x, n)[0]


def shift(f, i=1):
    """The instruction that makes f(cpu, *operands before i, n, bits) for n, which operand i is"""
    def do(self, insn, ops):
        n, values = self.amount(insn, ops[i], ops[0].size), [self.get(insn, op) for op in ops[:i]]
        if i == 2 and n > 8 * ops[0].size:
            self.stuck(insn, 'undefined')
        r = f(self, *values, n, 8 * ops[0].size) if n else values[0]
        self.put(insn, ops[0], r)       # for n = 0, too: a dword is extended
        if n:
            self.flags(r, self.unknown('carry'))
    return do


class General:
    """The part of cpu.Cpu for general registers"""

    def flags(self, z, c=None, compared=None):
        """
        z is 0 if and only if the zero flag is set; c None leaves the carry alone. compared and
        signed are what was compared, x - y, as numbers without and with a sign; sign is a
        number with the sign of the result.
        """
        self.z = z
        if c is not None:
            self.c = c
        self.compared, self.signed, self.sign = compared, None, None

    def unknown(self, name):
        return self.ctx.word('unknown ' + name, 1)

    def arithmetic(self, insn, op, x, sign=1, carry=True):
        """x modulo the size of op goes there, with carry or borrow."""
        if (x.lo < 0 or x.hi >> 8 * op.size) and len(x.p) <= 4:
            x = self.ctx.bounds(x)      # a path condition may tell more
        q, r = (ZERO, x) if x.lo >= 0 and not x.hi >> 8 * op.size else \
            self.ctx.split(x, 8 * op.size)
        self.put(insn, op, r)
        self.flags(r, self.ctx.times(q, sign) if carry else None,
                   x if sign < 0 and carry else None)
        half = 1 << 8 * op.size - 1
        self.sign = x if -half <= x.lo and x.hi < half else None

    def do_mov(self, insn, ops):
        self.put(insn, ops[0], self.get(insn, ops[1], ops[0].size))

    do_movabs = do_mov

    def do_movs(self, insn, ops):
        """rep movsb: bytes whose number is known on the path, upward, as the ABI has that flag"""
        for _ in range(self.known(insn, self.regs[RCX])):
            self.put(insn, ops[0], self.get(insn, ops[1]))
            for i in (RSI, RDI):
                self.set(i, self.ctx.plus(self.regs[i], 1))
        self.set(RCX, ZERO)

    def do_movzx(self, insn, ops):
        self.put(insn, ops[0], self.get(insn, ops[1]))

    def do_lea(self, insn, ops):
        self.put(insn, ops[0], self.mod(self.address(insn, ops[1]), 8 * ops[0].size))

    def both(self, insn, ops):
        return self.get(insn, ops[0]), self.get(insn, ops[1], ops[0].size)

    def do_add(self, insn, ops, carry=ZERO):
        x = self.ctx.add(*self.both(insn, ops), carry)
        if self.sums is not None and len(self.sums) < 3:
            self.sums.append((x, carry))
        self.arithmetic(insn, ops[0], x)

    def do_adc(self, insn, ops):
        self.do_add(insn, ops, self.c)

    def do_sub(self, insn, ops):
        self.arithmetic(insn, ops[0], self.ctx.minus(*self.both(insn, ops)), -1)

    def do_sbb(self, insn, ops):
        x, y = self.both(insn, ops)
        self.arithmetic(insn, ops[0], self.ctx.minus(x, self.ctx.add(y, self.c)), -1)

    def do_cmp(self, insn, ops):
        self.compare(*self.both(insn, ops), 8 * ops[0].size)

    def compare(self, x, y, bits):
        d = self.ctx.minus(x, y)
        q = self.ctx.split(d, bits)[0] if d.lo < 0 else ZERO
        # The zero flag is that of the difference, too; it is the simpler number.
        self.flags(d, self.ctx.times(q, -1), d)
        half = 1 << bits - 1
        for z, turn in ((x, -2 * half), (y, 2 * half)):     # as signed numbers
            z = self.ctx.tight(z)
            if z.lo >= half:
                d = self.ctx.plus(d, turn)
            elif z.hi >= half:
                return
        self.signed = d

    def and_of(self, insn, ops):
        if ops[0].kind == 'general' and ops[1].kind == 'number' and ops[1].value >= 0:
            # The bits of the whole register: it need not be split at its lower half, too.
            return self.bit_and(insn, self.regs[ops[0].number], const(ops[1].value))
        return self.bit_and(insn, *self.both(insn, ops))

    def do_test(self, insn, ops):
        self.flags(self.and_of(insn, ops), ZERO)

    def do_inc(self, insn, ops):
        self.arithmetic(insn, ops[0], self.ctx.plus(self.get(insn, ops[0]), 1), carry=False)

    def do_dec(self, insn, ops):
        self.arithmetic(insn, ops[0], self.ctx.plus(self.get(insn, ops[0]), -1), -1, False)

    def do_neg(self, insn, ops):
        x = self.ctx.tight(self.get(insn, ops[0]))
        if x.lo >= 0 and x.hi <= 1:     # a mask of a bit
            r = self.ctx.times(x, (1 << 8 * ops[0].size) - 1)
            self.put(insn, ops[0], r)
            self.flags(r, x)
            return
        self.arithmetic(insn, ops[0], self.ctx.times(x, -1), -1)

    def do_not(self, insn, ops):
        self.put(insn, ops[0], self.ctx.minus(const((1 << 8 * ops[0].size) - 1),
                                              self.get(insn, ops[0])))

    def do_and(self, insn, ops):
        if ops[0].kind == 'general' and ops[0].number == RSP:
            self.align_stack(insn, -ops[1].value)
            return
        x = self.and_of(insn, ops)
        self.put(insn, ops[0], x)
        self.flags(x, ZERO)

    def align_stack(self, insn, alignment):
        """
        The stack pointer moves down to a multiple of such a number. What lies from there up to the
        lowest cell that was not popped is a region of its own, the frame: it is apart from what
        was pushed, whatever the distance, which is below that number.
        """
        stack = self.of('stack')
        cells = self.cells(stack, {})
        lowest = min({stack.low_water} | cells.keys() - stack.popped)
        for o in [o for o in cells if o < lowest]:
            del cells[o]
        offset = self.ctx.minus(self.regs[RSP], self.stack)
        depth = self.known(insn, offset)
        if alignment not in (16, 32, 64, 512) or 'frame' in self.bases:
            self.stuck(insn)
        self.regs[RSP] = self.region('frame', None, const(lowest - depth), align=alignment)
        stack.lo = const(lowest)
        self.lower()
        self.deepest = max(self.deepest, self.depth())
        self.flags(self.regs[RSP], ZERO)

    def do_or(self, insn, ops):
        x = self.bit_or(insn, *self.both(insn, ops))
        self.put(insn, ops[0], x)
        self.flags(x, ZERO)

    def do_xor(self, insn, ops):
        if ops[0].kind == 'general' and ops[0].text == ops[1].text:
            x = ZERO
        elif ops[0].size == 8 and ops[1].kind == 'memory':      # texts, as vectors xor them
            x = self.by_halves(lambda a, b: self.bit_xor(insn, a, b, 32))(*self.both(insn, ops))
        else:
            x = self.bit_xor(insn, *self.both(insn, ops), 8 * ops[0].size)
        self.put(insn, ops[0], x)
        self.flags(x, ZERO)

    def amount(self, insn, op, size):
        """By how much a shift of so many bytes shifts, which must be known on the path"""
        return self.known(insn, self.get(insn, op, 1)) & (63 if size == 8 else 31)

    def join_shifted(self, low, high, n, bits):
        """The n low bits of high above the bits of low from bit n on"""
        return self.ctx.add(self.ctx.split(low, n)[0], self.ctx.times(
            self.ctx.split(high, n)[1], 1 << bits - n))

    do_shl, do_shr = shift(left), shift(right)
    do_shrd = shift(lambda cpu, x, y, n, bits: cpu.join_shifted(x, y, n, bits), 2)
    do_shld = shift(lambda cpu, x, y, n, bits: cpu.join_shifted(y, x, bits - n, bits), 2)

    def do_shrx(self, insn, ops):
        n = self.amount(insn, ops[2], ops[0].size)
        self.put(insn, ops[0], self.ctx.split(self.get(insn, ops[1]), n)[0])

    def do_rol(self, insn, ops):
        bits = 8 * ops[0].size
        n = self.amount(insn, ops[1], ops[0].size)
        self.put(insn, ops[0], self.rotated(self.get(insn, ops[0]), n, bits))
        if n:                           # The zero flag and the sign are as before.
            self.c, self.compared, self.signed = self.unknown('carry'), None, None

    def do_rorx(self, insn, ops):
        bits, n = 8 * ops[0].size, ops[2].value
        x = self.get(insn, ops[1])
        self.put(insn, ops[0], self.join_shifted(x, x, n, bits))

    def do_bts(self, insn, ops):
        bits = 8 * ops[0].size
        if ops[1].kind != 'number':
            self.stuck(insn)
        n = ops[1].value % bits
        x = self.get(insn, ops[0])
        bit = self.ctx.tight(self.ctx.field(x, n, n + 1))
        r = self.ctx.add(x, self.ctx.times(bit, -(1 << n)), const(1 << n))
        self.put(insn, ops[0], Val(r.p, max(1 << n, r.lo), min(r.hi, (1 << bits) - 1)))
        self.flags(self.unknown('zero'), bit)

    def do_bzhi(self, insn, ops):
        n = self.ctx.tight(self.mod(self.regs[ops[2].number], 8))
        x, bits = self.get(insn, ops[1]), 8 * ops[0].size
        if n.const() is None and x.const() == (1 << bits) - 1 and n.hi < bits:
            self.put(insn, ops[0], self.ctx.ones(n))
        else:
            n = self.known(insn, n)
            self.put(insn, ops[0], self.ctx.field(x, 0, n) if n < bits else x)
        self.flags(self.unknown('zero'), self.unknown('carry'))

    def do_mul(self, insn, ops):
        if ops[0].size != 8:
            self.stuck(insn)
        high, low = self.ctx.split(self.ctx.mul(self.regs[RAX], self.get(insn, ops[0])), 64)
        self.set(RAX, low)
        self.set(RDX, high)
        self.flags(self.unknown('zero'), self.unknown('carry'))

    def do_mulx(self, insn, ops):
        bits = 8 * ops[0].size
        high, low = self.ctx.split(self.ctx.mul(
            self.get(insn, ops[2]), self.mod(self.regs[RDX], bits)), bits)
        self.put(insn, ops[1], low)
        self.put(insn, ops[0], high)

    def do_imul(self, insn, ops):
        if len(ops) == 1:
            self.stuck(insn)
        x, y = (self.get(insn, op, ops[0].size) for op in ops[-2:])
        self.put(insn, ops[0], self.ctx.split(self.ctx.mul(x, y), 8 * ops[0].size)[1])
        self.flags(self.unknown('zero'), self.unknown('carry'))

    def do_div(self, insn, ops):
        """By a number known on the path, of a dividend of one word"""
        c = self.known(insn, self.get(insn, ops[0]))
        if ops[0].size != 8 or self.ctx.tight(self.regs[RDX]).const() != 0 or not c:
            self.stuck(insn)
        q, r = self.ctx.divide(self.ctx.tight(self.regs[RAX]), c)
        self.set(RAX, q)
        self.set(RDX, r)
        self.flags(self.unknown('zero'), self.unknown('carry'))

    def do_push(self, insn, ops):
        value = self.get(insn, ops[0], 8)
        self.set(RSP, self.ctx.plus(self.regs[RSP], -8))
        self.write(self.regs[RSP], 8, value, self.where(insn))

    def do_pop(self, insn, ops):
        value = self.read(self.regs[RSP], 8, self.where(insn))
        self.set(RSP, self.ctx.plus(self.regs[RSP], 8))
        self.put(insn, ops[0], value)

    def __getattr__(self, name):
        """cmov and set, of any condition"""
        if name.startswith('do_cmov'):
            def do(insn, ops):
                y, x = self.get(insn, ops[1], ops[0].size), self.get(insn, ops[0])
                self.put(insn, ops[0], y if self.condition(insn, name[7:]) else x)
            return do
        if name.startswith('do_set'):
            def do(insn, ops):
                self.put(insn, ops[0], self.c if name[6:] == 'b' else const(
                    int(self.condition(insn, name[6:]))))
            return do
        raise AttributeError(name)
