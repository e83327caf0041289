#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Draws results of build/bench/bench as an SVG: a MAC's cycles per byte by length, or packets."""

import math
import sys

from report import Run, cpu_name, is_library, is_ours, is_packet, library, short

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


# A picture is a card with a background of its own, so that it can be read on any page. It is
# dark where the reader has asked for that, in browsers that say so.
STYLE = """<style>
text { fill: #1c2733 }
.card { fill: #fff; stroke: #c9d1d9 }
.note { fill: #57606a }
.line { stroke: #d8dee4 }
.base { stroke: #57606a }
.stock { fill: #9aa5b1 }
.other { fill: #3f7fc1 }
.ours { fill: #d1571b }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 }
.card { fill: #161b22; stroke: #444c56 }
.note { fill: #9ea7b3 }
.line { stroke: #30363d }
.base { stroke: #9ea7b3 }
.stock { fill: #7d8894 }
.other { fill: #4a90d9 }
.ours { fill: #e8702f }
}
</style>"""


def tick_step(most):
    """The distance of about five lines up to that value: 1, 2 or 5 times a power of ten"""
    step = 10 ** math.floor(math.log10(most / 5))
    return next(step * k for k in (1, 2, 5, 10) if step * k * 6 > most)


def draw_packets(run, cpu, lengths=None):
    """Bars: packets sealed without associated data by Linux, by the best other library and by
    poly1305.ko. At a few lengths they are millions a second, with how many times as many as Linux
    above them; at many lengths, whose numbers differ too much, multiples of Linux's."""
    ours, stock = run.packets()
    mode = "seal-0"
    lengths = [n for n in lengths or run.lengths(mode) if n >= 64]
    if not ours or not stock or not run.names(is_library):
        sys.exit("plot: needs packets of poly1305.ko, Linux and another library")
    mhz = run.data["tsc_mhz"]
    groups = []
    for n in lengths:
        cycles, other = run.best(n, is_library, mode=mode)
        groups.append((n, [
            ("stock", "Linux", run.cycles(stock, n, mode)),
            ("other", other, cycles),
            ("ours", "poly1305.ko", run.cycles(ours, n, mode)),
        ]))
    others = dict.fromkeys(library(bars[1][1]) for _, bars in groups)
    wide = len(groups) > 4
    width, height, left, right, top = (1000 if wide else 640), 360, 48, 14, 84
    bottom = height - 46
    most = 1.08 * max((bars[0][2] if wide else mhz) / c for _, bars in groups for _, _, c in bars)
    group = (width - left - right) / len(groups)
    bar = group / 3.6

    def place_y(value):
        return bottom - (bottom - top) * value / most

    print(
        f'<svg xmlns="{NAMESPACE}" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="sans-serif" font-size="12">{STYLE}'
    )
    print(
        f'<rect class="card" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="6"/>'
    )
    print(
        f'<text x="16" y="26" font-size="16" font-weight="bold">ChaCha20-Poly1305 on one core of '
        f"an {cpu}</text>"
    )
    print(
        f'<text class="note" x="16" y="45">{"Packets" if wide else "Millions of packets"} sealed a '
        f"second{', Linux = 1' if wide else ''}; more is better"
        f"{'' if wide else '. Above the bars: times Linux'}</text>"
    )
    x = 16.0
    for kind, name in (
        ("stock", next(p["version"] for p in run.data["peers"] if p["name"] == "Linux")),
        ("other", "best other library: " + ", ".join(others)),
        ("ours", "poly1305.ko"),
    ):
        print(f'<rect class="{kind}" x="{x:.0f}" y="56" width="12" height="12" rx="2"/>')
        print(f'<text x="{x + 17:.0f}" y="66">{name}</text>')
        x += 42 + 6.3 * len(name)
    step = tick_step(most)
    for i in range(int(most / step) + 1):
        y = place_y(i * step)
        kind = "line" if i and i * step != (1 if wide else 0) else "base"
        print(f'<path class="{kind}" d="M{left} {y:.1f}H{width - right}"/>')
        print(
            f'<text class="note" x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">'
            f"{i * step:g}</text>"
        )
    for j, (n, bars) in enumerate(groups):
        begin = left + j * group + bar * 0.3
        for i, (kind, _, cycles) in enumerate(bars):
            x = begin + i * bar
            y = place_y((bars[0][2] if wide else mhz) / cycles)
            print(
                f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{bar - 2:.1f}" '
                f'height="{bottom - y:.1f}"/>'
            )
            if kind == "ours" or kind == "other" and not wide:
                weight = ' font-weight="bold"' if kind == "ours" else ""
                print(
                    f'<text x="{x + bar / 2 - 1:.1f}" y="{y - 4:.1f}" text-anchor="middle"'
                    f' font-size="{10 if wide else 12}"{weight}>{bars[0][2] / cycles:.2f}</text>'
                )
        print(
            f'<text x="{begin + bar * 1.5:.1f}" y="{bottom + 17}" text-anchor="middle">'
            f"{n}</text>"
        )
    print(
        f'<text class="note" x="{(width + left) / 2:.0f}" y="{height - 12}" '
        'text-anchor="middle">bytes of payload</text>'
    )
    print("</svg>")


def main():
    run = Run(sys.argv[1])
    if all(map(is_packet, run.modes())):
        draw_packets(run, cpu_name(run))
    else:
        draw(run)


if __name__ == "__main__":
    main()
