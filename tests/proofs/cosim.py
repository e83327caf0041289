#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""
cosim.py [--short] OBJECT...: whole functions, run by the engine on constants and by this CPU.

They begin with the same random registers, flags and memory, at many lengths, alignments and
overlaps. In the end memory, the stack below the return address too, general, vector and mask
registers, carry and zero flag must be the same, and the function must have returned. States, tags
and texts must also be those of a reference in plain arithmetic. That is all that is compared of
functions for which the CPU lacks instructions.
"""

import argparse
import ctypes
import os
import random
import sys

from chacha import AT
from check import P, double_rounds, parallel
from cpu import Cpu, Failed, NAMES, PRESERVED, RSP, ZERO
from loader import Objects
from native import (CPU, FLAGS, MASK, Machine, PAGE, SLOT, TARGET, VEC, WIDE, WORDS, child, operand,
                    runnable)
from proof import ARGUMENTS
from prove import FUNCTIONS as PROOFS
from values import Infeasible, Stuck, const

CLAMP = 0x0ffffffc0ffffffc0ffffffc0fffffff
FLAG = 'poly1305_has_mulx'


def number(data):
    return int.from_bytes(data, 'little')


def numbers(*values):
    return b''.join(x.to_bytes(8, 'little') for x in values)


# The arguments of a case are numbers, and places: (region, its size, offset).

def blocks(rng, n):
    return [('state', 240, 0), ('data', 16 * n, 0), n, rng.randrange(2) | rng.getrandbits(32) << 32]


def digest(rng, n):
    tag = [('tag', 16, 0), *(('key', 32, i) for i in (0, 7, 16)), ('data', n, n - 16)]
    return [('key', 32, 0), ('data', n, 0), n, rng.choice(tag[:5 if n > 15 else 4])]


def chacha(rng, n):
    return [('words', 64, 0), (rng.choice(['dst', 'src']), n, 0), ('src', n, 0), n, ('key', 32, 0),
            n & 1 | rng.getrandbits(56) << 8]


def strides(rng, n):
    """n strides with the MAC's text apart or the stride before dst; or one with block 0 if n is 0"""
    size, b, dst = 512 * (n or 1) + 512, rng.randrange(11), rng.choice(['dst', 'src'])
    mac, b = rng.choice([(('data', 64 * b * n, 0), b), ((dst, size, 0), 8)]) if n else (('data', 704, 0), 11)
    return [FRAME, mac, b, (dst, size, 512), ('src', size, 512), n or 1]


def rows(rng, n):
    b = rng.randrange(11)
    return [FRAME, ('data', 64 * b, 0), b, n]


def mulx(rng, n):
    e = rng.randrange(0 if n else 1, 4)
    return [MAC, ('data', 16 * n, 0), n, ('end', 16 * e, 0), e,
            rng.choice([('tag', 16, 0), MAC[:2] + (AT['MAC_END'] + 48,)])]


def stream(_, n):
    return [FRAME, n]


ALIGN = {'state': 8, 'mac': 8, 'chapoly': 32}       # of regions that are structs
FRAME = 'chapoly', AT['STREAM'] + 512, 0
MAC = 'mac', AT['MAC_END'] + 64, 0
LONG = [223, 224, 225, 240, 255, 256, 300, 479, 480, 511, 512, 600]
# Function -> (arguments, lengths of the short form, and others)
CASES = {
    'poly1305_blocks_x86_64': (blocks, range(8), range(20)),
    'poly1305_blocks_mulx': (blocks, range(8), range(20)),
    'poly1305_blocks_generic': (blocks, range(8), range(20)),
    'poly1305_blocks_sse2': (blocks, [0, 1, 63, 64, 67, 131], [*range(160), *LONG]),
    'poly1305_blocks_avx2': (blocks, [*range(12), 15, 30], [*range(90), 500, 501]),
    'poly1305_blocks_avx512': (blocks, [*range(10), 17, 31, 270, 400, 1100], [
        *range(70), *LONG, 1500]),
    'poly1305_digest_x86_64': (digest, range(52), range(100)),
    'poly1305_digest_mulx': (digest, [*range(50), *range(80, 100), 127], range(200)),
    'poly1305_digest_avx2': (digest, [30, 143, 144, 200, 385], [*range(64, 600, 7), 5001]),
    'poly1305_digest_avx512': (digest, [*range(17), 97, 128, 190, 300, 5000], [
        *range(0, 700, 5), *(16 * n + 5 for n in LONG), 20000]),
    'poly1305_emit': (lambda *_: [('h', 24, 0), ('s', 16, 0), ('tag', 16, 0)], range(9), range(99)),
    'chacha20_avx512': (chacha, [0, 1, 64, 251, 500, 1101, 1600], [
        *range(20, 1700, 64), *range(64, 1700, 64), *range(1, 1700, 64), 3201]),
    'poly1305_packet_avx512': (lambda rng, n: [MAC, ('data', n, 0), n, ('tag', 16, 0)], [
        128, 129, 143, 144, 257, 1420], [*range(128, 400, 5), *(16 * n + 5 for n in LONG), 16384]),
    'chapoly_avx2_strides': (strides, [0, 1, 2], [0] * 4 + [1] * 20 + [2, 3]),
    'chapoly_avx2_rows': (rows, [1, 2, 3, 6], range(1, 7)),
    'chapoly_x86_begin': (lambda rng, n: [FRAME, ('key', 32, 0), ('nonce', 12, 0), operand(rng),
                                          operand(rng)], range(2), range(20)),
    'chapoly_x86_xor': (lambda rng, n: [(rng.choice(['dst', 'src']), n, 0), ('src', n, 0),
                                        ('stream', n, 0), n], [*range(34), 70], range(160)),
    'chapoly_x86_wipe': (stream, [32, 64, 800], range(32, 801, 32)),
    'chapoly_mulx': (mulx, range(4), range(20)),
}


