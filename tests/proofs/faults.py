#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""
faults.py [TEXT]: planted faults, each of which a proof must find; and unchanged code, which must
be proved.

A fault is a change of one string in a copy of the sources. Its object is built anew, and the
short form of the function's proof must fail.
"""

import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile

import proof
from cpu import Failed
from loader import Objects
from prove import COMPILED, FUNCTIONS
from values import Infeasible, Stuck

TOP = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../..'))


def read_faults():
    """[(what, function, source, file that is changed, old, new, which occurrence)]"""
    faults = []
    with open(os.path.join(TOP, 'tests/proofs/planted'), encoding='ascii') as stream:
        lines = [line.rstrip('\n') for line in stream if line[0] != '#']
    for line in lines:
        if line[0] == '@':
            _, function, source = line.split()
            continue
        what, file, old, new, nth = (line.split('|') + ['0'])[:5]
        old, new = (t.replace('~', '\t').replace('^', '\n') for t in (old, new))
        faults.append(('%s: %s' % (function, what), function, source,
                       'poly1305-' + file if file else source, old, new, int(nth)))
    return faults


def build(source, out, top=TOP):
    """Build the object of a source file as user/Makefile does."""
    flags = ('-std=gnu11 -DPOLY1305_USER_INTERNAL -I{0}/user/shim -I{0}/user/include -I{0} '
             '-DCONFIG_ARCH_SUPPORTS_INT128 -DCONFIG_64BIT -DPOLY1305 -DCONFIG_X86_64 '
             '-DKBUILD_MODNAME="poly1305" -O2').format(top).split()
    if source.endswith('.S'):
        flags += ['-D__ASSEMBLY__']
        source = 'arch/x86/' + source
    else:
        flags += ['-fzero-call-used-regs=used-gpr', '-fno-tree-vectorize',
                  '-fno-tree-slp-vectorize']
    subprocess.run([os.environ.get('CC', 'gcc')] + flags + ['-c', '-o', out,
                                                            os.path.join(top, source)], check=True)


def verdict(obj, name):
    """Why the proof of a function fails, or None"""
    cls = {**FUNCTIONS, **COMPILED}[name]
    try:
        cls(obj, name, True).prove(proof.Report())
    except Failed as e:
        return str(e)
    except (Stuck, Infeasible, LookupError, ValueError, AttributeError, TypeError) as e:
        return 'not understood: %s' % e
    return None


def full_name(obj, short):
    return next(n for n in ('poly1305_' + short, short)
                if n in {name for name, _ in obj.functions.values()})


def plant(job):
    """Plant a fault, or none: (whether that went as it should, the line to print)"""
    what, name, source, file, old, new, nth = job
    with tempfile.TemporaryDirectory() as folder:
        top = folder + '/src'
        shutil.copytree(TOP, top, ignore=shutil.ignore_patterns(
            '.git', 'build', 'tests', 'docs', 'bench', 'debian', 'tools', '*.o'))
        if old is not None:
            path = os.path.join(top, 'arch/x86' if file.endswith(('.S', '.h')) else '', file)
            with open(path, encoding='utf-8') as stream:
                parts = stream.read().split(old)
            if len(parts) < nth + 2:
                return False, 'not ok %s: there is no %r in %s' % (what, old, file)
            with open(path, 'w', encoding='utf-8') as stream:
                stream.write(old.join(parts[:nth + 1]) + new + old.join(parts[nth + 1:]))
        build(source, folder + '/x.o', top)
        obj = Objects([folder + '/x.o'])
        why = verdict(obj, full_name(obj, name))
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


if __name__ == '__main__':
    sys.exit(not plant_all(sys.argv[1] if len(sys.argv) > 1 else ''))
