#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Writes the figures in the documents from bench/data/*.json, and draws the plots.

A block of a document stands between the lines <!-- figures: NAME VIEW --> and
<!-- end -->. NAME is that of a file in bench/data, VIEW a function in VIEWS below.
With --check nothing is written: a document or a plot that differs is named, and the
exit status is 1."""

import contextlib
import io
import pathlib
import re
import sys
import textwrap

import plot
import report
from report import Run, anyone, is_linux, is_ours, ratio, short

TOP = pathlib.Path(__file__).resolve().parent.parent
DATA = TOP / "bench/data"
PLOTS = TOP / "docs/bench"
BLOCK = re.compile(r"(<!-- figures: (\S+) (\S+) -->\n).*?(<!-- end -->\n)", re.DOTALL)
OVERVIEW = [16, 64, 128, 256, 576, 1024, 1420, 4096, 16384, 65536]


def printed(function, *args):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        function(*args)
    return out.getvalue()


def ratios(run, keep):
    """How many times faster our best is than the best peer, at lengths from 16 bytes on"""
    mine = run.names(is_ours)[0]
    return {
        n: run.best(n, keep)[0] / run.cycles(mine, n)
        for n in run.lengths("one-shot")
        if 16 <= n <= 65536
    }


def span(run):
    """Least and most of these ratios, in a sentence"""
    linux = next(p["version"] for p in run.data["peers"] if p["name"] == "Linux")
    of_all, of_linux = ratios(run, anyone).values(), ratios(run, is_linux).values()
    sentence = (
        f"From 16 bytes to 64 KiB, `{run.names(is_ours)[0]}` is {min(of_all):.2f} to "
        f"{max(of_all):.2f} times as fast as the best other implementation at that "
        f"length, and {min(of_linux):.2f} to {max(of_linux):.2f} times as fast as {linux}."
    )
    return textwrap.fill(sentence, 86) + "\n"


def overview(run):
    """The same ratios, a row for each kind of peer"""
    lines = ["| bytes | " + " | ".join(short(n) for n in OVERVIEW) + " |"]
    lines.append("|---" * (len(OVERVIEW) + 1) + "|")
    for what, keep in ("the best of all", anyone), ("Linux", is_linux):
        found = ratios(run, keep)
        cells = [f"{found[n]:.2f}" if n in found else "-" for n in OVERVIEW]
        lines.append(f"| against {what} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def page(run):
    """Every table a reader of one CPU's page needs"""
    data = run.data
    versions = ", ".join(p["version"] for p in data["peers"] if p["version"])
    best = run.names(is_ours)[0]
    tables = [printed(report.cycles_table, run, "one-shot")]
    ours = [n for n in run.names(is_ours) if n in (best, "poly1305-x86_64")]
    peers = run.names(lambda i: not i["ours"] and i["tier"] in (run.tier[best], "scalar"))
    for mode in run.modes():
        if mode in ("packet-mac", "batch-64") or re.fullmatch(r"pieces-\d+", mode):
            tables.append(printed(report.cycles_table, run, mode, "min", ours + peers))
    tables = "\n\n".join(t.rstrip() for t in tables)
    goals = "".join(printed(report.goals_table, run, mode) for mode in run.modes())
    run_line = (
        f"{data['vendor']}, family {data['family']}, model {data['model']}. TSC at "
        f"{data['tsc_mhz']:.0f} MHz, the core up to {data['core_per_tsc']:.2f} times "
        f"that; {data['rounds']} rounds. Peers: {versions}."
    )
    return (
        f"{textwrap.fill(run_line, 90)}\n\n"
        "Minimum of all rounds: TSC cycles per call up to 64 bytes, per byte above.\n\n"
        f"```\n{tables}\n```\n\n"
        "The peer's cycles divided by ours, reached and wanted; a star where less was "
        f"reached:\n\n```\n{goals.rstrip()}\n```\n"
    )


def packets(run, library, kernel):
    """Sealing and opening by stock code and by ours: WireGuard's functions in user space,
    out of the lines that build/bench/aead printed, and ESP inside a kernel"""
    lines = {"WireGuard: the library's functions": {}, "IPsec: ESP through the crypto API": {}}
    wireguard, esp = lines.values()
    for n, *row in re.findall(
        r"^ *(\d+) +(\d+) +(\d+) +[\d.]+ +(\d+) +(\d+) ",
        library.split("8 bytes of associated data")[0],
        re.MULTILINE,
    ):
        stock_seal, seal, stock_open, opened = map(int, row)
        wireguard[int(n)] = (stock_seal + stock_open) / 2, (seal + opened) / 2
    ours, peer = dict.fromkeys(
        r["impl"] for r in kernel.data["results"] if r["mode"] == "packet"
    )
    for n in kernel.lengths("packet"):
        esp[n] = tuple(kernel.cycles(i, n, "packet") / 2 for i in (peer, ours))
    return printed(plot.draw_packets, lines, run.data["tsc_mhz"])


VIEWS = {"page": page, "overview": overview, "span": span}


def main():
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        sys.exit("usage: bench/pages.py [--check]")
    runs = {path.stem: Run(path) for path in DATA.glob("*.json")}
    kernels = {name: runs.pop(name) for name in list(runs) if name.endswith("-esp")}
    made = {}
    for name, run in runs.items():
        made[PLOTS / f"{name}.svg"] = printed(plot.draw, run)
        if f"{name}-esp" in kernels:
            library = (DATA / f"{name}-aead.txt").read_text(encoding="utf-8")
            made[PLOTS / f"{name}-packets.svg"] = packets(
                run, library, kernels[f"{name}-esp"]
            )
    for path in [TOP / "README.md", TOP / "docs/benchmarking.md", *PLOTS.glob("*.md")]:
        made[path] = BLOCK.sub(
            lambda m: m[1] + VIEWS[m[3]](runs[m[2]]) + m[4],
            path.read_text(encoding="utf-8"),
        )
    stale = [
        path
        for path, text in made.items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    for path in stale:
        if not check:
            path.write_text(made[path], encoding="utf-8")
        print(f"{path.relative_to(TOP)}: {'not what the data say' if check else 'new'}")
    sys.exit(check and bool(stale))


if __name__ == "__main__":
    main()
