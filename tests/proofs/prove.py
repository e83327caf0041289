#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""
prove.py [--short] [--only TEXT] [--limbs] [--dump FOLDER] OBJECT...

Prove every function of the object files, and print a line for each. Fails if a function of
theirs is neither proved nor excepted below, if a proof has not been over an instruction, or if a
proof relies on a contract that is not proved here.
"""

import argparse
import multiprocessing
import os
import sys

import avx2
import avx512
import chacha
import generic
import groups
import proof
import scalar
from check import Dump
from cpu import Failed
from loader import Objects, PADDING
from values import Stuck

FUNCTIONS = {**chacha.FUNCTIONS, **avx512.FUNCTIONS, **groups.FUNCTIONS, **avx2.FUNCTIONS,
             **scalar.FUNCTIONS}
COMPILED = {'poly1305_emit': generic.Emit, 'poly1305_blocks_generic': generic.Compiled}
# Functions that are no functions of their own: what proves them on the way
INSIDE = {'join_lanes_avx2': 'quads_avx2'}

for table in FUNCTIONS, COMPILED:
    for known, cls in table.items():
        if hasattr(cls, 'called'):
            proof.contracts[known] = cls.model(known)


def prove(obj, name, short, folder):
    """(whether it is proved, the line to print, places seen, contracts used)"""
    cls = {**FUNCTIONS, **COMPILED}[name]
    dump = Dump(os.path.join(folder, name)) if folder else None
    report, function = proof.Report(dump), cls(obj, name, short)
    try:
        function.prove(report)
        report.flush()
    except (Failed, Stuck) as e:
        return False, 'not ok %s: %s%s' % (name, '' if isinstance(e, Failed) else
                                           'not understood: ', e), set(), set()
    finally:
        if dump:
            dump.close()
    return True, 'ok %s: %d runs, %d claims, %.1f s' % (
        name, report.paths, report.claims, report.seconds()), function.seen, function.calls


def work(job):
    return prove(*job)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--short', action='store_true', help='some of the cases')
    parser.add_argument('--only', default='', help='functions whose name contains this')
    parser.add_argument('--dump', help='where check.py reads definitions and claims')
    parser.add_argument('--limbs', action='store_true', help='poly1305_generic.o has no 128-bit '
                        'integers')
    parser.add_argument('objects', nargs='+')
    args = parser.parse_args()
    if args.limbs:
        COMPILED['poly1305_blocks_generic'] = generic.Compiled26
    obj = Objects(args.objects)
    here = {name for name, _ in obj.functions.values()}
    names = [n for n in {**FUNCTIONS, **COMPILED} if n in here and args.only in n]
    ok = bool(names)
    for name in sorted(here - set(names) - set(INSIDE)):
        if not args.only:
            ok = False
            print('not ok %s: no proof' % name)
    seen, used = set(), set()
    jobs = [(obj, name, args.short, args.dump) for name in names]
    with multiprocessing.get_context('fork').Pool(min(2, os.cpu_count())) as pool:
        for good, line, places, calls in pool.imap_unordered(work, jobs, 1):
            print(line, flush=True)
            ok &= good
            seen |= places
            used |= calls
    if args.only:
        return 0 if ok else 1
    for name in sorted(used - set(names)):
        ok = False
        print('not ok the contract of %s is relied upon, and not proved' % name)
    missing = [i for name in sorted(here) for i in obj.body(name) if i.at not in seen]
    count = sum(len(obj.body(name)) for name in here)
    bodies = {i.at for name in here for i in obj.body(name)}
    missing += [i for at, i in sorted(obj.code.items()) if at[1].startswith('.text') and
                at not in bodies and i.name not in PADDING]
    print('%s %d of %d instructions of %d functions are on proved paths' % (
        'not ok' if missing else 'ok', count - len(missing), count, len(here)))
    for i in missing[:20]:
        print('# not reached: %s+%#x %s' % (os.path.basename(i.at[0]), i.at[2], i.text))
    return 0 if ok and not missing else 1


if __name__ == '__main__':
    sys.exit(main())
