#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""
faults.py [TEXT]: planted faults, each of which a proof must find; and unchanged code, which must
be proved.

A fault is a change of one string in a copy of the sources. Its object is built anew, and the
short form of the function's proof must fail.
"""

import itertools
import multiprocessing
import os
import pathlib
import subprocess
import sys
import tempfile

from cpu import Failed
from loader import Objects, TOP
from prove import FUNCTIONS, Report, generic
from values import Infeasible, Stuck


# What prove.py must say of poly1305_generic.o with more code: what that is; which functions are
# wanted; what it says; the code
WHOLE = (
    ('a function is missing', 'assembly', 'poly1305_blocks_x86_64: it is not in these objects', ''),
    ('a function elsewhere', 'portable', 'more: no proof',
     '.section .more, "ax"\n.type more, @function\nmore: ret\n.size more, 1\n'),
    ('code that is no function', 'portable', 'not reached: more.o+0x0', '.section .more, "ax"\nmore: ret\n'),
)


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


def verdict(file, name):
    """Why the proof of a function fails, or None"""
    try:
        obj = Objects([file])
        name = next((n for n in ('poly1305_' + name, name)
                     if n in {n for n, _ in obj.functions.values()}), name)
        FUNCTIONS[name](obj, name, True).prove(Report())
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
        why = verdict(out, name)
    if old is None:
        return why is None, '%s %s, unchanged%s' % ('not ok' if why else 'ok', name,
                                                    ': ' + why[:160] if why else '')
    return why is not None, '%s %s: %s' % ('ok' if why else 'not ok', what,
                                           (why or 'not found')[:160])


def whole(job):
    """A fault of a set of objects: (whether it is found, the line to print)"""
    what, only, says, code = job
    with tempfile.TemporaryDirectory() as folder:
        objects = [folder + '/poly1305_generic.o', folder + '/more.o']
        subprocess.run(['make', '-s', '-C', TOP / 'user', 'OUT=' + folder, objects[0]], check=True)
        subprocess.run(['as', '-o', objects[1], '-'], input=code, text=True, check=True)
        done = subprocess.run([TOP / 'tests/proofs/prove.py', '--short', '--only', only, *objects],
                              capture_output=True, text=True, check=False)
    found = done.returncode == 1 and says in done.stdout
    return found, '%s %s: %s' % ('ok' if found else 'not ok', what, says if found else 'not found')


def plant_all(only):
    """Plant the faults one by one; whether all were found, and unchanged code is proved"""
    generic.Emit.user_space = generic.Compiled.user_space = True
    faults = [f for f in read_faults() if only in f[0]]
    clean = sorted({('', f[1], f[2], '', None, None, 0) for f in faults}, key=str)
    with multiprocessing.get_context('fork').Pool(min(2, os.cpu_count())) as pool:
        good = 0
        wholes = [w for w in WHOLE if only in w[0]]
        for fine, line in itertools.chain(pool.imap(whole, wholes, 1),
                                          pool.imap(plant, clean + faults, 1)):
            good += fine
            print(line, flush=True)
    every = len(wholes + clean + faults)
    print('%s %d planted faults are found' % (
        'ok' if good == every else 'not ok', good - len(clean)))
    return good == every


if __name__ == '__main__':
    sys.exit(not plant_all(sys.argv[1] if len(sys.argv) > 1 else ''))
