#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Tables from what tools/bench measured (a JSON file)."""

import json
import re
import signal
import sys
from statistics import geometric_mean, median

TIERS = ["avx512", "avx512f", "avx2", "avx", "sse2", "scalar", "portable"]
PER_CALL = 64  # up to this length per call, above per byte
MOST_COLUMNS = 30  # of a table with a column for each length

# A loss this small may be chance; of packets, of which many lengths are near each other, 2%
NOISE = 1.03
PACKET_NOISE = 1.02

# The names of an earlier version of ours begin with this.
BEFORE = "before-"

# The mode in which our ChaCha20 and MAC of a packet are called one after the other
ALONE = "alone"


def is_before(impl):
    return impl["name"].startswith(BEFORE)


def is_linux(impl):
    return impl["name"].startswith("linux-")


def without_more(tier):
    """Tiers that need no more instructions. One of which TIERS does not know is above all."""
    return TIERS[TIERS.index(tier) :] if tier in TIERS else TIERS


def is_merging(impl):
    """What Linux is about to get"""
    return impl["name"] == "linux-16-blocks"


def is_library(impl):
    """Neither poly1305.ko nor Linux"""
    return not (impl["ours"] or is_before(impl) or is_linux(impl))


def is_ours(impl):
    return impl["ours"]


def short(length):
    for unit, name in ((1 << 20, "M"), (1 << 10, "K")):
        if length >= 4 * unit or length == unit == 1 << 20:
            return f"{length // unit}{name}"
    return str(length)


class Run:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.data = json.load(file)
        self.impls = self.data.get("impls", [])
        self.tier = {i["name"]: i["tier"] for i in self.impls}
        self.cells = {
            (r["mode"], r.get("impl"), r["len"]): r for r in self.data["results"]
        }
        self.known = {}
        for result in self.data["results"]:
            self.known.setdefault(result["mode"], set()).add(result["len"])
        self.known = {mode: sorted(lengths) for mode, lengths in self.known.items()}

    def modes(self):
        return [mode for mode in self.known if mode != ALONE]

    def lengths(self, mode):
        return self.known.get(mode, [])

    def cycles(self, impl, length, mode="one-shot", what="min"):
        cell = self.cells.get((mode, impl, length))
        return cell and max(cell[what], 0.01)

    def names(self, keep=lambda impl: True):
        found = [i for i in self.impls if keep(i)]
        found.sort(key=lambda i: (-len(without_more(i["tier"])), not i["ours"]))
        return [i["name"] for i in found]

    def best(self, length, keep, mode="one-shot", what="min"):
        """The fastest peer for which keep() holds: (cycles, name), or None"""
        peers = self.names(lambda i: not i["ours"] and not i["inner"] and keep(i))
        known = [(self.cycles(n, length, mode, what), n) for n in peers]
        return min((k for k in known if k[0]), default=None)

    def top(self, keep, mode):
        """Of the highest tier: the name of an implementation for which keep() holds, or None"""
        shortest = next(iter(self.lengths(mode)), None)
        return next((n for n in self.names(keep) if self.cycles(n, shortest, mode)), None)

    def rival(self, length, keep, mode, what="min"):
        """As best(). A kernel's library always uses the highest tier for packets."""
        if keep is is_linux and is_packet(mode):
            name = self.top(keep, mode)
            cycles = name and self.cycles(name, length, mode, what)
            return (cycles, name) if cycles else None
        return self.best(length, keep, mode=mode, what=what)


VENDORS = {"AuthenticAMD": "AMD", "GenuineIntel": "Intel"}
# A hypervisor reports model 167 for a Xeon that is newer.
CPUS = {(6, 167): "Xeon", (23, 49): "Zen 2", (25, 1): "Zen 3", (25, 17): "Zen 4", (26, 2): "Zen 5"}


def cpu_name(run):
    data = run.data
    model = data["family"], data["model"]
    return f"{VENDORS.get(data['vendor'], data['vendor'])} " + CPUS.get(
        model, f"CPU, family {model[0]}, model {model[1]}"
    )


def library(name):
    """The library of an implementation, without the way into it"""
    return re.sub("-(aead|job|direct)$", "", name)


def versioned(run, name):
    """The library of an implementation, with its version"""
    for peer in run.data["peers"]:
        said = (peer["version"] or "").replace("golang.org/x/crypto", "Go's x/crypto").split()
        if said and re.match("[a-z]+", name)[0] in (
            re.match("[a-z]+", word.lower())[0] for word in (peer["name"], said[0])
        ):
            return " ".join(said[:2]).rstrip(",")
    return library(name)


def cell(cycles, length):
    if cycles is None:
        return "-"
    if length <= PER_CALL:
        return f"{cycles:.0f}"
    return f"{cycles / length:.3f}".lstrip("0") or "0"


