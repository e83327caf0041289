#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""
prove.py [--short] [--limbs] [--only SET] [--check] OBJECT...

Prove every function of the object files, and print a line for each. Fails if a function of
theirs is neither proved nor excepted below, if a function with a proof is not there, if a proof
has not been over an instruction, or if a proof relies on a contract that is not proved here, or on
itself by way of others.
"""

import argparse
import collections
import graphlib
import os
import sys

# Their classes enter FUNCTIONS; what takes longest comes first, and begins first.
import avx512, chacha, packets, sse2, avx2, scalar, generic         # noqa: E401
from check import Second, Wrong, parallel
from cpu import Failed, LOWEST, MOST_STACK, RED_ZONE, ROOM
import stated
from features import useless
from loader import Objects, PADDING, TOP
from native import CPU, Machine, Paths
from proof import FUNCTIONS, Report
from values import Stuck

# Limits of the proofs, as SOUNDNESS.md has them
QUOTED = ('addresses from 2^%d to 2^64 - 2^%d.' % (LOWEST, ROOM),
          'The stack has the %d KiB that a function takes at most.' % (MOST_STACK >> 10),
          'up to %d bytes below' % RED_ZONE, 'for all h with h2 <= {POLY1305_H2_MAX}',
          'proved for each t from 1 to 63 where its mask is used')
# Functions that are no functions of their own: those that use them prove them on the way
INSIDE = {'join_lanes_avx2'}


def prove(name):
    """
    (whether a function is proved, the line to print, places seen, its name, contracts used, what
    the second checker has found, places that this CPU has run, and lacks)
    """
    obj, short, check, paths = prove.shared
    second = Second(paths)
    report = Report(second if check else None)
    function = FUNCTIONS[name](obj, name, short)
    try:
        function.prove(report)
        report.flush()
        good, line = True, 'ok %s: %d runs, %d claims' % (name, report.paths, report.claims)
    except (Failed, Stuck, Wrong, stated.Wrong) as e:
        good, line = False, 'not ok %s: %s%s' % (name, {
            Stuck: 'not understood: ', Wrong: 'second checker: '}.get(type(e), ''), e)
    return (good, line, function.seen if good else set(), name, function.calls, second.count,
            (paths.ran, paths.lacked) if paths else (set(), set()))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--short', action='store_true', help='some of the cases')
    parser.add_argument('--check', action='store_true', help='ask the second checker, '
                        'too, and run each path on this CPU')
    parser.add_argument('--limbs', action='store_true', help='poly1305_generic.o has no 128-bit '
                        'integers')
    parser.add_argument('--only', choices=('assembly', 'portable', 'some', 'linux'),
                        help='which functions must be there: not all; the portable code '
                        'alone is for user space')
    parser.add_argument('objects', nargs='+')
    args = parser.parse_args()
    if args.only == 'linux':
        FUNCTIONS.clear()
        import linux                    # noqa: F401
    if args.limbs:
        FUNCTIONS['poly1305_blocks_generic'] = generic.Compiled26
    generic.Emit.user_space = generic.Compiled.user_space = args.only == 'portable'
    try:
        obj, blocks = Objects(args.objects), stated.sources(TOP).blocks
    except ValueError as e:
        print('not ok reading: %s' % e)
        return True
    print('ok decoding: iced-x86, objdump and GNU as agree on %d instructions' % len(obj.code))
    here = {name for name, _ in obj.functions.values()}
    names = [n for n in FUNCTIONS if n in here]
    needed = {n for n, cls in FUNCTIONS.items() if args.only in (None, {
        'generic': 'portable', 'linux': 'linux'}.get(cls.__module__, 'assembly'))}
    wrong = ['%s: it is not in these objects' % n for n in sorted(needed - here)]
    wrong += ['%s: no proof' % n for n in sorted(here - set(names) - INSIDE)]
    if args.only in (None, 'assembly'):
        portable = {n for n, cls in FUNCTIONS.items() if cls.__module__ == 'generic'}
        wrong += ['%s: no block, or no function of this name' % n
                  for n in sorted(blocks.keys() ^ (here - portable))]
    said = ' '.join((TOP / 'tests/proofs/SOUNDNESS.md').read_text('utf-8').split())
    wrong += ['SOUNDNESS.md does not say: ' + text for text in (
        text.format(**stated.sources(TOP).numbers) for text in QUOTED) if text not in said]
    wrong += useless(obj, here) if args.only in (None, 'assembly') else ()
    if wrong:
        print(*('not ok ' + what for what in wrong), sep='\n')
        return True
    ok, seen, used, total = bool(names), set(), {}, collections.Counter()
    ran, lacked = set(), set()
    prove.shared = obj, args.short, args.check, args.check and Paths(obj, Machine(args.objects))
    for good, line, places, name, calls, count, more in parallel(prove, names):
        print(line, flush=True)
        ok &= good
        seen |= places
        used[name] = calls
        total += count
        ran, lacked = ran | more[0], lacked | more[1]
    if args.check and ok:
        print('ok second checker: %(algebra)d claims of %(paths)d paths follow once more; at '
              '%(samples)d samples %(values)d claims, %(bounds)d bounds and %(rounds)d double '
              'rounds hold; no inputs were found for %(without)d paths' % total)
        left = [i for i in map(obj.code.get, sorted(seen - ran - lacked)) if i.name != 'call']
        ok &= not left
        print('%s %s ran %d pieces of paths, %d steps and %d of %d instructions%s' % (
            'not ok' if left else 'ok', CPU, total['pieces'], total['steps'], len(ran), len(seen),
            ', not %s' % left[0].text if left else ''))
    wrong = ['the contract of %s is relied upon, and not proved' % n
              for n in sorted(set().union(*used.values()) - set(names))]
    try:
        graphlib.TopologicalSorter(used).prepare()
    except graphlib.CycleError as e:
        wrong.append('functions call each other: ' + ' '.join(e.args[1]))
    for what in wrong:
        print('not ok ' + what)
    code = [i for name in sorted(here) for i in obj.body(name)]
    bodies = {i.at for i in code}
    missing = [i for i in code if i.at not in seen]
    missing += [i for at, i in sorted(obj.code.items()) if at not in bodies and
                i.name not in PADDING]
    print('%s %d of %d instructions of %d functions are on proved paths' % (
        'not ok' if missing else 'ok', len(code) - len(missing), len(code), len(here)))
    for i in missing[:20]:
        print('# not reached: %s+%#x %s' % (os.path.basename(i.at[0]), i.at[2], i.text))
    return not ok or bool(wrong or missing)


if __name__ == '__main__':
    sys.exit(main())
