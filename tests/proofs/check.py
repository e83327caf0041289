#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""
check.py FOLDER: a second checker of the claims that prove.py --dump has left there, as text.

It shares no code with the engine, and trusts neither its elimination nor its intervals:

 - algebra: each congruence is shown again, by replacing remainders by their definitions and
   known numbers by their values. The order of elimination is its own: it takes the newest
   variable that is left each time.
 - numbers: each definition is evaluated at random and extreme inputs, by division with
   remainder. Each variable must be in the range that the engine has given it; each claim and
   each bound must hold. Inputs that a path condition excludes are left out.

A dump has a line of JSON for each path. A polynomial is a list of terms [coefficient, variables]:

	ranges		[low, high] of each variable
	known		[V, NUMBER]: the value of an input, which validate.py fixes
	assumed		variables whose range a path condition has changed
	facts		[low, high, P]: what a path condition or an invariant says of a sum
	nonzero		[P]
	sums		[F, G, C, K, P]: P = F + 2^K G, 0 <= F < 2^K; if G is null, it is C
	xor		[V, P, Q]: V = P xor Q
	ones		[V, P]: V = 2^P - 1
	quotient	[V, P, C]: V = P / C, rounded down
	cut		[PART, V, K, HIGH]: bits 0 ... K - 1 of V, or from K on if HIGH is 1
	refined		[V, P]: V stands for P
	key		[R, R0, RHO]: R = R0 + 2^66 RHO
	numbers		[P, [[WEIGHT, LIMB], ...]]: the limbs' sum is congruent to P modulo p
	claims		["zero", M, P]: P = 0, modulo M if that is not 0; ["most", B, P]: 0 <= P <= B;
			["rounds", N, [P, ...]]: the last 16 are N double rounds of the first 16
