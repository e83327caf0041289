#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Draws results of build/bench/bench as an SVG."""

import math
import sys

from report import Run, cpu_name, is_library, is_linux, is_ours, is_packet, library

RIVALS = is_linux, is_library
MOST_GROUPS = 24
# The name of the format; nothing is fetched from there.
NAMESPACE = "http:" + "//www.w3.org/2000/svg"

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


def bars_of(run, length, mode):
    """Cycles of Linux, of the best other library and of poly1305.ko: (kind, name, cycles) of each"""
    linux, other = (run.rival(length, keep, mode) for keep in RIVALS)
    ours = run.top(is_ours, mode)
    return [
        ("stock", "Linux", linux[0]),
        ("other", other[1], other[0]),
        ("ours", "poly1305.ko", run.cycles(ours, length, mode)),
    ]


def linux_of(run):
    return next(p["version"] for p in run.data["peers"] if p["name"] == "Linux")


def draw(run):
    """Bars: packets sealed without associated data, or if there are none, messages, by Linux, by the
    best other library and by poly1305.ko, as multiples of Linux's"""
    mode = "seal-0" if "seal-0" in run.modes() else "one-shot"
    lengths = [n for n in run.lengths(mode) if n >= 64]
    lengths = lengths[:: math.ceil(len(lengths) / MOST_GROUPS) or 1]
    if not lengths or not run.top(is_ours, mode) or \
            not all(run.rival(lengths[0], k, mode) for k in RIVALS):
        sys.exit("plot: needs messages or packets of poly1305.ko, Linux and another library")
    name, counted = "Poly1305", "Messages"
    if is_packet(mode):
        name, counted = "ChaCha20-Poly1305", "Packets sealed"
    chart(
        [(n, 1, bars_of(run, n, mode)) for n in lengths],
        f"{name} on one core of an {cpu_name(run)}",
        f"{counted} a second, Linux = 1; more is better",
        linux_of(run),
        "bytes of payload",
    )


def draw_cpus(runs, length):
    """Bars: millions of packets of that length sealed in a second by one core of each CPU, with how
    many times as many as Linux above them"""
    linux = sorted({linux_of(run) for run in runs})
    chart(
        [(cpu_name(run), run.data["tsc_mhz"], bars_of(run, length, "seal-0")) for run in runs],
        f"ChaCha20-Poly1305: packets of {length} bytes on one core",
        "Millions of packets sealed a second; more is better. Above the bars: times Linux",
        ", ".join(linux),
        "",
    )


def chart(groups, title, note, linux, unit):
    """Groups of bars: a label, the MHz of the clock, or 1 if the bars are multiples of Linux's, and
    (kind, name, cycles) of each bar"""
    wide = len(groups) > 4
    others = dict.fromkeys(library(bars[1][1]) for _, _, bars in groups)
    width, height, left, right, top = (1000 if wide else 640), 360, 48, 14, 84
    bottom = height - 46

    def value(mhz, bars, taken):
        return (bars[0][2] if mhz == 1 else mhz) / taken

    most = 1.08 * max(value(mhz, bars, c) for _, mhz, bars in groups for _, _, c in bars)
    group = (width - left - right) / len(groups)
    bar = group / 3.6

    def place_y(high):
        return bottom - (bottom - top) * high / most

    print(
        f'<svg xmlns="{NAMESPACE}" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="sans-serif" font-size="12">{STYLE}'
    )
    print(
        f'<rect class="card" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="6"/>'
    )
    print(f'<text x="16" y="26" font-size="16" font-weight="bold">{title}</text>')
    print(f'<text class="note" x="16" y="45">{note}</text>')
    x = 16.0
    for kind, name in (
        ("stock", linux),
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
    for j, (label, mhz, bars) in enumerate(groups):
        begin = left + j * group + bar * 0.3
        for i, (kind, _, cycles) in enumerate(bars):
            x = begin + i * bar
            y = place_y(value(mhz, bars, cycles))
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
            f"{label}</text>"
        )
    print(
        f'<text class="note" x="{(width + left) / 2:.0f}" y="{height - 12}" '
        f'text-anchor="middle">{unit}</text>'
    )
    print("</svg>")


if __name__ == "__main__":
    draw(Run(sys.argv[1]))
