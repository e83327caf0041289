#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""
vex.py [--short] OBJECT...: the engine's rules are those of Valgrind's VEX, for all inputs.

Each form of an instruction in the objects is carried out twice: by the engine on variables, and as
VEX translates it. A solver, bitwuzla, shows that general registers, vectors, memory and the flags
that the engine knows are the same for all values of the variables, and that some path of the engine
takes each of them. Where the engine asks for a constant, each count is tried, and each constant of
the objects. Where it has another rule for some values, such as bits, signs and numbers, these are
tried, too, and each instruction once more on what it has made. Addresses, conditions of jumps, and
which operands in memory must be aligned, are compared likewise. VEX knows no AVX-512.

A polynomial becomes a sum of products of bit-vectors, modulo a power of 2 that its values do not
reach. Products are the same terms on both sides, so nothing asks whether two multipliers agree.
"""

import argparse
import collections
import ctypes
import functools
import itertools
import pathlib
import random
import re
import sys
import tempfile

from check import parallel
from cpu import Cpu, Failed, NAMES, R15, RDX, RSP, paths
from loader import INFO, Instruction, Objects, TOP, assembled, iced
from native import operand
from validate import DISJOINT, WANTED, forms
from values import Stuck, const, only_variable
tempfile.tempdir = str(TOP / 'build')   # where pyvex keeps a pickle, and no other user may
# Before what the system has: pyvex wants a cffi of its own.
sys.path[1:1] = map(str, TOP.glob('build/venv/lib/python3*/site-packages'))
import bitwuzla                         # noqa: E402
import pyvex                            # noqa: E402

K, TM, OPTIONS = bitwuzla.Kind, bitwuzla.TermManager(), bitwuzla.Options()
OPTIONS.set(bitwuzla.Option.PRODUCE_MODELS, True)
# Where operands in memory and the top of the stack are, and code
MEMORY, STACK, CODE = 1 << 40, 1 << 41, 1 << 42
FLAGS = {'c': 0, 'p': 2, 'a': 4, 'z': 6, 's': 7, 'o': 11}
THUNK = 'cc_op', 'cc_dep1', 'cc_dep2', 'cc_ndep'
KINDS = 'add sub adc sbb logic inc dec shl shr rol ror'.split()
CONDITIONS = 'o b e be s p l le'.split()
FULL = (1 << 64) - 1
ANY = [(1, 0, FULL)]
ADDRESS = pyvex.ARCH_AMD64.get_register_offset


# Bit-vectors

@functools.cache
def sort(bits):
    return TM.mk_bv_sort(bits)


@functools.cache
def variable(name, bits):
    return TM.mk_const(sort(bits), name)


@functools.cache
def number(x, bits):
    return TM.mk_bv_value(sort(bits), x & ((1 << bits) - 1))


def make(kind, *terms, at=()):
    return TM.mk_term(kind, list(terms), list(at))


def width(x):
    return x.sort().bv_size()


def part(x, low, bits):
    return x if bits == width(x) else make(K.BV_EXTRACT, x, at=[low + bits - 1, low])


def join(*parts):
    """Parts as one number, the highest first"""
    return functools.reduce(lambda x, y: make(K.BV_CONCAT, x, y), parts)


def placed(x, low, y):
    """x with y in place of its bits from low on"""
    above = low + width(y)
    parts = [part(x, above, width(x) - above)] if above < width(x) else []
    return join(*parts, y, *([part(x, 0, low)] if low else []))


def lanes(x, bits):
    """The lowest first"""
    return [part(x, i, bits) for i in range(0, width(x), bits)]


def fit(x, bits, signed=False):
    """x with so many bits"""
    if bits <= width(x):
        return part(x, 0, bits)
    return make(K.BV_SIGN_EXTEND if signed else K.BV_ZERO_EXTEND, x, at=[bits - width(x)])


def bit(x, i=0):
    """Whether a bit is 1"""
    return make(K.EQUAL, part(x, i, 1), number(1, 1))


def bits_of(truth, bits=1):
    return make(K.ITE, truth, number(1, bits), number(0, bits))


def equal(x, y):
    return make(K.EQUAL, x, y)


def every(truths):
    return functools.reduce(lambda x, y: make(K.AND, x, y), truths, TM.mk_true())


def simple(x):
    return bitwuzla.Bitwuzla(TM).simplify_term(x)


def known(x):
    """The number that a term is"""
    x = simple(x)
    if not x.is_value():
        raise Stuck('not a constant: %s' % str(x)[:80])
    return int(x.value(2), 2)


class Divisions(dict):
    """Of numbers of 128 bits by constants: quotient and remainder, as variables"""

    def of(self, x, c):
        k = str(simple(x)), c
        if k not in self:
            self[k] = x, *(variable('%s %d' % (name, len(self)), 128) for name in ('q', 'r'))
        return self[k][1:]

    def definitions(self):
        """x = c q + r and r < c"""
        for (_, c), (x, q, r) in self.items():
            whole = make(K.BV_ADD, make(K.BV_MUL, fit(q, 200), number(c, 200)), fit(r, 200))
            yield equal(fit(x, 200), whole)
            yield make(K.BV_ULT, r, number(c, 128))


DIVISIONS = Divisions()


# VEX

class Words(dict):
    """Memory or a state: the addresses of words of 64 bits, and these"""

    def take(self, at, bits):
        words = [self[at & -8]] if bits <= 64 else [self[i] for i in range(at, at + bits // 8, 8)]
        return part(join(*words[::-1]), at % 8 * 8 if bits < 64 else 0, bits)

    def give(self, at, x):
        if width(x) < 64:
            x, at = placed(self[at & -8], at % 8 * 8, x), at & -8
        for i, word in enumerate(lanes(x, 64)):
            self[at + 8 * i] = word


def flags_of(operation, a, b, c):
    """
    {flag: bit} of a thunk of VEX, by the kind of the last operation that changed flags. What it
    does not define may be anything.
    """
    if operation == 0:
        return {f: part(a, i, 1) for f, i in FLAGS.items()}
    kind, size = divmod(operation - 1, 4)
    kind = KINDS[kind] if kind < len(KINDS) else None
    n, old, carry = 8 << size, flags_of(0, c, None, None), part(c, 0, 1)
    a, b = part(a, 0, n), part(b, 0, n)
    if kind in ('adc', 'sbb'):
        b = make(K.BV_XOR, b, fit(carry, n))
    wide, x, y = fit(carry if kind in ('adc', 'sbb') else number(0, 1), n + 1), fit(a, n + 1), \
        fit(b, n + 1)
    add = kind in ('add', 'adc')
    if add or kind in ('sub', 'sbb'):
        total = make(K.BV_ADD, make(K.BV_ADD, x, y), wide) if add else \
            make(K.BV_SUB, make(K.BV_SUB, x, y), wide)
        r = part(total, 0, n)
        other = make(K.BV_NOT, b) if not add else b
        found = {'c': part(total, n, 1), 'o': part(make(K.BV_AND, make(K.BV_XOR, a, r), make(
            K.BV_XOR, other, r)), n - 1, 1)}
    elif kind in ('rol', 'ror'):
        top, low = part(a, n - 1, 1), part(a, 0, 1)
        return {**old, **({'c': low, 'o': make(K.BV_XOR, top, low)} if kind == 'rol' else
                          {'c': top, 'o': make(K.BV_XOR, top, part(a, n - 2, 1))})}
    elif kind == 'logic':
        r, found = a, {'c': number(0, 1), 'o': number(0, 1)}
    elif kind in ('inc', 'dec'):
        edge = 1 << n - 1 if kind == 'inc' else (1 << n - 1) - 1
        r, found = a, {'c': carry, 'o': bits_of(equal(a, number(edge, n)))}
    elif kind in ('shl', 'shr'):
        r, found = a, {'c': part(b, n - 1 if kind == 'shl' else 0, 1),
                       'o': part(make(K.BV_XOR, a, b), n - 1, 1)}
    else:
        return {f: variable('undefined ' + f, 1) for f in FLAGS}
    return {'z': bits_of(equal(r, number(0, n))), 's': part(r, n - 1, 1),
            'p': variable('undefined p', 1), 'a': variable('undefined a', 1), **found}


def packed(flags):
    """A word of flags"""
    return functools.reduce(lambda x, f: placed(x, FLAGS[f], flags[f]), FLAGS, number(0, 64))


def holds(flags, name):
    """Whether a condition holds"""
    less = make(K.BV_XOR, flags['s'], flags['o'])
    return bit({'o': flags['o'], 'b': flags['c'], 'e': flags['z'], 's': flags['s'],
                'be': make(K.BV_OR, flags['c'], flags['z']), 'p': flags['p'], 'l': less,
                'le': make(K.BV_OR, less, flags['z'])}[name])


def lanewise(f, n, *vectors):
    return join(*list(map(f, *(lanes(x, n) for x in vectors)))[::-1])


BINARY = {'Add': K.BV_ADD, 'Sub': K.BV_SUB, 'And': K.BV_AND, 'Or': K.BV_OR, 'Xor': K.BV_XOR,
          'Shl': K.BV_SHL, 'Shr': K.BV_SHR, 'Sar': K.BV_ASHR, 'Not': K.BV_NOT,
          'CmpEQ': K.EQUAL, 'CmpNE': K.DISTINCT, 'CmpLT': K.BV_ULT}


def picked(x, index, n):
    """The lane of x that the low bits of a number name"""
    bits = (width(x) // n).bit_length() - 1
    at = make(K.BV_MUL, fit(part(index, 0, bits), width(x)), number(n, width(x)))
    return part(make(K.BV_SHR, x, at), 0, n)


def operate(name, x, y=None, *more):
    """What an operation of VEX makes"""
    found = re.fullmatch(r'(Add|Sub|And|Or|Xor|Not|Sh[lr]|Sar|CmpEQ|CmpNE|CmpLT)V?(\d+)U?', name)
    if found:
        if y is None:
            return make(K.BV_NOT, x)
        kind = found[1]
        truth = make(BINARY[kind], x, fit(y, width(x)) if kind[0] == 'S' else y)
        return bits_of(truth) if kind[0] == 'C' else truth
    found = re.fullmatch(r'(Add|Sub|ShlN|ShrN|SarN|Perm)(\d+)x\d+', name)
    if found:
        n, kind = int(found[2]), found[1]
        if kind == 'Perm':
            return lanewise(lambda i: picked(x, i, n), n, y)
        if kind[-1] == 'N':
            return lanewise(lambda z: make(BINARY[kind[:-1]], z, fit(y, n)), n, x)
        return lanewise(lambda a, b: make(BINARY[kind], a, b), n, x, y)
    found = re.fullmatch(r'Interleave(HI|LO)(\d+)x(\d)', name)
    if found:
        n, half = int(found[2]), int(found[3]) // 2
        at = slice(half, None) if found[1] == 'HI' else slice(half)
        return join(*(z for pair in list(zip(lanes(x, n)[at], lanes(y, n)[at]))[::-1]
                      for z in pair))
    found = re.fullmatch(r'Mull?U?(\d+)', name)
    if found:
        n, low = int(found[1]), make(K.BV_MUL, x, y)
        return low if 'll' not in name else join(
            part(make(K.BV_MUL, fit(x, 2 * n), fit(y, 2 * n)), n, n), low)
    if name == 'DivModU128to64':
        q, r = DIVISIONS.of(x, known(y))
        return join(part(r, 0, 64), part(q, 0, 64))
    found = re.fullmatch(r'(\d+)UtoV?(\d+)', name)
    if found:
        return fit(x, int(found[2]))
    found = re.fullmatch(r'V?(?:\d+HL|\d+x4)toV?(\d+)', name)
    if found:
        return join(x, y, *more)
    found = re.fullmatch(r'V?(\d+)(HI)?toV?(\d+)(_(\d))?', name)
    if found:
        n = int(found[3])
        return part(x, n if found[2] else n * int(found[5] or 0), n)
    raise Stuck('an operation of VEX: ' + name)


class Vex:
    """A state, and what VEX's translation of instructions makes of it"""

    def __init__(self):
        self.state, self.memory, self.tmp, self.exits = Words(), Words(), {}, []

    def value(self, e):
        kind = type(e).__name__
        if kind == 'RdTmp':
            return self.tmp[e.tmp]
        if kind == 'Const':
            size = pyvex.const.get_type_size(e.con.type)
            return number(e.con.value, size)
        if kind == 'Get':
            return self.state.take(e.offset, pyvex.const.get_type_size(e.ty))
        if kind == 'Load':
            return self.memory.take(known(self.value(e.addr)), pyvex.const.get_type_size(e.ty))
        if kind == 'ITE':
            return make(K.ITE, bit(self.value(e.cond)), self.value(e.iftrue), self.value(e.iffalse))
        args = [self.value(x) for x in e.args]
        if kind == 'CCall':
            return self.helper(e.callee.name, args)
        return operate(e.op[4:], *args)

    def helper(self, name, args):
        flags = flags_of(known(args[-4]), *args[-3:])
        if name == 'amd64g_calculate_condition':
            at, turn = divmod(known(args[0]), 2)
            return make(K.BV_XOR, bits_of(holds(flags, CONDITIONS[at]), 64), number(turn, 64))
        if name == 'amd64g_calculate_rflags_c':
            return fit(flags['c'], 64)
        if name != 'amd64g_calculate_rflags_all':
            raise Stuck('a helper of VEX: ' + name)
        return packed(flags)

    def flags(self):
        operation, *more = (self.state[ADDRESS(name)] for name in THUNK)
        return flags_of(known(operation), *more)

    def step(self, code):
        block = pyvex.lift(code, CODE, pyvex.ARCH_AMD64, opt_level=0, max_inst=1)
        if block.size != len(code):
            raise Stuck('VEX does not know it')
        for s in block.statements:
            kind = type(s).__name__
            if kind == 'WrTmp':
                self.tmp[s.tmp] = self.value(s.data)
            elif kind == 'Put':
                self.state.give(s.offset, self.value(s.data))
            elif kind == 'Store':
                self.memory.give(known(self.value(s.addr)), self.value(s.data))
            elif kind == 'Exit':
                self.exits.append((bit(self.value(s.guard)), s.jumpkind, s.dst.value))
            elif kind not in ('IMark', 'AbiHint'):
                raise Stuck('a statement of VEX: ' + kind)
        return block


