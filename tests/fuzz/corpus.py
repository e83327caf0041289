#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""The corpus as one text file, with a line of hexadecimal digits for each input.

  corpus.py unpack FILE DIR   write the inputs in FILE to files in DIR
  corpus.py pack DIR >FILE    write the files in DIR as lines of FILE
"""

import hashlib
import pathlib
import sys

HEADER = """\
# SPDX-License-Identifier: GPL-2.0 OR MIT
# Inputs of fuzzpoly1305 (see tests/fuzz/main.c), one a line; corpus.py unpacks them.
"""


def unpack(file, folder):
    """Name each input after its hash, as libFuzzer does."""
    for line in pathlib.Path(file).read_text().splitlines():
        if line and not line.startswith("#"):
            data = bytes.fromhex(line)
            name = hashlib.sha1(data).hexdigest()
            (pathlib.Path(folder) / name).write_bytes(data)


def pack(folder):
    inputs = {path.read_bytes() for path in pathlib.Path(folder).iterdir()}
    print(HEADER, end="")
    for data in sorted(inputs - {b""}, key=lambda x: (len(x), x)):
        print(data.hex())


if sys.argv[1:2] == ["unpack"] and len(sys.argv) == 4:
    unpack(*sys.argv[2:])
elif sys.argv[1:2] == ["pack"] and len(sys.argv) == 3:
    pack(*sys.argv[2:])
else:
    sys.exit(__doc__)
