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
OTHER_COLOUR = "#455a64"
COLOURS = {
    "avx512": "#c0392b",
    "avx512f": "#d81b80",
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
        colour = COLOURS.get(tier, OTHER_COLOUR)
        seen[tier] = seen.get(tier, 0) + 1
        dash = "" if name in ours else f' stroke-dasharray="{1 + 2 * seen[tier]} 3"'
        width = 3 if name in ours else 1.3
        path = "L".join(f"{place_x(n):.1f} {place_y(v):.1f}" for n, v in lines[name])
        print(
            f'<path d="M{path}" fill="none" stroke="{colour}" '
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
        colour = COLOURS.get(tier, OTHER_COLOUR)
        weight = "bold" if name in ours else "normal"
        value = place_y(lines[name][-1][1])
        print(
            f'<path d="M{right} {value:.1f}L{right + 22} {y:.1f}" '
            f'stroke="{colour}" fill="none" stroke-width="0.7"/>'
        )
        print(
            f'<text x="{right + 26}" y="{y + 4:.1f}" fill="{colour}" '
            f'font-weight="{weight}">{name}</text>'
        )
    print("</svg>")


def draw_packets(lines, mhz):
    """How many times as many packets as stock code, by length: a group of bars for each.
    lines: for each kind of packet a dict, length -> cycles of stock code and of ours"""
    lengths = sorted(set.intersection(*(set(line) for line in lines.values())))
    most = max(line[n][0] / line[n][1] for line in lines.values() for n in lengths)
    colours = ["#2471a3", "#d68910"]
    width, height, left, bottom, top = 1000, 400, 50, 340, 60
    group = (width - left - 20) / len(lengths)
    bar = group / (len(lines) + 0.6)

    def place_y(value):
        return bottom - (bottom - top) * value / most

    print(
        f'<svg xmlns="{NAMESPACE}" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="12">'
    )
    print(f'<rect width="{width}" height="{height}" fill="white"/>')
    print(
        f'<text x="{left}" y="24" font-size="16">Packets per second, stock code = 1, by '
        "bytes of text; in the bars, ns per packet</text>"
    )
    for i, name in enumerate(lines):
        x = left + i * 480
        print(f'<rect x="{x}" y="34" width="12" height="12" fill="{colours[i]}"/>')
        print(f'<text x="{x + 18}" y="44">{name}</text>')
    for value in (0, 0.5, 1, 1.5, 2, 2.5, 3):
        if value > most:
            break
        y, colour = place_y(value), "#888" if value == 1 else "#ddd"
        print(f'<path d="M{left} {y:.1f}H{width - 20}" stroke="{colour}"/>')
        print(f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{value:g}</text>')
    for j, n in enumerate(lengths):
        begin = left + j * group + bar * 0.3
        for i, line in enumerate(lines.values()):
            stock, ours = line[n]
            x, y = begin + i * bar, place_y(stock / ours)
            print(
                f'<rect x="{x:.1f}" y="{y:.1f}" width="{bar - 3:.1f}" '
                f'height="{bottom - y:.1f}" fill="{colours[i]}"/>'
            )
            middle = x + (bar - 3) / 2
            for text, at, colour in (
                (f"{stock / ours:.2f}", y - 4, "black"),
                (f"{1000 * ours / mhz:.0f}", bottom - 6, "white"),
            ):
                print(
                    f'<text x="{middle:.1f}" y="{at:.1f}" fill="{colour}" '
                    f'text-anchor="middle">{text}</text>'
                )
        print(
            f'<text x="{begin + bar * len(lines) / 2:.1f}" y="{bottom + 18}" '
            f'text-anchor="middle">{n}</text>'
        )
    print(
        f'<text x="{(width + left) / 2}" y="{height - 12}" text-anchor="middle">'
        "bytes of text</text>"
    )
    print("</svg>")


if __name__ == "__main__":
    draw(Run(sys.argv[1]))