def table(head, rows):
    widths = [max(len(row[i]) for row in [head] + rows) for i in range(len(head))]
    for row in [head] + rows:
        line = row[0].ljust(widths[0])
        line += "".join("  " + c.rjust(w) for c, w in zip(row[1:], widths[1:]))
        print(line.rstrip())
    print()


def is_packet(mode):
    return mode.startswith(("seal", "open"))


def cycles_table(run, mode):
    lengths = run.lengths(mode)
    others = run.names(is_library)
    rows = []
    for name in run.names():
        row = [cell(run.cycles(name, n, mode), n) for n in lengths]
        if any(c != "-" for c in row):
            rows.append([f"{name} ({versioned(run, name)})" if name in others else name] + row)
    table([mode] + [short(n) for n in lengths], rows)


def ratio(peer, ours):
    return f"{peer[0] / ours:.2f}" if peer and ours else "-"


def print_slower(slower, noise=NOISE):
    """Losses (what, size, ratio): a line for each run of sizes, with its worst ratio"""
    print(f"Slower by more than {noise - 1:.0%}:")
    lines = []
    for what, size, found in slower:
        if lines and (lines[-1][0], lines[-1][2] + 1) == (what, size):
            lines[-1][2:] = size, max(lines[-1][3], found)
        else:
            lines.append([what, size, size, found])
    for what, first, last, worst in lines:
        print(f"{what} {first}" + (f"-{last}" if last > first else "") + f": {worst:.2f}")
    print("" if lines else "none\n")


def class_table(run, pairs, noise=NOISE):
    """Times of an implementation beside those of the best of others, each pair a name and a list of
    names: for classes of sizes the mean ratio, and the worst."""
    edges = [0, 16, 64, 256, 1024, 4096]
    kinds, slower = {}, []
    for impl, others in pairs:
        for mode, length in ((m, n) for m in run.modes() for n in run.lengths(m)):
            cycles = run.cycles(impl, length, mode)
            known = [run.cycles(name, length, mode) for name in others]
            base = min((k for k in known if k), default=None)
            if not cycles or not base:
                continue
            size, kind = length, f"{impl} {mode}"
            if len(run.lengths(mode)) == 1 and mode.startswith("pieces"):
                size, kind = int(mode.split("-")[1]), f"{impl} pieces"
            edge = max(e for e in edges if e <= size)
            found = cycles / base
            kinds.setdefault(kind, {}).setdefault(edge, []).append((found, size))
            if found > noise:
                slower.append((kind, size, found))
    rows = []
    for kind, classes in kinds.items():
        rows.append([kind])
        for edge in edges:
            if edge not in classes:
                rows[-1].append("-")
                continue
            mean = geometric_mean(found for found, _ in classes[edge])
            worst, size = max(classes[edge])
            rows[-1].append(f"{mean:.3f} {worst:.2f}@{size}")
    table(["bytes, from"] + [str(e) for e in edges], rows)
    print_slower(slower, noise)


def before_table(run):
    names = run.names(is_ours)
    print("Time, 1 as before: the mean of each class of sizes, and the worst size:\n")
    class_table(run, [(n, [BEFORE + n]) for n in names])


def against(run, keep):
    """Each driver, and those for which keep() holds that need no more instructions"""
    pairs = []
    for name in run.names(is_ours):
        tiers = without_more(run.tier[name])
        pairs.append((name, run.names(lambda i: keep(i) and i["tier"] in tiers)))
    return pairs


def peers_table(run):
    """For many lengths, or sizes of updates"""
    print("Time, 1 as the best peer's without more instructions: the mean of each class of sizes,")
    print("and the worst size:\n")
    class_table(run, against(run, lambda i: not i["ours"] and not i["inner"]))


def stock_table(run):
    """Packets of each driver beside those of the kernel's best code"""
    print("Time, 1 as the kernel's: the mean of each class of sizes, and the worst size:\n")
    class_table(run, [(n, stock[:1]) for n, stock in against(run, is_linux)], PACKET_NOISE)


def best_tables(run, modes):
    """Our highest tier, Linux and the best other library, at each length"""
    for mode in modes:
        ours = run.top(is_ours, mode)
        alone = is_packet(mode) and run.lengths(ALONE)
        rows = []
        for n in run.lengths(mode) if ours else []:
            cycles = run.cycles(ours, n, mode)
            row = [str(n), f"{cycles:.0f}"]
            if alone:
                row.append(f"{cycles - run.cycles(ours, n, ALONE):.0f}")
            for keep in is_linux, is_library:
                rival = run.rival(n, keep, mode)
                row += [f"{rival[0]:.0f}", rival[1]] if rival else ["-", "-"]
                row += [
                    ratio(run.rival(n, keep, mode, what), run.cycles(ours, n, mode, what))
                    for what in ("min", "median")
                ]
            rows.append(row)
        if rows:
            print(f"{mode}: cycles of {ours}, of Linux and of the best other library; how many")
            print("times as fast as these ours is, by the minimum and by the median")
            if alone:
                print("outside: of ours, less those of ChaCha20 and MAC, each called alone")
            head = ["bytes", "ours"] + ["outside"] * bool(alone)
            table(head + ["theirs", "which", "min", "med"] * 2, rows)


