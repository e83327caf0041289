#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""ports.py [--cpu NAME] [--mca PROGRAM] [DIR]: the load of the loops for long messages
on each port of a CPU.

Takes the innermost loops from the object files in DIR (default build/user, where `make
-C user` puts them) and lets llvm-mca count the instructions of one pass that go to each
port. Prints two bounds in cycles for a vector, or for a block of 16 bytes: that of the
ports alone, and llvm-mca's result with dependences, queues and front end. Both are as
good as its model of the CPU. The default CPU is sapphirerapids if this llvm-mca has a
model of its own for it (from 17 on), otherwise icelake-server. Exit status 1 if a loop is
not found.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")

# Tier, function, multiplications in the loop, a mnemonic in it, the number of vectors or
# blocks in one pass, and the bytes of each. If several loops match, the last one counts.
LOOPS = (
    ("x86_64", "poly1305_chains", 18, "mulx", 3, 16),
    ("x86_64, without mulx", "poly1305_chains", 18, "mulq", 3, 16),
    ("x86_64, one by one", "poly1305_blocks_x86_64", 7, "mulx", 1, 16),
    ("sse2", "poly1305_blocks_sse2", 20, "pmuludq", 2, 16),
    ("avx2", "poly1305_blocks_avx2", 40, "vpmuludq", 4, 32),
    ("avxifma", "quads_avxifma", 17, "vpmadd52luq", 2, 32),
    ("avx512f", "poly1305_blocks_avx512f", 10, "vpmuludq", 1, 64),
    ("avx512", "finish_avx512", 17, "vpmadd52luq", 1, 128),
)
ITERATIONS = 1000


class Failure(Exception):
    pass


def run(*command, text=None):
    try:
        return subprocess.run(command, input=text, capture_output=True,
                              check=True, text=True).stdout
    except subprocess.CalledProcessError as error:
        raise Failure(f"{command[0]}: {error.stderr.strip()}") from error
    except FileNotFoundError as error:
        raise Failure(f"no {command[0]} here: run tools/setup") from error


def loops(directory):
    """(function, instructions) of each innermost loop in the object files"""
    names = [os.path.join(directory, name) for name in sorted(os.listdir(directory))
             if re.fullmatch(r"poly1305-\w+\.o", name)]
    if not names:
        raise Failure(f"no object files in {directory}: make -C user")
    function, body = None, []
    for line in run("objdump", "-d", "--no-show-raw-insn", *names).splitlines():
        if match := re.match(r"[0-9a-f]+ <(\w+)>:", line):
            function, body = match[1], []
            continue
        if not (match := re.match(r" +([0-9a-f]+):\t(\S.*)", line)):
            continue
        at, text = int(match[1], 16), match[2].split("#")[0].split("<")[0].strip()
        # Models of CPUs without AVX-IFMA know the EVEX form, which costs the same.
        text = text.removeprefix("{vex} ")
        body.append((at, text))
        if match := re.fullmatch(r"j\w+ +([0-9a-f]+)", text):
            target = int(match[1], 16)
            if target < at:
                inside = [insn for where, insn in body if where >= target]
                if sum(insn.startswith("j") for insn in inside) == 1:
                    yield function, inside


def is_product(insn):
    return re.match(r"(i?mulq?|mulx|v?pmuludq|vpmadd52[lh]uq)\b", insn)


def find(found, function, products, mnemonic):
    alike = [body for name, body in found if name == function and
             sum(bool(is_product(insn)) for insn in body) == products and
             any(insn.split()[0] == mnemonic for insn in body)]
    if not alike:
        raise Failure(f"no loop of {function} has {products} multiplications")
    return alike[-1]


def analyse(mca, cpu, body):
    """One pass: uops, cycles, bound of the ports, and the load of each port"""
    text = "\n".join("jne 1b" if insn.startswith("j") else insn for insn in body)
    out = run(mca, "-mtriple=x86_64", f"-mcpu={cpu}", f"-iterations={ITERATIONS}",
              "-instruction-info=0", text=f"1:\n{text}\n")
    numbers = dict(re.findall(r"^([\w ]+): +([\d.]+)$", out, re.M))
    names = re.findall(r"^\[(\d+(?:\.\d+)?)\] +- (\w+)$", out, re.M)
    rows = out.split("Resource pressure per iteration:\n")[1].splitlines()
    pressure = [0 if word == "-" else float(word) for word in rows[1].split()]
    ports = {}
    for (_, name), value in zip(names, pressure):
        if match := re.fullmatch(r"[A-Z]+Port(\d+)", name):
            ports["p" + str(int(match[1]))] = value
    return (int(numbers["Total uOps"]) / ITERATIONS,
            int(numbers["Total Cycles"]) / ITERATIONS,
            float(numbers["Block RThroughput"]), ports, names[-1][1])


def models(mca, wanted):
    """A CPU that this llvm-mca has a model for; before 17 it used an older CPU's"""
    if wanted:
        return wanted
    model = analyse(mca, "sapphirerapids", ["nop", "jne 0"])[4]
    return "sapphirerapids" if model.startswith("SPR") else "icelake-server"


def newest():
    """llvm-mca with the highest number in its name, or without one"""
    best = (0, "llvm-mca")
    for place in os.get_exec_path():
        if os.path.isdir(place):
            for name in os.listdir(place):
                if match := re.fullmatch(r"llvm-mca-(\d+)", name):
                    best = max(best, (int(match[1]), name))
    return shutil.which(best[1]) or best[1]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__.split(":", 1)[1],
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cpu")
    parser.add_argument("--mca", default=newest())
    parser.add_argument("dir", nargs="?", default=os.path.join(TOP, "build/user"))
    options = parser.parse_args()
    found = list(loops(options.dir))
    cpu = models(options.mca, options.cpu)
    print(f"{os.path.basename(options.mca)}, -mcpu={cpu}: for one vector, or block of "
          "16 bytes")
    print(f"{'loop':22}{'bytes':>6}{'insns':>7}{'uops':>7}{'ports':>7}{'mca':>7}"
          "  uops on each port")
    for tier, function, products, mnemonic, count, size in LOOPS:
        body = find(found, function, products, mnemonic)
        uops, cycles, bound, ports, _ = analyse(options.mca, cpu, body)
        shares = " ".join(f"{port}:{value / count:.1f}"
                          for port, value in ports.items() if value)
        print(f"{tier:22}{size:6}{len(body) / count:7.1f}{uops / count:7.1f}"
              f"{bound / count:7.2f}{cycles / count:7.2f}  {shares}")


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"ports.py: {failure}")
