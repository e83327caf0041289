#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Print what poly1305_bench.ko measured as tables, and write it as JSON.

    tests/machines/uml/report.py LOG [JSON]
    tests/machines/uml/report.py --aead LOG [JSON]	what poly1305_aead_bench.ko measured
"""

import json
import re
import sys

SHOWN = [0, 16, 64, 128, 256, 576, 1024, 1420, 4096, 16384, 65536, 1048576]


def read(path):
    """{(on, way): {length: (least, median)}}, and how many ways had right tags"""
    results, tags = {}, 0
    with open(path, encoding="utf-8") as log:
        for line in log:
            words = line.split()
            if line.startswith("bench: "):
                way, on = words[1:3]
                length, least, median = map(int, words[3:])
                results.setdefault((on, way), {})[length] = least / 10, median / 10
            elif line.startswith("# tags: "):
                tags = int(words[2])
    return results, tags


def cpu():
    with open("/proc/cpuinfo", encoding="utf-8") as info:
        return re.search(r"^model name\s*: (.*)$", info.read(), re.M).group(1)


def number(length, cycles):
    if length <= 64:
        return f"{cycles:.0f}"
    return f"{cycles / length:.3f}".lstrip("0")


def table(results):
    rows = [["", *map(str, SHOWN)]]
    for (on, way), cycles in results.items():
        rows.append([f"{on} {way}", *(number(n, cycles[n][1]) for n in SHOWN)])
    widths = [max(map(len, column)) for column in zip(*rows)]
    rows.insert(1, ["-" * width for width in widths])
    for row in rows:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]
        print("| " + " | ".join(cells) + " |")


AEAD = re.compile(r"poly1305_aead_bench: (\d+) bytes: ours (\d+) (\d+), "
                  r"peer (\d+) (\d+), ratio [\d.]+, MAC (\d+)$")


def aead(path, target):
    results = []
    with open(path, encoding="utf-8") as log:
        for line in log:
            found = AEAD.search(line.rstrip())
            if found:
                results.append(dict(zip(
                    ("bytes", "ours", "ours_median", "stock", "stock_median", "mac"),
                    map(int, found.groups()))))
    if not results:
        print("report: no results", file=sys.stderr)
        return 1
    print(f"{cpu()}; nanoseconds to seal or open a packet, the least\n")
    print("| bytes | ours | stock | ratio | our MAC alone | of ours |")
    print("|---|---|---|---|---|---|")
    for row in results:
        print("| {bytes} | {ours} | {stock} | {0:.2f} | {mac} | {1:.0%} |".format(
            row["stock"] / row["ours"], row["mac"] / row["ours"], **row))
    print(f"\nAt {len(results)} lengths each opens what the other has sealed.")
    save(target, results)
    return 0


def save(target, results):
    if target:
        with open(target[0], "w", encoding="utf-8") as out:
            json.dump({"cpu": cpu(), "results": results}, out, indent=1)
            out.write("\n")


def main():
    if sys.argv[1] == "--aead":
        return aead(sys.argv[2], sys.argv[3:])
    results, tags = read(sys.argv[1])
    if not results or tags != len(results):
        print("report: no results", file=sys.stderr)
        return 1
    print(f"{cpu()}; cycles per call up to 64 bytes, per byte above; medians\n")
    table(results)
    print(f"\nAll tags right, by {tags} ways.")
    save(sys.argv[2:], [{"on": on, "way": way, "cycles": cycles}
                        for (on, way), cycles in results.items()])
    return 0


if __name__ == "__main__":
    sys.exit(main())