"""

import heapq
import json
import multiprocessing
import os
import random
import sys

P = 2**130 - 5


class Dump:
    """What prove.py writes"""

    def __init__(self, path):
        self.path = path
        path.write_text('')

    def __call__(self, ctx, claims):
        with self.path.open('a', encoding='ascii') as stream:
            stream.write(self.line(ctx, claims) + '\n')

    @staticmethod
    def line(ctx, claims, known=()):
        """A path as JSON; known are values of inputs, as pairs"""
        def terms(x):
            return [(c, m) for m, c in x.items()] if isinstance(x, dict) else x
        def variable(x):
            return next((m[0] for m in x if m), None)
        path = dict(cut=[], xor=[], ones=[], quotient=[], known=known)
        path.update(ranges=list(zip(ctx.lo, ctx.hi)), assumed=ctx.assumed,
                    facts=[(low, high, terms(p)) for p, low, high in ctx.facts],
                    nonzero=[terms(p) for p in ctx.nonzero],
                    refined=[(v, terms(p)) for v, p in ctx.refined.items()],
                    key=[variable(x.p) for x in getattr(ctx, 'clamped', ())],
                    # A part with one possible value is a number, and no variable.
                    sums=[(variable(f), variable(g), g.get((), 0), k, terms(d))
                          for d, k, f, g in ctx.divided],
                    numbers=[(terms(value), [(w, terms(p)) for p, w in zip(limbs, weights)])
                             for limbs, weights, value in ctx.numbers],
                    claims=[(kind, m or 0, list(map(terms, p)) if kind == 'rounds' else terms(p))
                            for kind, p, m in claims])
        for v, kind in enumerate(ctx.origin):
            if kind[0] in path:
                path[kind[0]].append([v] + list(map(terms, kind[1:])))
        return json.dumps(path)


def parallel(f, jobs):
    """f of each job, by two processes"""
    with multiprocessing.get_context('fork').Pool(min(2, os.cpu_count())) as pool:
        yield from pool.imap(f, jobs, 1)


def bits(k, high):
    """What makes of a number its low k bits, or those above"""
    return (lambda x: x >> k) if high else lambda x: x & ((1 << k) - 1)


class Checked:
    """One path of a dump"""

    def __init__(self, line):
        path = json.loads(line)
        self.range, self.key = dict(enumerate(path['ranges'])), path['key']
        self.assumed, self.facts, self.nonzero = path['assumed'], path['facts'], path['nonzero']
        self.sums, self.numbers, self.claims = path['sums'], path['numbers'], path['claims']
        self.refined = dict(path['refined'])
        # What determines a variable: a function, and the polynomials whose values it takes
        self.made = {v: (lambda x=x: x, []) for v, x in path['known']}
        self.made.update((v, (lambda x, y: x ^ y, [p, q])) for v, p, q in path['xor'])
        for f, g, _, k, d in self.sums:
            self.made[f] = bits(k, False), [d]
            if g is not None:
                self.made[g] = bits(k, True), [d]
        for v, p, c in path['quotient']:
            self.made[v] = lambda x, c=c: x // c, [p]
        for v, p in path['ones']:
            self.made[v] = lambda x: (1 << x) - 1, [p]
        if self.key:
            r, r0, rho = self.key
            self.made[r] = lambda x: x, [[[1, [r0]], [1 << 66, [rho]]]]
        for known, limbs in self.numbers:       # the digits of a number below p
            weights = sorted(w for w, _ in limbs) + [P]
            for w, p in limbs:
                most = weights[weights.index(w) + 1]
                self.made[p[0][1][0]] = lambda x, w=w, most=most: x % P % most // w, [known]
        for part, v, k, high in path['cut']:    # otherwise the whole follows from the parts
            if v in self.made:
                self.made[part] = bits(k, high), [[[1, [v]]]]

    # Algebra

    def spread(self, terms):
        """A polynomial as {monomial: coefficient}, without variables that stand for others"""
        out, stack = {}, [(c, (), m) for c, m in terms]
        while stack:
            c, done, left = stack.pop()
            if not left:
                key = tuple(sorted(done))
                out[key] = out.get(key, 0) + c
            elif left[0] in self.refined:
                for d, m in self.refined[left[0]]:
                    stack.append((c * d, done, m + left[1:]))
            else:
                stack.append((c, (*done, left[0]), left[1:]))
        return {m: c for m, c in out.items() if c}

    def equations(self):
        """[(variable, {monomial: coefficient} equal to it, whether modulo p)], oldest first"""
        rules = []
        if self.key:
            r, r0, rho = self.key
            rules.append(([[1, [r]], [-1 << 66, [rho]]], r0, False))
        for f, g, c, k, d in self.sums:
            rules.append((d + [[-c << k, []] if g is None else [-1 << k, [g]]], f, False))
        ghosts = [(value + [(-w * c, m) for w, p in limbs[1:] for c, m in p], limbs[0][1][0][1][0],
                   True) for value, limbs in self.numbers]
        for terms, v, modular in ghosts + rules:
            equation = self.spread(terms)
            for m, c in self.spread([[-1, [v]]]).items():
                equation[m] = equation.get(m, 0) + c
            leaders = [m[0] for m, c in equation.items() if len(m) == 1 and c == -1 and
                       m in self.spread([[1, [v]]])]
            if leaders:
                w = leaders[0]
                yield w, {m: c for m, c in equation.items() if c and m != (w,)}, modular

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
        """The value of each variable, or None if these inputs are not on the path"""
        value = {}

        def evaluate(p):
            total = 0
            for c, m in p:
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
            if v in self.refined:
                return evaluate(self.refined[v])
            low, high = self.range[v]
            kind = rng.randrange(8)
            return low if kind == 0 else high if kind == 1 else rng.randint(low, high)
        on_path = True
        for v, (low, high) in self.range.items():
            on_path &= low <= get(v) <= high
        for v, p in self.refined.items():
            on_path &= get(v) == evaluate(p)
        on_path = on_path and all(low <= evaluate(p) <= high for low, high, p in self.facts) and \
            all(map(evaluate, self.nonzero))
        if not on_path and not self.assumed and not self.facts:
            raise ValueError('a variable is not in its range')
        return (value, evaluate) if on_path else (None, None)


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


def check(path):
    """Counts of what was checked in a file; (what, None) if something is wrong"""
    rng = random.Random(1)
    count = dict(algebra=0, samples=0, values=0, bounds=0, off=0, paths=0, rounds=0)
    with open(path, encoding='ascii') as stream:
        for line in stream:
            one = Checked(line)
            count['paths'] += 1
            rules = {v: (i, p, modular) for i, (v, p, modular) in enumerate(one.equations())}
            for kind, m, p in one.claims:
                if kind == 'zero':
                    count['algebra'] += 1
                    if not one.vanishes(p, m, rules):
                        return 'a claim does not follow: %s' % str(p)[:200], None
            for _ in range(2):
                value, evaluate = one.sample(rng)
                if value is None:
                    count['off'] += 1
                    continue
                count['samples'] += 1
                for kind, m, p in one.claims:
                    if kind == 'rounds':
                        x = [evaluate(y) for y in p]
                        if double_rounds(x[:16], m) != x[16:]:
                            return 'these are no rounds: %s' % x, None
                        count['rounds'] += 1
                        continue
                    x = evaluate(p)
                    if kind == 'zero' and (x % m if m else x) or kind == 'most' and not 0 <= x <= m:
                        return 'a claim fails for numbers: %s' % str(p)[:200], None
                    count['values' if kind == 'zero' else 'bounds'] += 1
    return None, count


def main(folder):
    files = sorted(os.listdir(folder), key=lambda f: -os.path.getsize(os.path.join(folder, f)))
    total, good = {}, bool(files)
    paths = [os.path.join(folder, f) for f in files]
    for name, (wrong, count) in zip(files, parallel(check, paths)):
        if wrong:
            good = False
            print('not ok %s: %s' % (name, wrong))
            continue
        for k, n in count.items():
            total[k] = total.get(k, 0) + n
    if good:
        print('ok %(paths)d paths: %(algebra)d claims follow once more; at %(samples)d samples '
              '%(values)d claims, %(bounds)d bounds and %(rounds)d double rounds hold; '
              '%(off)d samples were not on their path' % total)
    return not good


if __name__ == '__main__':
    sys.exit(main(sys.argv[1]))
