#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""
validate.py [--short] [--record FILE] [--known FILE] OBJECT...: compare the engine with this CPU.

A form of an instruction is its name with the kinds, sizes and equalities of its operands, and
its immediate numbers. Each form in the objects is executed on random and extreme operands, and
by the engine on variables, whose results are evaluated then: that tests divisions and intervals.
Registers, vectors, masks and memory must agree; so must each condition that the engine knows, after
flags that a comparison has left. A form that the engine does not understand is a
failure. --record writes the CPU's name and the forms that need AVX-512 to a file; --known names
files with what other CPUs have shown. Forms that neither this CPU nor a file has shown are named,
and make the result a failure.
"""

import argparse
import ctypes
import random
import sys

from check import Checked, parallel
from cpu import Cpu, RAX, RCX, RDX, RSP, R15
from loader import Objects, PADDING
from native import CPU, FLAGS, FULL, MASK, MEM, Machine, TARGET, VEC, WIDE, WORDS, operand, runnable
from values import Infeasible, Stuck, const, only_variable

# Cosimulation has them, or they are without any effect
UNTESTED = PADDING | {'movs', 'push', 'pop', 'call', 'ret', 'jmp', 'endbr64', 'prefetcht0'}
# What the engine may know of the flags, with the names of conditions; "b of two" is the carry by
# what was compared.
FLAG_NAMES = {'b', 'b of two', 'e', 'be', 's', 'l', 'le'}
SIGNS = {'cmp', 'sub', 'add', 'dec'}
# Operands that the engine wants to know: the numbers of masks, counts and orders
WANTED = {'div': (0,), 'shrx': (2,), 'bzhi': (2,), 'vpshufb': (2,), 'pshufb': (1,),
          'vpermd': (1,), 'vpermi2q': (0,), 'kxorb': (1, 2), 'kxnorq': (1, 2), 'vpternlogq': (2,),
          **dict.fromkeys(('and', 'test', 'pand', 'vpand', 'vpandq'), (-1,))}
# Of these each byte must be 0 in one of two operands, or the second has ones at the top alone.
DISJOINT = {'or': (0, 1), 'por': (0, 1), 'vpor': (1, 2), 'vporq': (1, 2), 'vpternlogq': (0, 1)}


def shape(insn, ops):
    """The form of an instruction"""
    parts, seen = [insn.name], {}
    for op in ops:
        if op.kind == 'number':
            parts.append('%d' % op.value)
        elif op.kind == 'memory':
            size = 'mem%d%s' % (op.size, 'b' if op.broadcast else '')
            parts.append(size if insn.name != 'lea' else 'address:%d%d*%d%+d' % (
                op.base is not None, op.index is not None, op.scale,
                (op.displacement > 0) - (op.displacement < 0)))
        else:
            n = seen.setdefault((op.kind, op.number), len(seen))
            parts.append('%s%d.%d%s' % (op.kind, op.size, n, 'cl' if op.text == 'cl' else ''))
        parts[-1] += '{k}{z}' if op.zeroing else '{k}' if op.masking else ''
    return ' '.join(parts)


def forms(obj):
    """{form: instruction, with its memory at r15}; those that need the stack are left out."""
    found = {}
    for insn in obj.code.values():
        if insn.name in UNTESTED or insn.name[0] == 'j':
            continue
        ops = insn.ops
        memory = [op for op in ops if op.kind == 'memory']
        if insn.name == 'lea' and ('rip' in insn.text or 'rsp' in insn.text):
            continue
        if any(op.kind == 'general' and (op.number == RSP or memory and op.number == R15)
               for op in ops):
            continue
        if memory and insn.name != 'lea':
            insn = insn.at_register(R15)
        found.setdefault(shape(insn, ops), insn)
    return found


def words(place):
    """Which words of a state a place has"""
    kind, number = place
    return {'general': lambda: [number], 'number': lambda: (), 'mask': lambda: [MASK + number],
            'memory': lambda: range(MEM, WORDS),
            'vector': lambda: range(VEC + 8 * number, VEC + 8 * number + 8)}[kind]()


class Case:
    """An instruction, the state that it begins with, and what the engine may take for granted"""

    def __init__(self, insn, rng):
        self.insn, self.state = insn, [operand(rng) for _ in range(WORDS)]
        places = [(op.kind, op.number) for op in insn.ops]
        self.memory = insn.name != 'lea' and any(op.kind == 'memory' for op in insn.ops)
        self.used = set(places) | {('memory', None), ('general', RAX), ('general', RDX)} | {
            ('general', i) for op in insn.ops if op.kind == 'memory' for i in (op.base, op.index)}
        self.known = {places[i] for i in WANTED.get(insn.name, ()) if i < len(places)}
        self.known |= {('mask', k) for op in insn.ops for k in op.masking}
        self.known |= {('general', RCX)} if any(op.text == 'cl' for op in insn.ops) else set()
        if insn.name == 'vpermq' and insn.ops[2].kind != 'number':
            self.known.add(places[1])
        x = operand(rng)
        y = rng.choice([operand(rng), x, max(0, x - 1)])
        self.first, d = (x, y), x - y & FULL
        self.state[FLAGS] = 2 | (x < y) | (x == y) << 6 | d >> 63 << 7 | \
            ((x ^ y) & (x ^ d)) >> 63 << 11
        if insn.name == 'div':          # of one word, by a number that is not 0
            self.known.add(('general', RDX))
            self.state[RDX] = 0
            self.state[places[0][1]] |= 1
        self.parts = {}                 # of a place: (byte, bytes) of its words that are not 0
        if insn.name in SIGNS and rng.randrange(2):     # without ones at the top, signs are known
            self.parts = dict.fromkeys(places, [(0, 3)])
        if insn.name in DISJOINT:
            first, second = (places[i] for i in DISJOINT[insn.name])
            taken = rng.choice([0xf0, rng.getrandbits(8)])
            self.parts = {first: [(i, 1) for i in range(8) if taken >> i & 1],
                          second: [(i, 1) for i in range(8) if not taken >> i & 1]}
            if second[0] == 'number' or rng.randrange(4) == 0 and insn.ops[0].size > 4:
                self.parts = {}
                self.known.add(second)
                for at in words(second):
                    self.state[at] = -1 << rng.randrange(64) & FULL
        for place, parts in self.parts.items():
            for at in words(place):
                self.state[at] &= sum((1 << 8 * n) - 1 << 8 * i for i, n in parts)
        if insn.name in SIGNS and rng.randrange(3) == 0:        # and differences are small
            last, places = insn.ops[-1], [p for p in places if p[0] != 'number']
            same = last.value if last.kind == 'number' else self.state[words(places[0])[0]]
            for at in [at for place in places for at in words(place)] if same >> 24 == 0 else ():
                self.state[at] = max(0, same - rng.randrange(3))

    def native(self, number):
        """The state that the CPU makes of it"""
        state = (ctypes.c_uint64 * WORDS).from_address(MACHINE.base + MACHINE.slots[0])
        state[:] = self.state
        state[TARGET] = MACHINE.at['t%d' % number]
        if self.memory:
            state[R15] = ctypes.addressof(state) + 8 * MEM
        MACHINE.run(state)
        return list(state)

    def engine(self):
        """{what: number} that the engine makes of it; what is a word of the state, or a flag"""
        cpu, inputs, mem = Cpu(OBJ), [], None
        ctx = cpu.ctx

        def values(kind, number=None):
            place = kind, number
            for at in words(place):
                x = self.state[at]
                if place not in self.used or place in self.known:
                    yield const(x)
                    continue
                total = const(0)
                for i, n in self.parts.get(place, [(0, 8)]):
                    y = ctx.word('%s %s' % place, 8 * n)
                    inputs.append((only_variable(y), x >> 8 * i & (1 << 8 * n) - 1))
                    total = ctx.add(total, ctx.times(y, 1 << 8 * i))
                yield total
        cpu.regs = [next(values('general', i)) for i in range(16)]
        cpu.regs[RSP] = cpu.stack
        if self.memory:
            mem = cpu.regs[R15] = cpu.region('mem', const(0), const(128))
            cpu.of('mem').align = 64
            for i, x in enumerate(values('memory')):
                cpu.write(ctx.plus(mem, 8 * i), 8, x)
        cpu.vec = [list(values('vector', i)) for i in range(32)]
        cpu.mask = [next(values('mask', i)) for i in range(8)]
        if self.insn.name[:3] in ('set', 'cmo') or self.parts:
            cpu.compare(*map(const, self.first), 64)
        else:
            pair = [ctx.word('compared') for _ in self.first]
            inputs += zip(map(only_variable, pair), self.first)
            cpu.compare(*pair, 64)
        cpu.step(self.insn)
        value_of = Checked(ctx, inputs).sample(random.Random(1))

        def evaluate(x):
            y = value_of(x.p)
            if not x.lo <= y <= x.hi:
                raise Stuck('%#x is outside [%#x, %#x]' % (y, x.lo, x.hi))
            return y
        found = {i: x for i, x in enumerate(cpu.regs) if i != RSP and x is not mem}
        found.update((VEC + 8 * i + j, cpu.vec[i][j]) for i in range(16 + 16 * WIDE)
                     for j in range(4 + 4 * WIDE))
        found.update((MASK + i, cpu.mask[i]) for i in range(8 * WIDE))
        if self.memory:
            found.update((MEM + i, cpu.read(ctx.plus(mem, 8 * i), 8)) for i in range(16))
        found = {at: evaluate(x) for at, x in found.items()}
        orders = {'b': (ctx.times(cpu.c, -1), 1), 'b of two': (cpu.compared, 1), **cpu.orders()}
        for name, (x, least) in orders.items():
            if x is not None and not self.unknown(ctx, x):
                found[name] = int(-evaluate(x) >= least)
        if not self.unknown(ctx, cpu.z):
            found['e'] = int(evaluate(cpu.z) == 0)
        return found

    @staticmethod
    def unknown(ctx, x):
        return any(ctx.names[v].startswith('unknown') for m in x.p for v in m)

    def wrong(self, number, compared):
        """
        What differs, or None. Counts the flags that were compared. Without a number the CPU lacks
        the instruction.
        """
        found = self.engine()
        if number is None:
            return None
        after = self.native(number)
        carry, zero, sign, overflow = (after[FLAGS] >> i & 1 for i in (0, 6, 7, 11))
        flags = {'b': carry, 'b of two': carry, 'e': zero, 'be': carry | zero, 's': sign,
                 'l': sign ^ overflow, 'le': zero | sign ^ overflow}
        for what, x in found.items():
            if what in flags:
                compared[what] = compared.get(what, 0) + 1
            y = flags[what] if what in flags else after[what]
            if x != y:
                return '%s of the state is %#x, engine %#x' % (what, y, x)
        return None


def validate(job):
    """What is wrong with a form, or None, and which flags were compared how often"""
    number, insn, trials = job
    rng, compared = random.Random(insn.text), {}
    for _ in range(trials):
        try:
            wrong = Case(insn, rng).wrong(number, compared)
        except (Stuck, Infeasible) as e:
            wrong = 'not understood: %s' % e
        if wrong:
            return '%s: %s' % (insn.text, wrong), compared
    return None, compared


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--short', action='store_true')
    parser.add_argument('--record')
    parser.add_argument('--known', nargs='*', default=[])
    parser.add_argument('objects', nargs='+')
    args = parser.parse_args()
    global MACHINE, OBJ
    OBJ = Objects(args.objects)
    every, flags, good, trials = forms(OBJ), {}, True, 4 if args.short else 20
    here = [form for form in sorted(every) if runnable(every[form])]
    MACHINE = Machine(texts=[every[form].source() for form in here])
    jobs = [(here.index(form) if form in here else None, every[form], trials) for form in every]
    results = list(parallel(validate, jobs))
    for wrong, compared in results:
        if wrong:
            good = False
            print('not ok ' + wrong)
        flags.update((name, flags.get(name, 0) + n) for name, n in compared.items())
    shown = {form for form, (wrong, _) in zip(every, results) if form in here and not wrong}
    good &= flags.keys() == FLAG_NAMES
    print('%s %d forms of %d instructions agree with %s: %d runs on variables; flags: %s' % (
        'ok' if good else 'not ok', len(shown), len({form.split()[0] for form in shown}), CPU,
        trials * len(here), ', '.join('%s %d' % item for item in sorted(flags.items()))))
    if args.record:
        with open(args.record, 'w', encoding='ascii') as stream:
            stream.write('# SPDX-License-Identifier: GPL-2.0 OR MIT\n# %s\n' % CPU)
            wide = {f for f in shown if any('512' in x for x in every[f].features())}
            for name in sorted({f.split()[0] for f in wide}):
                rest = [f[len(name) + 1:] for f in sorted(wide) if f.split()[0] == name]
                stream.write((name + ' ' + '; '.join(rest)).strip() + '\n')
    for file in args.known:
        with open(file, encoding='ascii') as stream:
            for line in stream:
                form, _, rest = line.rstrip('\n').partition(' ')
                shown |= {(form + ' ' + x.strip()).strip() for x in rest.split(';')}
    missing = sorted(set(every) - shown)
    print('%s %d of %d forms are validated, on this CPU or by a record' % (
        'not ok' if missing else 'ok', len(every) - len(missing), len(every)))
    for form in missing:
        print('# never validated: %s (%s)' % (form, every[form].text))
    return not good or bool(missing)


if __name__ == '__main__':
    sys.exit(main())
