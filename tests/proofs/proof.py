# SPDX-License-Identifier: GPL-2.0 OR MIT
"""
Proofs of functions: paths between cut points, invariants, contracts, and claims.

A function is proved in segments. Each begins at the entry or at a cut (the head of a loop, or
just behind a store to a named place), where nothing is known but the invariant, and ends at the
next cut or at a return. One description of an invariant serves both sides: Path.number() and
the like assume at the beginning of a segment what they claim at the end of one.

Besides, each cut has invariants that nobody writes down: what registers and memory hold at the
first arrival there, if that is a constant or an input plus a constant. Each arrival must show
them again, or they are dropped and what relied on them is proved anew, until none is dropped.
"""

import functools
import graphlib
import itertools
import math

from cpu import Cpu, Failed, NAMES, PRESERVED, RED_ZONE, RSP, STACKS, ZERO, paths
from claims import ARGUMENTS, Claims, places, wiped_places
from features import BYTES, EVERY, asked, features
from loader import TOP
from places import (        # noqa: F401  for all proofs
    high, lane, low, mask, mem, mems, public_places, reads, reg, registers, sets, units)
from stated import sources
from values import Infeasible, P, Stuck, Val, add, const, mul, only_variable, scale, weigh, words

RADIX_26 = [1 << 26 * i for i in range(5)]
RADIX_44 = [1 << 44 * i for i in range(3)]
RADIX_52 = [1 << 52 * i for i in range(3)]
RADIX_64 = [1 << 64 * i for i in range(3)]


class Restart(Exception):
    """An invariant was dropped; what relied on it is proved anew."""


