#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Print what poly1305_bench.ko measured as tables, and write it as JSON.

    tools/uml/report.py LOG [JSON]
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


def main():
    results, tags = read(sys.argv[1])
    if not results or tags != len(results):
        print("report: no results", file=sys.stderr)
        return 1
    print(f"{cpu()}; cycles per call up to 64 bytes, per byte above; medians\n")
    table(results)
    print(f"\nAll tags right, by {tags} ways.")
    if len(sys.argv) > 2:
        with open(sys.argv[2], "w", encoding="utf-8") as out:
            json.dump({"cpu": cpu(), "results": [
                {"on": on, "way": way, "cycles": cycles}
                for (on, way), cycles in results.items()]}, out, indent=1)
            out.write("\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
