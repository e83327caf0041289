# SPDX-License-Identifier: GPL-2.0 OR MIT
"""
A second checker, which prove.py --check asks of each claim.

It reads what the engine has noted of the variables of a path, and of each claim: ('zero', p, m) is
p = 0, modulo m if that is a number; ('most', p, b) is 0 <= p <= b; in ('rounds', p, n) the last 16
of the polynomials p are n double rounds of the first 16. It shares no code with the engine, and
trusts neither its elimination nor its intervals:

 - algebra: each congruence is shown again, by replacing remainders by their definitions and
   known numbers by their values. The order of elimination is its own: it takes the newest
   variable that is left each time.
 - numbers: each definition is evaluated at random and extreme inputs, by division with
   remainder. Each variable must be in the range that the engine has given it; each claim and
   each bound must hold. Inputs that a path condition excludes are left out.
 - native.py runs each path on this CPU, from these inputs: what it ends with must be what the
   engine says.
"""

import collections
import heapq
import multiprocessing
import os
import random
import re

P = 2**130 - 5
LETTERS = re.compile('[^a-z]')
TRIES = 3000                # of inputs for a path, until one is on it; and some more for a second


class Wrong(Exception):
    """The second checker does not find what the engine says."""


def parallel(f, jobs):
    """f of each job, by two processes"""
    with multiprocessing.get_context('fork').Pool(min(2, os.cpu_count())) as pool:
        yield from pool.imap(f, jobs, 1)


def bits(k, high):
    """What makes of a number its low k bits, or those above"""
    return (lambda x: x >> k) if high else lambda x: x & ((1 << k) - 1)


def variable(p):
    """The first variable of a polynomial"""
    return next(m[0] for m in p if m)


def plus(p, q, factor=1):
    """p + factor q"""
    total = dict(p)
    for m, c in q.items():
        total[m] = total.get(m, 0) + factor * c
    return total


class Checked:
    """The variables of one path; known are values of inputs"""

    def __init__(self, ctx, known=()):
        self.ctx, self.undefined = ctx, {}
        # What determines a variable: a function, and the polynomials whose values it takes
        self.made = {v: (lambda x=x: x, []) for v, x in known}
        # An equation for each variable that is to be eliminated: (p, variable, whether modulo P)
        self.rules = []
        for limbs, weights, total in ctx.numbers:       # the digits of a number below p
            for p, w, above in zip(limbs, weights, weights[1:] + [P]):
                self.made[variable(p)] = lambda x, w=w, most=above: x % P % most // w, [total]
            for p, w in zip(limbs[1:], weights[1:]):
                total = plus(total, p, -w)
            self.rules.append((total, variable(limbs[0]), True))
        if hasattr(ctx, 'clamped'):
            r, r0, rho = (variable(x.p) for x in ctx.clamped)
            self.made[r] = lambda x: x, [{(r0,): 1, (rho,): 1 << 66}]
            self.rules.append(({(r,): 1, (rho,): -1 << 66}, r0, False))
        for v, (kind, *of) in enumerate(ctx.origin):
            if kind == 'sum':
                self.made[v] = bits(of[1], of[2]), [of[0]]
            elif kind == 'xor':
                self.made[v] = lambda x, y: x ^ y, of
            elif kind == 'ones':
                self.made[v] = lambda x: (1 << x) - 1, of
            elif kind == 'quotient':
                self.made[v] = lambda x, c=of[1]: x // c, [of[0]]
            elif kind == 'left':            # Nobody else writes below the stack pointer here.
                self.made[v] = lambda x: x, of
            elif kind == 'cut' and of[0] in self.made:      # else the whole follows from the parts
                self.made[v] = bits(of[1], of[2]), [{(of[0],): 1}]
        self.rules += [(plus(d, high, -1 << k), variable(low), False)
                       for d, k, low, high in ctx.divided]

    def unknown(self, p, found=None):
        """Whether a polynomial depends on what instructions leave undefined"""
        found = self.undefined if found is None else found
        for v in {v for m in p for v in m}:
            if v not in found:
                found[v] = self.ctx.names[v].startswith('unknown')
                of = self.made[v][1] if v in self.made else [self.ctx.refined.get(v, {})]
                found[v] |= any(self.unknown(q) for q in of)
            if found[v]:
                return True
        return False

    # Algebra

    def spread(self, p):
        """A polynomial without variables that stand for others"""
        out, stack = {}, [(c, (), m) for m, c in p.items()]
        while stack:
            c, done, left = stack.pop()
            if not left:
                key = tuple(sorted(done))
                out[key] = out.get(key, 0) + c
            elif left[0] in self.ctx.refined:
                for m, d in self.ctx.refined[left[0]].items():
                    stack.append((c * d, done, m + left[1:]))
            else:
                stack.append((c, (*done, left[0]), left[1:]))
        return {m: c for m, c in out.items() if c}

    def equations(self):
        """{variable: (its rank, the polynomial equal to it, whether modulo P)}, oldest first"""
        found = {}
        for i, (p, v, modular) in enumerate(self.rules):
            whole = self.spread({(v,): 1})
            p = plus(self.spread(p), whole, -1)
            leaders = [m[0] for m, c in p.items() if len(m) == 1 and c == -1 and m in whole]
            if leaders:
                w = leaders[0]
                found[w] = i, {m: c for m, c in p.items() if c and m != (w,)}, modular
        return found

    def vanishes(self, terms, modulus, rules):
        """Whether nothing is left of a polynomial after elimination, the newest variable first"""
        p, where, heap = {}, {}, []     # where: variable -> monomials that have it

        def put(m, c):
            old = p.pop(m, 0)
            c = (old + c) % modulus if modulus else old + c
            if c:
                p[m] = c
            for v in m if c and not old else ():
                if v not in where:
                    where[v] = set()
                    if v in rules and (modulus == P or not rules[v][2]):
                        heapq.heappush(heap, (-rules[v][0], v))
                where[v].add(m)
            for v in m if old and not c else ():
                where[v].discard(m)
        for m, c in self.spread(terms).items():
            put(m, c)
        while heap:
            w = heapq.heappop(heap)[1]
            powers = [{(): 1}]          # of what stands for w
            for m in where.pop(w):
                factor, rest = p.pop(m), tuple(v for v in m if v != w)
                for v in rest:
                    where[v].discard(m)
                while len(powers) <= len(m) - len(rest):
                    more = {}
                    for x, c in powers[-1].items():
                        for y, d in rules[w][1].items():
                            key = tuple(sorted(x + y))
                            more[key] = more.get(key, 0) + c * d
                    powers.append(more)
                for x, c in powers[len(m) - len(rest)].items():
                    put(tuple(sorted(rest + x)), factor * c)
        return not p

    # Numbers

    def sample(self, rng):
        """
        What evaluates polynomials at random inputs; None if these are not on the path. Inputs of
        one name are all from anywhere, or all extreme, high or small: few others end close to p.
        """
        value, ctx, styles = {}, self.ctx, {}

        def evaluate(p):
            total = 0
            for m, c in p.items():
                for v in m:
                    c *= get(v)
                total += c
            return total

        def get(v):
            if v not in value:
                value[v] = compute(v)
            return value[v]

        def compute(v):
            if v in self.made:
                f, operands = self.made[v]
                return f(*map(evaluate, operands))
            if v in ctx.refined:
                return evaluate(ctx.refined[v])
            low, high, name = ctx.lo[v], ctx.hi[v], LETTERS.sub('', ctx.names[v])
            if name not in styles:
                styles[name] = rng.randrange(5)
            style, odds = styles[name], rng.randrange(8)
            if style == 4:              # all ones of a limb, or a part of that
                kind, *of = ctx.origin[v]
                limb = bits(of[1], of[2])((1 << 26) - 1) if kind == 'cut' else (1 << 26) - 1
                return min(max(limb, low), high)
            ends = ((1, 2), (0, 4), (0, 8), (6, 6))[style]
            return low if odds < ends[0] else high if odds < ends[1] else \
                rng.randint(low, high if style == 0 else min(high, low + 7))
        # Of what is made of others neither its parts nor its range are conditions of the path, if
        # none has narrowed it.
        given = {v for v in self.made if self.made[v][1]} - set(ctx.assumed)
        whole = {id(p) for v, p in ctx.refined.items() if v in given}
        if not all(get(v) == evaluate(p) for v, p in ctx.refined.items()) or \
                not all(low <= evaluate(p) <= high for p, low, high in ctx.facts
                        if id(p) not in whole) or not all(map(evaluate, ctx.nonzero)):
            return None
        outside = {v for v, (low, high) in enumerate(zip(ctx.lo, ctx.hi))
                   if not low <= get(v) <= high}
        if outside and outside <= given:
            raise Wrong('a variable is not in its range: ' + ctx.names[min(outside)])
        return None if outside else evaluate


