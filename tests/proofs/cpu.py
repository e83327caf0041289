# SPDX-License-Identifier: GPL-2.0 OR MIT
"""x86-64 on values: memory, general registers, flags, and the paths of a program."""

import functools
import re

from values import Context, Infeasible, Stuck, Val, add, const, only_variable, scale
import general
import vectors

RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15 = range(16)
NAMES = 'rax rcx rdx rbx rsp rbp rsi rdi r8 r9 r10 r11 r12 r13 r14 r15'.split()
PRESERVED = (RBX, RBP, R12, R13, R14, R15)      # by every function
STACKS = {'stack', 'frame'}                     # regions where the stack pointer may point to
# Of operands in memory of 16 bytes or more, those of AVX need alignment for these names only,
# and those of SSE do but for the others.
ALIGNED = {'vmovdqa', 'vmovdqa32', 'vmovdqa64', 'vmovaps', 'vmovapd', 'vmovntdq', 'vmovntdqa'}
UNALIGNED = {'movdqu', 'movups', 'movupd', 'lddqu'}
ZERO = const(0)
# Limits, which SOUNDNESS.md names: addresses are from 2^32 to 2^64 - 2^36, bytes of the stack
LOWEST, ROOM, MOST_STACK, RED_ZONE = 32, 36, 4096, 128
NEGATED = {'ne': 'e', 'ae': 'b', 'a': 'be', 'ge': 'l', 'g': 'le', 'ns': 's'}


class Failed(Exception):
    """A claim does not hold."""


class Region:
    """
    An object in memory, apart from all others. Cells are kept by the constant part of their
    offset, for each symbolic part. Accesses must be from lo to hi, which are values; None
    leaves that side open. The address plus skew is a multiple of align.
    """

    def __init__(self, name, lo, hi, writable, data, align):
        self.name, self.lo, self.hi, self.writable, self.data = name, lo, hi, writable, data
        self.align, self.skew = align, 0
        self.output = False     # whether it is written only, at one symbolic part of the offset
        self.cells = {}         # symbolic part of the offset -> {offset: (size, value)}
        self.written = {}       # (offset, size) of stores -> values
        self.low_water = 0      # where the stack pointer was at first
        self.popped = set()     # offsets of cells that were below the stack pointer
        self.touched = set()    # (offset, size) of loads, if that is constant
        self.first = []         # (symbolic part, offset, size, value) of what was there at first


class State:
    """What registers, flags and memory hold at a place of a path"""

    def __init__(self, cpu, at):
        self.at = at
        self.values = [*cpu.regs, *(x for lanes in cpu.vec for x in lanes), *cpu.mask]
        self.flags = cpu.c, cpu.z, cpu.orders()
        self.cells = {v: [(dict(rest), dict(cells)) for rest, cells in region.cells.items()]
                      for v, region in cpu.regions.items() if region.data is None}
        self.first = {v: len(region.first) for v, region in cpu.regions.items()}

    def same(self, other):
        return self.at == other.at and all(x is y for x, y in zip(self.values, other.values)) and \
            self.cells == other.cells