def content(rng, name, size):
    """What is in a region at first"""
    r = number(rng.choice([rng.randbytes(16), bytes(16), b'\xff' * 16])) & CLAMP
    low, high, h = r % (1 << 64), r >> 64, [operand(rng), operand(rng)]
    if name == 'state':
        return numbers(*h, rng.randrange(5), low, high, 0) + rng.randbytes(size - 48)
    if name in ('chapoly', 'mac'):
        mac = numbers(*h, rng.choice([0, 3, 1 << 62]), low, high, *h, high + high // 4, 5 * low,
                      rng.randrange(2)) + bytes(48) + rng.randbytes(16)
        mac = rng.randbytes(AT['H'] if name == 'chapoly' else 0) + mac
        return mac + rng.randbytes(size - len(mac))
    if name == 'h':
        return (P - 2 + rng.randrange(9)).to_bytes(24, 'little') if rng.randrange(2) else \
            numbers(*h, rng.randrange(5))
    return rng.choice([rng.randbytes(size), bytes(size), b'\xff' * size])


def expected(name, args, old, new):
    """Pairs of what the reference makes of the regions before, and what is there afterwards"""
    def horner(h, r, data, hibit=1):
        for i in range(0, len(data), 16):
            h = (h + number(data[i:i + 16]) + (hibit << 8 * len(data[i:i + 16]))) * r % P
        return h
    if 'blocks' in name:
        h, state = number(old['state'][:24]), new['state']
        yield horner(h, number(old['state'][24:40]), old['data'], args[3] & 1) % P, \
            number(state[:24]) % P
        yield True, number(state[16:24]) <= 4
    elif 'digest' in name:
        region, _, at = args[3]
        h = horner(0, number(old['key'][:16]) & CLAMP, old['data']) + number(old['key'][16:])
        yield h % (1 << 128), number(new[region][at:at + 16])
    elif 'packet' in name or 'mulx' in name:
        mac, (region, _, at) = old['mac'], args[-1]
        x, r, s, fresh = (number(mac[AT[at] + i:][:n]) for at, i, n in (
            ('MAC_H', 0, 24), ('MAC_R', 0, 16), ('MAC_R', 16, 16), ('MAC_FRESH', 0, 8)))
        data = old['data'] + (old['end'] if 'mulx' in name else
                              bytes(-len(old['data']) % 16) + mac[AT['MAC_END'] + 48:])
        h = horner(0 if fresh and 'mulx' in name else x * r, r, data)
        yield (h + s) % (1 << 128), number(new[region][at:at + 16])
        if 'mulx' in name:
            yield h % P, number(new['mac'][:24]) * r % P
    elif 'chacha20' in name:
        x, key, n = [number(old['words'][i:i + 4]) for i in range(0, 64, 4)], b'', args[3]
        for i in range(n // 64 + 2):
            y = double_rounds(x, 10)
            key += b''.join(((a + b) % (1 << 32)).to_bytes(4, 'little') for a, b in zip(x, y))
            x[12] = (x[12] + 1) % (1 << 32)
        with_key = args[5] & 1
        yield bytes(map(int.__xor__, old['src'], key[64 * with_key:])), new[args[1][0]][:n]
        if with_key:
            yield key[:32], new['key']


class Concrete(Cpu):
    """The engine with an address for each base; it carries out calls."""

    def __init__(self, obj, at):
        super().__init__(obj)
        self.at = at

    def forget_below(self):
        """Nothing else writes below the stack pointer here."""

    def do_call(self, insn, ops):
        """What it leaves below the stack pointer may lie in a later frame."""
        stack, low_water = self.of('stack'), self.of('stack').low_water
        self.regs[RSP] = self.ctx.plus(self.regs[RSP], -8)
        self.write(self.regs[RSP], 8, const(self.at[insn.at[:2]] + insn.after[2]), '')
        self.run(insn.target or self.obj.symbols[insn.symbol])
        self.regs[RSP] = self.ctx.plus(self.regs[RSP], 8)
        stack.low_water = low_water

    def base(self, region):
        if region.name == 'frame':
            return self.at['stack'] + self.of('stack').lo.lo - region.hi.lo & -region.align
        return self.at[region.name]

    def number(self, x):
        """The number that a value is; None if that is not known"""
        total = 0
        for m, c in self.ctx.norm(x.p).items():
            if m and m[0] not in self.regions:
                return None
            total += c * self.base(self.regions[m[0]]) if m else c
        return total


class Harness:
    """The functions of some objects, for this CPU and for the engine"""

    def __init__(self, files):
        self.obj, self.machine, self.seen = Objects(files), Machine(files, slots=8), set()
        here = {name for name, _ in self.obj.functions.values()}
        self.names = [n for n in CASES if n in here]

    def runs_here(self, name):
        """Whether the CPU has all instructions of a function's file"""
        file = self.obj.entry(name)[0]
        return all(runnable(i) for i in self.obj.code.values() if i.at[0] == file)

    def prepare(self, name, rng, n, before=None):
        """
        Fill the slots for a case: (arguments, {region: bytes}, {region: address}, registers). The
        state may be that of an earlier case.
        """
        machine, regions, at = self.machine, {'stack': b''}, {}
        args = CASES[name][0](rng, n)
        for x in args:
            if isinstance(x, tuple) and x[0] not in regions:
                regions[x[0]] = content(rng, *x[:2])
        if before and rng.randrange(2) and 'state' in before:
            regions['state'] = before['state']
        for slot, (region, data) in zip(machine.slots, regions.items()):
            machine.memory[slot:slot + SLOT] = rng.randbytes(256) * (SLOT // 256)
            shift, last = rng.choice([0, 0, rng.randrange(64)]), rng.randrange(4) > 0
            if region == 'stack':
                data, shift, last = numbers(machine.at['land']), 56 + (shift & -8), True
            where = slot + (SLOT - len(data) - shift if last else shift) & -ALIGN.get(region, 1)
            machine.memory[where:where + len(data)] = data
            at[region] = machine.base + where
        if FLAG in machine.at:
            ctypes.c_bool.from_address(machine.at[FLAG]).value = not rng.randrange(4)
        entry = self.obj.entry(name)
        state = (ctypes.c_uint64 * WORDS)(*(operand(rng) for _ in range(WORDS)))
        state[FLAGS] = 2 | rng.getrandbits(1) | rng.getrandbits(1) << 6
        state[TARGET] = machine.at[entry[:2]] + entry[2]
        for i, x in zip((RSP, *ARGUMENTS), [('stack', 8, 0), *args]):
            state[i] = at[x[0]] + x[2] if isinstance(x, tuple) else x
        return args, regions, at, state

    def engine(self, name, args, regions, at, state):
        """A function, as the engine has run it"""
        cpu = Concrete(self.obj, {**self.machine.at, **at})
        cpu.red_zone = 0 if PROOFS[name].wipes else 128         # of compiled code
        if FLAG in self.machine.at:
            cpu.region(FLAG, ZERO, const(1), False)
            regions = {**regions, FLAG: ctypes.string_at(self.machine.at[FLAG], 1)}
        for region, data in regions.items():
            if region not in cpu.bases:
                cpu.region(region, ZERO, const(len(data)))
                cpu.of(region).align = ALIGN.get(region, 1)
            cells = cpu.cells(cpu.of(region), {})
            for i in range(0, len(data), 8):
                cells[i] = len(data[i:i + 8]), const(number(data[i:i + 8]))
        words = list(map(const, state))
        cpu.regs, cpu.mask = words[:16], words[MASK:MASK + 8]
        cpu.vec = [words[i:i + 8] for i in range(VEC, MASK, 8)]
        cpu.regs[RSP] = cpu.stack
        for i, x in zip(ARGUMENTS, args):
            if isinstance(x, tuple):
                cpu.regs[i] = cpu.ctx.plus(cpu.bases[x[0]], x[2])
        cpu.c, cpu.z = const(state[FLAGS] & 1), const(1 - (state[FLAGS] >> 6 & 1))
        cpu.run(self.obj.entry(name))
        self.seen |= cpu.seen
        return cpu

    def compare(self, name, rng, n, here, before=None):
        """Run a case: (what differs or None, the regions afterwards)"""
        args, regions, at, state = self.prepare(name, rng, n, before)
        cpu, machine, want = self.engine(name, args, regions, at, state), self.machine, {}
        for region in cpu.regions.values():
            for cells in region.cells.values() if region.name in (*regions, 'frame') else ():
                for offset, (size, x) in cells.items():
                    x, where = cpu.number(x), cpu.base(region) + offset
                    if x is None:
                        return 'memory is not known: %s%+d' % (region.name, offset), None
                    want.update(zip(range(where, where + size), x.to_bytes(size, 'little')))
        after = {region: bytes(want[at[region] + i] for i in range(len(data)))
                 for region, data in regions.items()}
        if any(x != y for x, y in expected(name, args, regions, after)):
            return 'the reference has another result', None
        if not here:
            return None, after
        memory = {slot: bytearray(machine.memory[slot:slot + SLOT]) for slot in machine.slots}
        for where, x in want.items():
            slot = (where - machine.base) // (SLOT + PAGE) * (SLOT + PAGE) + PAGE
            memory[slot][where - machine.base - slot] = x
        machine.run(state)
        for slot, data in memory.items():
            if machine.memory[slot:slot + SLOT] != data:
                i = next(i for i in range(SLOT) if machine.memory[slot + i] != data[i])
                return 'memory: %s%+d' % next(
                    (r, machine.base + slot + i - x) for r, x in at.items()
                    if slot <= x - machine.base <= slot + SLOT), None
        state[RSP] -= 8         # which ret has taken
        values = [(NAMES[i], state[i], cpu.regs[i]) for i in (RSP, *PRESERVED)]
        values += [('vector %d.%d' % (i, j), state[VEC + 8 * i + j], cpu.vec[i][j])
                   for i in range(16 + 16 * WIDE) for j in range(4 + 4 * WIDE)]
        values += [('mask %d' % i, state[MASK + i], cpu.mask[i]) for i in range(8 * WIDE)]
        values = [(what, x, cpu.number(y)) for what, x, y in values]
        # Of what a caller may not rely on, such as half of an address, the engine may know nothing.
        junk = [(name, state[i], cpu.number(cpu.regs[i])) for i, name in enumerate(NAMES)
                if i not in (RSP, *PRESERVED)]
        junk += [('carry', state[FLAGS] & 1, cpu.number(cpu.c)),
                 ('not zero', 1 - (state[FLAGS] >> 6 & 1), cpu.number(cpu.z) and 1)]
        values += [x for x in junk if x[2] is not None]
        wrong = ['%s: %#x, engine %s' % (what, x, y if y is None else '%#x' % y)
                 for what, x, y in values if x != y]
        return wrong[0] if wrong else None, after

    def function(self, name, short):
        """(how many cases agree, what does not agree or None, places where they have been)"""
        rng, before, here = random.Random(name), None, self.runs_here(name)
        _, few, more = CASES[name]
        for done, n in enumerate([*few] if short else [*few, *more]):
            try:
                wrong, before = self.compare(name, rng, n, here, before)
            except (Stuck, Failed, Infeasible) as e:
                wrong = str(e)
            if wrong:
                return done, 'length %d: %s' % (n, wrong), self.seen
        return done + 1, None, self.seen


def job(name):
    return name, HARNESS.runs_here(name), child(lambda: HARNESS.function(name, SHORT), 600)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--short', action='store_true')
    parser.add_argument('objects', nargs='+')
    args = parser.parse_args()
    global HARNESS, SHORT
    HARNESS, SHORT = Harness(args.objects), args.short
    good, total, seen = bool(HARNESS.names), {True: 0, False: 0}, set()
    for name, here, result in parallel(job, HARNESS.names):
        done, wrong, places = (0, result, ()) if isinstance(result, str) else result
        total[here] += done
        seen.update(places)
        if wrong:
            good = False
            print('not ok %s, %s' % (name, wrong))
    code = [i for name, _ in set(HARNESS.obj.functions.values()) for i in HARNESS.obj.body(name)]
    left = [i for i in code if i.at not in seen]
    for insn in left[:0 if SHORT else 20]:
        good = False
        print('not ok not reached: %s+%#x %s' % (
            os.path.basename(insn.at[0]), insn.at[2], insn.text))
    print('%s %d functions: %d runs agree with %s, %d with the reference alone; %d of %d '
          'instructions ran' % ('ok' if good else 'not ok', len(HARNESS.names), total[True], CPU,
                                total[False], len(code) - len(left), len(code)))
    return not good


if __name__ == '__main__':
    sys.exit(main())
