# SPDX-License-Identifier: GPL-2.0 OR MIT
"""
Values: exact integer polynomials over bounded variables, and their division by 2^k.

A polynomial is a dict from monomials (sorted tuples of variable numbers, with repeats) to
integers that are not 0. A Val is a polynomial and an interval that contains its value. All
arithmetic of the machine is made of sums, products, constants and one primitive,

	split(x, k):	x = 2^k q + r,  0 <= r < 2^k.

It tries, in this order, what is exact without new variables:

 1. q is a constant: the interval of x lies between two multiples of 2^k; or x is 2^k - 1 or 2^k.
 2. The terms of x that 2^k does not divide have a sum in one such interval.
 3. That sum is c + 2^s v with 0 <= c < 2^s and v a variable: v is cut in two parts, v0 + 2^j v1,
    for good and everywhere.

Otherwise the sum is c + 2^s D, and D gets two new variables, D = f + 2^j g with 0 <= f < 2^j,
once for each D, so that the shift and the mask of one number agree. f = D - 2^j g is a
definition, and g stays free.

A claim p = 0, exact or modulo m, holds if the zero polynomial is left after all f have been
replaced by their definitions, the newest first. That is sufficient, and nothing is searched for.
Numbers known only by their sum modulo 2^130 - 5 (`ghosts`) are eliminated likewise.
"""

from copy import copy

P = (1 << 130) - 5


class Stuck(Exception):
    """The engine does not understand; the proof ends, and nothing is shown."""


class Infeasible(Exception):
    """The path condition is contradictory: no input takes this path."""


class Val:
    """A polynomial p, whose value is from lo to hi"""
    __slots__ = ('p', 'lo', 'hi')

    def __init__(self, p, lo, hi):
        self.p, self.lo, self.hi = p, lo, hi

    def const(self):
        """The value, if there is only one"""
        return self.lo if self.lo == self.hi else None


def const(c):
    return Val({(): c} if c else {}, c, c)


def add(p, q, factor=1):
    """p + factor q"""
    if len(q) > len(p) and factor == 1:
        p, q = q, p
    r = dict(p)
    for m, c in q.items():
        c = r.get(m, 0) + factor * c
        if c:
            r[m] = c
        else:
            r.pop(m, None)
    return r


def scale(p, c):
    return {m: c * x for m, x in p.items()} if c else {}


def mul(p, q):
    r = {}
    for m, c in p.items():
        for n, d in q.items():
            mn = tuple(sorted(m + n)) if m and n else m or n
            r[mn] = r.get(mn, 0) + c * d
    return {m: c for m, c in r.items() if c}


def weigh(values, weights):
    """The polynomial of sum weight * value"""
    p = {}
    for x, w in zip(values, weights):
        p = add(p, scale(x.p, w))
    return p


def words(*values):
    """x0 + 2^64 x1 + ..."""
    return weigh(values, [1 << 64 * i for i in range(len(values))])


def key(p):
    return frozenset(p.items())


def valuation(c):
    """How often 2 divides c"""
    return (c & -c).bit_length() - 1


def only_variable(x):
    """The number of the variable that a Val made by Context.new() is"""
    (monomial,) = x.p
    return monomial[0]


