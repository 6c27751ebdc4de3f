"""`import numpy_python` before numpy: goes on in a Python that has numpy, or ends the program as skipped.

Debian's numpy belongs to Debian's interpreter, which need not be the first on the path.
"""
import importlib.util
import os
import subprocess
import sys

DEBIAN_PYTHON = "/usr/bin/python3"
SKIPPED = 77  # what ctest takes for "not run"


def interpreter():
    """A Python that has numpy, or None."""
    if importlib.util.find_spec("numpy"):
        return sys.executable
    if not os.path.exists(DEBIAN_PYTHON):
        return None
    has_numpy = subprocess.run([DEBIAN_PYTHON, "-c", "import numpy"], stderr=subprocess.DEVNULL, check=False).returncode == 0
    return DEBIAN_PYTHON if has_numpy else None


def go_on_with_numpy():
    python = interpreter()
    if python is None:
        print("skipped: there is no Python with numpy (Debian: python3-numpy)")
        sys.exit(SKIPPED)
    if python != sys.executable:
        os.execv(python, [python, *sys.argv])


go_on_with_numpy()
