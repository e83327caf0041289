# SPDX-License-Identifier: GPL-2.0 OR MIT
"""The instructions that taint.py knows.

Any other instruction is an error, so a person has looked at each of these. Except
for those in PUBLIC_ONLY, their time does not depend on the values of their
operands. In particular the list has no gather or scatter, no floating point, and
no instruction that stops early.
"""

import operator

# condition: the flags that it reads
CONDITIONS = {
    'a': 'cz', 'be': 'cz', 'ae': 'c', 'b': 'c', 'c': 'c', 'nc': 'c',
    'e': 'z', 'z': 'z', 'ne': 'z', 'nz': 'z', 's': 's', 'ns': 's',
    'l': 'so', 'ge': 'so', 'g': 'zso', 'le': 'zso', 'o': 'o', 'no': 'o',
    'p': 'p', 'np': 'p',
}

# Conditions that taint.py evaluates if it knows both of the numbers compared
SIGNED = {'e': operator.eq, 'ne': operator.ne, 'l': operator.lt,
          'ge': operator.ge, 'g': operator.gt, 'le': operator.le}

# name: (whether it reads its first operand, flags it reads, flags it writes). The
# result goes to the first operand and depends on all operands read.
GENERAL = {
    'add': (1, '', 'czsop'), 'sub': (1, '', 'czsop'),
    'adc': (1, 'c', 'czsop'), 'sbb': (1, 'c', 'czsop'),
    'adcx': (1, 'c', 'c'), 'adox': (1, 'o', 'o'),
    'and': (1, '', 'czsop'), 'or': (1, '', 'czsop'), 'xor': (1, '', 'czsop'),
    'inc': (1, '', 'zsop'), 'dec': (1, '', 'zsop'),
    'neg': (1, '', 'czsop'), 'not': (1, '', ''), 'bswap': (1, '', ''),
    'shl': (1, '', 'czsop'), 'shr': (1, '', 'czsop'), 'sar': (1, '', 'czsop'),
    'rol': (1, '', 'co'), 'ror': (1, '', 'co'), 'rorx': (0, '', ''),
    'shld': (1, '', 'czsop'), 'shrd': (1, '', 'czsop'),
    'shlx': (0, '', ''), 'shrx': (0, '', ''), 'sarx': (0, '', ''),
    'bzhi': (0, '', 'czsop'), 'andn': (0, '', 'czsop'),
    'bts': (1, '', 'czsop'), 'btr': (1, '', 'czsop'),
}

# These only set flags.
COMPARE = {'cmp': 'czsop', 'test': 'czsop', 'bt': 'czsop'}

# With two equal operands, the result of these is a constant.
ZEROING = {'xor', 'sub', 'pxor', 'vpxor', 'vpxord', 'vpxorq', 'xorps', 'vxorps',
           'xorpd', 'psubq', 'vpsubq', 'kxorq', 'kxnorq', 'kxnorw', 'kxnorb'}

# Copies between vectors, memory and general registers, byte for byte. The rest of a
# vector that they write becomes zero; legacy SSE keeps the bits above 128.
VECTOR_MOVE = {'movdqa', 'movdqu', 'movaps', 'movups', 'movapd', 'movupd',
               'movq', 'movd', 'movss', 'lddqu',
               'vmovdqa', 'vmovdqu', 'vmovaps', 'vmovups', 'vmovq', 'vmovd',
               'vmovdqa64', 'vmovdqu64', 'vmovdqa32', 'vmovdqu32', 'vmovdqu8'}

