#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""
planted.py apply TREE FAULT...: plant faults in TREE, a copy of the sources, one after the other.
planted.py list SUITE: what that suite must find, a line each: fault, what finds it, message.
planted.py check [SERIES]: whether each fault fits the sources. Those of the suite upstream fit
SERIES, a tree of Linux with the series.

docs/testing.md describes the format of the files *.faults here.
"""

import collections
import pathlib
import re
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
# change: file, old and new text, which occurrences, of how many. seen: (suite, what finds the fault, message)
Fault = collections.namedtuple('Fault', 'name after changes seen')
Change = collections.namedtuple('Change', 'file old new which count')


class Misfit(Exception):
    """A fault that cannot be read or planted"""


def change(file, at, lines):
    """The change that a stanza describes by lines with marks"""
    old, new = ('\n'.join(line[1:] for line in lines if line[0] in marks) for marks in (' -', ' +'))
    which, count = re.fullmatch(r'(all|[1-9]\d*) of (\d+)', at).groups()
    count = int(count)
    which = range(count) if which == 'all' else range(int(which) - 1, int(which))
    if not file or not old or old == new or which[-1] >= count:
        raise ValueError
    return Change(file, old, new, which, count)


def stanza(lines):
    """The fault that a stanza describes"""
    fields, changes, seen = {}, [], []
    file, at, marked = '', '1 of 1', []
    for line in lines + ['end: ']:
        if line[0] in ' -+':
            marked.append(line)
            continue
        if marked:
            changes.append(change(file, at, marked))
            at, marked = '1 of 1', []
        key, value = line.split(': ', 1)
        if key == 'file':
            file = value
        elif key == 'at':
            at = value
        elif key == 'seen':
            suite, finder = value.split(' ', 1)
            seen.append((suite, finder, ''))
        elif key == 'says' and not seen[-1][2]:
            seen[-1] = (*seen[-1][:2], value)
        elif key in ('fault', 'after', 'end') and key not in fields:
            fields[key] = value
        else:
            raise ValueError
    if not changes:
        raise ValueError
    return Fault(fields['fault'], fields.get('after'), changes, seen)


def read():
    """{name: fault} of all files"""
    faults = {}
    for path in sorted((TOP / 'tests/mutants').glob('*.faults')):
        text = re.sub('^#.*\n', '', path.read_text(encoding='utf-8'), flags=re.M)
        for lines in re.split('\n\n+', text.strip('\n')):
            try:
                fault = stanza(lines.split('\n'))
            except (ValueError, KeyError, IndexError, TypeError, AttributeError):
                raise Misfit('%s: not understood:\n%s' % (path.name, lines)) from None
            if fault.name in faults:
                raise Misfit('%s: two faults have this name: %s' % (path.name, fault.name))
            faults[fault.name] = fault
    return faults


def plant(tree, faults, name, files):
    """The texts of the files that a fault changes, by name, as it leaves them, in {files}"""
    fault = faults.get(name)
    if not fault:
        raise Misfit('no fault in tests/mutants has this name: ' + name)
    if fault.after:
        plant(tree, faults, fault.after, files)
    for file, old, new, which, count in fault.changes:
        if file not in files:
            files[file] = pathlib.Path(tree, file).read_text(encoding='utf-8')
        parts = files[file].split(old)
        if len(parts) != count + 1:
            raise Misfit('%s: %s has this %d times, not %d:\n%s' % (
                name, file, len(parts) - 1, count, old))
        files[file] = parts[0] + ''.join(
            (new if i in which else old) + part for i, part in enumerate(parts[1:]))


def apply(tree, faults, *names):
    """Plant these faults in the files of a tree"""
    files = {}
    for name in names:
        plant(tree, faults, name, files)
    for file, text in files.items():
        pathlib.Path(tree, file).write_text(text, encoding='utf-8')


def main(command, *arguments):
    """Run a command of those above"""
    faults = read()
    if command == 'apply':
        apply(arguments[0], faults, *arguments[1:])
    elif command == 'list':
        lines = ['\t'.join((fault.name, *seen[1:])) for fault in faults.values()
                 for seen in fault.seen if seen[0] == arguments[0]]
        print('\n'.join(lines or ['nothing for the suite\t*\t*']))
    else:
        for name, fault in faults.items():
            if any(seen[0] == 'upstream' for seen in fault.seen) == bool(arguments):
                plant(arguments[0] if arguments else TOP, faults, name, {})
            for suite, finder, says in fault.seen:
                if not (TOP / 'tests/suites' / suite).exists() or not (
                        says or finder.startswith('proof ')):
                    raise Misfit('%s: no such suite, or no message: %s %s' % (name, suite, finder))


if __name__ == '__main__':
    try:
        main(*sys.argv[1:])
    except (Misfit, OSError) as e:
        sys.exit('error: %s' % e)
