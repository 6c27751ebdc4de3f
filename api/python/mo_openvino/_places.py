"""Where the native parts of the package are: libmo, and the program mo."""
from __future__ import annotations

import os
import sys

LIBRARY = "libmo.so.1"
PACKAGE = os.path.dirname(os.path.abspath(__file__))


def folders_above() -> list[str]:
    """The prefix of an installation is one of these (PREFIX/lib/python3.11/site-packages/mo_openvino), and so is the build folder of a package that was
    not installed."""
    above = [PACKAGE]
    for _ in range(4):
        above.append(os.path.dirname(above[-1]))
    return above[1:]


def libraries() -> list[str]:
    """Paths where libmo may be, the best first: only MO_LIBRARY if the environment has it, else beside this file or below a prefix."""
    chosen = os.environ.get("MO_LIBRARY")
    if chosen:
        return [chosen]
    multiarch = getattr(sys.implementation, "_multiarch", "")  # "x86_64-linux-gnu": Debian's folder of libraries for /usr
    below = [os.path.join("lib", multiarch), "lib", "lib64"] if multiarch else ["lib", "lib64"]
    return [os.path.join(PACKAGE, LIBRARY), *(os.path.join(prefix, folder, LIBRARY) for prefix in folders_above() for folder in below)]


def programs() -> list[str]:
    """Paths where the program mo may be."""
    return [os.path.join(prefix, "bin", "mo") for prefix in folders_above()]


def is_native(path: str) -> bool:
    """Not so the `mo` of openvino-dev, which is a script."""
    try:
        with open(path, "rb") as file:
            return file.read(4) == b"\x7fELF"
    except OSError:
        return False