def double_rounds(x, n):
    """ChaCha20, by the rows of RFC 8439"""
    a, b, c, d = (x[i:i + 4] for i in (0, 4, 8, 12))
    for turn in (1, 3) * n:
        for left, right in ((16, 12), (8, 7)):
            a = [x + y & 0xffffffff for x, y in zip(a, b)]
            d = [(x ^ y) << left & 0xffffffff | (x ^ y) >> 32 - left for x, y in zip(d, a)]
            c = [x + y & 0xffffffff for x, y in zip(c, d)]
            b = [(x ^ y) << right & 0xffffffff | (x ^ y) >> 32 - right for x, y in zip(b, c)]
        b, c, d = b[turn:] + b[:turn], c[2:] + c[:2], d[-turn:] + d[:-turn]
    return a + b + c + d


class Second:
    """Checks the claims of one path after another; how many of each kind"""

    def __init__(self, native=None):
        self.count, self.rng, self.native = collections.Counter(), random.Random(1), native

    def __call__(self, cpu, claims):
        ctx = cpu.ctx
        one, count = Checked(ctx), self.count
        rules = one.equations()
        count['paths'] += 1
        for kind, p, m in claims:
            if kind == 'zero':
                count['algebra'] += 1
                if not one.vanishes(p, m, rules):
                    raise Wrong('a claim does not follow: %s' % str(p)[:200])
        samples = 0
        for tries in range(TRIES):
            if samples == 2 or samples and tries > 12:
                break
            bases = self.native.bases(cpu, self.rng) if self.native else {}
            one.made.update((v, (lambda x=x: x, [])) for v, x in bases.items())
            evaluate = one.sample(self.rng)
            if evaluate is None:
                count['off'] += 1
                continue
            samples += 1
            count['samples'] += 1
            if self.native:
                wrong = self.native.path(cpu, one, evaluate, bases, count)
                if wrong:
                    raise Wrong('this CPU has another result: ' + wrong)
            for kind, p, m in claims:
                if kind == 'rounds':
                    x = [evaluate(y) for y in p]
                    if double_rounds(x[:16], m) != x[16:]:
                        raise Wrong('these are no rounds: %s' % x)
                    count['rounds'] += 1
                    continue
                x = evaluate(p)
                if kind == 'zero' and (x % m if m else x) or kind == 'most' and not 0 <= x <= m:
                    raise Wrong('a claim fails for numbers: %s' % str(p)[:200])
                count['values' if kind == 'zero' else 'bounds'] += 1
        if not samples:
            count['without'] += 1
