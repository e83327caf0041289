#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""
faults.py [TEXT]: planted faults, each of which a proof must find; and unchanged code, which must
be proved.
faults.py --random N SEED OBJECT...: N times one instruction is deleted, or has another constant,
another register or its operands exchanged. Each change that is proved all the same is printed.

A fault is a change of one string in a copy of the sources. Its object is built anew, and the
short form of the function's proof must fail.
"""

import multiprocessing
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import proof
from cpu import Failed
from loader import Objects, PADDING, TOP
from proof import FUNCTIONS
from prove import INSIDE
from values import Infeasible, Stuck



def read_faults():
    """[(what, function, source, file that is changed, old, new, which occurrence)]"""
    faults = []
    for line in (TOP / 'tests/mutants/proofs').read_text(encoding='ascii').splitlines():
        if line[0] == '#':
            continue
        if line[0] == '@':
            _, function, source = line.split()
            continue
        what, file, old, new, nth = (line.split('|') + ['0'])[:5]
        old, new = (t.replace('~', '\t').replace('^', '\n') for t in (old, new))
        faults.append(('%s: %s' % (function, what), function, source,
                       'poly1305-' + file if file else source, old, new, int(nth)))
    return faults


def verdict(obj, name):
    """Why the proof of a function fails, or None"""
    try:
        FUNCTIONS[name](obj, name, True).prove(proof.Report())
    except Failed as e:
        return str(e)
    except (Stuck, Infeasible, LookupError, ValueError, AttributeError, TypeError) as e:
        return 'not understood: %s' % e
    return None


def plant(job):
    """Plant a fault, or none: (whether that went as it should, the line to print)"""
    what, name, source, file, old, new, nth = job
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(['sh', '-c', 'cp -r *.[ch] arch user "$0"', folder], cwd=TOP, check=True)
        if old is not None:
            path = pathlib.Path(folder, 'arch/x86' if file.endswith(('.S', '.h')) else '', file)
            parts = path.read_text(encoding='utf-8').split(old)
            if len(parts) < nth + 2:
                return False, 'not ok %s: there is no %r in %s' % (what, old, file)
            path.write_text(old.join(parts[:nth + 1]) + new + old.join(parts[nth + 1:]),
                            encoding='utf-8')
        out = '%s/%s.o' % (folder, source.rpartition('.')[0])
        subprocess.run(['make', '-s', '-C', folder + '/user', 'OUT=' + folder, out], check=True)
        obj = Objects([out])
        name = next(n for n in ('poly1305_' + name, name)
                    if n in {n for n, _ in obj.functions.values()})
        why = verdict(obj, name)
    if old is None:
        return why is None, '%s %s, unchanged%s' % ('not ok' if why else 'ok', name,
                                                    ': ' + why[:160] if why else '')
    return why is not None, '%s %s: %s' % ('ok' if why else 'not ok', what,
                                           (why or 'not found')[:160])


def plant_all(only):
    """Plant the faults one by one; whether all were found, and unchanged code is proved"""
    faults = [f for f in read_faults() if only in f[0]]
    clean = sorted({('', f[1], f[2], '', None, None, 0) for f in faults}, key=str)
    with multiprocessing.get_context('fork').Pool(min(2, os.cpu_count())) as pool:
        good = 0
        for fine, line in pool.imap(plant, clean + faults, 1):
            good += fine
            print(line, flush=True)
    print('%s %d planted faults are found' % (
        'ok' if good == len(clean + faults) else 'not ok', good - len(clean)))
    return good == len(clean + faults)


COMMUTE = re.compile(r'v?p?(add|xor|or|and|mul|madd)')


def change(insn, rng):
    """The text of an instruction with a random change, or None"""
    name, args = insn.name, insn.operands[:]
    kind = rng.randrange(4)
    if kind == 0:
        return 'nop'
    if kind == 1 and len(args) > 1 and args[-1] != args[-2] and not COMMUTE.match(name) and \
            not re.match(r'-?\d', args[-1]):
        args[-2:] = args[:-3:-1]
    elif kind == 2:
        at = [i for i, a in enumerate(args) if re.search(r'0x[0-9a-f]+|(?<!1to)\b\d+$', a)]
        if not at or insn.symbol or name[0] == 'j':
            return None
        i = rng.choice(at)
        args[i] = re.sub(r'0x([0-9a-f]+)', lambda m: hex(int(m[1], 16) ^ 1 << rng.randrange(
            max(1, int(m[1], 16).bit_length()))), args[i])
    elif kind == 3:
        at = [i for i, a in enumerate(args) if re.match(r'[xyz]mm\d+|r\d+', a)]
        if not at:
            return None
        i = rng.choice(at)
        args[i] = re.sub(r'\d+', lambda m: str(int(m[0]) ^ 1), args[i], count=1)
    text = '%s %s' % (name, ','.join(args))
    return None if args == insn.operands else text


def survives(job):
    """(whether a random change is proved all the same, what it is)"""
    objects, seed = job
    rng, obj = random.Random(seed), Objects(objects)
    names = {n for n, _ in obj.functions.values()}
    code = [i for n in sorted(names & FUNCTIONS.keys()) for i in obj.body(n)]
    text = None
    while text is None:
        insn = rng.choice(code)
        text = change(insn, rng) if insn.name not in PADDING | {'endbr64'} else None
    new = type(insn)(insn.at, insn.after, text)
    new.ops = None
    if text != 'nop':
        new.symbol, new.addend, new.field, new.target = (
            insn.symbol, insn.addend, insn.field, insn.target)
    obj.code[insn.at] = new
    name = obj.function_at(insn.at)[1]
    why = verdict(obj, INSIDE.get(name, name))
    return why is None, '%s+%#x: %s becomes %s' % (name, insn.at[2], insn.text, text)


def mutate(count, seed, objects):
    """Print the changes that survive."""
    jobs, left = [(objects, int(seed) + i) for i in range(int(count))], 0
    with multiprocessing.get_context('fork').Pool(min(2, os.cpu_count())) as pool:
        for lives, what in pool.imap_unordered(survives, jobs, 1):
            left += lives
            if lives:
                print('# ' + what, flush=True)
    print('%d of %s random changes are proved all the same' % (left, count))
    return True


if __name__ == '__main__':
    if sys.argv[1:2] == ['--random']:
        sys.exit(not mutate(sys.argv[2], sys.argv[3], sys.argv[4:]))
    sys.exit(not plant_all(sys.argv[1] if len(sys.argv) > 1 else ''))
