# SPDX-License-Identifier: GPL-2.0 OR MIT
"""
poly1305_generic.c as compilers leave it: poly1305_emit(), and the block function in radix 2^64
or 2^26. Where the loop keeps h, the pointer and the counter is found, not told: a first pass
through the loop shows which places that hold them on arrival have changed behind it.
"""

import itertools

from contracts import Blocks, reduced
from cpu import Failed, ZERO
from proof import Function, RADIX_26, RADIX_64, Report, mems, sets
from values import Stuck, const, weigh

WORD = (1 << 64) - 1


class Emit(Function, proves='poly1305_emit'):
    """The tag is (h mod p) + s mod 2^128, for all h with h2 <= 4."""
    arguments = 'h', 's', 'tag'
    wipes = False           # clang 14 does not know -fzero-call-used-regs

    def inputs(self, p):
        ctx = p.ctx
        p.region('h', ZERO, const(24), False)
        p.region('s', ZERO, const(16), False)
        p.region('tag', ZERO, const(16))
        p.h = [ctx.word('h0'), ctx.word('h1'), ctx.new(
            'h2', 0, self.sources.number('POLY1305_H2_MAX'))]
        p.s = [ctx.word('s0'), ctx.word('s1')]
        for place, x in zip(mems('h', 0, 8, 3) + mems('s', 0, 8, 2), p.h + p.s):
            sets(p.cpu, place, x)

    def end(self, p):
        reduced(p, *p.h, p.h[2], ZERO, ZERO)


class Found(Exception):
    """What discover() looks for"""


class Compiled(Blocks, proves='poly1305_blocks_generic'):
    """A block function with one outer loop, at whose head left >= 1 blocks are to come."""
    wipes = False           # compilers spill r and h to the stack, and leave them there

    head = None

    def cuts(self):
        return {self.head: 'loop'}

    def prove(self, report):
        """Prove it for the first place of the loop, and the first choice of roles, that will do."""
        why = None
        if self.most < self.blocks['poly1305_blocks_x86_64'].bounds['nblocks'][1]:
            raise Failed('the portable code takes fewer blocks than assembly')
        for head in sorted({i.target for i in self.obj.body(self.name) if i.name[0] == 'j' and
                            i.target and i.target[:2] == self.obj.entry(self.name)[:2]}):
            roles = discover(self.obj, self.name, type(self), head)
            if not all(name in roles for name in self.names + ('data',)):
                continue
            # Of places that held the same, one is the variable.
            names = [n for n in self.names + ('data', 'n') if n in roles]
            for choice in itertools.product(*(sorted(roles[n], key=str) for n in names)):
                trial = type(self)(self.obj, self.name)
                self.head = trial.head = head
                self.roles = trial.roles = dict(zip(names, choice))
                try:
                    Blocks.prove(trial, Report())
                except Failed as e:
                    why = e
                    continue
                Blocks.prove(self, report)
                return
        raise why or Failed('no loop was found')

    names, radix, bounds = ('h0', 'h1', 'h2'), RADIX_64, [WORD, WORD, 4]

    def loop(self, p):
        ctx = p.ctx
        data, c = self.roles['data']
        left = p.new('left', 1, self.most) if not p.claiming else \
            ctx.minus(p.n, p.data_index(data, c))
        index = ctx.minus(p.n, left)
        if p.claiming:
            p.within(left, 1, self.most, 'blocks are left')
        index = p.bounded(index, 0, self.most, 'i >= 0')
        p.falls(left)
        p.is_(data, ctx.plus(p.block_at(index), c), 'the pointer')
        if 'n' in self.roles:
            place, c = self.roles['n']
            p.is_(place, ctx.plus(left, c), 'the counter')
        x = p.number([self.roles[name][0] for name in self.names], self.radix, self.bounds, None,
                     'x')
        p.progress(index, weigh(x, self.radix), 'x = H_i (mod p)')


class Compiled26(Compiled):
    """In five limbs of 26 bits"""
    names, radix = ('x0', 'x1', 'x2', 'x3', 'x4'), RADIX_26
    bounds = [(1 << 26) - 1, (1 << 26) + (1 << 10), (1 << 26) - 1, (1 << 26) - 1, (5 << 24) - 1]

    def inputs(self, p):
        super().inputs(p)
        for i, x in enumerate(self.split(p, *p.h)):
            p.input('x%d' % i, x, False)
        for i, x in enumerate(self.split(p, p.r0, p.r1, ZERO)):
            p.input('limb %d of r' % i, x, False)
            p.input('5 times limb %d of r' % i, p.ctx.times(x, 5), False)
        p.input('bit 24', p.ctx.times(p.hibit, 1 << 24))

    @staticmethod
    def split(p, w0, w1, w2):
        """w0 + 2^64 w1 + 2^128 w2 in radix 2^26"""
        ctx = p.ctx
        return [ctx.field(w0, 0, 26), ctx.field(w0, 26, 52),
                ctx.add(ctx.field(w0, 52, 64), ctx.times(ctx.field(w1, 0, 14), 1 << 12)),
                ctx.field(w1, 14, 40), ctx.add(ctx.field(w1, 40, 64), ctx.times(w2, 1 << 24))]


def discover(obj, name, base, at):
    """
    The roles of places in the loop of a compiled function, without any claims: {name of an
    input: [(place, c)]} for places that held their sum and have changed
    """
    class Quiet(base):
        head = at
        limit = 5 * len(obj.body(name))         # an iteration, with its inner loops
        end = returned = loop = lambda self, p: None
        accounted = lambda self, p, returns: None
        prove = Blocks.prove

        def arrive(self, p, cut, at):
            before = dict(self.autos.get(cut, {}))
            try:
                super().arrive(p, cut, at)
            finally:
                if before and self.running == cut:
                    kept = self.autos[cut]
                    raise Found({k: f for k, f in before.items() if k not in kept})

    roles = {}
    try:
        Quiet(obj, name).prove(Report())
    except Found as found:
        for place, (role, c) in found.args[0].items():
            roles.setdefault(role, []).append((place, c))
    except (Failed, Stuck):
        pass
    return roles
