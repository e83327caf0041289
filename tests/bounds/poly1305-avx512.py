#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Worst-case sizes of every lane in arch/x86/poly1305-avx512.S, as TAP.

The script executes the macros of poly1305-avx512.h and poly1305-avx512-long.h
as they stand, on the greatest value that each register can have. All operations
are monotonic, so the greatest inputs give the greatest outputs. (The result of a
mask is at most the mask.) Where such bounds are too coarse, it executes macros on exact numbers.
"""

import itertools
import os
import re
import sys

X86 = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../arch/x86")
M42, M44, M52, M64 = 2**42 - 1, 2**44 - 1, 2**52 - 1, 2**64 - 1
P = 2**130 - 5
MEMORY = {"by_2_156": 5 << 26, "by_2_140": 20 << 8, "by_2_132": 20,
          "by_2_130": 5, "by_2_8": 1 << 8, "by_2_20": 1 << 20, "by_1": 1,
          "by_2_36": 1 << 36, "by_2_44": 1 << 44, "mask52": M52}
MASKS = {"M44": M44, "M42": M42, "M52": M52, "M26": 2**26 - 1}
# Macros in which the multiplier may ignore bits above 52: they multiply message
# words, or columns whose upper bits the code takes separately.
TRUNCATES = {"mul52_limb0", "mul52_limb1", "mul52_limb2", "add52", "fold52",
             "begin_sums"}
# Macros in which the low half of a product is the whole product
WHOLE = {"times20", "join44", "carry44", "wrap_around"}
# Macros that multiply, and split the next vector
SPLITTING = ("mul52_split52",)
# Macros in which vpsllq shifts bits out that limb 2 has
SHIFTS_OUT = ("mul52_split52", "shift_words")
# Macros that begin sums with blocks, and their arguments
BEGIN, SHIFT = ("begin_sums", "HIBIT"), ("shift44", "L")
macros, alias, results = {}, {}, {}

text = ""
for header in "poly1305-avx512.h", "poly1305-avx512-long.h":
    with open(os.path.join(X86, header), encoding="ascii") as f:
        text += f.read()
GROUP = int(re.search(r"^\.set GROUP,\s+(\d+)$", text, re.M).group(1))
for m in re.finditer(r"^\.macro\t(\w+)[ \t]*(.*)\n((?:.*\n)*?)\.endm", text,
                     re.M):
    macros[m[1]] = (m[2].replace(",", " ").split(), m[3].split("\n"))
for m in re.finditer(r"^\.set (\w+),\s+([A-Z]\w+)\b(?! *\*)", text, re.M):
    alias[m[1]] = m[2]


def check(what, ok):
    """Remember whether it held in every computation."""
    results[what] = results.get(what, True) and bool(ok)


class Lane:
    """One lane of the registers: greatest values, or exact numbers"""

    def __init__(self, exact=False, **triples):
        self.reg = {}
        self.exact = exact
        for name, limbs in triples.items():
            self.put(name, limbs)

    def blocks(self, lo=M64, hi=M64, hibit=1):
        """Words in T0 and T1, the operands of vpunpck; bit 128."""
        self.reg.update({"T0": lo, "T1": hi, "HIBIT": hibit,
                         self.real("BIT24"): hibit << 24,
                         self.real("BIT40"): hibit << 40})
        return self

    def put(self, name, limbs):
        for i, limb in enumerate(limbs):
            self.reg[self.real(name + str(i))] = limb

    def get(self, name):
        return [self.reg[self.real(name + str(i))] for i in range(3)]

    def copy(self, other):
        self.reg = dict(other.reg)
        return self

    @staticmethod
    def real(name):
        return name if name in MASKS else alias.get(name, name)

    def value(self, operand):
        if operand[0] == "$":
            return int(operand[1:], 0)
        memory = re.match(r"\w+(?=\(%rip\))", operand)
        if memory:
            return MEMORY[memory[0]]
        return MASKS.get(operand, self.reg.get(self.real(operand)))

    def run(self, name, *args):
        """The macro called name; returns this lane."""
        params, lines = macros[name]
        for line in lines:
            line = line.split("/*")[0].strip()
            for param, arg in zip(params, args):
                line = re.sub(r"\\%s\b" % param, lambda _: arg, line)
            line = line.replace("\\()", "").replace("{1to8}", "")
            if line:
                op, _, rest = line.partition("\t")
                if not rest:
                    op, _, rest = line.partition(" ")
                ops = [x for x in re.split(r",\s*", rest.strip()) if x]
                if op in macros:
                    self.run(op, *ops)
                else:
                    self.step(name, op, ops)
        return self

    def step(self, name, op, ops):
        if op == "vpxorq":
            a = b = 0
        elif op == "vmovdqa64":
            a, b = self.value(ops[0]), None
        else:
            a, b = (self.value(x) for x in ops[:2])
        if op.startswith("vpmadd52"):
            if name not in TRUNCATES:
                check(name + ": factors fit 52 bits", max(a, b) <= M52)
            product = (a & M52 if self.exact else min(a, M52)) * \
                      (b & M52 if self.exact else min(b, M52))
            if op == "vpmadd52huq":
                out = product >> 52
            else:
                if name in WHOLE or name == "fold52" and "T1" in ops:
                    check(name + ": low halves are whole products",
                          product <= M52)
                out = product & M52 if self.exact else min(product, M52)
            out += self.value(ops[2])
        else:
            kind = op + ops[0] if op == "vpternlogq" else op
            out = {"vpaddq": lambda: a + b, "vpsllq": lambda: b << a,
                   "vpsrlq": lambda: b >> a, "vpxorq": lambda: 0,
                   "vpunpcklqdq": lambda: b, "vpunpckhqdq": lambda: a,
                   "vmovdqa64": lambda: a,
                   "vpshrdq": lambda: (b << 64 | self.value(ops[2])) >> a,
                   "vpandq": lambda: a & b if self.exact else min(a, b),
                   "vporq": lambda: a | b if self.exact
                   else 2**max(a.bit_length(), b.bit_length()) - 1,
                   # The AND of the first with the OR of the others
                   "vpternlogq$0xa8": lambda: b & (self.value(ops[2]) |
                                              self.value(ops[3])) if self.exact
                   else min(b, 2**max(self.value(x).bit_length()
                                      for x in ops[2:]) - 1)}[kind]()
        if op == "vpshrdq" or op == "vpsllq" and name in SHIFTS_OUT:
            out = out & M64 if self.exact else min(out, M64)
        check(name + ": results fit 64 bits", out < 2**64)
        self.reg[self.real(ops[-1])] = out


def most(*triples):
    return [max(limbs) for limbs in zip(*triples)]


def product(*pairs, op="carry44", begin=("zero_sums",), more=(0, 0, 0)):
    """carry44 or join44 of more and a sum of products that starts from blocks or 0."""
    lane = Lane().run("zero_high").blocks().run(*begin)
    for x, r in pairs:
        lane.put("X", x)
        lane.put("F", r)
        lane.run("times20", "F").run("mul44", "X", "F")
    lane.put("L", [a + b for a, b in zip(lane.get("L"), more)])
    u0, u1, u2 = lane.get("U")
    check("join44: 5120 U2 is below 2^52", 5120 * u2 < 2**52)
    check("join44: 2^8 U0 and 2^8 U1 are below 2^51", 2**8 * max(u0, u1) < 2**51)
    joined = Lane().copy(lane).run("join44").get("L")
    check("join44: L is below 2^55", max(joined) < 2**55)
    if op == "join44":
        return joined
    return carried(lane.run("carry44", "X").get("X"))


def carried(x):
    """The bounds stated at carry44"""
    x0, x1, x2 = x
    check("carry44: X0 is below 2^44 + 2^15.4", x0 < 2**44 + 2**15.4)
    check("carry44: X1 is below 2^44 + 2^11", x1 < 2**44 + 2**11)
    check("carry44: X2 is below 2^42 + 2^11", x2 < 2**42 + 2**11)
    return x


def added_by_mul44(x, r):
    """What one call adds, from 0"""
    lane = Lane(X=x, F=r).run("zero_sums").run("times20", "F").run("mul44", "X", "F")
    check("mul44: adds less than 3 * 2^52 to L", max(lane.get("L")) < 3 * 2**52)
    u0, u1, u2 = lane.get("U")
    check("mul44: adds less than 2^41.5 to U0 and U1", max(u0, u1) < 2**41.5)
    check("mul44: adds less than 2^38.6 to U2", u2 < 2**38.6)


def square(x):
    return carried(Lane(P=x).run("square", "P", "X").get("X"))


def strict():
    """strict52: two rounds by bounds, the rest of the third by numbers"""
    loose = [2**56 - 1] * 3
    lane = Lane(X=loose).run("ripple", "X")
    back = 5 * (lane.get("X")[2] >> 42)
    lane.run("wrap_around", "X")
    x0, x1, x2 = lane.get("X")
    check("strict52: the second carries are 0 or 1", x0 >> 44 <= 1 and
          x1 + 1 <= 2**44 and x2 < 2**42)
    # A carry out of limb 1 leaves 0 there, and less than back in limb 0.
    check("strict52: no carry follows the third", back + 5 < 2**44)
    edge = [0, 1, M42 - 1, M42, M42 + 1, M44 - 9, M44 - 5, M44 - 4, M44,
            M44 + 1, M44 + 6, 2**45 - 1, 2**46 - 1, 2**55 + 1, 2**56 - 1]
    for x in itertools.product(edge, repeat=3):
        y = Lane(exact=True, X=x).run("strict52", "X").get("X")
        check("strict52: powers have limbs below 2^52, 2^52, 2^26",
              y[0] <= M52 and y[1] <= M52 and y[2] < 2**26)
        check("strict52: the value stays", not
              (x[0] + (x[1] << 44) + (x[2] << 88)
               - y[0] - (y[1] << 52) - (y[2] << 104)) % P)


def first_of_long(x):
    """Radix 2^52 after the first vectors: bounds, then numbers"""
    x = Lane(X=x).run("ripple", "X").get("X")
    check("X before pack52 is below 2^44, 2^44 and 2^42 + 2^16",
          x[0] <= M44 and x[1] <= M44 and x[2] < 2**42 + 2**16)
    edge = [0, 1, 2**16 - 1, 2**16, 255, 2**41 + 1, M42, 2**42,
            2**42 + 2**16 - 1]
    for x in itertools.product(edge + [M44], edge + [M44], edge):
        y = Lane(exact=True, X=x).run("pack52", "X").get("X")
        check("pack52: limbs below 2^52, 2^52 and up to 2^26",
              y[0] <= M52 and y[1] <= M52 and y[2] <= 2**26)
        check("pack52: the value stays", limbs52(y) ==
              x[0] + (x[1] << 44) + (x[2] << 88))


def long_messages(mul):
    """Groups in radix 2^52, with either macro; returns the resulting limbs in radix 2^44."""
    lane = Lane().run("zero52").blocks().run("split52")
    lane.put("G", [M52, M52, 2**26 - 1])
    lane.put("X", [M52, M52, 2**26])
    for v in "Y" * (GROUP - 1) + "X":
        if v == "X":
            lane.run("add52", "Y")
            # Scalar blocks: words 0 and 1 and h2 <= 4, of 52 bits, 52 and the rest
            lane.put("T", [M64, M64, (4 << 24) + 2**24 - 1])
            lane.run("add52", "T")
        x = lane.get(v)
        check("mul52: limbs 2 make no high half", x[2] * (2**26 - 1) < 2**52)
        lane.blocks().run(mul, v)
        check(f"{mul}: limb 2 is below 2^25", lane.get("Y")[2] < 2**25)
    for column, bits in enumerate((57.1, 58.7, 59.4, 58.6, 56.1)):
        total = sum(lane.reg.get(lane.real(f"C{column}{a}"), 0) for a in "ABC")
        check(f"fold52: column {column} is below 2^{bits}", total < 2**bits)
    lane.run("fold52")
    check("fold52: c0 is below 2^58 in the end", lane.get("X")[0] < 2**58)
    check("fold52: the last carry is 0 or 1", lane.get("X")[1] >> 52 <= 1)
    check("fold52: X2 is up to 2^26", lane.get("X")[2] <= 2**26)
    return [M44, M44, 2**42 + 2**16]


def columns(lane):
    """The number that C holds"""
    return sum(lane.reg.get(lane.real(f"C{c}{a}"), 0) << 52 * c
               for c in range(5) for a in "ABC")


def limbs52(x):
    """The number with the limbs x, of which the multiplier takes 52 bits"""
    return (x[0] & M52) + ((x[1] & M52) << 52) + (x[2] << 104)


def folds():
    """fold52 keeps C modulo p, even if every carry goes all the way."""
    names = [f"C{c}{a}" for c, a in itertools.product(range(5), "ABC")
             if f"C{c}{a}" in alias]
    edge = [0, 1, M52, M52 + 1, 2**57 - 1]
    for c in itertools.product(edge, repeat=5):
        lane = Lane(exact=True)
        for name in names:
            lane.reg[lane.real(name)] = c[int(name[1])]
        before = columns(lane)
        x = lane.run("fold52").get("X")
        # Bits of X1 above 52 are in X2 as well.
        check("fold52: the value stays", not (before - limbs52(x)) % P)
        check("fold52: X2 is up to 2^26, in numbers", x[2] <= 2**26)


def words():
    """The start of sums and the limbs of blocks have the value of the words."""
    edge = [0, 1, 2**20 - 1, 2**24, 2**32, M44, M44 + 1, M52, M52 + 1, M64]
    for lo, hi in itertools.product(edge, repeat=2):
        whole = lo + (hi << 64) + (1 << 128)
        x = Lane(exact=True).blocks(lo, hi).run("split44", "Y", "HIBIT")
        x = x.get("Y")
        check("split44: the value stays", whole ==
              x[0] + (x[1] << 44) + (x[2] << 88))
        x = Lane(exact=True).blocks(lo, hi).run("shift44", "Y").get("Y")
        check("shift44: the value stays", whole ==
              x[0] + (x[1] << 44) + (x[2] << 88))
        x = Lane(exact=True).blocks(lo, hi).run("begin_sums", "HIBIT")
        check("begin: the value stays", whole == sum(
            (l << 44 * i) + (u << 44 * i + 52)
            for i, (l, u) in enumerate(zip(x.get("L"), x.get("U")))))
        x = Lane(exact=True).run("zero52").blocks(lo, hi).run("split52")
        check("split52: the value stays", whole == limbs52(x.get("Y")))
        check("add52: the value stays", whole == columns(x.run("add52", "Y")))
        x.put("G", [0, 0, 0])
        for mul in SPLITTING:
            x.blocks(hi, lo).run(mul, "Y")
            check(f"{mul}: C stays if G is 0", whole == columns(x))
            check(f"{mul}: the value stays", limbs52(x.get("Y")) ==
                  hi + (lo << 64) + (1 << 128))
    return most(Lane().blocks().run("split44", "Y", "HIBIT").get("Y"),
                Lane().blocks().run("shift44", "Y").get("Y"))


def main():
    block = words()
    check("blocks are below 2^44, 2^44, 2^41",
          block[0] < 2**44 and block[1] < 2**44 and block[2] < 2**41)
    h = [M44, M44, (5 << 40) - 1]
    state = [2**45 - 1, 2**45 - 1, 2**43 - 1]
    power = most(h, product((h, h)), state)
    x = [a + b for a, b in zip(block, h)]
    check("h + block is below 2^45, 2^45, 2^43",
          x[0] < 2**45 and x[1] < 2**45 and x[2] < 2**43)
    added_by_mul44(state, state)
    f = square(power)
    y = square(square(f))
    for _ in range(3):
        f = most(f, product((most(y, f), most(y, f))))
        y = most(y, f)
        x = most(x, product((x, power), begin=BEGIN))
        for begin in (BEGIN, SHIFT):
            x = most(x, product((block, power), (x, f), begin=begin))
        x = most(x, product((x, f), begin=SHIFT, more=h))
    check("powers for the state are below 2^45, 2^45, 2^43",
          all(a <= b for a, b in zip(f, state)))
    first_of_long(product((x, power), begin=BEGIN))
    y = most(y, product((y, f), op="join44"))
    check("what becomes strict is below 2^56", max(y) < 2**56)
    strict()
    for mul in SPLITTING:
        x = most(x, long_messages(mul))
    folds()

    last = most(product((x, power), op="join44"),
                product((block, power), (x, product((power, power))), op="join44"))
    d = [8 * limb for limb in last]
    check("the sums of eight lanes are below 2^58", max(d) < 2**58)
    check("h2 of the result is below 2^20", (d[2] >> 40) + 2 < 2**20)

    for n, (what, ok) in enumerate(results.items(), 1):
        print(f"{'ok' if ok else 'not ok'} {n} - avx512 {what}")
    print(f"1..{len(results)}")
    return 0 if all(results.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