# The engine

class Numbers:
    """The variables of a path as bit-vectors; nothing is taken from the engine's intervals."""

    def __init__(self, ctx, leaves):
        self.ctx, self.leaves = ctx, leaves     # of variables: their least and greatest value
        self.made = {}

    def exact(self, v):
        """(bit-vector, least, greatest value) of a variable; it is signed if the least is below 0"""
        if v not in self.made:
            self.made[v] = self.term(v, *self.ctx.origin[v])
        return self.made[v]

    def term(self, v, kind, *of):
        if kind == 'input':
            lo, hi = self.leaves.get(v, (self.ctx.lo[v], self.ctx.hi[v]))
            if lo == hi:
                return number(lo, fits(lo, hi)), lo, hi
            name = self.ctx.names[v] if v in self.leaves else '%s %d' % (self.ctx.names[v], v)
            return variable(name, fits(lo, hi)), lo, hi
        if kind == 'cut':
            whole, lo, hi = self.exact(of[0])
            return self.cut(whole, lo, hi, *of[1:])
        if kind == 'sum':
            if not of[2]:
                return self.poly(of[0], of[1]), 0, (1 << of[1]) - 1
            lo, hi = self.span(of[0])
            return self.cut(self.poly(of[0], max(fits(lo, hi), of[1] + 1)), lo, hi, *of[1:])
        if kind == 'ones':
            _, hi = self.span(of[0])
            n = (1 << hi).bit_length()
            one = number(1, n)
            return make(K.BV_SUB, make(K.BV_SHL, one, self.poly(of[0], n)), one), 0, (1 << hi) - 1
        if kind == 'xor':
            n = max(fits(*self.span(p)) for p in of)
            return make(K.BV_XOR, *(self.poly(p, n) for p in of)), 0, (1 << n) - 1
        if kind == 'quotient':
            return DIVISIONS.of(self.poly(of[0], 128), of[1])[0], 0, (1 << 128) - 1
        raise Stuck('a variable of another kind: ' + kind)

    @staticmethod
    def cut(whole, lo, hi, k, high):
        n = width(whole)
        if not high:
            return fit(whole, k, lo < 0), 0, (1 << k) - 1
        return (part(whole, k, n - k) if n > k else number(0, 1)), lo >> k, hi >> k

    def span(self, p):
        """The least and the greatest value of a polynomial, by intervals"""
        low = high = 0
        for m, c in p.items():
            ends = [c]
            for v in m:
                ends = [x * y for x in (min(ends), max(ends)) for y in self.exact(v)[1:]]
            low, high = low + min(ends), high + max(ends)
        return low, high

    def poly(self, p, n):
        """A polynomial modulo 2^n"""
        total = None
        for m, c in p.items():
            factors = [fit(x, n, lo < 0) for x, lo, _ in map(self.exact, m)]
            x = functools.reduce(lambda y, z: make(K.BV_MUL, y, z), factors) if m else number(c, n)
            if m and c & (1 << n) - 1 != 1:
                x = make(K.BV_MUL, x, number(c, n))
            total = x if total is None else make(K.BV_ADD, total, x)
        return number(0, n) if total is None else total

    def within(self, p, lo, hi):
        """Whether a polynomial is from lo to hi, or None if that is plain"""
        least, most = self.span(p)
        if lo <= least and most <= hi:
            return None
        n = max(fits(least, most), fits(lo, hi)) + 1
        x = self.poly(p, n)
        return make(K.AND, make(K.BV_SLE, number(lo, n), x), make(K.BV_SLE, x, number(hi, n)))

    def is_(self, p, bits):
        """Whether a polynomial is the number that a bit-vector is"""
        n = max(fits(*self.span(p)), width(bits)) + 1
        return equal(self.poly(p, n), fit(bits, n))

    def sign(self, p, least):
        """Whether -p is at least 0 or 1"""
        n = fits(*self.span(p)) + 1
        return make(K.BV_SLE, self.poly(p, n), number(-least, n))

    def conditions(self):
        """What the engine takes for granted on this path"""
        ctx = self.ctx
        found = [self.within({(v,): 1}, ctx.lo[v], ctx.hi[v]) for v in range(len(ctx.names))]
        found += [self.within(p, lo, hi) for p, lo, hi in ctx.facts]
        for v, p in ctx.refined.items():
            n = max(fits(*self.span(p)), width(self.exact(v)[0])) + 1
            found.append(equal(self.poly({(v,): 1}, n), self.poly(p, n)))
        for p in ctx.nonzero:
            n = fits(*self.span(p))
            found.append(make(K.DISTINCT, self.poly(p, n), number(0, n)))
        return every(x for x in found if x is not None)