class Cpu(vectors.Vectors, general.General):
    """One path: registers, flags, memory, and the choices that led here"""

    red_zone = 0                # bytes below the stack pointer that may be used
    tail = False                # whether a model stands for a jump, not for a call
    features = None             # of the CPU, which may be used; None is all
    more_features = {}          # name of a byte -> those of a CPU where it is not 0

    def __init__(self, obj, choices=None):
        self.ctx = ctx = Context()
        self.obj = obj
        self.regions, self.bases = {}, {}       # by variable of the base address; by name
        self.choices = choices if choices is not None else []
        self.taken = 0          # of choices
        self.twins = {}         # region -> how far dst, if it is the same bytes, may be shifted
        self.late = ()          # regions that the tag may overlap: it is written after they are read
        self.hooks = {}         # place -> function to call before the instruction there
        self.next = None        # where to go on from, which a hook may change
        self.watches = {}       # (region, offset) -> function to call after a store there
        self.models = {'__fentry__': lambda: None}      # name of a function -> what a call does
        self.seen = set()       # places
        # Pieces of the path, for native.py: (State, State, places); None: they are not kept.
        self.pieces, self.began, self.trace = None, None, []
        self.written_vectors, self.written = set(), {}
        self.last_store = None
        self.tag_written = False
        self.deepest = 0        # of the stack, in bytes below the return address
        # Where the stack pointer is at its lowest: region, offset; to which bytes from there on
        # other registers have pointed
        self.lowest, self.pointed = ('stack', 0), set()
        self.sums = None        # a list: what the next three additions add, with the carry in
        self.regs = [ctx.word(n) for n in NAMES]
        self.forget_flags()
        # Above it is the return address, which nothing may read or write.
        self.stack = self.regs[RSP] = self.region('stack', None, ZERO, align=8)

    def forget(self, keep):
        """Every register but some general ones, and every flag, may hold anything."""
        for i in range(16):
            if i not in keep:
                self.regs[i] = self.ctx.word('any ' + NAMES[i])
        self.vec = [[self.ctx.word('any v%d.%d' % (i, j)) for j in range(8)]
                    for i in range(32)]
        self.mask = [self.ctx.word('any k%d' % i) for i in range(8)]
        self.forget_flags()

    def forget_flags(self):
        self.c = self.ctx.word('any carry', 1)
        self.z = self.ctx.word('any zero')
        self.compared = self.signed = self.sign = None

    # Memory

    def region(self, name, lo=ZERO, hi=None, writable=True, data=None, align=1):
        """A new region; its base address, which lies 64 GiB below the end of the space."""
        base = self.ctx.new('&%s' % (name,), 1 << LOWEST, (1 << 64) - (1 << ROOM))
        v = only_variable(base)
        if data is not None:
            hi, writable, align = const(len(data)), False, self.obj.align[name]
        self.regions[v] = Region(name, lo, hi, writable, data, align)
        self.ctx.whole.add(v)
        self.bases[name] = base
        return base

    def of(self, name):
        """The region of that name"""
        return self.regions[only_variable(self.bases[name])]

    def locate(self, address, size, at=''):
        """
        The region of an access, and the symbolic and the constant part of its offset. Claims
        that the access is inside.
        """
        ctx = self.ctx
        p = ctx.norm(address.p)
        bases = [m[0] for m in p if len(m) == 1 and m[0] in self.regions]
        if len(bases) != 1 or p[bases[0],] != 1:
            raise Stuck('%saddress %s' % (at, ctx.show(p)))
        region = self.regions[bases[0]]
        offset = add(p, {(bases[0],): 1}, -1)
        top = self.top(region.name) if region.name in STACKS else None
        lowest = None if top is None else const(top - self.red_zone)
        for bound, sign in ((region.lo, 1), (lowest, 1), (region.hi, -1)):
            if bound is None:
                continue
            room = scale(add(offset, bound.p, -1), sign)
            room = add(room, {(): 0 if sign > 0 else -size})
            least = ctx.tight(Val(ctx.norm(room), *ctx.range(ctx.norm(room)))).lo
            if least < 0:
                raise Failed('%saccess outside %s: offset %s, %d bytes' % (
                    at, region.name, ctx.show(offset), size))
        rest = {m: c for m, c in offset.items() if m}
        return region, rest, offset.get((), 0)

    def top(self, name):
        """The offset of the stack pointer in the stack or the frame, if it is there and known"""
        offset = self.ctx.norm(self.ctx.minus(self.regs[RSP], self.bases[name]).p)
        return None if offset.keys() - {()} else offset.get((), 0)

    def depth(self):
        """
        How far below the return address the stack pointer is, at most: before it was aligned, it was
        a multiple of 8.
        """
        if 'frame' in self.bases and self.top('frame') is not None:
            frame = self.of('frame')
            return frame.hi.lo - self.of('stack').lo.lo + frame.align - 8 - self.top('frame')
        return -self.top('stack')

    def forget_below(self):
        """
        Interrupts and callees may write below the stack pointer, which has moved. Cells there may
        hold anything, and, for those who look for secrets, what they held.
        """
        for name in STACKS & self.bases.keys():
            top = self.top(name)
            if name == 'stack' and 'frame' in self.bases and self.top('frame') is not None:
                continue        # The stack is above the frame.
            cells = self.cells(self.of(name), {})
            for offset, (size, x) in list(cells.items()):
                if top is None or offset < top - self.red_zone:
                    left = self.ctx.fresh('left', 0, (1 << 8 * size) - 1, ('left', x.p))
                    cells[offset] = size, Val(left, 0, (1 << 8 * size) - 1)
                    if top is not None and offset + size <= top - self.red_zone:
                        self.of(name).popped.add(offset)

    def cells(self, region, rest):
        k = frozenset(rest.items())
        if k not in region.cells:
            # Keys may have become another form of the same offset.
            cells = {}
            for old, more in region.cells.items():
                p = self.ctx.norm(dict(old))
                c = p.pop((), 0)
                cells.setdefault(frozenset(p.items()), {}).update(
                    {o + c: cell for o, cell in more.items()})
            region.cells = cells
        return region.cells.setdefault(k, {})

    def read(self, address, size, at=''):
        region, rest, offset = self.locate(address, size, at)
        if at and not rest:
            region.touched.add((offset, size))
        if region.data is not None:
            if rest:
                raise Stuck('%sconstant at %s%+d' % (at, self.ctx.show(rest), offset))
            return const(int.from_bytes(region.data[offset:offset + size], 'little'))
        if self.tag_written and region.name in self.late and at:
            raise Failed('%s%s is read after the tag is written' % (at, region.name))
        if region.output and at:
            raise Failed('%s%s is read' % (at, region.name))
        for shift in self.twins.get(region.name, ()) if at else ():
            cells = self.only_cells(self.of('dst'), rest, at)
            if any(b < offset + shift + size and offset + shift < b + width
                   for b, (width, _) in cells.items()):
                raise Failed('%sit may have been overwritten by dst' % at)
        cells = self.cells(region, rest)
        found = cells.get(offset)
        if found and found[0] == size:
            return found[1]
        if rest and region.writable:
            raise Stuck('%s%s at %s' % (at, region.name, self.ctx.show(rest)))
        where, parts = offset, []
        while where < offset + size:
            begin = next((b for b in range(where, where - 32, -1)
                          if b in cells and b + cells[b][0] > where), None)
            if begin is None:
                begin, width = where & -8, 8
                if any(b in cells for b in range(begin, begin + 8)):
                    begin, width = where, 1
                name = '%s%s[%d]' % (region.name, '{%s}' % ', '.join(
                    '%d %s' % (c, ' '.join(self.ctx.names[v] for v in m))
                    for m, c in sorted(rest.items())) if rest else '', begin)
                cells[begin] = width, self.ctx.word(name, 8 * width)
                region.first.append((rest, begin, *cells[begin]))
            width, value = cells[begin]
            end = min(begin + width, offset + size)
            parts.append((where, self.ctx.field(value, 8 * (where - begin), 8 * (end - begin))))
            where = end
        return self.ctx.add(*(self.ctx.times(v, 1 << 8 * (a - offset)) for a, v in parts))

    def only_cells(self, region, rest, at):
        """The cells of an output, which must all have this symbolic part of their offset"""
        cells = self.cells(region, rest)
        if any(c for c in region.cells.values() if c is not cells):
            raise Stuck('%s%s at two places' % (at, region.name))
        return cells

    def write(self, address, size, value, at=''):
        region, rest, offset = self.locate(address, size, at)
        if not region.writable:
            raise Failed('%sa store to %s' % (at, region.name))
        if rest and not region.output:
            raise Stuck('%s%s at %s' % (at, region.name, self.ctx.show(rest)))
        cells = self.only_cells(region, rest, at) if region.output else self.cells(region, rest)
        for b in [b for b in range(offset - 31, offset + size) if b in cells]:
            width, old = cells[b]
            if b + width <= offset:
                continue
            del cells[b]
            if b < offset:
                cells[b] = offset - b, self.ctx.field(old, 0, 8 * (offset - b))
            if b + width > offset + size:
                cells[offset + size] = b + width - offset - size, self.ctx.field(
                    old, 8 * (offset + size - b), 8 * width)
        cells[offset] = size, value
        region.popped -= {*range(offset - 31, offset + size)}
        region.written.setdefault((offset, size), []).append(value)
        if region.name == 'tag':
            self.tag_written = True
        if at:
            self.last_store = region.name, offset

    def constant(self, name, offset):
        """The address of constants, or of a bool of C, which is one byte"""
        if name not in self.bases:
            self.region(name, ZERO, const(1), False, self.obj.data.get(name))
        return self.ctx.plus(self.bases[name], offset)

    def address(self, insn, op):
        if op.relative:
            return self.constant(*self.obj.constant(insn, op))
        parts = [const(op.displacement)]
        if op.base is not None:
            parts.append(self.regs[op.base])
        if op.index is not None:
            parts.append(self.ctx.times(self.regs[op.index], op.scale))
        at = self.mod(self.ctx.add(*parts), 64)
        if insn.name != 'lea' and (op.index is not None or op.base not in (RSP, RBP)):
            self.point(at, 0, op.size)
        return at

    def point(self, at, lo, hi):
        """Another register than the stack pointer points to these bytes, maybe of the frame."""
        for name in STACKS & self.bases.keys():
            p = self.ctx.norm(self.ctx.minus(at, self.bases[name]).p)
            if not p.keys() - {()}:
                base = p.get((), 0) - self.lowest[1] if name == self.lowest[0] else MOST_STACK
                self.pointed.add((base + lo, base + hi))

    def lower(self):
        """The stack pointer has moved: the lowest that it was, in the frame if there is one"""
        name = 'frame' if 'frame' in self.bases and self.top('frame') is not None else 'stack'
        old, lowest = self.lowest
        top = self.top(name)
        if top is None:
            raise Failed('%rsp is in no frame')
        self.lowest = name, min(top, lowest) if name == old else top

    # Operands

    def mod(self, x, bits):
        """x modulo 2^bits"""
        if x.lo >= 0 and x.hi < 1 << bits:
            return x
        return self.ctx.split(x, bits)[1]

    def where(self, insn):
        return '%s+%#x %s: ' % (insn.at[0].rsplit('/', 1)[-1], insn.at[2], insn.text)

    def stuck(self, insn, why='not understood'):
        raise Stuck(self.where(insn) + why)

    def known(self, insn, x):
        """A value that must be the same for all inputs of this path"""
        c = self.ctx.tight(x).const()
        if c is None:
            self.stuck(insn, 'depends on more than the path')
        return c

    def get(self, insn, op, size=None):
        size = size or op.size
        if op.kind == 'general':
            return self.mod(self.regs[op.number], 8 * size)
        if op.kind == 'number':
            return const(op.value & ((1 << 8 * size) - 1))
        if op.kind == 'memory':
            return self.read(self.address(insn, op), size, self.where(insn))
        self.stuck(insn)

    def has(self, features):
        """Whether the CPU has all of these features, as far as that was asked on this path"""
        return features <= self.features.union(*(
            more for name, more in self.more_features.items() if name in self.bases and
            self.ctx.tight(self.read(self.bases[name], 1)).lo > 0))

    def claim_aligned(self, insn, op):
        """The address of an operand is a multiple of its size."""
        p = self.ctx.norm(self.address(insn, op).p)
        bases = {m: self.regions[m[0]] for m in p if len(m) == 1 and m[0] in self.regions}
        if (p.get((), 0) - sum(x.skew for x in bases.values())) % op.size or any(
                c * (bases[m].align if m in bases else 1) % op.size for m, c in p.items() if m):
            raise Failed(self.where(insn) + 'is the address a multiple of %d?' % op.size)

    def put(self, insn, op, value):
        if op.kind == 'general':
            if op.size < 4:
                high = self.ctx.split(self.regs[op.number], 8 * op.size)[0]
                value = self.ctx.add(self.ctx.times(high, 1 << 8 * op.size), value)
            self.set(op.number, value)
        elif op.kind == 'memory':
            self.write(self.address(insn, op), op.size, value, self.where(insn))
        else:
            self.stuck(insn)

    def set(self, number, value):
        self.regs[number] = value
        if number == RSP:
            if any((self.top(name) or 0) < -MOST_STACK for name in STACKS & self.bases.keys()):
                raise Failed('%rsp moves down by more than 4 KiB')
            self.forget_below()
            self.lower()
            self.deepest = max(self.deepest, self.depth())
        self.written.setdefault(('r', number), []).append(value)

    def set_mask(self, number, value):
        self.mask[number] = value
        self.written.setdefault(('k', number), []).append(value)

    # Bits

    def bit_and(self, insn, x, y):
        ctx = self.ctx
        x, y = ctx.tight(x), ctx.tight(y)
        for a, b in ((x, y), (y, x)):
            c = b.const()
            if c is None:
                continue
            frame, n = self.bases.get('frame'), (1 << 64) - c
            if frame and a.p.get(next(iter(frame.p))) == 1 and not n & n - 1 and \
                    n <= self.of('frame').align:
                return ctx.add(frame, self.bit_and(insn, ctx.minus(a, frame), b))
            runs = [run.span() for run in re.finditer('1+', format(c, 'b')[::-1])]
            return ctx.add(ZERO, *(ctx.times(ctx.field(a, s, e), 1 << s) for s, e in runs))
        if x.p == y.p:
            return x
        if self.fork_bit(x) or self.fork_bit(y):
            return self.bit_and(insn, x, y)
        self.stuck(insn, 'and of two unknown values')

    def fork_bit(self, x):
        """Tell two cases apart by a variable that is 0 or 1; whether there is one"""
        ctx = self.ctx
        for m in ctx.norm(x.p):
            if len(m) == 1 and (ctx.lo[m[0]], ctx.hi[m[0]]) in ((0, 1), (-1, 0)):
                at = ctx.hi[m[0]] if self.choose() else ctx.lo[m[0]]
                ctx.assume_range(m[0], at, at)
                return True
        return False

    def bit_or(self, insn, x, y):
        ctx = self.ctx
        x, y = ctx.tight(x), ctx.tight(y)
        if x.const() is not None and y.const() is not None:
            return const(x.lo | y.lo)
        for a, b in ((x, y), (y, x)):
            if a.const() == 0:
                return b
            if all(c % (1 << max(b.hi, 0).bit_length()) == 0
                   for c in ctx.norm(a.p).values()):
                return ctx.add(a, b)
        for a, b in ((x, y), (y, x)):
            c = a.const()
            if c is not None and c >> 63:       # ones at the top: the rest of b is below
                low = ((1 << 64) - c).bit_length() - 1
                if c == (1 << 64) - (1 << low):
                    return ctx.plus(ctx.split(b, low)[1], c)
        if x.hi >> 32 or y.hi >> 32:
            (xh, xl), (yh, yl) = self.halves(x), self.halves(y)
            return self.join(self.bit_or(insn, xh, yh), self.bit_or(insn, xl, yl))
        parts = []
        for i in range(0, 32, 8):       # byte by byte
            a, b = (ctx.tight(ctx.field(z, i, i + 8)) for z in (x, y))
            if a.p != b.p and a.p and b.p:
                self.stuck(insn, 'or of two unknown values')
            parts.append(ctx.times(a if a.p else b, 1 << i))
        return ctx.add(*parts)

    def bit_xor(self, insn, x, y, bits):
        ctx = self.ctx
        x, y = ctx.tight(x), ctx.tight(y)
        if x.const() is not None and y.const() is not None:
            return const(x.lo ^ y.lo)
        for a, b in ((x, y), (y, x)):
            if a.const() == 0:
                return b
        if x.p == y.p:
            return ZERO
        for a, b in ((x, y), (y, x)):       # (u ^ b) ^ b = u
            m = next(iter(a.p), ())
            kind = ctx.origin[m[0]] if len(a.p) == len(m) == 1 and a.p[m] == 1 else '?'
            if kind[0] == 'xor':
                for u, v in ((kind[1], kind[2]), (kind[2], kind[1])):
                    if ctx.norm(v) == b.p:
                        u = ctx.norm(u)
                        lo, hi = ctx.range(u)
                        return Val(u, max(lo, 0), min(hi, (1 << bits) - 1))
        return Val(ctx.xor(ctx.norm(x.p), ctx.norm(y.p), bits), 0, (1 << bits) - 1)

    def add32(self, x, y):
        """
        x + y modulo 2^32. If x is such a sum and y a number, they make one sum, so that it does
        not matter in how many steps a counter goes up.
        """
        for a, b in ((x, y), (y, x)):
            m = next(iter(a.p), ())
            if b.const() is not None and len(a.p) == len(m) == 1 and a.p[m] == 1:
                kind = self.ctx.origin[m[0]]
                if kind[0] == 'sum' and kind[2] == 32 and not kind[3]:
                    d = self.ctx.norm(kind[1])
                    x, y = Val(d, *self.ctx.range(d)), b
                    break
        return self.mod(self.ctx.add(x, y), 32)

    def rotated(self, x, n, bits=32):
        """x to the left by n bits"""
        return self.join_shifted(x, x, bits - n, bits)

    # Paths

    def choose(self):
        if self.taken == len(self.choices):
            self.choices.append(True)
        self.taken += 1
        return self.choices[self.taken - 1]

    def orders(self):
        """{condition: (d, least)}: it holds if -d is at least 0 or 1. d is None if not known."""
        return {'be': (self.compared, 0), 'le': (self.signed, 0), 'l': (self.signed, 1),
                's': (self.sign, 1)}

    def condition(self, insn, name):
        """Whether a condition holds. If that is not known, each path assumes one answer."""
        if name in NEGATED:
            return not self.condition(insn, NEGATED[name])
        ctx = self.ctx
        if name == 'be' and self.compared is None:
            return self.condition(insn, 'b') or self.condition(insn, 'e')
        if name == 'e':
            z = ctx.tight(self.z)
            if z.lo > 0 or z.hi < 0 or z.lo == z.hi == 0:
                return z.lo == z.hi == 0
            taken = self.choose()
            (ctx.assume_zero if taken else ctx.assume_nonzero)(z.p)
            return taken
        if name == 'b':
            c = ctx.tight(self.c)
            if c.const() is not None:
                return bool(c.lo)
            taken = self.choose()
            ctx.assume_zero(add(c.p, {(): -1} if taken else {}))
            if self.compared:
                d = ctx.norm(self.compared.p)
                ctx.assume_sign(scale(d, -1) if taken else d, 1 if taken else 0)
            return taken
        d, least = self.orders().get(name, (None, 0))
        if d is None:
            self.stuck(insn, 'flags are not known')
        d = ctx.tight(d)
        if -d.hi >= least or -d.lo < least:
            return -d.hi >= least
        taken = self.choose()
        ctx.assume_sign(scale(d.p, -1) if taken else d.p, least if taken else 1 - least)
        return taken

    def begin_piece(self, at):
        if self.pieces is not None:
            self.began, self.trace = State(self, at), []

    def end_piece(self, at):
        """At a place, a function of other objects, or None at a return"""
        if self.pieces is not None:
            self.pieces.append((self.began, State(self, at), self.trace))

    def beside(self, f, at, after=None):
        """f() changes what no instruction changes: the piece ends before, and another begins."""
        if self.pieces is None:
            f()
            return
        began, trace, before = self.began, self.trace, State(self, at)
        self.pieces.append((began, before, trace))
        f()
        self.begin_piece(after or self.next or at)
        if self.pieces[-1] == (began, before, trace) and self.began.same(before):
            self.pieces.pop()
            self.began, self.trace = began, trace

    def run(self, at, stops=(), limit=200000):
        """Run until a place in stops, which is returned; None after a return or a tail call."""
        first = True
        self.begin_piece(at)
        for _ in range(limit):
            if at in stops and not first:
                self.end_piece(at)
                return at
            first = False
            if at in self.hooks:
                self.next = at
                self.beside(functools.partial(self.hooks[at], self), at)
                at = self.next
            insn = self.obj.code[at]
            name = insn.name
            self.seen.add(at)
            self.trace.append(at)
            self.last_store = None
            callee = self.obj.callee(insn) if name == 'call' or name[0] == 'j' else None
            at = insn.after
            self.tail = name != 'call'
            if name == 'call' and callee in self.models and not self.red_zone:
                self.trace.pop()
                self.beside(self.models[callee], insn.at, at)
            elif name == 'jmp' or name[0] == 'j' and self.condition(insn, name[1:]):
                if callee in self.models:       # a tail call
                    self.end_piece(insn.target or self.obj.symbols.get(callee, callee))
                    self.models[callee]()
                    return None
                at = insn.target
            elif name[0] == 'j':
                pass
            elif name == 'ret' and not insn.ops:
                self.end_piece(None)
                return None
            else:
                self.step(insn)
                if self.last_store in self.watches:
                    self.beside(functools.partial(self.watches[self.last_store], self), at, at)
                if self.last_store in stops:
                    self.end_piece(at)
                    return at
            if at is None or at not in self.obj.code:
                self.stuck(insn, 'leads nowhere known')
        raise Stuck('too many steps')

    def step(self, insn):
        if insn.name in ('nop', 'endbr64', 'prefetcht0'):
            return
        if self.features is not None and not self.has(insn.features()):
            raise Failed(self.where(insn) + 'does the CPU have it?')
        ops = insn.ops
        method = getattr(self, 'do_' + insn.name, None)
        if method is None:
            self.stuck(insn, 'no such instruction')
        for op in ops:
            if op.kind == 'memory' and op.size >= 16 and insn.name not in UNALIGNED and (
                    insn.name[0] != 'v' or insn.name in ALIGNED):
                self.claim_aligned(insn, op)
        if ops and ops[0].kind == 'vector' and ops[0].masking and insn.name != 'vmovdqu8':
            self.masked(insn, ops, method)
        else:
            method(insn, ops)


def paths(make, most=400):
    """make(choices) for each path of a program that make() runs"""
    choices, done = [], 0
    while True:
        try:
            yield make(choices)
        except Infeasible:
            pass
        done += 1
        if done > most:
            raise Stuck('too many paths')
        while choices and not choices[-1]:
            choices.pop()
        if not choices:
            return
        choices[-1] = False