def library_table(run):
    """For many lengths: our best packets, 1 as those of the best library at each length"""
    ours = run.top(is_ours, run.modes()[0])
    others = run.names(is_library)
    if ours and others:
        print("Time, 1 as the best other library's: the mean of each class, and the worst:\n")
        class_table(run, [(ours, others)], PACKET_NOISE)


def esp_table(run):
    """Our AEAD beside another; each figure of a packet is of sealing and opening it"""
    ours, peer = dict.fromkeys(
        r["impl"] for r in run.data["results"] if r["mode"] == "packet"
    )
    rows = []
    for n in run.lengths("packet"):
        mine, theirs = (run.cycles(i, n, "packet") / 2 for i in (ours, peer))
        rows.append([str(n), f"{mine:.0f}", f"{theirs:.0f}", f"{theirs / mine:.2f}"])
    print("Minimum of all rounds: TSC cycles to seal or open an ESP packet.\n")
    table(["bytes", ours, peer, "ratio"], rows)
    print(f"All tags right, at {len(rows)} lengths.")


PATHS = {"path": "socket to socket", "open": "gateway opens", "seal": "gateway seals",
         "tcp": "TCP, both ends"}


def tunnel_table(run):
    """Whole tunnels: cycles a packet, minimum of all rounds"""
    print("Minimum of all rounds: TSC cycles of a packet's whole path.\n")
    rows = []
    for r in run.data["results"]:
        ratios = [f"{r[k]:.2f}" for k in ("ratio", "medians", "cipher")]
        rows.append([PATHS[r["mode"]], *(str(r[k]) for k in ("len", "stock", "ours")), *ratios])
    table(["path", "bytes", "Linux", "poly1305.ko", "ratio", "of medians", "of the cipher"], rows)


def missing(run):
    for peer in run.data["peers"]:
        if not peer["version"]:
            print(f"Missing: {peer['name']} (package {peer['package']})")


def write_median(path, sources):
    """One result of several runs of the same program, on this CPU: of each figure the median"""
    runs = []
    for source in sources:
        with open(source, encoding="utf-8") as file:
            runs.append(json.load(file))
    for cells in zip(*(run["results"] for run in runs)):
        for what in "min", "median":
            cells[0][what] = round(median(c[what] for c in cells), 2)
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        cpu = dict(re.findall(r"^(vendor_id|cpu family|model)\s*: (\S+)$", file.read(), re.M))
    about = {"vendor": cpu["vendor_id"], "family": int(cpu["cpu family"]),
             "model": int(cpu["model"]), "runs": len(runs)}
    lines = []
    for name, value in (about | runs[0]).items():
        text = json.dumps(value)
        if isinstance(value, list):
            text = "[\n  " + ",\n  ".join(map(json.dumps, value)) + "\n ]"
        lines.append(f' "{name}": {text}')
    with open(path, "w", encoding="utf-8") as file:
        file.write("{\n" + ",\n".join(lines) + "\n}\n")


def main():
    args = sys.argv[1:]
    if args[0] == "--median":
        write_median(args[1], args[2:])
        return
    run = Run(args[-1])
    if "kernel" in run.data:
        print(f"In Linux {run.data['kernel']}, {run.data['rounds']} rounds.", end=" ")
        (tunnel_table if "ratio" in run.data["results"][0] else esp_table)(run)
        return
    if run.names(is_before):
        print(f"{run.data['rounds']} rounds on CPU {run.data['cpu']}.", end=" ")
        before_table(run)
        if all(map(is_packet, run.modes())):
            stock_table(run)
        return
    versions = [p["version"] for p in run.data["peers"] if p["version"]]
    print(f"Peers: {', '.join(versions)}")
    missing(run)
    print(
        f"TSC at {run.data['tsc_mhz']:.0f} MHz, the core up to "
        f"{run.data['core_per_tsc']:.2f} times that; {run.data['rounds']} rounds on CPU "
        f"{run.data['cpu']} in {run.data['seconds']:.0f} s.\n"
        f"Minimum of all rounds, in TSC cycles: per call up to {PER_CALL} bytes, per "
        "byte above.\n"
    )
    modes = run.modes()
    packets = list(filter(is_packet, modes))
    if modes[0].startswith("pieces") or len(run.lengths(modes[0])) > MOST_COLUMNS:
        if packets == modes:
            stock_table(run)
            library_table(run)
        else:
            peers_table(run)
        return
    for mode in modes:
        cycles_table(run, mode)
    best_tables(run, ["one-shot"] + packets)


if __name__ == "__main__":
    # The reader of the tables may stop before their end, as head does.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    main()