def fits(lo, hi):
    """How many bits numbers from lo to hi need, signed if there are any below 0"""
    return max(hi.bit_length(), (-1 - lo).bit_length() if lo < 0 else 1, 1) + (lo < 0)


class Start:
    """
    The engine on variables, before an instruction, and the same for VEX. given: {place: words}, a
    word being a list of fields, each with its weight, its least and its greatest value; or the place
    that has the same words. Memory is off bytes above a multiple of 64.
    """

    def __init__(self, obj, given, choices=None, memory=True, off=0):
        self.cpu, self.leaves, self.given = Cpu(obj, choices), {}, given
        cpu, ctx = self.cpu, self.cpu.ctx
        base = cpu.region('mem', const(0), const(64), align=64)
        cpu.of('mem').skew = -off
        self.leaves.update({only_variable(base): (MEMORY + off,) * 2,
                            only_variable(cpu.stack): (STACK,) * 2})
        self.words = {('general', i): [self.word('general', i)] for i in range(16)}
        self.words.update((('vector', i), [self.word('vector', i, j) for j in range(8)])
                          for i in range(16))
        self.words.update(((name, None), [self.word(name, None, j) for j in range(8)])
                          for name in ('memory', 'stack'))
        self.words['general', RSP] = [ctx.plus(cpu.stack, -32)]
        if memory:
            self.words['general', R15] = [base]
        self.words.update((place, self.words[x]) for place, x in given.items()
                          if isinstance(x, tuple))
        cpu.regs = [self.words['general', i][0] for i in range(16)]
        cpu.vec = [list(self.words['vector', i]) for i in range(16)]
        cpu.red_zone = 64       # so all of the stack keeps what it holds
        self.memory = {'memory': base, 'stack': ctx.plus(cpu.stack, -64)}
        for name, at in self.memory.items():
            for i, x in enumerate(self.words[name, None]):
                cpu.write(ctx.plus(at, 8 * i), 8, x)
        cpu.c, cpu.z = self.new('carry', 0, 1), self.new('zero', 0, 1)
        cpu.compared, cpu.signed = (self.new(name, -FULL, FULL) for name in ('compared', 'signed'))
        cpu.sign = self.new('sign', -1 << 63, (1 << 63) - 1)
        self.known = known_of(cpu)
        self.numbers = Numbers(ctx, self.leaves)

    def new(self, name, lo, hi):
        x = self.cpu.ctx.new(name, lo, hi)
        if lo < hi:
            self.leaves[only_variable(x)] = lo, hi
        return x

    def word(self, kind, i, j=0):
        spec = self.given.get((kind, i), [ANY])
        spec = [ANY] if isinstance(spec, tuple) else spec
        name, ctx = '%s %s.%d' % (kind, i, j), self.cpu.ctx
        return ctx.add(const(0), *(ctx.times(self.new(
            '%s %x %x-%x' % (name, weight, lo, hi), lo, hi), weight)
            for weight, lo, hi in spec[j % len(spec)]))

    def places(self):
        """[(place, number of the word, whether it is in VEX's memory, where it is there)]"""
        at = {'memory': MEMORY, 'stack': STACK - 64}
        for (kind, i), words in self.words.items():
            begin = at[kind] if kind in at else ADDRESS(
                NAMES[i] if kind == 'general' else 'ymm%d' % i)
            for j in range(min(len(words), 4) if kind == 'vector' else len(words)):
                yield (kind, i), j, kind in at, begin + 8 * j

    def vex(self):
        """VEX's state, and what the words are, as bit-vectors"""
        vex, begin, off = Vex(), {}, self.leaves[only_variable(self.memory['memory'])][0] - MEMORY
        for place, i, in_memory, at in self.places():
            begin[place, i] = x = self.numbers.poly(self.words[place][i].p, 64)
            if in_memory:
                vex.memory[at + off * (place[0] == 'memory')] = x
            else:
                vex.state[at] = x
        thunk = number(0, 64), packed(self.flags()), variable('dep2', 64), variable('ndep', 64)
        vex.state.update((ADDRESS(name), x) for name, x in zip(THUNK, thunk))
        return vex, begin

    def flags(self):
        """The flags before, of what the engine knows of them"""
        carry, zero, orders = self.known
        minus = self.numbers.sign(orders['s'][0].p, 1)
        found = {'c': self.numbers.poly(carry.p, 1), 's': bits_of(minus),
                 'z': bits_of(self.numbers.is_(zero.p, number(0, 1))),
                 'o': bits_of(make(K.XOR, minus, self.numbers.sign(orders['l'][0].p, 1)))}
        return {f: found.get(f, variable('flag ' + f, 1)) for f in FLAGS}

    def assumed(self):
        """Ranges of variables, and that what is known of flags is true of them"""
        found = [x for _, x in known_flags(self.numbers, self.known, self.flags())]
        for v, (lo, hi) in self.leaves.items():
            x = self.numbers.exact(v)[0]
            if lo < hi and (lo or hi + 1 < 1 << width(x)):
                less = K.BV_SLE if lo < 0 else K.BV_ULE
                found += [make(less, number(lo, width(x)), x), make(less, x, number(hi, width(x)))]
        return found


