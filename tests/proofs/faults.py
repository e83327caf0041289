#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""
faults.py [--checker] [TEXT]: planted faults, each of which a proof must find; and unchanged code,
which must be proved. TEXT chooses those of such a name; without it, each claim and each rule must
have its fault: one that it finds in this run, or one of --checker or tests/ct that says so.

A fault of tests/mutants is planted in a copy of the sources. Its object is built anew, and the
short form of the function's proof must fail. With --checker the fault is in the checker, and one
of its tools must say so.
"""

import ast
import pathlib
import re
import subprocess
import sys
import tempfile

from check import parallel
from cpu import Failed
from loader import Objects, TOP
from prove import FUNCTIONS, Report, generic
from values import Infeasible, Stuck

generic.Emit.user_space = generic.Compiled.user_space = True
JUMP = '.globl {0}\n.type {0}, @function\n{0}: jmp {1}\n.size {0}, . - {0}\n'.format
X86_64, AVX2 = 'poly1305_blocks_x86_64', 'poly1305_blocks_avx2'

# What prove.py must say of poly1305_generic.o with more code: what that is; which functions are
# wanted; what it says; the code
WHOLE = (
    ('a function is missing', 'assembly', 'poly1305_blocks_x86_64: it is not in these objects', ''),
    ('a function elsewhere', 'portable', 'more: no proof',
     '.text\n.type more, @function\nmore: ret\n.size more, 1\n'),
    ('code that is no function', 'portable', 'not reached: more.o+0x0', '.text\nmore: ret\n'),
    ('a contract without proof', 'some', 'the contract of %s is relied upon' % AVX2, JUMP(X86_64, AVX2)),
    ('functions that call each other', 'some', 'not ok functions call each other: ',
     JUMP(X86_64, AVX2) + JUMP(AVX2, X86_64)),
)


def planted(*arguments):
    """What tests/mutants/planted.py says"""
    return subprocess.run([TOP / 'tests/mutants/planted.py', *arguments], text=True, check=True,
                          stdout=subprocess.PIPE).stdout


def read_faults():
    """[(name, tool that finds the fault, its argument, what the tool must say)]"""
    return [(name, *finder.split(' ', 1), says) for name, finder, says in (
        line.split('\t') for line in planted('list', 'checker').splitlines())]


def plant(folder, *names):
    """Copy sources and tools into a folder, with these faults"""
    subprocess.run(['sh', '-c', 'cp -r --parents *.[ch] arch chapoly user tests/proofs tests/mutants "$0" '
                    '&& ln -s "$PWD/build" "$0"', folder], cwd=TOP, check=True)
    planted('apply', folder, *names)


# What makes a claim: a call or an error -> which argument says what is wrong; and what returns that
CLAIMS = {'claim': 1, 'must': 1, 'need': 1, 'leak': 1, 'same': 3, 'within': 3,
          'Failed': 0, 'Wrong': 0, 'ValueError': 0}
VERDICTS = {'refused', 'piece', 'compare', 'wrong'}


def literal(text):
    """The literal parts of the text that an expression makes"""
    if isinstance(text, ast.BinOp):
        return literal(text.left) + ([] if isinstance(text.op, ast.Mod) else literal(text.right))
    if isinstance(text, ast.Tuple):
        return literal(text.elts[0])
    if isinstance(text, ast.BoolOp):
        return literal(text.values[-1])
    if isinstance(text, ast.IfExp):
        return literal(text.body)
    text = text.value if isinstance(text, ast.Constant) else None
    parts = re.split(r'%#?\w', text) if isinstance(text, str) else ()
    return [part.strip(' :,?+') for part in parts if part.strip(' :,?+')]


def claims():
    """{a pattern of the message if a claim does not hold, or a rule is broken: where it is made}"""
    found = {}
    files = {*TOP.glob('tests/proofs/*.py'), *TOP.glob('tests/ct/*.py')}
    for file in sorted(files - {TOP / 'tests/proofs/linux.py'}):    # which has faults of its own
        tree = ast.parse(file.read_text('utf-8'))
        texts = [node.args[CLAIMS[name]] for node in ast.walk(tree) if isinstance(node, ast.Call)
                 for name in [getattr(node.func, 'attr', getattr(node.func, 'id', None))]
                 if len(node.args) > CLAIMS.get(name, 9)]
        texts += [node.value for f in ast.walk(tree) if isinstance(f, ast.FunctionDef) and
                  f.name in VERDICTS for node in ast.walk(f) if isinstance(node, ast.Return)]
        for text in texts:
            if literal(text) and '(not understood)' not in literal(text)[0]:
                found.setdefault('.*'.join(map(re.escape, literal(text))), []).append(
                    '%s:%d' % (file.name, text.lineno))
    return found


def unshown(lines):
    """Print each claim with its fault, and those that have none; how many do not"""
    says = [(name, line.replace('\\', '')) for suite in ('checker', 'ct')
            for name, _, line in (x.split('\t') for x in planted('list', suite).splitlines())]
    left = 0
    for text, places in claims().items():
        fault = next((name for name, line in lines + says if re.search(text, line)), None)
        left += not fault
        print('%s %s, %s: %s' % ('# a claim' if fault else 'not ok a claim without a fault',
                                 places[0], text.replace('\\', ''), fault))
    return left


def objects(sources, folder, names):
    """Objects of the sources of such names, in a folder"""
    files = ['%s/%s.o' % (folder, name) for name in names]
    subprocess.run(['make', '-s', '-C', '%s/user' % sources, 'OUT=' + folder, *files], check=True)
    return files


def verdict(file, names, short=True, top=TOP):
    """(why a proof of these functions fails, or None; the objects; the places seen)"""
    obj, places = None, set()
    try:
        obj = Objects([file])
        for name in names:
            function = FUNCTIONS[name](obj, name, short, top)
            function.prove(Report())
            places |= function.seen
    except Failed as e:
        return str(e), obj, places
    except (Stuck, Infeasible, LookupError, ValueError, AttributeError, TypeError) as e:
        return 'not understood: %s' % e, obj, places
    return None, obj, places


def prove(job):
    """Plant a fault, or none: (whether that went as it should, the line to print)"""
    what, faults, name, source = job
    with tempfile.TemporaryDirectory() as folder:
        plant(folder, *faults)
        out, = objects(folder, folder, [source])
        why = verdict(out, [name if name in FUNCTIONS else 'poly1305_' + name],
                      top=pathlib.Path(folder))[0]
    fine = (why is None) == (not faults)
    return fine, '%s %s: %s' % ('ok' if fine else 'not ok', what, (why or 'not found')[:160])


def whole(job):
    """A fault of a set of objects: (whether it is found, the line to print)"""
    what, only, says, code = job
    with tempfile.TemporaryDirectory() as folder:
        files = objects(TOP, folder, ['poly1305_generic']) + [folder + '/more.o']
        subprocess.run(['as', '-o', files[1], '-'], input=code, text=True, check=True)
        done = subprocess.run([TOP / 'tests/proofs/prove.py', '--short', '--only', only, *files],
                              capture_output=True, text=True, check=False)
    found = done.returncode == 1 and says in done.stdout
    return found, '%s %s: %s' % ('ok' if found else 'not ok', what, says if found else 'not found')


def weaken(job):
    """Plant a fault in the checker: (whether its tool says so, the line to print)"""
    what, tool, subject, says = job
    program, options = {
        'bits': ('bits', ['1', '1']), 'prove': ('prove', ['--only', 'assembly']),
        'check': ('prove', ['--short', '--only', 'some', '--check'])}.get(tool, (tool, ['--short']))
    with tempfile.TemporaryDirectory() as folder:
        plant(folder, what)
        arguments = [subject] if tool == 'faults' else options + objects(
            folder, folder, subject.split())
        done = subprocess.run([folder + '/tests/proofs/%s.py' % program, *arguments], text=True,
                              capture_output=True, check=False)
    red = done.returncode == 1 and bool(re.search(says, done.stdout, re.M))
    return red, '%s %s: %s %s' % ('ok' if red else 'not ok', what, tool, says if red else
                                  'says: ' + (done.stdout + done.stderr)[-300:])


def run(job):
    judge, fault = job
    return judge(fault)


def main(only='', what=''):
    """Plant the faults one by one; whether all were found, and unchanged code is proved"""
    faults = read_faults()
    if only == '--checker':
        jobs = [(weaken, f) for f in faults if f[1] != 'proof' and what in f[0]]
    else:
        proofs = [(name, [name], *argument.split()) for name, tool, argument, _ in faults
                  if tool == 'proof']
        proofs += [('%s, unchanged' % f, [], f, source) for f, source in sorted({p[2:] for p in proofs})]
        jobs = [(f, x) for f, some in ((whole, WHOLE), (prove, proofs)) for x in some
                if only in x[0]]
    good, lines = 0, []
    for (_, fault), (fine, line) in zip(jobs, parallel(run, jobs)):
        good += fine
        lines.append((fault[0], line))
        print(line, flush=True)
    left = 0 if only else unshown(lines)
    print('%s %d of %d planted faults are found' % (
        'ok' if good == len(jobs) else 'not ok', good, len(jobs)))
    return good == len(jobs) and not left


if __name__ == '__main__':
    sys.exit(not main(*sys.argv[1:]))