class Context:
    """The variables of one path, with what is known of them"""

    def __init__(self):
        self.names, self.lo, self.hi = [], [], []
        self.origin = []        # of each variable: ('input',), ('cut', v, k, part), ('sum',
                                # D, k, part), ('xor', p, q), ('ones', n), ('quotient', p, c)
        self.refined = {}       # variable -> polynomial that stands for it
        self.sums = {}          # key of D -> f + 2^k g
        self.xors = {}          # keys of operands -> their xor
        self.masks = {}         # key of n -> 2^n - 1
        self.defs = []          # (variable f, polynomial equal to it), in order of creation
        self.taken, self.exact = 0, []      # of defs so far: those that are short, as facts
        self.divided = []       # (D, k, f, g), as they were then, for the second checker
        self.ghosts = []        # (variable, polynomial congruent to it modulo P)
        self.numbers = []       # (limbs, weights, their sum modulo P), for the second checker
        self.whole = set()      # variables that are never cut: addresses
        self.nonzero = []       # polynomials that are not 0
        self.facts = []         # (polynomial, least, most) of variables that were cut
        self.assumed = []       # variables whose range a path condition has changed

    # Variables

    def var(self, name, lo, hi, origin=('input',)):
        self.names.append(name)
        self.lo.append(lo)
        self.hi.append(hi)
        self.origin.append(origin)
        return len(self.names) - 1

    def new(self, name, lo, hi):
        """A new input: any number from lo to hi; a constant if there is only one"""
        if lo > hi:
            raise Infeasible('no %s' % name)
        if lo == hi:
            return const(lo)
        return Val({(self.var(name, lo, hi),): 1}, lo, hi)

    def word(self, name, bits=64):
        return self.new(name, 0, (1 << bits) - 1)

    def fresh(self, name, lo, hi, origin):
        """A variable that the engine makes, as a polynomial; a constant if possible"""
        if lo > hi:
            raise Infeasible(name)
        if lo == hi:
            return {(): lo} if lo else {}
        return {(self.var(name, lo, hi, origin),): 1}

    def norm(self, p):
        """p without variables that were cut or replaced"""
        refined, unchanged = self.refined, self.refined.keys().isdisjoint
        while True:
            hit = [m for m in p if not unchanged(m)]
            if not hit:
                return p
            p = dict(p)
            for m in hit:
                c = p.pop(m, None)
                if c is None:
                    continue
                q = {tuple(v for v in m if v not in refined): c}
                for v in m:
                    if v in refined:
                        q = mul(q, refined[v])
                p = add(p, q)

    def range(self, p):
        """An interval that contains p, by interval arithmetic"""
        lo = hi = 0
        for m, c in p.items():
            a = b = c
            for v in m:
                x, y = self.lo[v], self.hi[v]
                if x >= 0 and a >= 0:
                    a, b = a * x, b * y
                elif x >= 0 and b <= 0:
                    a, b = a * y, b * x
                else:
                    e = (a * x, a * y, b * x, b * y)
                    a, b = min(e), max(e)
            lo += a
            hi += b
        return lo, hi

    def tight(self, x):
        """x with the best interval that path conditions give; a constant if there is only one"""
        x = self.bounds(x)
        return x if x.lo < x.hi else const(x.lo)

    def bounds(self, x):
        """x with the best interval that path conditions give"""
        p = self.norm(x.p)
        lo, hi = self.range(p)
        lo, hi = max(lo, x.lo), min(hi, x.hi)
        if len(p) <= 6:
            for f, least, most in self.facts:
                f = self.norm(f)
                m = next((m for m in f if m), None)
                if p.get(m, 0) == 0 or p[m] % f[m]:
                    continue
                c = p[m] // f[m]
                rest = add(p, f, -c)
                if all(not n for n in rest):            # p = c f + d
                    d = rest.get((), 0)
                    a, b = c * least + d, c * most + d
                    lo, hi = max(lo, min(a, b)), min(hi, max(a, b))
        if lo > hi:
            raise Infeasible('empty interval')
        return Val(p, lo, hi)

    # Division by 2^k

    def cut(self, v, k):
        """v becomes v0 + 2^k v1, everywhere"""
        lo, hi = self.lo[v], self.hi[v]
        low = self.fresh('%s[:%d]' % (self.names[v], k), 0, (1 << k) - 1, ('cut', v, k, 0))
        high = self.fresh('%s[%d:]' % (self.names[v], k), lo >> k, hi >> k, ('cut', v, k, 1))
        whole = add(low, scale(high, 1 << k))
        if lo > 0 or hi + 1 & hi:
            self.facts.append((whole, lo, hi))
        self.refined[v] = whole

    def xor(self, p, q, bits):
        """The xor of two polynomials, once for each two"""
        k = frozenset((key(p), key(q)))
        if k not in self.xors:
            self.xors[k] = {(self.var('xor', 0, (1 << bits) - 1, ('xor', p, q)),): 1}
        return self.norm(self.xors[k])

    def divided_otherwise(self, p, k):
        """p by the parts of a sum in it that was divided by a higher power of 2, or None"""
        for n in (64, 32):
            a, b = self.parts(p, n)
            if n > k and key(b) in self.sums:
                return add(self.norm(self.sums[key(b)]), scale(a, 1 << n))
        return None

    def parts_of_sum(self, d, k, lo, hi):
        """f + 2^k g of a sum d, which is from lo to hi"""
        if key(d) not in self.sums:
            i = len(self.defs)
            low = self.fresh('f%d' % i, 0, (1 << k) - 1, ('sum', d, k, 0))
            high = self.fresh('g%d' % i, lo >> k, hi >> k, ('sum', d, k, 1))
            self.sums[key(d)] = add(low, scale(high, 1 << k))
            self.defs.append((next(iter(low))[0], add(d, scale(high, 1 << k), -1)))
            self.divided.append((d, k, low, high))
        return self.norm(self.sums[key(d)])

    @staticmethod
    def parts(p, k):
        """a, b with p = 2^k a + b, term by term"""
        a, b = {}, {}
        for m, c in p.items():
            if c % (1 << k) == 0:
                a[m] = c >> k
            elif c > 1 << k or m == () and c < -1 << k:
                if c >> k:
                    a[m] = c >> k
                if c & ((1 << k) - 1):
                    b[m] = c & ((1 << k) - 1)
            else:
                b[m] = c
        return a, b

    def split(self, x, k):
        """q, r with x = 2^k q + r and 0 <= r < 2^k"""
        if k == 0:
            return x, const(0)
        p, lo, hi, size = self.norm(x.p), x.lo, x.hi, 1 << k
        if lo >> k == hi >> k:
            c = lo >> k
            return const(c), Val(add(p, {(): c << k}, -1) if c else p, lo - (c << k),
                                 hi - (c << k))
        if lo >= size - 1 and hi <= size:       # a bit plus 2^k - 1, as gcc 14 has it
            q = Val(add(p, {(): size - 1}, -1), 0, 1)
            return q, Val(add({(): size - 1}, q.p, 1 - size), 0, size - 1)
        while True:
            a, b = self.parts(p, k)
            blo, bhi = self.range(b)
            if blo >> k == bhi >> k:
                c = blo >> k
                q = add(a, {(): c}) if c else a
                r = add(b, {(): c << k}, -1) if c else b
                qlo, qhi = self.range(q)
                return (Val(q, max(qlo, lo >> k), min(qhi, hi >> k)),
                        Val(r, max(0, blo - (c << k)), min(size - 1, bhi - (c << k))))
            for s in sorted({min(valuation(c), k - 1) for c in b.values()}, reverse=True):
                d, c = self.parts(b, s) if s else (b, {})
                clo, chi = self.range(c)
                if 0 <= clo and chi < 1 << s:
                    break               # b = 2^s d + c; s = 0 always does
            least_a, most_a = self.range(scale(a, size))
            dlo, dhi = self.range(d)
            dlo = max(dlo, -(-(lo - most_a - chi) >> s))
            dhi = min(dhi, (hi - least_a - clo) >> s)
            if len(d) == 1 and list(d.values()) == [1] and len(next(iter(d))) == 1 and \
                    next(iter(d))[0] not in self.whole:
                self.cut(next(iter(d))[0], k - s)
                p = self.norm(p)
                continue
            other = self.divided_otherwise(p, k)
            if other is not None:
                p = other
                continue
            rep = self.parts_of_sum(d, k - s, dlo, dhi)
            p = add(add(scale(a, size), scale(rep, 1 << s)), c)

    def field(self, x, a, b):
        """Bits a to b - 1 of a value that is not negative"""
        return self.split(self.split(x, b)[1], a)[0]

    def divide(self, x, c):
        """q, r with x = c q + r and 0 <= r < c, for a constant c and x >= 0"""
        q = self.fresh('quotient', x.lo // c, x.hi // c, ('quotient', x.p, c))
        q = Val(q, x.lo // c, x.hi // c)
        return q, Val(add(x.p, q.p, -c), 0, c - 1)

    def ones(self, n):
        """2^n - 1, once for each n"""
        if n.const() is not None:
            return const((1 << n.lo) - 1)
        lo, hi = (1 << n.lo) - 1, (1 << n.hi) - 1
        if key(n.p) not in self.masks:
            self.masks[key(n.p)] = self.fresh('ones', lo, hi, ('ones', n.p))
        return Val(self.masks[key(n.p)], lo, hi)

    # Arithmetic

    def add(self, *xs):
        p, lo, hi = {}, 0, 0
        for x in xs:
            p = add(p, x.p)
            lo += x.lo
            hi += x.hi
        return Val(p, lo, hi)

    def times(self, x, c):
        lo, hi = sorted((c * x.lo, c * x.hi))
        return Val(scale(x.p, c), lo, hi)

    def plus(self, x, c):
        return self.add(x, const(c))

    def minus(self, x, y):
        return self.add(x, self.times(y, -1))

    def mul(self, x, y):
        """The product of two values that are not negative"""
        return Val(mul(self.norm(x.p), self.norm(y.p)), x.lo * y.lo, x.hi * y.hi)

    # Path conditions

    def assume_range(self, v, lo, hi):
        lo, hi = max(lo, self.lo[v]), min(hi, self.hi[v])
        if lo > hi:
            raise Infeasible(self.names[v])
        if (lo, hi) == (self.lo[v], self.hi[v]):
            return
        self.lo[v], self.hi[v] = lo, hi
        self.assumed.append(v)
        kind = self.origin[v]
        if kind[0] == 'sum' and kind[3]:        # v = D >> k, so this bounds D, too
            self.facts.append((kind[1], lo << kind[2], ((hi + 1) << kind[2]) - 1))
            d = self.norm(kind[1])
            if lo == hi and len(d) <= 4:        # then D - 2^k v is the other part
                f = next((w for w, _ in self.defs if self.origin[w][0] == 'sum' and
                          self.origin[w][1:3] == kind[1:3]), None)
                if f is not None and f not in self.refined:
                    self.refined[f] = add(d, {(): -(lo << kind[2])} if lo else {})
        # What is the remainder of a sum keeps its definition, which claims may need.
        if lo == hi and v not in self.refined and (kind[0] != 'sum' or kind[3]):
            self.refined[v] = {(): lo} if lo else {}
        self.propagate()

    def propagate(self):
        """Tighten ranges by the definitions that are short and linear."""
        pending, self.nonzero = self.nonzero, []
        for p in pending:
            self.assume_nonzero(p)
        exact = self.exact
        exact += [(add(d, {(w,): 1}, -1), 0, 0) for w, d in self.defs[self.taken:] if len(d) <= 5]
        self.taken = len(self.defs)
        for i, (f, least, most) in enumerate(exact + self.facts):
            p = self.norm(f)
            if len(p) > 6 or any(len(m) > 1 for m in p):
                continue
            lo, hi = self.range(p)
            x = self.bounds(Val(p, lo, hi)) if i >= len(exact) else Val(p, lo, hi)
            if x.lo > most or x.hi < least:
                raise Infeasible('definition')
            for m, c in p.items():
                if not m or m[0] in self.refined:
                    continue
                v = m[0]
                a, b = sorted((c * self.lo[v], c * self.hi[v]))
                # c v is what is left of [least, most] without the other terms.
                low, high = least - (hi - b), most - (lo - a)
                if c < 0:
                    low, high = -high, -low
                low, high = -(-low // abs(c)), high // abs(c)
                if low > self.lo[v] or high < self.hi[v]:
                    self.assume_range(v, low, high)
                    return

    def assume_sign(self, p, least):
        """p >= least; used only if p is linear in one variable"""
        p = self.norm(p)
        lo, hi = self.range(p)
        if hi < least:
            raise Infeasible('sign')
        names = [m for m in p if m]
        if len(names) == 1 and len(names[0]) == 1:
            v, c, d = names[0][0], p[names[0]], p.get((), 0) - least
            if c > 0:       # v >= -d / c
                self.assume_range(v, -(d // c), self.hi[v])
            else:
                self.assume_range(v, self.lo[v], d // -c)
        elif len(p) <= 4 and lo < least:
            self.facts.append((p, least, hi))

    def assume_zero(self, p):
        p = self.norm(p)
        lo, hi = self.range(p)
        if lo > 0 or hi < 0:
            raise Infeasible('zero')
        names = [m for m in p if m]
        if not names:
            return
        if len(names) == 1 and len(names[0]) == 1:
            c, d = p[names[0]], p.get((), 0)
            if d % c:
                raise Infeasible('zero')
            self.assume_range(names[0][0], -d // c, -d // c)
            return
        if lo == 0:             # a sum of nonnegative terms
            for m in names:
                if len(m) == 1 and self.lo[m[0]] == 0 and p[m] > 0:
                    self.assume_range(m[0], 0, 0)
            return
        for m in names:
            if len(m) == 1 and abs(p[m]) == 1 and m[0] not in self.whole and all(
                    m[0] not in n for n in names if n != m):
                v = m[0]
                rest = scale({n: c for n, c in p.items() if n != m}, -p[m])
                self.assume_range(v, *self.range(rest))
                if v not in self.refined and self.origin[v][0] != 'sum':
                    self.refined[v] = rest
                return

    def assume_nonzero(self, p):
        """p != 0; what does not follow now may when more is known"""
        q = self.norm(p)
        lo, hi = self.range(q)
        if lo == hi == 0:
            raise Infeasible('nonzero')
        if lo == 0:
            self.assume_sign(q, 1)
        elif hi == 0:
            self.assume_sign(scale(q, -1), 1)
        elif lo < 0 < hi and len(q) <= 3:
            self.nonzero.append(p)

    def upper(self, p, depth=4):
        """
        An upper bound of p that bounds the carries of one word together: a carry g of
        D = f + 2^k g is replaced by (D - f) / 2^k where that helps.
        """
        p = self.norm(p)
        best = self.range(p)[1]
        seen, frontier = set(), [(p, 0)]
        low_of = {(key(self.origin[v][1]), self.origin[v][2]): v for v, _ in self.defs
                  if self.origin[v][0] == 'sum'}
        for _ in range(depth):
            found = []
            for q, shift in frontier:
                for m, c in q.items():
                    kind = self.origin[m[0]] if len(m) == 1 and c > 0 else '?'
                    if kind[0] != 'sum' or kind[3] != 1:
                        continue
                    k = kind[2]
                    f = low_of.get((key(kind[1]), k))
                    if f is None:
                        continue
                    # 2^k q, with 2^k g = D - f
                    new = add(scale(add(q, {m: c}, -1), 1 << k),
                              scale(add(self.norm(kind[1]), self.norm({(f,): 1}), -1), c))
                    if key(new) in seen:
                        continue
                    seen.add(key(new))
                    s = shift + k
                    top = self.range(new)[1]
                    best = min(best, top >> s)
                    found.append((top / (1 << s), new, s))
            found.sort(key=lambda t: t[0])
            frontier = [(q, s) for _, q, s in found[:8]]
        return best

    def upper_by_cases(self, x):
        """An upper bound of x, the greater of those for each value of a carry that is 0 or 1"""
        best = x.hi
        for m in list(x.p):
            if len(m) != 1 or (self.lo[m[0]], self.hi[m[0]]) != (0, 1):
                continue
            tops = []
            for c in (0, 1):
                saved = {name: copy(getattr(self, name)) for name in (
                    'lo', 'hi', 'refined', 'facts', 'nonzero', 'assumed')}
                try:
                    self.assume_range(m[0], c, c)
                    tops.append(self.bounds(x).hi)
                except Infeasible:
                    pass
                vars(self).update(saved)
            best = min(best, max(tops, default=0))
        return best

    # Numbers known modulo P

    def ghost(self, limbs, weights, value):
        """sum weight * limb = value (mod P); the first limb, of weight 1, is eliminated."""
        first = limbs[0].p
        self.ghosts.append((only_variable(limbs[0]),
                            add(value, add(weigh(limbs, weights), first, -1), -1)))
        self.numbers.append(([x.p for x in limbs], weights, value))

    # Claims

    def pivot(self, v):
        """The variable of weight 1 in what v has become"""
        while v in self.refined:
            low = [m for m, c in self.refined[v].items() if c == 1 and len(m) == 1]
            if not low:
                return None
            v = low[0][0]
        return v

    @staticmethod
    def substitute(p, v, definition, modulus):
        """p with a definition in place of v"""
        p, out, powers = dict(p), {}, [{(): 1}]
        for m in [m for m in p if v in m]:
            rest, factor = tuple(w for w in m if w != v), p.pop(m)
            while len(powers) <= len(m) - len(rest):
                powers.append(mul(powers[-1], definition))
            for n, c in powers[len(m) - len(rest)].items():
                n = tuple(sorted(rest + n)) if rest and n else rest or n
                out[n] = out.get(n, 0) + factor * c
        for n, c in out.items():
            c += p.pop(n, 0)
            c = c % modulus if modulus else c
            if c:
                p[n] = c
        return p

    def expand(self, p, modulus=None):
        """What is left of p after elimination, modulo a number if it is given"""
        p = self.norm(p)
        if not p:
            return p
        known = {v for m in p for v in m}
        for v, d in list(reversed(self.defs)) + (
                list(reversed(self.ghosts)) if modulus == P else []):
            w = self.pivot(v) if v in self.refined else v
            if w not in known:
                continue
            rest = add(self.norm({(v,): 1}), {(w,): 1}, -1)
            p = self.substitute(p, w, add(self.norm(d), rest, -1), modulus)
            known = {v for m in p for v in m}
        if modulus:
            p = {m: c % modulus for m, c in p.items() if c % modulus}
        return p

    def show(self, p, most=6):
        """The greatest terms of a polynomial, for messages"""
        terms = sorted(p.items(), key=lambda t: -abs(t[1]))
        return ' + '.join('%#x %s' % (c, ' '.join(self.names[v] for v in m))
                          for m, c in terms[:most]) + (' ... (%d terms)' % len(p))