class Case:
    """A form of an instruction, and what its operands are"""

    def __init__(self, obj, insn, code, given, times=1, partly=False):
        self.obj, self.insn, self.code, self.given, self.times = obj, insn, code, given, times
        self.partly = partly    # whether the engine may not understand it
        self.memory = insn.name != 'lea' and any(o.kind == 'memory' for o in insn.ops)

    def engine(self, choices):
        """A path of the engine, and for a jump whether it is taken"""
        start, taken = Start(self.obj, self.given, choices, self.memory), None
        if self.insn.name[0] == 'j':
            taken = start.cpu.condition(self.insn, self.insn.name[1:])
        else:
            for _ in range(self.times):
                start.cpu.step(self.insn)
        return start, taken

    def claims(self, start, taken, vex, begin):
        """[(what, whether the engine and VEX agree on it)]"""
        cpu, numbers, found = start.cpu, start.numbers, []
        for place, i, in_memory, at in start.places():
            kind, n = place
            x = cpu.read(cpu.ctx.plus(start.memory[kind], 8 * i), 8) if in_memory else \
                cpu.regs[n] if kind == 'general' else cpu.vec[n][i]
            y = (vex.memory if in_memory else vex.state)[at]
            if x is start.words[place][i] and y is begin[place, i]:
                continue
            found.append(('%s %s.%d' % (*place, i), numbers.is_(x.p, y)))
            inside = numbers.within(x.p, x.lo, x.hi)
            if inside is not None:
                found.append(('range of %s %s.%d' % (*place, i), inside))
        found += known_flags(numbers, known_of(cpu), vex.flags())
        for guard, kind, to in vex.exits:
            if taken is None:
                found.append((kind, make(K.NOT, guard)))
            else:
                goes = equal(bits_of(guard), number(to != CODE + len(self.code), 1))
                found.append(('jump', goes if taken else make(K.NOT, goes)))
        return found

    def difference(self, compared):
        """What the engine and VEX do differently, or None; counts what was compared."""
        try:
            runs = list(paths(self.engine))
            start = runs[0][0]
            vex, begin = start.vex()
            for _ in range(self.times):
                vex.step(self.code)
            ways = [(run.numbers.conditions(), self.claims(run, taken, vex, begin))
                    for run, taken in runs]
        except (Stuck, Failed) as e:
            return None if self.partly else 'not understood: %s' % e
        compared.update(what.split()[0] for _, claims in ways for what, _ in claims)
        solver = bitwuzla.Bitwuzla(TM, OPTIONS)
        for x in [*start.assumed(), *DIVISIONS.definitions()]:
            solver.assert_formula(x)
        if solver.check_sat() != bitwuzla.Result.SAT:
            return 'no input is as assumed'
        no_path = every(make(K.NOT, way) for way, _ in ways)
        right = every(make(K.IMPLIES, way, every(x for _, x in claims)) for way, claims in ways)
        solver.assert_formula(make(K.NOT, make(K.AND, make(K.NOT, no_path), right)))
        if solver.check_sat() == bitwuzla.Result.UNSAT:
            return None
        bad = [what for way, claims in ways if solver.get_value(way).is_true()
               for what, x in claims if solver.get_value(x).is_false()]
        inputs = {start.cpu.ctx.names[v]: int(solver.get_value(start.numbers.exact(v)[0]).value(2), 2)
                  for v, (lo, hi) in start.leaves.items() if lo < hi}
        return '%s, for %s' % (', '.join(bad) or 'no path', ', '.join(
            '%s = %#x' % (name, x) for name, x in inputs.items() if x)[:300])

    def aligned(self):
        """Whether the instruction faults half an operand further, in VEX and in the engine"""
        off = max(o.size for o in self.insn.ops if o.kind == 'memory') // 2
        start = Start(self.obj, self.given, None, True, off)
        vex = start.vex()[0]
        vex.step(self.code)
        try:
            start.cpu.step(self.insn)
        except Failed:
            return any(known(bits_of(guard)) for guard, _, _ in vex.exits), True
        return any(known(bits_of(guard)) for guard, _, _ in vex.exits), False


