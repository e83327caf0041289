# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Places that hold values: registers, lanes of vectors, masks, and bytes of memory"""

from cpu import STACKS
from values import Stuck


def reg(n):
    return 'r', n


def lane(v, i):
    return 'v', v, i


def mask(n):
    return 'k', n


def mem(region, offset, size=8):
    return 'm', region, offset, size


def mems(region, offset, step, count, size=8):
    """Places in memory, a step apart"""
    return [mem(region, offset + step * i, size) for i in range(count)]


def units(place):
    """The register, or the bytes of memory, that a place is in"""
    if place[0] == 'm':
        return {(place[1], b) for b in range(place[2], place[2] + place[3])}
    return {place[1] if place[0] in ('low', 'high') else place}


def low(place, bits):
    """The low bits of what a place holds; the others do not matter"""
    return 'low', place, bits


def high(place):
    """The upper half of a lane, whose lower half must be set before"""
    return 'high', place


def reads(cpu, place):
    """The value at a place"""
    if place[0] == 'high':
        return cpu.ctx.split(reads(cpu, place[1]), 32)[0]
    if place[0] == 'low':
        return cpu.ctx.split(reads(cpu, place[1]), place[2])[1]
    if place[0] == 'r':
        return cpu.regs[place[1]]
    if place[0] == 'v':
        return cpu.vec[place[1]][place[2]]
    if place[0] == 'k':
        return cpu.mask[place[1]]
    return cpu.read(cpu.ctx.plus(cpu.bases[place[1]], place[2]), place[3])


def sets(cpu, place, value):
    """Make a place hold a value, as an assumption."""
    if place[0] == 'high':
        place, value = place[1], cpu.join(value, reads(cpu, low(place[1], 32)))
    if place[0] == 'low':
        junk = cpu.ctx.word('junk', 64 - place[2])
        place, value = place[1], cpu.ctx.add(value, cpu.ctx.times(junk, 1 << place[2]))
    if place[0] == 'r':
        cpu.regs[place[1]] = value
    elif place[0] == 'v':
        cpu.vec[place[1]][place[2]] = value
    elif place[0] == 'k':
        cpu.mask[place[1]] = value
    else:
        of = cpu.of(place[1])
        cells = cpu.cells(of, {})
        offset, size = place[2:]
        for b in [b for b in range(offset - 31, offset + size)
                  if b in cells and b + cells[b][0] > offset]:
            if b < offset or b + cells[b][0] > offset + size:
                raise Stuck('two invariants overlap at %s%+d' % (place[1], offset))
            del cells[b]
        cells[offset] = size, value


def registers(cpu):
    """{place: value} of all registers"""
    found = {reg(i): x for i, x in enumerate(cpu.regs)}
    found.update((lane(v, i), x) for v, lanes in enumerate(cpu.vec) for i, x in enumerate(lanes))
    found.update((mask(i), x) for i, x in enumerate(cpu.mask))
    return found


def public_places(cpu, public):
    """The registers and the bytes of the stack that are public"""
    found = {place for place, x in registers(cpu).items() if public(x)}
    for name in STACKS:
        if name in cpu.bases:
            for offset, (size, x) in cpu.cells(cpu.of(name), {}).items():
                found |= units(mem(name, offset, size)) if public(x) else set()
    return found
