# SPDX-License-Identifier: GPL-2.0 OR MIT
"""
For each function of assembly, C that asserts what its block of comment demands of a caller,
contract_FUNCTION(), and that forgets what the function overwrites, effect_FUNCTION(). A clause of
"requires" that is in no form known here is an error.

The harness defines NEED(condition, text), section, readable(p, n), writable(p, n),
apart(p, n, q, m) and forget(p, n).
"""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'proofs'))
from stated import Wrong, parts, sources     # noqa: E402

CLAMP = '!(%s[0] & ~POLY1305_CLAMP_LO) && !(%s[1] & ~POLY1305_CLAMP_HI)'


class Contract:
    """One function's"""

    def __init__(self, block):
        self.block = block
        self.out = []
        self.conditions = {(name, *ends): condition.replace(' = ', ' == ')
                           for place, condition in block.conditions.items()
                           for name, found in block.regions(place)[0].items() for ends in found}

    def need(self, condition, text, guard=None):
        if guard:
            condition = '!(%s) || (%s)' % (guard, condition)
        self.out.append('\tNEED(%s, "%s: %s");' % (condition, self.block.name, text))

    def c(self, text):
        """The C of a sum of products, such as 16 nblocks + 4"""
        return '(size_t)(%s)' % re.sub(r'(?<=\w) (?=\w)', ' * ', text)

    def struct(self, name):
        kind, pointer, _ = self.block.arguments[name]
        return kind if pointer and kind.startswith('struct ') else None

    def place(self, name, ends=None):
        """The address and length of a place that may overlap no other"""
        if ends:
            return name, '%d' % ends[1]
        if self.struct(name):
            return name, 'sizeof(*%s)' % name
        ends = {hi for found in (self.block.reads, self.block.writes)
                for _, hi in found.get(name, ())}
        if len(ends) != 1:
            raise Wrong('how many bytes? ' + name)
        return name, self.c(*ends)

    def pair(self, pair):
        """Two places are apart, or as the block allows"""
        text = 'apart(%s, %s, %s, %s)' % (*self.place(pair.one), *self.place(pair.other, pair.at[1]))
        if pair.how == 'same':
            text += ' || %s == %s' % (pair.one, pair.other)
        elif pair.how == 'shifted':
            distance, condition = pair.more
            text += ' || (SAME(%s, %s) && OFFSET(%s) == OFFSET(%s) %s && %s)' % (
                pair.one, pair.other, pair.one, pair.other, distance, condition.replace('=', '=='))
        if pair.how != 'overlaps':
            self.need(text, pair.text, pair.given)

    def clause(self, text, guard=None):
        """A clause that is no bound"""
        m = re.fullmatch(r'(if|unless) (\w+)((?: = \w+(?: or \w+)*)?), (.*)', text)
        if m and m[2] in self.block.arguments:
            condition = ' || '.join('%s == %s' % (m[2], x) for x in m[3][3:].split(' or ')) if \
                m[3] else m[2]
            return self.clause(m[4], condition if m[1] == 'if' else '!(%s)' % condition)
        m = re.fullmatch(r'which is WITH_KEY, and then (\w+ = \d+)', text)
        if m:
            return self.clause(m[1], 'rounds == WITH_KEY')
        m = re.fullmatch(r'(\w+) = (\w+)', text)
        if m and m[1] in self.block.arguments:
            return self.need('%s == %s' % m.groups(), text, guard)
        m = re.fullmatch(r'(\w+) is aligned to (\d+) bytes', text)
        if m:
            self.need('__CPROVER_POINTER_OFFSET(%s) %% %s == 0' % (m[1], m[2]), text, guard)
            if self.struct(m[1]):
                self.out.append('\t_Static_assert(_Alignof(%s) %% %s == 0, "");' %
                                (self.struct(m[1]), m[2]))
            return None
        m = re.fullmatch(r'(\w+) is a multiple of (\d+)', text)
        if m:
            return self.need('%s %% %s == 0' % m.groups(), text, guard)
        m = re.fullmatch(r'(\w+->\w+) (?:is|has) r, clamped, and s', text)
        if m:
            return self.need(CLAMP % (m[1], m[1]), text, guard)
        return self.other(text, guard)

    def other(self, text, guard):
        """Assert a clause about a structure"""
        m = re.fullmatch(r'(\w+(?:->\w+)?) has r, clamped, q1 = 5 r1 / 4 and s0 = 5 r0', text)
        n = re.fullmatch(r'(\w+)->q1 = 5 r1 / 4, \1->s0 = 5 r0', text)
        if m or n:
            mac = m[1] + '.' if m and '->' in m[1] else (m or n)[1] + '->'
            key = mac + 'key'
            if m:
                self.need(CLAMP % (key, key), text, guard)
            return self.need('%sq1 == %s[1] + %s[1] / 4 && %ss0 == 5 * %s[0]' %
                             (mac, key, key, mac, key), text, guard)
        m = re.fullmatch(r'(\w+->\w+) has 48 zeros and the lengths', text)
        if m:
            return self.need('zeros48(%s)' % m[1], text, guard)
        raise Wrong('a clause that tests/cbmc/contracts.py does not know: ' + text)

    def bound(self, name, least, most):
        limits = [x for x in (least and ('>= %dUL', 'at least %d', least),
                              most is not None and ('<= %dUL', 'at most %d', most)) if x]
        self.need(' && '.join('%s %s' % (name, c % n) for c, _, n in limits),
                  '%s is %s' % (name, ' and '.join(text % n for _, text, n in limits)))

    def regions(self, found, what):
        for name, ranges in found.items():
            for lo, hi in ranges:
                size = self.c(hi) if lo == '0' else self.c('%s - %s' % (hi, lo))
                at = name if lo == '0' else '(u8 *)%s + %s' % (name, lo)
                self.need('%s(%s, %s)' % (what, at, size), '%s[%s, %s) is %s' %
                          (name, lo, hi, what), self.conditions.get((name, lo, hi)))

    def text(self):
        block = self.block
        prototype = block.prototype.replace('void %s(' % block.name, 'static void %%s_%s(' %
                                            block.name).rstrip(';')
        if any(kind in ('xmm', 'ymm', 'zmm', 'k') for kind, _ in block.clobbers):
            self.need('section', 'in an FPU section')
        self.regions(block.reads, 'readable')
        self.regions(block.writes, 'writable')
        for name, (least, most) in block.bounds.items():
            if least or most is not None:
                self.bound(name, least, most)
        for pair in block.pairs.values():
            self.pair(pair)
        for clause in block.clauses:
            kept = [x for x in parts(clause, ',') if not re.search(' <=? ', ' ' + x + ' ')]
            if kept:
                self.clause(', '.join(kept))
        contract = '%s\n{\n%s\n}\n' % (prototype % 'contract', '\n'.join(self.out))
        effects = []
        for name, ranges in block.writes.items():
            for lo, hi in ranges:
                if lo.isdigit() and hi.isdigit():
                    effects.append('\tif (%s)\n\t\tforget((u8 *)%s + %s, %d);' % (
                        self.conditions.get((name, lo, hi), '1'), name, lo, int(hi) - int(lo)))
        for name, (_, most) in block.after.items():
            for full in block.bounds:
                if full.endswith(name):
                    effects.append('\t__CPROVER_assume(%s <= %dUL);' % (full, most))
        return contract + '%s\n{\n%s\n}\n' % (prototype % 'effect', '\n'.join(effects))


def text(top, beginnings):
    """The contracts of all functions of a tree whose names begin so"""
    blocks = sources(pathlib.Path(top)).blocks
    found = [blocks[name] for name in blocks if name.startswith(tuple(beginnings))]
    for beginning in beginnings:
        if not any(name.startswith(beginning) for name in blocks):
            raise Wrong('no such function: ' + beginning)
    return '\n'.join(Contract(block).text() for block in found)
