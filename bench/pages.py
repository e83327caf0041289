#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Fills in the figures of README.md and docs/benchmarks.md from bench/data, and draws the picture
docs/packets.svg.

bench/data/NAME.json is from tools/bench --newest, NAME-esp.json from tools/bench --kernel --packets,
NAME-tunnel.json from tools/bench --tunnel. A figure stands between <!-- bench: NAME VIEW
ARGUMENT... --> and <!-- end -->, in a line or as lines of its own. VIEW is

    cpu                             the name of the CPU
    mac|seal|open LENGTHS linux|merging|best
                                    how many times as fast as Linux, as what Linux is about to get, or
                                    as the best other library at each length, poly1305.ko is: the
                                    least and the most of the lengths A-B that were measured, or the
                                    figure of one length
    tunnel MODES LENGTH             the same of whole tunnels: the least and the most of MODES, such
                                    as open,seal
    table                           these multiples at eight lengths
    faster                          a list: each implementation that is faster at a length
    tunnels                         a table of whole tunnels
    run                             a paragraph: commit, clock, rounds
    libraries                       a paragraph: the versions

With NAME "all" VIEW is "front", a table of all CPUs, or "text", one of object code, from
bench/data/text.tsv: an object and the bytes of its text, ours and Linux's.

With --check nothing is written: a document or a picture that differs is named, and the exit
status is 1."""

import contextlib
import io
import pathlib
import re
import sys
import textwrap

import plot
from report import (
    PATHS, Run, cpu_name, is_library, is_linux, is_merging, is_ours, short, versioned
)

TOP = pathlib.Path(__file__).resolve().parent.parent
DATA = TOP / "bench/data"
DOCUMENTS = [TOP / "README.md", TOP / "docs/benchmarks.md"]
MARKED = re.compile(r"(<!-- bench: (\S+) (\S+) ?([^>]*?) ?-->)(.*?)(<!-- end -->)", re.DOTALL)
LENGTHS = [16, 64, 256, 576, 1024, 1420, 4096, 16384]

# CPUs, in the order of README.md's table, and its lengths: an acknowledgement, an average packet, a full
# one, and a jumbo frame's. The picture has the packets of one length.
CPUS = ["zen5", "zen4", "xeon", "zen3"]
FRONT = [64, 576, 1420, 4096]
PICTURE = 1420

MODES = {"mac": "one-shot", "seal": "seal-0", "open": "open-0"}
BASES = {"linux": is_linux, "merging": is_merging, "best": is_library}


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
        name = run.top(is_ours, mode)
        return name and run.cycles(name, length, mode)
    found = run.rival(length, BASES[kind], mode)
    return found and found[0]


def multiple(run, what, length, kind):
    mine, other = (cycles(run, what, length, k) for k in ("ours", kind))
    return other / mine if mine and other else None


def span(found):
    """The least and the most, or the one value that all have"""
    return " to ".join(dict.fromkeys(f"{f(found):.2f}" for f in (min, max)))


def cpu(data):
    return cpu_name(data.run)


def multiples(data, what, lengths, kind):
    first, _, last = lengths.partition("-")
    measured = [n for n in data.run.lengths(MODES[what]) if int(first) <= n <= int(last or first)]
    return span([multiple(data.run, what, n, kind) for n in measured])


def tunnel(data, modes, length):
    return span([data.tunnel.cells[mode, None, int(length)]["ratio"] for mode in modes.split(",")])


def esp_multiple(esp, length):
    mine, stock = dict.fromkeys(r["impl"] for r in esp.data["results"])
    took = [esp.cycles(name, length, "packet") for name in (stock, mine)]
    return took[0] / took[1] if all(took) else None


def lines_of(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    return "\n" + "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def cell(value):
    return f"{value:.2f}" if value else "-"


def table(data):
    run = data.run
    rows = [["bytes", *map(short, LENGTHS)]]
    for what, text in (("seal", "packet sealed"), ("open", "packet opened"), ("mac", "MAC")):
        for kind, name in (("linux", version(run, "Linux")), ("merging", "with 16 blocks"),
                           ("best", "best library")):
            found = [multiple(run, what, n, kind) for n in LENGTHS]
            if any(found):
                rows.append([f"{text}, {name} = 1", *map(cell, found)])
        best = [run.rival(n, is_library, MODES[what]) for n in LENGTHS]
        if any(best):
            rows.append(["that library", *(versioned(run, b[1]) if b else "-" for b in best)])
    if data.esp:
        rows.append([f"ESP packet in a kernel, Linux {data.esp.data['kernel']} = 1",
                     *(cell(esp_multiple(data.esp, n)) for n in LENGTHS)])
    return lines_of(rows[0], rows[1:])


def faster(data):
    """Each peer that is faster at a length: how many times as fast poly1305.ko is"""
    run, found = data.run, {}
    for what, text in (("seal", "sealing"), ("open", "opening"), ("mac", "the MAC of")):
        for n in run.lengths(MODES[what]):
            for kind in ("linux", "best"):
                ratio = multiple(run, what, n, kind)
                if ratio and ratio < 0.995:
                    name = run.rival(n, BASES[kind], MODES[what])[1]
                    name = version(run, "Linux") if kind == "linux" else versioned(run, name)
                    found.setdefault((name, text), []).append(f"{n} ({ratio:.2f})")
    said = [f"{name} in {text} {', '.join(at)} bytes" for (name, text), at in found.items()]
    return "; ".join(said) or "none"


def tunnels(data):
    results = data.tunnel.data["results"]
    lengths = sorted({r["len"] for r in results})
    rows = []
    for mode in dict.fromkeys(r["mode"] for r in results):
        at = [data.tunnel.cells.get((mode, None, n)) for n in lengths]
        rows.append([PATHS[mode], *(f"{c['ratio']:.2f} ({c['cipher']:.2f})" if c else "" for c in at)])
    return lines_of(["bytes", *map(str, lengths)], rows)


def front(of):
    """A table for README.md: what each CPU gains, by how much of the path is measured"""
    rows = []

    def add(what, name, data, figure):
        found = [figure(n) for n in FRONT]
        if any(found):
            found = [f or "-" for f in found]
            rows.append([what, cpu_name(of[name].run), *found, f"`{data['commit']}`"])

    def gateway(data):
        return lambda n: (data.tunnel.cells.get(("open", None, n))
                          and tunnel(data, "seal,open", n).replace(" to ", " / "))

    def packets(data, kind):
        both = lambda n: [multiple(data.run, what, n, kind) for what in ("seal", "open")]
        return lambda n: all(both(n)) and " / ".join(map(cell, both(n)))

    for name in CPUS:
        if of[name].tunnel:
            add("gateway, whole tunnel", name, of[name].tunnel.data, gateway(of[name]))
    for name in CPUS:
        if of[name].esp:
            add("ESP packet in a kernel", name, of[name].esp.data,
                lambda n, d=of[name]: cell(esp_multiple(d.esp, n)))
    for name in CPUS:
        data = of[name]
        add(f"packet in user space, {version(data.run, 'Linux')} = 1", name, data.run.data,
            packets(data, "linux"))
        best = (data.run.rival(n, is_library, m)[1] for m in ("seal-0", "open-0") for n in FRONT)
        best = ", ".join(dict.fromkeys(versioned(data.run, b) for b in best))
        add(f"the same, best of {best} = 1", name, data.run.data, packets(data, "best"))
    return lines_of(["sealed / opened", "CPU", *map(str, FRONT), "code of"], rows)


def text(_of):
    """Bytes of text: what computes the same in each"""
    size = dict(line.split("\t") for line in (DATA / "text.tsv").read_text().splitlines())
    rows = []
    for what, ours, stock in TEXT:
        rows.append([what] + [f"{' + '.join(names)}: {sum(int(size[n]) for n in names):,}" if names else "-"
                              for names in (ours, stock)])
    return lines_of(["computes", "poly1305.ko", "Linux " + size["Linux"]], rows)


def about(data):
    data = data.run.data
    runs = f"median of {data['runs']} runs of " if data.get("runs", 1) > 1 else ""
    return paragraph(
        f"poly1305.ko of commit {data['commit']} ({data['date']}); TSC at {data['tsc_mhz']:.0f} MHz, the "
        f"core up to {data['core_per_tsc']:.2f} times that; {runs}{data['rounds']} rounds."
    )


def libraries(data):
    return paragraph(", ".join(p["version"] for p in data.run.data["peers"] if p["version"]) + ".")


LINUX_MAC = "poly1305-x86_64-cryptogams"
TEXT = [
    ("packets, AVX2", ["chapoly-avx2", "chapoly-avx2-glue", "chapoly-x86"], ["chacha-avx2-x86_64"]),
    ("packets, AVX-512", ["chapoly-avx512", "chapoly-avx512-glue"], ["chacha-avx512vl-x86_64"]),
    ("ChaCha20, SSSE3", [], ["chacha-ssse3-x86_64"]),
    ("Poly1305, all tiers", ["poly1305-x86_64", "poly1305-sse2", "poly1305-avx2", "poly1305-avx512"],
     [LINUX_MAC]),
]

VIEWS = {"text": text, "cpu": cpu, "run": about, "libraries": libraries, "table": table, "faster": faster,
         "tunnel": tunnel, "tunnels": tunnels, "front": front} | {
    what: lambda data, lengths, kind, what=what: multiples(data, what, lengths, kind)
    for what in MODES
}


class Data:
    """What one CPU has in bench/data"""

    def __init__(self, name):
        of = {kind: DATA / f"{name}{kind}.json" for kind in ("", "-esp", "-tunnel")}
        self.run, self.esp, self.tunnel = (p.exists() and Run(p) or None for p in of.values())


def main():
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        sys.exit("usage: bench/pages.py [--check]")
    of = {name: Data(name) for name in CPUS}
    of["all"] = of

    def filled(match):
        begin, name, view, arguments, _, end = match.groups()
        try:
            return begin + VIEWS[view](of[name], *arguments.split()) + end
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            sys.exit(f"pages: no data for {begin}: {error!r}")

    made = {TOP / "docs/packets.svg": printed(plot.draw_cpus, [of[name].run for name in CPUS], PICTURE)}
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
