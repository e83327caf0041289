#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Draws results of build/bench/bench as an SVG: cycles per byte by length."""

import math
import sys

from report import Run, is_ours, short

WIDTH, HEIGHT = 1000, 600
# The name of the format; nothing is fetched from there.
NAMESPACE = "http:" + "//www.w3.org/2000/svg"
LEFT, RIGHT, TOP, BOTTOM = 60, 190, 50, 50
SHORTEST = 64
COLOURS = {
    "avx512": "#c0392b",
    "avx512f": "#d81b80",
    "avxifma": "#00838f",
    "avx2": "#d68910",
    "avx": "#8d6e63",
    "sse2": "#1e8449",
    "scalar": "#2471a3",
    "portable": "#7d3c98",
}


def draw(run):
    lengths = [n for n in run.lengths("one-shot") if n >= SHORTEST]
    if len(lengths) < 2:
        sys.exit("plot: needs one-shot results of two lengths")
    names = run.names(lambda i: not i["inner"])
    lines = {}
    for name in names:
        points = [(n, run.cycles(name, n)) for n in lengths]
        lines[name] = [(n, c / n) for n, c in points if c]
    names = [n for n in names if lines[n]]
    values = [v for n in names for _, v in lines[n]]
    low, high = math.log(min(values)), math.log(max(values))
    first, last = math.log(lengths[0]), math.log(lengths[-1])
    if low == high:
        sys.exit("plot: needs two results that differ")

    def place_x(length):
        span = WIDTH - LEFT - RIGHT
        return LEFT + span * (math.log(length) - first) / (last - first)

    def place_y(value):
        span = HEIGHT - TOP - BOTTOM
        return TOP + span * (high - math.log(value)) / (high - low)

    print(
        f'<svg xmlns="{NAMESPACE}" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="12">'
    )
    print(f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>')
    print(
        f'<text x="{LEFT}" y="24" font-size="16">Poly1305: TSC cycles per byte by '
        "message length in bytes, fresh key each, less is better</text>"
    )
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    value = 1 / 64
    while value < math.exp(high) * 2:
        if low <= math.log(value) <= high:
            y = place_y(value)
            print(f'<path d="M{LEFT} {y:.1f}H{right}" stroke="#ddd"/>')
            print(
                f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">'
                f"{value:.3g}</text>"
            )
        value *= 2
    for n in lengths:
        x = place_x(n)
        print(f'<path d="M{x:.1f} {TOP}V{bottom}" stroke="#eee"/>')
    labelled = -100.0
    for n in lengths:
        x = place_x(n)
        if x - labelled > 30:
            labelled = x
            print(
                f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">'
                f"{short(n)}</text>"
            )

    ours = set(run.names(is_ours))
    seen = {}
    ends = []
    for name in names:
        tier = run.tier[name]
        seen[tier] = seen.get(tier, 0) + 1
        dash = "" if name in ours else f' stroke-dasharray="{1 + 2 * seen[tier]} 3"'
        width = 3 if name in ours else 1.3
        path = "L".join(f"{place_x(n):.1f} {place_y(v):.1f}" for n, v in lines[name])
        print(
            f'<path d="M{path}" fill="none" stroke="{COLOURS[tier]}" '
            f'stroke-width="{width}"{dash}><title>{name}</title></path>'
        )
        ends.append([place_y(lines[name][-1][1]), name, dash])

    # Names stand beside the ends of their lines, moved apart where they would touch.
    ends.sort()
    step = 14
    for above, below in zip(ends, ends[1:]):
        below[0] = max(below[0], above[0] + step)
    excess = ends[-1][0] - (HEIGHT - 10)
    for end in reversed(ends):
        end[0] -= max(excess, 0)
        excess = excess if end is ends[0] else max(excess, 0)
    for y, name, dash in ends:
        tier = run.tier[name]
        weight = "bold" if name in ours else "normal"
        value = place_y(lines[name][-1][1])
        print(
            f'<path d="M{right} {value:.1f}L{right + 22} {y:.1f}" '
            f'stroke="{COLOURS[tier]}" fill="none" stroke-width="0.7"/>'
        )
        print(
            f'<text x="{right + 26}" y="{y + 4:.1f}" fill="{COLOURS[tier]}" '
            f'font-weight="{weight}">{name}</text>'
        )
    print("</svg>")


if __name__ == "__main__":
    draw(Run(sys.argv[1]))