def known_of(cpu):
    """What the engine knows of flags"""
    return cpu.c, cpu.z, cpu.orders()


def known_flags(numbers, state, flags):
    """[(what, whether the flags are what the engine knows of them)]"""
    carry, zero, orders = state

    def unknown(x):
        v = next(iter(x.p), ())
        return len(v) == 1 and numbers.ctx.names[v[0]].startswith('unknown')
    found = [] if unknown(carry) else [('b', numbers.is_(carry.p, flags['c']))]
    if not unknown(zero):
        n = fits(*numbers.span(zero.p))
        found.append(('e', equal(holds(flags, 'e'), equal(numbers.poly(zero.p, n), number(0, n)))))
    if orders['be'][0] is not None:             # below is then what is known of the comparison
        orders = {'b': (orders['be'][0], 1), **orders}
    return found + [(name, equal(holds(flags, name), numbers.sign(x.p, least)))
                    for name, (x, least) in orders.items() if x is not None]


# The cases

# They multiply: a solver does not take that twice.
LARGE = 'mul', 'mulx', 'imul', 'lea'


def constants(obj):
    """The words of the objects' constants, and the vectors of 2 and 4 words"""
    words, vectors = {0, FULL, *((1 << i) - 1 for i in range(64))}, {2: set(), 4: set()}
    for data in obj.data.values():
        found = [int.from_bytes(data[i:i + 8], 'little') for i in range(0, len(data), 8)]
        words.update(found)
        for n in vectors:
            vectors[n].update(tuple(found[i:i + n]) for i in range(0, len(found) - n + 1, 2))
    return sorted(words), {n: sorted(v) for n, v in vectors.items()}


