# SPDX-License-Identifier: GPL-2.0 OR MIT
"""The instructions that taint.py knows.

Any other instruction is an error, so a person has looked at each of these and of those that
taint.py names. Their time does not depend on the values of their operands, except for that
of div, which must be public. In particular there is no gather or scatter, no floating point,
and no instruction that stops early.
"""


def each(names, value):
    return dict.fromkeys(names.split(), value)


# condition: the flags that it reads
CONDITIONS = {
    **each('a be', 'cz'), **each('ae b', 'c'), **each('e ne', 'z'), **each('s ns', 's'),
    **each('l ge', 'so'), **each('g le', 'zso'), **each('o no', 'o'), **each('p np', 'p'),
}

# name: (whether it reads its first operand, flags it reads, flags it writes). The
# result goes to the first operand and depends on all operands read.
GENERAL = {
    **each('add sub and or xor neg shl shr sar shrd bts', (1, '', 'czsop')),
    **each('adc sbb', (1, 'c', 'czsop')), **each('inc dec', (1, '', 'zsop')),
    'not': (1, '', ''), 'rol': (1, '', 'co'), 'bzhi': (0, '', 'czsop'),
    **each('rorx shrx', (0, '', '')), 'imul': (0, '', 'czsop'),
}

# These only set flags.
COMPARE = {'cmp', 'test', 'bt', 'kortestq'}

# With two equal operands, the result of these is a constant.
ZEROING = {'xor', 'sub', 'pxor', 'xorps', 'vpxor', 'vpxord', 'vpxorq', 'kxorb', 'kxorq', 'kxnorq'}

# Copies between vectors, memory and general registers, byte for byte
MOVE = set(
    'mov movabs movzx movdqa movdqu movaps movups movq movd vmovdqa vmovdqu vmovq vmovd '
    'vmovdqa64 vmovdqu64 vmovdqu8'.split())

# Instructions on vectors and masks: whether it reads its first operand. The result goes
# there, and one secret bit of any operand read makes all of it secret.
VECTOR = {
    # Legacy SSE: two operands
    **each('paddd paddq pmuludq pand por pxor xorps andps psrlq psllq psrld '
           'punpcklqdq punpckhqdq punpckldq movhps movhlps', True),
    'pshufd': False,
    # AVX, AVX2
    **each('vpaddd vpaddq vpmuludq vpand vpor vpxor vpsrlq vpsllq vpsrld vpslld vpshufd '
           'vpunpcklqdq vpunpckhqdq vpunpckldq vpunpckhdq vpmovzxdq vpermq vperm2i128 vpermd '
           'vpblendd vpshufb vmovhps vmovshdup vinserti128 vextracti128 vpbroadcastq '
           'vpbroadcastd vbroadcasti128 vpinsrq vpextrq', False),
    # AVX-512
    **each('vpandq vporq vpxorq vpxord vpmovzxbq vextracti64x4 vshufi64x2 vshufi32x4 '
           'vbroadcasti32x4 vprold vpshrdq kmovb kmovd kmovq kxnorq kxorb kxorq', False),
    **each('vpternlogq vpermi2q vpmadd52luq vpmadd52huq', True),
}

# Execution does not continue behind these.
TRAPS = {'ud2', 'int3'}

# These do nothing, or make public what the analysis goes on to take for secret.
NOTHING = {'nop', 'endbr64', 'vzeroupper', 'vzeroall'}
