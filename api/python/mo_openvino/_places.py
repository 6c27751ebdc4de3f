"""Where the native parts of the package are: libmo, and the program mo."""
from __future__ import annotations

import os
import re
import shutil
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
    """Paths where libmo may be, the best first: only MO_LIBRARY if the environment has it, else below a prefix, first as a wheel has it."""
    chosen = os.environ.get("MO_LIBRARY")
    if chosen:
        return [chosen]
    multiarch = getattr(sys.implementation, "_multiarch", "")  # "x86_64-linux-gnu": Debian's folder of libraries for /usr
    below = [os.path.join("lib", multiarch), "lib", "lib64"] if multiarch else ["lib", "lib64"]
    below.insert(0, os.path.join("libexec", "mo"))
    return [os.path.join(prefix, folder, LIBRARY) for prefix in folders_above() for folder in below]


def programs() -> list[str]:
    """Paths where the program mo may be."""
    return [os.path.join(prefix, "bin", "mo") for prefix in folders_above()]


def script_of_openvino() -> str | None:
    """The `mo` that a shell finds, if it is the one of openvino-dev, which has such a script up to 2024.6."""
    found = shutil.which("mo")
    try:
        with open(found or os.devnull, "rb") as file:
            return found if re.search(rb"from (openvino\.tools\.)?mo\.(__)?main", file.read(2000)) and not is_native(found or "") else None
    except OSError:
        return None


def is_native(path: str) -> bool:
    """Not so the `mo` of openvino-dev, which is a script."""
    try:
        with open(path, "rb") as file:
            return file.read(4) == b"\x7fELF"
    except OSError:
        return False