def exactly(*words):
    return [[(1, x, x)] for x in words]


def disjoint(few):
    """Pairs of words for which the engine knows their or"""
    for x in range(0, 256, 17 if few else 1):
        yield tuple([(1 << 8 * i, 0, 255) for i in range(8) if x >> i & 1 == y] for y in (1, 0))
    for n in range(1, 64):
        yield [(1 << n, 0, FULL >> n)], [(1, 0, (1 << n) - 1)]


def cases(insn, words, vectors):
    """
    [({place: words}, how often the instruction is carried out, whether the engine may say that it
    does not understand)] of a form
    """
    name, places = insn.name, [(o.kind, o.number) for o in insn.ops]
    last = places[-1] if places else None
    found, partly = [({}, 1)], []
    if name in ('vpshufb', 'pshufb', 'vpermd'):
        of = places[WANTED[name][0]]
        found = [({of: exactly(*v)}, 1) for v in vectors[insn.ops[0].size // 8]]
    elif any(o.text == 'cl' for o in insn.ops) and name[:2] == 'sh' or name in ('shrx', 'bzhi'):
        found = [({last: exactly(n)}, 1) for n in range(256)]
        if name == 'bzhi' and places[1] != last:
            found.append(({last: [[(1, 0, 63)]], places[1]: exactly(FULL)}, 1))
    elif name == 'div':
        near = {o.value for x in OBJ.code.values() if x.at[:2] == insn.at[:2] and x.name == 'mov'
                for o in x.ops if o.kind == 'number'}
        found = [({last: exactly(c), ('general', RDX): exactly(0)}, 1) for c in sorted(near - {0})]
    elif name in WANTED and len(places) > 1 and last[0] != 'number' and places[-2] != last:
        partly, bits = [({}, 1)], [[(FULL, 0, 1)]]
        found = [({place: x}, 1) for place in places[-2:] for x in [bits, *map(exactly, words)]]
    elif name in DISJOINT and last[0] != 'number' and places[-2] != last:
        partly = [({}, 1)] + [({last: exactly(c)}, 1) for c in words]
        found = [({places[-2]: [x], last: [y]}, 1) for pair in disjoint(last[0] != 'general')
                 for x, y in (pair, pair[::-1])]
        found += [({last: exactly(FULL >> n << n)}, 1) for n in range(64) if insn.ops[0].size > 4]
    else:
        found += [({}, 2)] * (name not in LARGE and name[0] != 'j') + operands(insn, places)
        if len(places) > 1 and last[0] in ('general', 'vector') and last[0] == places[-2][0]:
            found.append(({last: places[-2]}, 1))
    return [(*x, False) for x in found] + [(*x, True) for x in partly]


def operands(insn, places):
    """Cases of an instruction's operands, each of which may be any number"""
    values, rng = {}, random.Random(insn.text)
    for i, (o, place) in enumerate(zip(insn.ops, places)):
        top = 1 << 8 * (o.size or 8) - 1
        if INFO.info(insn.raw).op_access(i) == iced.OpAccess.WRITE or insn.name == 'lea':
            continue
        if o.kind == 'vector' or o.kind == 'memory' and o.size > 8:
            values[place] = [exactly(0), exactly(FULL),
                             exactly(*(rng.getrandbits(64) for _ in range(8)))]
        elif o.kind in ('general', 'memory'):
            values[place] = [[ANY], [[(1, 0, 1)]], [[(1, 0, top - 1)]], [[(1, top, 2 * top - 1)]],
                             exactly(0), exactly(1), exactly(2 * top - 1)]
            values[place] += [[[(FULL, 0, 1)]]] * (insn.name not in LARGE)
    if any(len(v) == 3 for v in values.values()):
        return [({place: x}, 1) for place, v in values.items() for x in v]
    return [(dict(zip(values, v)), 1) for v in itertools.product(*values.values())][1:]


def decoded(texts):
    """[(instruction, code)] of lines of assembly"""
    for code, _ in assembled(texts):
        code = code[:code.rindex(b'|')]
        decoder = iced.Decoder(64, code)
        raw = decoder.decode()
        yield Instruction(('made', ''), raw, decoder.get_constant_offsets(raw)), code


def work(obj):
    """
    [(kind, form, instruction, code)]: forms, jumps and addresses; and how many forms VEX does not
    know
    """
    every_form = forms(obj)
    found = {form: x for form, x in every_form.items()
             if not any('512' in f for f in x.features())}
    wide, jumps, addresses = len(every_form) - len(found), set(), set()
    for insn in obj.code.values():
        name, ops = insn.name, insn.ops
        if name in ('push', 'pop') and ops[0].kind == 'general':
            found.setdefault('%s general8.0' % name, insn)
        elif name in ('endbr64', 'prefetcht0'):
            found.setdefault(name, insn.at_register(R15))
        elif name[0] == 'j' and name != 'jmp':
            jumps.add(name)
        for o in ops if name != 'nop' else ():
            if o.kind == 'memory' and not o.relative and not o.symbol:
                base = o.base is not None and 'rcx'
                index = o.index is not None and ('rcx' if o.index == o.base else 'rdx')
                addresses.add('lea rax,[%s%+d]' % ('+'.join(
                    x for x in (base, index and '%s*%d' % (index, o.scale)) if x), o.displacement))
    texts = [insn.source() for insn in found.values()]
    some = [('form', form, insn, made[:made.rindex(b'|')]) for (form, insn), (made, _) in zip(
        found.items(), assembled(texts))]
    for kind, lines in ('jump', sorted(name + ' .+64' for name in jumps)), ('address', sorted(addresses)):
        some += [(kind, text, *made) for text, made in zip(lines, decoded(lines))]
    return some, wide


def judge(job):
    """(kind, form, what differs or None, how many cases, what was compared how often, remark)"""
    kind, form, insn, code = job
    some, compared, remark = cases(insn, *CONSTANTS), collections.Counter(), None
    some = some[:2] + some[2::len(some) // 6 + 1] if SHORT else some
    try:
        wide = [o.size for o in insn.ops if o.kind == 'memory' and o.size >= 16]
        if kind == 'form' and wide:
            theirs, ours = Case(OBJ, insn, code, some[0][0]).aligned()
            if theirs and not ours:
                return kind, form, insn.text + ': VEX wants an alignment', 0, compared, None
            remark = 'aligned' if theirs else 'aligned for the engine alone' if ours else None
    except Stuck as e:
        return kind, form, '%s: not understood: %s' % (insn.text, e), 0, compared, None
    for given, times, partly in some:
        why = Case(OBJ, insn, code, given, times, partly).difference(compared)
        if why:
            return kind, form, '%s%s, %s: %s' % (insn.text, ' twice' * (times - 1), given, why), len(some), compared, remark
    return kind, form, None, len(some), compared, remark


def thunks():
    """What flags_of() makes otherwise than VEX's own function does, or None"""
    theirs = ctypes.CDLL(str(pathlib.Path(pyvex.__file__).parent / 'lib/libpyvex.so'))
    theirs = theirs.amd64g_calculate_rflags_all
    theirs.restype, theirs.argtypes = ctypes.c_uint64, [ctypes.c_uint64] * 4
    rng = random.Random(1)
    for operation in range(1, 4 * len(KINDS) + 1):
        for _ in range(4 if SHORT else 40):
            a, b, c = (operand(rng) for _ in range(3))
            if 9 <= operation <= 16:            # the carry is in both, as VEX's translation has it
                b, c = b ^ c & 1, c & 1
            found = flags_of(operation, *(number(x, 64) for x in (a, b, c)))
            flags = theirs(operation, a, b, c)
            for f in 'cszo':
                if known(found[f]) != flags >> FLAGS[f] & 1:
                    return 'flag %s after %d of %#x, %#x, %#x' % (f, operation, a, b, c)
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--short', action='store_true', help='some cases of each form')
    parser.add_argument('--only', default='', help='forms with this text')
    parser.add_argument('objects', nargs='+')
    args = parser.parse_args()
    global OBJ, CONSTANTS, SHORT
    OBJ, SHORT = Objects(args.objects), args.short
    CONSTANTS = constants(OBJ)
    jobs, wide = work(OBJ)
    wrong = thunks()
    good, count, total, remarks = not wrong, collections.Counter(), collections.Counter(), {}
    print('%s flags are as VEX has them%s' % ('not ok' if wrong else 'ok', ': %s' % wrong if wrong else ''))
    for kind, form, why, n, compared, remark in parallel(judge, [j for j in jobs if args.only in j[1]]):
        total.update(compared)
        count[kind] += not why
        count['cases'] += n
        remarks.setdefault(remark, set()).add(form.split()[0])
        if why:
            good = False
            print('not ok ' + why, flush=True)
    names = {'general', 'vector', 'memory', 'stack', 'b', 'e', 'be', 's', 'l', 'le', 'jump'}
    good &= bool(args.only) or names <= total.keys()
    print('%s %d forms, %d conditions of jumps and %d addresses agree with VEX for all inputs: '
          '%d cases; %s' % ('ok' if good else 'not ok', count['form'], count['jump'],
                            count['address'], count['cases'], ', '.join(
                                '%s %d' % (name, total[name]) for name in sorted(names))))
    print('# aligned for both: %s; for the engine alone: %s' % tuple(', '.join(
        sorted(remarks.get(r, ()))) for r in ('aligned', 'aligned for the engine alone')))
    print('# %d forms with AVX-512 are not known to VEX' % wide)
    return not good


if __name__ == '__main__':
    sys.exit(main())