class Path:
    """One path of a segment, with the inputs of its function"""

    def __init__(self, function, case, choices):
        self.function, self.case = function, case
        self.cpu = cpu = Cpu(function.obj, choices)
        if function.report.check:
            cpu.pieces = []
        self.ctx = cpu.ctx
        cpu.features = features(function.block) if function.block else EVERY
        cpu.more_features = {name: asked(check) for name, check in BYTES.items()}
        if function.user_space:
            cpu.features = cpu.features | {'sse', 'sse2'}
            cpu.red_zone = RED_ZONE
            cpu.of('stack').align, cpu.of('stack').skew = 16, 8
        self.named = {'stack': cpu.stack}       # inputs that invariants may mention
        for i in PRESERVED:
            self.named[NAMES[i]] = cpu.regs[i]
        self.public = set(NAMES)                # names of variables that are no secret
        self.claiming = False
        self.mentioned = set()                  # places of which something is claimed
        self.covered = set()                    # regions of which each store is claimed
        self.rank = None                        # what falls on the way from cut to cut
        self.kind, self.covers = None, []       # the inputs that cases divide
        self.horner, self.known_public = None, {}
        self.lengths = None     # places of the last block, if it is a packet's lengths
        function.report.path(self)

    # Inputs

    def input(self, name, value, public=True):
        """Name what stays as it is up to the return: unwritten invariants rely on that."""
        self.named[name] = value
        for m in value.p:
            if public and m:
                self.public.add(self.ctx.names[m[0]])
        return value

    def new(self, name, lo, hi):
        """Any number from lo to hi, which is no secret"""
        self.public.add(name)
        return self.ctx.new(name, lo, hi)

    def cover(self, x, lo, hi):
        """The cases of this kind together have each x from lo to hi; None stands for all."""
        p = dict((x or self.ctx.new('any', lo, hi)).p)
        first = p.pop((), 0)
        (c, least, most), = [(c, self.ctx.lo[v], self.ctx.hi[v]) for (v,), c in p.items()] or [(1, 0, 0)]
        self.covers.append((range(first + c * least, first + c * most + 1, c), range(lo, hi + 1)))

    def region(self, name, *args, **more):
        return self.input(name, self.cpu.region(name, *args, **more))

    def key(self):
        """r, as a whole and as clamped words r0 and r1 = 4 rho; its powers are p.rpow()"""
        ctx = self.ctx
        self.any_r()
        self.r0 = ctx.new('r0', 0, (1 << 60) - 1)
        self.rho = ctx.new('r1/4', 0, (1 << 58) - 1)
        self.r1 = ctx.times(self.rho, 4)
        self.claim(self.r0.hi >= self.clamp[0] and self.r1.hi >= self.clamp[1], 'each clamped r')
        ctx.defs.append((only_variable(self.r0), add(self.r.p, self.rho.p, -(1 << 66))))
        ctx.clamped = self.r, self.r0, self.rho
        for name, x in (('r0', self.r0), ('r1', self.r1), ('q1', ctx.times(self.rho, 5)),
                        ('s0', ctx.times(self.r0, 5))):
            self.input(name, x, False)

    def any_r(self):
        """r where only its powers matter: any number"""
        self.r = self.ctx.new('r', 0, (1 << 124) - 1)
        self.clamp = [self.function.sources.number(name) for name in ('CLAMP_LO', 'CLAMP_HI')]
        self.claim(self.r.hi >= self.clamp[0] + (self.clamp[1] << 64), 'each clamped r')

    def rpow(self, k):
        return {(only_variable(self.r),) * k: 1}

    def bounded(self, x, lo, hi, text):
        """Invariant: x, which is made of other values, is from lo to hi."""
        if self.claiming:
            self.within(x, lo, hi, text)
        else:
            self.ctx.facts.append((x.p, lo, hi))
        return Val(x.p, lo, hi)

    def counter(self, place, step, offset, lo, hi, name, floor=ZERO):
        """
        The place holds offset + step j for some j from lo to hi, which is returned. That is
        floor at least.
        """
        ctx = self.ctx
        self.mentioned.add(place)
        if not self.claiming:
            j = self.new(name, lo, hi)
            x = ctx.add(offset, ctx.times(j, step))
            self.bounded(ctx.minus(x, floor), 0, 1 << 40, 'floor')
            sets(self.cpu, place, Val(x.p, max(x.lo, floor.lo), x.hi))
            return j
        self.bounded(ctx.minus(reads(self.cpu, place), floor), 0, 1 << 40, '%s stays above its '
                     'floor' % name)
        j = self.quotient(ctx.minus(reads(self.cpu, place), offset), step, name)
        self.within(j, lo, hi, '%s is in its range' % name)
        return j

    def falls(self, outer, inner=ZERO):
        """
        Invariant of a cut that paths come back to: no arrival has a greater outer than the one
        before. If it has the same, so has inner, or the cut is another; Function.terminates() says more.
        """
        self.rank = outer, inner

    def fell(self, before):
        """Which part of the rank has fallen since a cut, if none rose: 0 or 1; or 2 for none"""
        for i, (x, y) in enumerate(zip(before or (), self.rank or ())):
            d = self.ctx.tight(self.ctx.minus(x, y))
            if d.lo >= 1 and self.ctx.tight(y).lo >= 0:
                return i
            if d.const() != 0 and i == 0:
                return None
        return 2 if before and self.rank else None

    def quotient(self, x, step, name):
        """x / step, where that is an integer term by term"""
        d = self.ctx.norm(x.p)
        self.claim(not any(c % step for c in d.values()), '%s is counted in steps' % name)
        d = {m: c // step for m, c in d.items()}
        return Val(d, *self.ctx.range(d))

    def symbol(self, name, offset=0):
        """The address of constants of the function's file"""
        obj = self.function.obj
        place = obj.local[obj.entry(self.function.name)[0], name]
        return self.cpu.constant(place[:2], place[2] + offset)

    def at(self, name, offset):
        return self.ctx.plus(self.cpu.bases[name], offset)

    # Claims

    def claim(self, holds, text, more=lambda: ''):
        """What must hold; more() explains what does not."""
        self.function.report.claims += 1
        if not holds:
            raise Failed(text + more() + (
                ', case %s' % (self.case,) if self.case is not None else ''))

    def same(self, p, q, modulus, text):
        """p = q, exact or modulo a number"""
        d = add(p, q, -1)
        rest = self.ctx.expand(d, modulus)
        self.function.report.keep('zero', d, modulus)
        self.claim(not rest, text, lambda: ': left is ' + self.ctx.show(rest))

    def within(self, x, lo, hi, text):
        """x is from lo to hi"""
        x = self.ctx.tight(x)
        most = x.hi if x.hi <= hi else min(x.hi, self.ctx.upper(x.p))
        if most > hi:
            most = min(most, self.ctx.upper_by_cases(x))
        self.function.report.keep('most', x.p, min(most, hi))
        self.claim(lo <= x.lo and most <= hi, text, lambda: ': [%#x, %#x] is not in [%#x, %#x]' % (
            x.lo, most, lo, hi))

    def now(self, place):
        """What a place holds, of which something is claimed"""
        self.mentioned.add(place)
        return reads(self.cpu, place)

    # Invariants: assumed at the beginning of a segment, claimed at its end

    def anything(self, places):
        """These may hold anything."""
        self.mentioned.update(places)

    def is_(self, place, value, text):
        """The place holds the value."""
        self.mentioned.add(place)
        if self.claiming:
            self.same(reads(self.cpu, place).p, value.p, None, text)
        else:
            sets(self.cpu, place, value)

    def all_are(self, places, value, text):
        for place in places:
            self.is_(place, value, text)

    def any(self, place, lo, hi, name):
        """The place holds some number from lo to hi, no secret, which is returned."""
        self.mentioned.add(place)
        if self.claiming:
            x = self.ctx.tight(reads(self.cpu, place))
            self.within(x, lo, hi, '%s is in its range' % name)
            self.claim(self.is_public(x), '%s is no secret' % name)
            return x
        x = self.new(name, lo, hi)
        sets(self.cpu, place, x)
        return x

    def number(self, places, weights, bounds, value, text):
        """
        The limbs at the places are at most bounds, and their weighted sum is congruent to
        value, a polynomial. A place may be a list of places that hold the same. value None:
        any number. Returns the limbs.
        """
        places = [p if isinstance(p, list) else [p] for p in places]
        self.mentioned.update(*places)
        if self.claiming:
            limbs = [reads(self.cpu, p[0]) for p in places]
            if value is not None:
                self.same(weigh(limbs, weights), value, P, text + ' (mod p)')
            for x, b in zip(limbs, bounds):
                self.within(x, 0, b, text + ', within bounds')
            for x, (_, *others) in zip(limbs, places):
                for other in others:
                    self.same(reads(self.cpu, other).p, x.p, None, text + ', in all places')
            return limbs
        limbs = [self.ctx.new('%s.%d' % (text, i), 0, b) for i, b in enumerate(bounds)]
        if value is not None:
            self.ctx.ghost(limbs, weights, value)
        for x, same in zip(limbs, places):
            for place in same:
                sets(self.cpu, place, x)
        return limbs

    def abstract(self, places, weights, bounds, value, text):
        """
        Claim a number, and go on with any limbs of which only that is known, in these places
        and wherever else they are.
        """
        cpu = self.cpu
        self.claiming = True
        old = self.number(places, weights, bounds, value, text)
        self.claiming = False
        ctx = self.ctx
        new = [ctx.new('%s.%d' % (text, i), 0, b) for i, b in enumerate(bounds)]
        ctx.ghost(new, weights, value)
        keys = {}
        for x, y in zip(old, new):
            if ctx.norm(x.p).keys() - {()}:
                keys[frozenset(ctx.norm(x.p).items())] = y
                keys[frozenset(scale(ctx.norm(x.p), 5).items())] = ctx.times(y, 5)

        def other(x):
            return keys.get(frozenset(ctx.norm(x.p).items()), x)
        cpu.regs = [other(x) for x in cpu.regs]
        cpu.vec = [[other(x) for x in lanes] for lanes in cpu.vec]
        for region in cpu.regions.values():
            if region.writable:
                for cells in region.cells.values():
                    for at, (size, x) in list(cells.items()):
                        cells[at] = size, other(x)
        for place, y in zip(places, new):       # a cell may hold more than one limb
            if place[0] == 'm':
                cpu.write(self.at(place[1], place[2]), place[3], y)
        return new

    def watch(self, places, *number):
        """When the last of these places is stored to, they become any such limbs."""
        self.cpu.watches[places[-1][1:3]] = lambda cpu: self.abstract(places, *number)

    # Messages

    def block_at(self, index):
        """The address of block number index"""
        return self.ctx.add(self.cpu.bases['data'], self.ctx.times(index, 16))

    def block(self, index):
        """Block number index, and what is above its last byte; a packet's last has its lengths"""
        ctx, cpu, at = self.ctx, self.cpu, self.block_at(index)
        left = ctx.norm(ctx.minus(self.blocks, index).p)
        if self.lengths and left == {(): 1}:
            return add(words(*(reads(cpu, place) for place in self.lengths)), {(): 1 << 128})
        if self.short and left == {(): 1 + bool(self.lengths)}:     # some bytes are lacking
            parts = (cpu.read(ctx.plus(at, i), min(8, self.short - i))
                     for i in range(0, self.short, 8))
            return add(words(*parts), {(): 1 << (128 if self.lengths else 8 * self.short)})
        return add(words(cpu.read(at, 8), cpu.read(ctx.plus(at, 8), 8)),
                   scale(self.hibit.p, 1 << 128))

    def have(self, index, value, lead=0):
        """From here on: the Horner value after index blocks, times r^lead, is value."""
        self.horner = index, lead, value

    def value(self, index, lead=0):
        """
        The Horner value H_index times r^lead, by H_(i+1) = (H_i + m_(i+1)) r from the index
        that is known on.
        """
        base, known, value = self.horner
        steps = self.ctx.norm(self.ctx.minus(index, base).p)
        if any(steps.keys() - {()}):
            raise Failed('it is not known how many blocks were taken: %s' %
                         self.ctx.show(steps))
        d = steps.get((), 0)
        if d < 0 or d + lead < known:
            raise Failed('%d blocks were taken, and no fewer' % d)
        p = mul(value, self.rpow(d + lead - known))
        for i in range(d):
            p = add(p, mul(self.block(self.ctx.plus(base, i)), self.rpow(d - i + lead)))
        return p

    def progress(self, index, value, text, lead=0):
        """Invariant: value is the Horner value after index blocks, times r^lead."""
        if self.claiming:
            self.same(value, self.value(index, lead), P, text)
        else:
            self.have(index, value, lead)

    def data_index(self, place, offset=0):
        """Which block of the message a pointer points to, less offset bytes"""
        return self.quotient(self.ctx.minus(reads(self.cpu, place), self.at('data', offset)), 16,
                             'the distance of a block')

    # What is secret

    def is_public(self, x):
        ctx, known = self.ctx, self.known_public

        def public(v):
            if v not in known:
                kind = ctx.origin[v]
                if kind[0] == 'input':
                    name = ctx.names[v]
                    known[v] = name in self.public or name[0] == '&' or name == 'left by a call'
                elif kind[0] == 'cut':
                    known[v] = public(kind[1])
                else:
                    known[v] = all(public(w) for p in kind[1:] if isinstance(p, dict)
                                   for m in p for w in m)
            return known[v]
        return all(public(v) for m in x.p for v in m)


FUNCTIONS = {}              # name of a function -> the class that proves it


class Function(Claims):
    """
    A function that is proved. Classes for one contract define inputs(), begin(), end() and, if
    it is relied upon, called(); those for one function add cuts.
    """

    user_space = False      # a red zone, and %rsp + 8 is a multiple of 16 at the entry
    limit = 200000          # steps of a path
    wipes = True            # whether it leaves no secret behind
    frees = ()              # cuts before which a frame must have been wiped
    arguments = ()          # names of inputs
    heads = ()              # names of cuts at the heads of the first loops

    def __init_subclass__(cls, proves=None):
        if proves:
            FUNCTIONS[proves] = cls

    def __init__(self, obj, name, short=False, top=TOP):
        self.obj, self.name, self.short_form = obj, name, short
        self.sources = sources(top)
        self.blocks = self.sources.blocks
        self.block = self.blocks.get(name)      # its contract, if it is of assembly
        self.extents = {}       # region -> its name there, bytes that may be read or written, if known
        self.deepest, self.touched, self.ranges, self.relations = 0, {}, {}, {}
        self.loops = obj.loops(name)
        self.written = {}       # variant -> places that have held a secret
        self.changed = set()     # bytes of memory, but for the stack
        self.returns = []       # of each return from a cut: bytes of which something was claimed
        self.ends = []          # of each return: variant, what is public there, kinds of places
        self.calls = set()      # names of functions whose contract it relies on
        self.seen = set()
        self.autos, self.places, self.frames = {}, {}, {}
        self.steps = set()      # (cut, next cut, what has fallen on some path between)
        self.pending = ['entry']
        self.report = None

    # For subclasses

    def begin(self, p):
        """What holds at the entry"""
        for number, name in zip(ARGUMENTS, self.arguments):
            p.cpu.regs[number] = p.named[name]

    def cuts(self):
        """{stop: name of a method that describes the invariant there}"""
        return {head: name for (head, _), name in zip(self.loops, self.heads)}

    def stops(self):
        """The cuts at which the segment that runs may end"""
        return self.cuts()

    def cases(self, cut):
        """Each case of a cut, which together are all"""
        return [None]

    def hooks(self, p):
        """Called before each path is run, to set hooks and watches."""

    def var(self, name):
        """The value that .set gives a name in the file of the function"""
        numbers, at = self.obj.numbers, (self.obj.entry(self.name)[0], name)
        if at not in numbers:
            raise Stuck('%s is no number of the object' % name)
        return numbers[at]

    def variant(self, case):
        """
        Cases of different variants never meet on the way to one return, so what one writes
        another need not wipe. None: those before it is known.
        """

    @classmethod
    def model(cls, p, name):
        """What stands for a call: called(), the contract's other side"""
        p.function.calls.add(name)
        p.callee = callee = p.function.blocks[name]
        p.claim(p.cpu.has(features(callee)), 'the CPU has what a callee needs')
        p.cpu.deepest = max(p.cpu.deepest, p.cpu.depth() + callee.stack + 8 * (not p.cpu.tail))
        p.function.used_by(p, callee)
        p.claiming = True
        cls.called(p)
        p.claiming = False

    # Running

    def segment(self, cut, case, choices):
        p = Path(self, case, choices)
        cpu = p.cpu
        self.inputs(p)
        began = None
        if cut == 'entry':
            cpu.forget(keep=range(16))
            self.begin(p)
            self.places_of_block(p)
            start = self.obj.entry(self.name)
        else:
            start = self.places[cut]
            if any(cells for region in cpu.regions.values() if region.writable
                   for cells in region.cells.values()):
                raise Failed('inputs() assumes what memory holds at %s' % cut)
            cpu.forget(keep=())
            if cut in self.frames:
                high, low_water, align = self.frames[cut]
                p.region('frame', None, const(high), align=align)
                cpu.of('stack').lo = const(low_water)
            for place, (name, c) in sorted(self.autos[cut].items(), key=str):
                sets(cpu, place, p.ctx.plus(p.named[name], c) if name else const(c))
            self.confine(p)
            getattr(self, cut)(p)
            p.rank, began = None, p.rank
            top = cpu.top('frame' if cut in self.frames else 'stack')
            p.claim(top is not None, 'the stack pointer is known at each cut')
            cpu.lowest = ('frame' if cut in self.frames else 'stack'), top
            if cut not in self.frames:
                cpu.of('stack').low_water = top - cpu.red_zone
        cpu.models.update((name, functools.partial(cls.model, p, name)) for name, cls in
                          FUNCTIONS.items() if name != self.name and hasattr(cls, 'called'))
        stops = self.stops()
        self.hooks(p)
        p.ended = False
        at = cpu.run(start, stops, self.limit)
        p.claiming = True
        p.mentioned = set()
        if at is None:
            if not p.ended:
                self.end(p)
                self.returned(p)
            self.wiped(p)
        else:
            stop = cpu.last_store if cpu.last_store in stops else at
            self.arrive(p, stops[stop], at)
            self.steps.add((cut, stops[stop], p.fell(began)))
        self.accounted(p, at is None)
        self.seen |= cpu.seen
        self.deepest = max(self.deepest, cpu.deepest)
        self.granted(p)
        self.arrays(p, at is not None)
        for place in self.secrets(p):
            variant = self.variant(case) if place[0] in STACKS else None
            self.written.setdefault(variant, set()).add(place)
        return p

    def accounted(self, p, returns):
        """
        Claim that where a segment ends something was claimed of each byte that it has stored to,
        but for those of the stack. If it returns, prove() claims that of what segments before have
        stored.
        """
        claimed = set().union(*map(units, p.mentioned))
        for region in p.cpu.regions.values():
            name = region.name
            if not region.writable or name in STACKS or name in p.covered:
                continue
            stored = {(name, b) for at, size in region.written for b in range(at, at + size)}
            if region.output:
                left = [(name, min(cells)) for cells in region.cells.values() if cells]
            else:
                left = sorted(stored - claimed)
                self.changed |= stored
            p.claim(not left, '%s is written, and nothing is claimed of it: byte %s' % (
                name, left and left[0][1]))
        if returns and self.running != 'entry':
            self.returns.append(claimed)

    def arrive(self, p, cut, at):
        """A path has come to a cut: claim the invariant, and find or check the others."""
        cpu = p.cpu
        getattr(self, cut)(p)
        if self.places.setdefault(cut, at) != at:
            raise Failed('%s is at two places' % cut)
        if 'frame' in cpu.bases and cut in self.frees:
            self.ends.append((self.variant(p.case), public_places(cpu, p.is_public), ('frame',)))
        elif 'frame' in cpu.bases:
            frame = cpu.of('frame').hi.lo, cpu.of('stack').lo.lo, cpu.of('frame').align
            if self.frames.setdefault(cut, frame) != frame:
                raise Failed('the frame is not the same')
        inputs = dict(p.named, frame=cpu.bases['frame']) if 'frame' in cpu.bases else p.named
        table = {frozenset(kv for kv in q.items() if kv[0]): (name, q.get((), 0))
                 for name, x in inputs.items() for q in (x.p, p.ctx.norm(x.p))}
        table[frozenset()] = None, 0

        def form(x):
            """(name of an input or None, c) if x is their sum"""
            for q in (x.p, p.ctx.norm(x.p)):
                found = table.get(frozenset(kv for kv in q.items() if kv[0]))
                if found:
                    return found[0], q.get((), 0) - found[1]
            return None

        # What the cells hold, those below the stack pointer included
        here = registers(cpu)
        here.update({mem(name, offset, size): x for name in ('stack', 'frame', 'state')
                     if name in cpu.bases
                     for offset, (size, x) in cpu.cells(cpu.of(name), {}).items()})
        mentioned = set().union(*map(units, p.mentioned))
        if cut not in self.autos:
            self.autos[cut] = {place: form(x) for place, x in here.items()
                               if not units(place) & mentioned and form(x)}
            self.pending.append(cut)
            return
        lost = [place for place, (name, c) in self.autos[cut].items()
                if units(place) & mentioned or place not in here or p.ctx.norm(p.ctx.minus(
                    here[place], p.ctx.plus(inputs[name] if name else ZERO, c)).p)]
        if lost:
            for place in lost:
                del self.autos[cut][place]
            if cut not in self.pending:
                self.pending.append(cut)
            if cut == self.running:
                raise Restart

    def returned(self, p):
        """A path has returned: what the ABI and the contracts ask of all functions"""
        cpu = p.cpu
        p.same(cpu.regs[RSP].p, cpu.stack.p, None, 'the stack pointer is as before')
        for i, name in [*((i, NAMES[i]) for i in PRESERVED), *zip(ARGUMENTS, self.arguments)]:
            if ('r', i) not in self.clobbers() and (i in PRESERVED or self.block):
                p.same(cpu.regs[i].p, p.named[name].p, None, '%s is as before' % NAMES[i])

    def wiped(self, p):
        """A path has returned, or made a tail call: no secret stays where it was written."""
        if not self.wipes:
            return
        cpu = p.cpu
        tag = [x for _, x in cpu.cells(cpu.of('tag'), {}).values()] if 'tag' in cpu.bases else []

        def public(x):
            return p.is_public(x) or any(x.p == y.p for y in tag)
        known = public_places(cpu, public)
        if self.block and not p.ended:
            self.wiped_as_stated(p, known, public)
        end = known, ('r', 'v', 'k', 'stack') + (() if self.frees else ('frame',))
        if self.running != 'entry':
            self.ends.append((self.variant(p.case), *end))
        else:                   # What was not written on this path is as before.
            self.check_end(self.secrets(p), *end)

    @staticmethod
    def secrets(p):
        """Registers and bytes of the stack that held a secret, and lanes written to"""
        secret, cpu = {lane(*x) for x in p.cpu.written_vectors}, p.cpu
        secret |= {place for place, values in cpu.written.items()
                   if not all(map(p.is_public, values))}
        for name in STACKS:
            if name in cpu.bases:
                secret |= {(name, b) for (o, size), values in cpu.of(name).written.items()
                           if not all(map(p.is_public, values)) for b in range(o, o + size)}
        return secret

    def check_end(self, secret, public, kinds):
        """What has held a secret holds none now."""
        kept = {reg(i) for i in (*PRESERVED, RSP)} | places(self.block.leaves if self.block else ())
        left = [place for place in secret - public - kept if place[0] in kinds]
        if left:
            names = {'r': 'general register ', 'v': 'vector register and lane ', 'k': 'mask '}
            kind, *at = min(left)
            raise Failed('secrets may be left in %s%s' % (
                names.get(kind, 'memory: %s+' % kind), ' '.join(map(str, at))))

    def covered(self, cut):
        """
        Claim that the cases of a cut are all. In which ranges a number is depends on its remainder
        modulo their steps, and on which ends it is between. So each number is like one that is
        close to an end. A kind of cases that cover nothing has one.
        """
        kinds, short, self.short_form = {}, self.short_form, False
        report, self.report = self.report, Report()
        for case in self.cases(cut):
            try:
                p = Path(self, case, [])
                self.inputs(p)
                if cut == 'entry':
                    p.cpu.forget(keep=range(16))
                    self.begin(p)
                kinds.setdefault(p.kind, []).append(p.covers)
            except Infeasible:
                pass
        self.short_form, self.report = short, report
        for kind, cases in kinds.items():
            report.claims += 1
            period, points = math.lcm(*(some.step for case in cases for some, _ in case)), []
            for parts in zip(*cases, strict=True):
                domain, = {domain for _, domain in parts}
                points.append({x for part in parts for some in part for end in (some[0], some[-1])
                               for x in range(end - period, end + period + 1) if x in domain})
            for point in itertools.product(*points):
                if not any(all(x in some for x, (some, _) in zip(point, case)) for case in cases) \
                        or not points and cases[1:]:
                    raise Failed('%s has no case for %s of %s' % (cut, point, kind))

    def terminates(self):
        """
        Claim that no run comes to cuts for ever. Among those that it would come to again and
        again, the outer rank never rises, so in the end it stays. Then the run would go round a
        cycle of steps that leave it alone, and there is none but from a cut to itself, where the
        inner rank falls.
        """
        after = {a: {b for x, b, _ in self.steps if x == a} for a, _, _ in self.steps}
        for _ in after:
            for cuts in after.values():
                cuts |= set().union(*(after.get(b, ()) for b in cuts))
        same = {}
        for a, b, what in self.steps:
            if a in after.get(b, ()):
                if what is None:
                    raise Failed('nothing is known to fall from %s to %s' % (a, b))
                if what == 2 or what == 1 and a != b:
                    same.setdefault(a, set()).add(b)
        try:
            graphlib.TopologicalSorter(same).prepare()
        except graphlib.CycleError as e:
            raise Failed('nothing falls on the way %s' % ' '.join(e.args[1])) from e

    def prove(self, report):
        """Prove all segments; raises Failed or Stuck."""
        self.report = report
        while self.pending:
            cut = self.running = self.pending.pop(0)
            self.covered(cut)
            try:
                if not sum(1 for case in self.cases(cut) for _ in paths(
                        functools.partial(self.segment, cut, case))):
                    raise Failed('no path is feasible from %s' % cut)
            except Restart:
                pass
        missing = set(self.cuts().values()) - set(self.autos)
        if missing:
            raise Failed('no path comes to %s' % ', '.join(missing))
        self.terminates()
        for claimed in self.returns:
            left = sorted(self.changed - claimed)
            if left:
                raise Failed('a written byte without a claim at a return: %s+%d' % left[0])
        for variant, *end in self.ends:
            self.check_end(self.written.get(None, set()) | self.written.get(variant, set()), *end)
        if self.block:
            self.block_holds()


class Report:
    """Counts claims, and gives those of each path to the second checker, if there is one."""

    def __init__(self, check=None):
        self.claims, self.paths = 0, 0
        self.check = check
        self.current, self.pending = None, []

    def path(self, p):
        self.paths += 1
        self.flush()
        self.current = p.cpu

    def keep(self, kind, p, m):
        """What a claim says, as check.py has it"""
        if self.check:
            self.pending.append((kind, p, m))

    def flush(self):
        if self.check and self.current:
            self.check(self.current, self.pending)
        self.current, self.pending = None, []


def leave(p):
    """
    After a call: callee-saved registers and memory are as before, and what a function inside the
    file does not clobber; all else is unknown. Where a register held a secret that the callee does
    not clear, it may hold one still.
    """
    cpu, ctx, callee, clears = p.cpu, p.ctx, p.callee, wiped_places(p.callee)
    if not callee.inside:
        clears = ()         # It may return and have written nothing.
    leaves = places(callee.leaves)
    keeps = set(registers(cpu)) - places(callee.clobbers) if callee.inside else ()

    def left(place, x):
        if place in keeps:
            return x
        public = place in clears or p.is_public(x) and place not in leaves
        return ctx.word('left by a call' if public else 'secret of a call')
    for i in range(16):
        if i not in PRESERVED + (RSP,) or ('r', i) in callee.clobbers:
            cpu.set(i, left(reg(i), cpu.regs[i]))
    cpu.vec = [[left(lane(i, j), x) for j, x in enumerate(lanes)]
               for i, lanes in enumerate(cpu.vec)]
    cpu.mask = [left(mask(i), x) for i, x in enumerate(cpu.mask)]
    cpu.forget_flags()
