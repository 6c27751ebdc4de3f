"""`python -m mo_openvino …` is the program mo."""
from __future__ import annotations

import os
import sys

from ._places import is_native, programs, script_of_openvino


def main() -> int:
    for path in programs():
        if is_native(path):
            if other := script_of_openvino():
                print(f"note: the `mo` that your shell finds is openvino-dev's: {other}", file=sys.stderr)
            os.execv(path, [path, *sys.argv[1:]])
    print("the program mo is not installed with this package; searched:", *programs(), sep="\n  ", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
