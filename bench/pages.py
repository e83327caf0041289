#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Writes docs/bench/NAME.md from each bench/data/NAME.json, draws the plots, and fills in the
figures of other documents.

Those stand between the lines <!-- figures: NAME VIEW --> and <!-- end -->. VIEW is a
function in VIEWS below. With --check nothing is written: a document or a plot that differs
is named, and the exit status is 1."""

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
PAGES = TOP / "docs/bench"
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


def linux(run):
    return next(p["version"] for p in run.data["peers"] if p["name"] == "Linux")


def span(run):
    """Least and most of these ratios, in a sentence"""
    of_all, of_linux = ratios(run, anyone).values(), ratios(run, is_linux).values()
    sentence = (
        f"From 16 bytes to 64 KiB, `{run.names(is_ours)[0]}` is {min(of_all):.2f} to "
        f"{max(of_all):.2f} times as fast as the best other implementation at that "
        f"length, and {min(of_linux):.2f} to {max(of_linux):.2f} times as fast as {linux(run)}."
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


PAGE = """# {cpu}

Written by `tools/bench --pages` out of `bench/data`. [benchmarking.md](../benchmarking.md)
describes the method.

{run}

Times faster than the best other implementation, and than Linux:

{overview}
![cycles per byte by length]({name}.svg)
{packets}
Minimum of all rounds: TSC cycles per call up to 64 bytes, per byte above.

```
{tables}
```
"""

PACKETS = """
![packets per second with WireGuard and IPsec]({name}-packets.svg)

Packets: the functions that WireGuard calls, in user space (`tools/bench --packets`), beside
{linux}'s; and ESP inside a kernel (`tools/bench --aead`), beside that of Linux {kernel}.
"""

VENDORS = {"AuthenticAMD": "AMD", "GenuineIntel": "Intel"}


def page(name, run, kernel):
    """The page of a CPU: every table that a reader needs"""
    data = run.data
    best = run.names(is_ours)[0]
    ours = [n for n in run.names(is_ours) if n in (best, "poly1305-x86_64")]
    peers = run.names(lambda i: not i["ours"] and i["tier"] in (run.tier[best], "scalar"))
    tables = [printed(report.cycles_table, run, "one-shot")]
    for mode in run.modes():
        if re.fullmatch(r"pieces-\d+", mode):
            tables.append(printed(report.cycles_table, run, mode, "min", ours + peers))
        elif report.is_packet(mode):
            tables.append(printed(report.cycles_table, run, mode))
    versions = ", ".join(p["version"] for p in data["peers"] if p["version"])
    what = (
        f"Our code of commit {data['commit']}, on {data['vendor']}, family "
        f"{data['family']}, model {data['model']}. TSC at {data['tsc_mhz']:.0f} MHz, the core "
        f"up to {data['core_per_tsc']:.2f} times that; {data['rounds']} rounds. Peers: "
        f"{versions}."
    )
    packets = PACKETS.format(name=name, linux=linux(run), kernel=kernel.data["kernel"])
    return PAGE.format(
        cpu=VENDORS[data["vendor"]] + re.sub("([a-z]+)", r" \1 ", name).title(),
        run=textwrap.fill(what, 90),
        overview=overview(run),
        name=name,
        packets=packets,
        tables="\n\n".join(t.rstrip() for t in tables),
    )


def packets_plot(run, kernel):
    """Packets of stock code and ours, the mean of sealing and opening, in user space without
    associated data and inside a kernel"""
    mine = run.names(is_ours)[0]
    stock = next(n for n in run.names(is_linux) if run.cycles(n, 0, "seal-0"))
    ours, peer = dict.fromkeys(r["impl"] for r in kernel.data["results"])
    lines = {
        "WireGuard: the library's functions": {
            n: [(run.cycles(i, n, "seal-0") + run.cycles(i, n, "open-0")) / 2
                for i in (stock, mine)]
            for n in run.lengths("seal-0")
        },
        "IPsec: ESP through the crypto API": {
            n: [kernel.cycles(i, n, "packet") / 2 for i in (peer, ours)]
            for n in kernel.lengths("packet")
        },
    }
    return printed(plot.draw_packets, lines, run.data["tsc_mhz"])


VIEWS = {"overview": overview, "span": span}


def main():
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        sys.exit("usage: bench/pages.py [--check]")
    runs = {path.stem: Run(path) for path in DATA.glob("*.json")}
    kernels = {name[:-4]: runs.pop(name) for name in list(runs) if name.endswith("-esp")}
    for name in runs.keys() ^ kernels.keys():
        sys.exit(f"bench/data needs {name}.json and {name}-esp.json")
    made = {}
    for name, run in runs.items():
        made[PAGES / f"{name}.md"] = page(name, run, kernels[name])
        made[PAGES / f"{name}.svg"] = printed(plot.draw, run)
        made[PAGES / f"{name}-packets.svg"] = packets_plot(run, kernels[name])
    for path in TOP / "README.md", TOP / "docs/benchmarking.md":
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
