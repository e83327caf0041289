#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Fills in the figures of README.md and docs/benchmarks.md from bench/data, and draws the pictures
docs/packets.svg and docs/packets-NAME.svg.

bench/data/NAME.json is from tools/bench, NAME-esp.json from tools/bench --kernel --packets. A
figure stands between <!-- bench: NAME VIEW ARGUMENT... --> and <!-- end -->, in a line or as lines
of its own. VIEW is

    cpu                             the name of the CPU
    mac|seal|open LENGTHS linux|best
                                    how many times as fast as Linux, or as the best other library
                                    at each length, poly1305.ko is: the least and the most of the
                                    lengths A-B that were measured, or the figure of one length
    rate LENGTH ours|linux|best     millions of packets that one core seals in a second
    table                           these multiples at eight lengths
    run                             a paragraph: commit, clock, rounds
    libraries                       a paragraph: the versions

With --check nothing is written: a document or a picture that differs is named, and the exit
status is 1."""

import contextlib
import io
import pathlib
import re
import sys
import textwrap

import plot
from report import Run, cpu_name, is_library, is_linux, is_ours, short

TOP = pathlib.Path(__file__).resolve().parent.parent
DATA = TOP / "bench/data"
DOCUMENTS = [TOP / "README.md", TOP / "docs/benchmarks.md"]
MARKED = re.compile(r"(<!-- bench: (\S+) (\S+) ?([^>]*?) ?-->)(.*?)(<!-- end -->)", re.DOTALL)
LENGTHS = [16, 64, 256, 576, 1024, 1420, 4096, 16384]

# The picture of README.md: a CPU, and lengths of an acknowledgement, of an average and of a full
# packet
PICTURE = "zen5", (64, 576, 1420)

MODES = {"mac": "one-shot", "seal": "seal-0", "open": "open-0"}
BASES = {"linux": is_linux, "best": is_library}


def printed(function, *args):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        function(*args)
    return out.getvalue()


def paragraph(text):
    return "\n" + textwrap.fill(text, 99) + "\n"


def version(run, name):
    return next(p["version"] for p in run.data["peers"] if p["name"] == name)


def cycles(run, what, length, kind):
    """The fewest of ours, of Linux or of the best library, or None"""
    mode = MODES[what]
    if kind == "ours":
        return run.cycles(run.top(is_ours, mode), length, mode)
    found = run.rival(length, BASES[kind], mode)
    return found and found[0]


def multiple(run, what, length, kind):
    mine, other = (cycles(run, what, length, k) for k in ("ours", kind))
    return other / mine if mine and other else None


def cpu(run, _esp):
    return cpu_name(run)


def multiples(run, what, lengths, kind):
    first, _, last = lengths.partition("-")
    measured = [n for n in run.lengths(MODES[what]) if int(first) <= n <= int(last or first)]
    found = [multiple(run, what, n, kind) for n in measured]
    texts = dict.fromkeys(f"{f(found):.2f}" for f in (min, max))
    return " to ".join(texts)


def rate(run, _esp, length, kind):
    return f"{run.data['tsc_mhz'] / cycles(run, 'seal', int(length), kind):.2f}"


def esp_multiple(esp, length):
    mine, stock = dict.fromkeys(r["impl"] for r in esp.data["results"])
    took = [esp.cycles(name, length, "packet") for name in (stock, mine)]
    return took[0] / took[1] if all(took) else None


def table(run, esp):
    linux = version(run, "Linux")
    rows = [
        (f"{text}, {name} = 1", [multiple(run, what, n, kind) for n in LENGTHS])
        for what, text in (("seal", "packet sealed"), ("open", "packet opened"), ("mac", "MAC"))
        for kind, name in (("linux", linux), ("best", "best library"))
    ]
    if esp:
        rows.insert(4, (f"ESP packet in a kernel, Linux {esp.data['kernel']} = 1",
                        [esp_multiple(esp, n) for n in LENGTHS]))
    lines = ["| bytes | " + " | ".join(map(short, LENGTHS)) + " |"]
    lines.append("|---" * (len(LENGTHS) + 1) + "|")
    for name, cells in rows:
        if any(cells):
            cells = [f"{c:.2f}" if c else "-" for c in cells]
            lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n" + "\n".join(lines) + "\n"


def about(run, _esp):
    data = run.data
    runs = f"median of {data['runs']} runs of " if data.get("runs", 1) > 1 else ""
    return paragraph(
        f"poly1305.ko of commit {data['commit']}; TSC at {data['tsc_mhz']:.0f} MHz, the core up to "
        f"{data['core_per_tsc']:.2f} times that; {runs}{data['rounds']} rounds."
    )


def libraries(run, _esp):
    return paragraph(", ".join(p["version"] for p in run.data["peers"] if p["version"]) + ".")


VIEWS = {"cpu": cpu, "rate": rate, "run": about, "libraries": libraries, "table": table} | {
    what: lambda run, esp, lengths, kind, what=what: multiples(run, what, lengths, kind)
    for what in MODES
}


def main():
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        sys.exit("usage: bench/pages.py [--check]")
    runs = {path.stem: Run(path) for path in DATA.glob("*.json")}
    esps = {name[:-4]: runs.pop(name) for name in list(runs) if name.endswith("-esp")}

    def filled(match):
        begin, name, view, arguments, _, end = match.groups()
        try:
            return begin + VIEWS[view](runs[name], esps.get(name), *arguments.split()) + end
        except (KeyError, TypeError, ValueError) as error:
            sys.exit(f"pages: no data for {begin}: {error!r}")

    made = {
        TOP / f"docs/packets-{name}.svg": printed(plot.draw, run) for name, run in runs.items()
    }
    name, lengths = PICTURE
    made[TOP / "docs/packets.svg"] = printed(plot.draw, runs[name], lengths)
    for path in DOCUMENTS:
        made[path] = MARKED.sub(filled, path.read_text(encoding="utf-8"))
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
