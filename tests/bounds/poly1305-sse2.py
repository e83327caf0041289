#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Worst-case sizes of every lane in arch/x86/poly1305-sse2.S, as TAP."""

import sys

sys.dont_write_bytecode = True

from lib import radix26 as r26  # noqa: E402

SOURCE = "arch/x86/poly1305-sse2.S"
GROUP = max(r26.constant(SOURCE, "GROUP"), r26.constant(SOURCE, "GROUP_SHORT"))
LANES = 2
STREAMS = 2


def main():
    r2 = r26.split_power(*r26.POWER44)
    # R^2 is r^4, also as loaded. The first group may have one more pair.
    r26.groups(r2, r2, GROUP, GROUP + 1, STREAMS * LANES, "groups")
    return r26.report()


if __name__ == "__main__":
    sys.exit(main())
