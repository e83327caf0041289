#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""
bits.py MINUTES SEED OBJECT...: change single bits of code at random, one in each object in turn.

A changed object goes through the short proofs of the functions that run the changed place. If these
hold all the same, its functions and the original ones run on many inputs. If memory, callee-saved
registers or the place of return differ, it is a failure, unless a whole proof fails. What a block
function leaves in a state may differ: another h of the same value, and other powers. So its results
are compared with plain arithmetic. Functions for which the CPU lacks instructions do not run.
"""

import itertools
import os
import pathlib
import random
import sys
import tempfile
import time

from elftools.elf.elffile import ELFFile

from check import parallel
from cosim import CASES, Harness
from cpu import PRESERVED, RSP
from faults import verdict
from native import SLOT, child
from prove import FUNCTIONS, INSIDE

INPUTS = 300


def code_of(file):
    """[(offset in a file, place)] of the bytes of functions that no relocation fills"""
    with open(file, 'rb') as stream:
        elf = ELFFile(stream)
        begins = {s.name: s['sh_offset'] for s in elf.iter_sections()}
        found = {(name, i): begins[name] + i for (of, name, begin), (_, size) in
                 HARNESS.obj.functions.items() if of == file for i in range(begin, begin + size)}
        for table in elf.iter_sections('SHT_RELA'):
            for r in table.iter_relocations():
                for i in range(r['r_offset'], r['r_offset'] + 4):
                    found.pop((table.name[5:], i), None)
    return sorted((offset, (file, *place)) for place, offset in found.items())


def proofs(file, names, inside=(), short=True):
    """Why a proof of these functions, which run those inside, fails, or None; the places seen"""
    why, obj, places = verdict(file, names, short)
    left = [] if why else [i.text for n in (*names, *inside) for i in obj.body(n)
                           if i.at not in places]
    return 'not reached: ' + left[0] if left else why, places


def unchanged(job):
    return proofs(*job)


def outcome(harness, name, n, seed):
    """What a run by this CPU leaves"""
    _, _, at, state = harness.prepare(name, random.Random(seed), n, ('dst', 'src')[seed % 2])
    before, machine = [state[i] for i in PRESERVED], harness.machine
    top = at['stack'] - machine.base
    above = machine.memory[top:machine.slots[0] + SLOT]
    machine.run(state)
    return [machine.memory[slot:slot + SLOT] for slot in machine.slots[1:]], \
        before == [state[i] for i in PRESERVED], state[RSP] - at['stack'], \
        above == machine.memory[top:machine.slots[0] + SLOT]


def difference(file, changed):
    """How a changed object differs when its functions run, or None"""
    other = Harness([changed if f == file else f for f in FILES])
    rng = random.Random(1)
    for name in HARNESS.names:
        if HARNESS.obj.entry(name)[0] != file:
            continue
        _, few, more = CASES[name]
        lengths = [*few, *more]
        if HARNESS.runs_here(name) and 'blocks' not in name:
            for seed in range(INPUTS):
                n = rng.choice(lengths)
                if outcome(HARNESS, name, n, seed) != outcome(other, name, n, seed):
                    return '%s, length %d, input %d' % (name, n, seed)
        else:
            wrong = HARNESS.runs_here(name) and other.function(name, True)[1]
            if wrong:
                return '%s, %s' % (name, wrong)
    return None


def change(job):
    """A change: (file, what it is, whether it is proved, how it differs or None)"""
    file, number = job
    rng = random.Random('%s %s %d' % (SEED, os.path.basename(file), number))
    (offset, place), bit = rng.choice(code_of(file)), rng.randrange(8)
    data = bytearray(pathlib.Path(file).read_bytes())
    data[offset] ^= 1 << bit
    at = max(p for p in HARNESS.obj.code if p[:2] == place[:2] and p[2] <= place[2])
    # A place that no function runs, between two of them, must at least be decoded.
    names = [n for n, places in SEEN[file].items() if at in places] or [*SEEN[file]][:1]
    inside = [n for n, places in SEEN[file].items() if n in INSIDE]
    what = '%s+%#x, bit %d: %s' % (os.path.basename(file), place[2], bit, HARNESS.obj.code[at].text)
    with tempfile.TemporaryDirectory() as folder:
        changed = os.path.join(folder, os.path.basename(file))
        pathlib.Path(changed).write_bytes(data)
        how, why = None, child(lambda: proofs(changed, names, inside)[0], 300)
        if not why:
            how = child(lambda: difference(file, changed), 300)
        if how:
            why = child(lambda: proofs(changed, names, inside, False)[0], 900)
        return file, what, not why, not why and how or None


def main(minutes, seed, *files):
    global FILES, HARNESS, SEED, SEEN
    FILES, HARNESS, SEED, SEEN = files, Harness(files), seed, {file: {} for file in files}
    good, tally = True, {file: [0, 0, 0] for file in files}
    jobs = [(place[0], [name]) for place, (name, _) in HARNESS.obj.functions.items()
            if name in FUNCTIONS]
    for (file, (name,)), (why, places) in zip(jobs, parallel(unchanged, jobs)):
        SEEN[file][name] = places
        if why:
            good = False
            print('not ok %s, unchanged: %s' % (name, why))
    end = time.time() + 60 * float(minutes)
    for number in itertools.count():
        for file, what, proved, how in parallel(change, [(file, number) for file in files]):
            tally[file] = [a + b for a, b in zip(tally[file], (1, proved, how is not None))]
            good &= how is None
            if proved:
                print('%s %s: %s' % ('not ok' if how else '# proved', what, how), flush=True)
        if time.time() > end:
            break
    for file, numbers in tally.items():
        print('%s %s, seed %s: %d changes, %d proved, of which %d differ' % (
            'not ok' if numbers[2] else 'ok', os.path.basename(file), seed, *numbers))
    return not good


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
