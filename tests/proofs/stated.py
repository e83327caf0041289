#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""
The bounds that comments of the sources state, beside those that the proofs claim at cuts and
calls: a comment must be where this list says, and must not state less than what is proved.
"""

import re
import sys

import avx2
import avx512
import contracts
import groups
import scalar
from loader import TOP

# (file, the words around each bound, which is #, the greatest values that the proofs allow)
STATED = (
    ('poly1305_core.h', 'h[2] <= #, so', [contracts.Blocks.most_h2]),
    ('arch/x86/poly1305-radix64.h', 'b5 < 2^60.4 and a2 <= #. u3', [scalar.BlocksMul.most_x2]),
    ('arch/x86/poly1305-mulx.h', 'x2 < #, then', [scalar.BlocksMulx.most_x2]),
    ('arch/x86/poly1305-avx2-short.S', 'limbs of S are below #, and limbs of powers are below #.',
     [max(avx2.S_BOUNDS[:4]), max(avx2.POWER_BOUNDS) - 1]),
    ('arch/x86/poly1305-quads.h', 'and S4 < #. Clobbers', [avx2.S_BOUNDS[4]]),
    ('arch/x86/poly1305-avx2.S', 'powers are below L = #. A group', [max(groups.LIMB) - 1]),
    ('arch/x86/poly1305-avx2.S', 'less than # altogether', [max(groups.SUM)]),
    ('arch/x86/poly1305-avx2.S', 'bit 128 of all blocks of the group < # less',
     [max(groups.HIBITS)]),
    ('arch/x86/poly1305-sse2.S', 'below L = #. A group', [max(groups.LIMB) - 1]),
    ('arch/x86/poly1305-powers.h', 'limbs below #, # and #. Clobbers', groups.POWER),
    ('arch/x86/poly1305-squares.h', 'with limbs below #. Clobbers all', [max(groups.SQUARE) - 1]),
    ('arch/x86/poly1305-avx512.S', 'in radix 2^44, below #, #, #;', avx512.BOUND),
    ('arch/x86/poly1305-avx512.S', 'h2 is below #.', [avx512.Finish.most_h2 - 1]),
    ('arch/x86/poly1305-avx512-long.h', 'G0, G1 < #,', [max(avx512.TABLE_52[:2])]),
    ('arch/x86/poly1305-avx512-long.h', 'X2 <= #. Bits', [avx512.BOUND_52[2]]),
)


def main():
    wrong = 0
    for file, words, proved in STATED:
        text = re.sub(r'\n \*', '\n', (TOP / file).read_text(encoding='utf-8'))
        text = re.sub(r'[\s*]+(?=\S)', ' ', text)
        pattern = re.escape(words).replace(r'\ ', ' ').replace(r'\#', '#').replace(
            '#', r'(\d[\d^+. *-]*?)')
        found = re.search(pattern, text)
        numbers = [eval(re.sub(r'(\d) (\d)', r'\1 * \2', n).replace('^', '**'))
                   for n in found.groups()] if found else []
        if not found or any(x > n for x, n in zip(proved, numbers)):
            wrong += 1
            print('not ok %s: "%s" %s' % (file, words, 'is not there' if not found else
                                          'states less than is proved'))
    print('%s %d bounds in comments are those of the proofs' % (
        'not ok' if wrong else 'ok', sum(len(s[2]) for s in STATED)))
    return bool(wrong)


if __name__ == '__main__':
    sys.exit(main())