# name: whether it reads its first operand. The result goes there, and one secret bit
# of any operand read makes all of it secret.
VECTOR = {
    # Legacy SSE: two operands
    'paddd': 1, 'paddq': 1, 'psubd': 1, 'psubq': 1, 'pmuludq': 1,
    'pand': 1, 'pandn': 1, 'por': 1, 'pxor': 1, 'xorps': 1, 'andps': 1,
    'orps': 1, 'psrlq': 1, 'psllq': 1, 'psrld': 1, 'pslld': 1,
    'psrldq': 1, 'pslldq': 1, 'pshufd': 0, 'shufps': 1, 'shufpd': 1,
    'punpcklqdq': 1, 'punpckhqdq': 1, 'punpckldq': 1, 'unpcklpd': 1,
    'movhps': 1, 'movlps': 1, 'movhpd': 1, 'movlpd': 1, 'pcmpeqd': 1,
    'movlhps': 1, 'movhlps': 1,
    # AVX, AVX2
    'vpaddd': 0, 'vpaddq': 0, 'vpsubd': 0, 'vpsubq': 0, 'vpmuludq': 0,
    'vpand': 0, 'vpandn': 0, 'vpor': 0, 'vpxor': 0, 'vxorps': 0,
    'vpsrlq': 0, 'vpsllq': 0, 'vpsrld': 0, 'vpslld': 0, 'vpshufd': 0,
    'vpsrldq': 0, 'vpslldq': 0, 'vpsrlvq': 0, 'vpsllvq': 0,
    'vpunpcklqdq': 0, 'vpunpckhqdq': 0, 'vpermq': 0, 'vperm2i128': 0,
    'vpunpckldq': 0, 'vpunpckhdq': 0, 'vpmovzxdq': 0,
    'vpermd': 0, 'vpblendd': 0, 'vpalignr': 0, 'vpshufb': 0, 'vpcmpgtq': 0,
    'vpcmpeqq': 0, 'vmovhps': 0, 'vmovlps': 0, 'vmovshdup': 0,
    'vmovddup': 0, 'vinserti128': 0, 'vextracti128': 0, 'vpbroadcastq': 0,
    'vpbroadcastd': 0, 'vbroadcasti128': 0, 'vpinsrq': 0, 'pinsrq': 1,
    'vpextrq': 0, 'pextrq': 0,
    # AVX-512 F, BW, DQ, VL
    'vpandq': 0, 'vporq': 0, 'vpxorq': 0, 'vpxord': 0, 'vpternlogq': 1,
    'vpandd': 0, 'vpord': 0, 'vpternlogd': 1, 'vpsraq': 0,
    'vpminsq': 0, 'vpmaxsq': 0, 'vpminuq': 0, 'vpmaxuq': 0,
    'vpermt2q': 1, 'vpermi2q': 1, 'vpmovzxbq': 0, 'vpmovqd': 0,
    'vextracti64x4': 0, 'vextracti64x2': 0, 'vextracti32x4': 0,
    'vinserti64x4': 0, 'vinserti64x2': 0, 'vinserti32x4': 0,
    'vshufi64x2': 0, 'vshufi32x4': 0, 'valignq': 0, 'vpblendmq': 0,
    'vpblendmd': 0, 'vbroadcasti64x2': 0, 'vbroadcasti64x4': 0,
    'vbroadcasti32x4': 0, 'vpexpandq': 0, 'vprolq': 0, 'vprorq': 0, 'vprold': 0,
    # IFMA, VBMI, VBMI2
    'vpmadd52luq': 1, 'vpmadd52huq': 1, 'vpshrdq': 0, 'vpshldq': 0,
    'vpermb': 0, 'vpermi2b': 1, 'vpermt2b': 1, 'vpmultishiftqb': 0,
}

# Comparisons of vectors, and other ways from vectors to a mask
TO_MASK = {'vpcmpuq', 'vpcmpeqq', 'vpcmpneqq', 'vpcmpltuq', 'vpcmpnltuq',
           'vpcmpleuq', 'vpcmpnleuq', 'vptestmq', 'vptestnmq', 'vpcmpeqb',
           'vpcmpneqb', 'vpcmpeqd', 'vpcmpneqd', 'vpmovq2m', 'vpcmpgtq',
           'vpcmpltq', 'vpcmpleq', 'vpcmpnltq', 'vpcmpnleq'}

# Moves and arithmetic of mask registers
MASK = {'kmovb', 'kmovw', 'kmovd', 'kmovq', 'kandb', 'kandw', 'kandd', 'kandq',
        'kandnb', 'kandnq', 'korb', 'korw', 'korq', 'kxorb', 'kxorq', 'kxnorb', 'kxnorw',
        'kxnorq', 'knotb', 'knotq', 'kshiftlb', 'kshiftlq', 'kshiftrb',
        'kshiftrw', 'kshiftrq', 'kaddb', 'kaddq'}
MASK_TEST = {'kortestb', 'kortestw', 'kortestq', 'ktestb', 'ktestq'}

# Their time, or whether they fault, depends on their operands, which must be public.
PUBLIC_ONLY = {'div', 'idiv'}

# These load cache lines, so their addresses are observable. They never fault.
PREFETCH = {'prefetcht0'}

# Execution does not continue behind these.
TRAPS = {'ud2', 'hlt', 'int3'}

NOTHING = {'nop', 'nopw', 'nopl', 'endbr64', 'vzeroupper', 'lfence', 'pause',
           'cld'}
