# SPDX-License-Identifier: GPL-2.0 OR MIT
"""The features of the CPU that a function may use: what C asks for before it calls the function"""

import re

from loader import TOP
from stated import need

PACKETS = 'x86_has_avx2', 'x86_has_avx512'
# Part of the names of functions -> the functions of C one of which asks first. Other names need
# nothing. C may call what has no vectors here outside of FPU sections.
ASKS = {'avx512': PACKETS[1:], 'avx2': PACKETS, 'chapoly_x86': PACKETS, 'sse2': ('sse2_usable',),
        '_mulx': ('poly1305_arch_init', *PACKETS)}
ASKED = {name: set(re.findall(r'(?:return|&&|=)\s+boot_cpu_has\(X86_FEATURE_(\w+)\)', body))
         for file in sorted(TOP.glob('arch/x86/*.h')) for name, body in re.findall(
             r'(\w+)\(void\)\n\{(.*?)^\}', file.read_text('ascii'), re.S | re.M)}
# As arch/x86/kernel/cpu/cpuid-deps.c has it, and names of the kernel's that iced-x86 has not
IMPLIED = {'XMM2': {'sse', 'sse2'}, 'SSE2': {'sse'}, 'AVX': {'sse', 'sse2'},
           'AVX2': {'avx', 'sse', 'sse2'}, 'AVX512F': {'avx', 'avx2', 'sse', 'sse2'}}
EVERY = {'intel8086', 'intel186', 'intel286', 'intel386', 'intel486', 'x64', 'cmov'}
# A byte that is not 0 -> the function of C that has asked then
BYTES = {'poly1305_has_mulx': 'poly1305_arch_init'}


def asks(name):
    """The functions of C one of which asks before it calls one of assembly"""
    return next((asks for part, asks in ASKS.items() if part in name), ())


def implied(features):
    """These features, as instructions need them, and those that they imply"""
    return {f.lower() for f in features}.union(*(IMPLIED.get(f, ()) for f in features))


def asked(check):
    """What the CPU has if a function of C has asked"""
    return implied(ASKED[check])


def features(block):
    """What a function of assembly may use: what its block says, for which C must ask"""
    found = implied(block.features)
    for check in asks(block.name) or ('nothing',):
        need(found <= (asked(check) if check in ASKED else set()),
             '%s needs more than %s() asks for' % (block.name, check))
    return EVERY | found


def useless(obj, names):
    """What C asks for, and no function needs"""
    for check in {check for name in names for check in asks(name)}:
        used = set().union(*(i.features() for name in names if check in asks(name)
                             for i in obj.body(name)))
        for feature in ASKED[check]:
            if not used & (IMPLIED.get(feature, set()) | {feature.lower()}):
                yield '%s() asks for %s, which nothing needs' % (check, feature)
