#!/usr/bin/env python3
"""The tests of the Python package, with the Python that it was built for.

usage: python_test.py FOLDER PYTHON      FOLDER: where the package mo lies
"""
import os
import subprocess
import sys
from pathlib import Path

SKIPPED = 77


def main():
    folder, python = sys.argv[1:]
    for module, package in (("numpy", "python3-numpy"), ("pytest", "python3-pytest")):
        if subprocess.run([python, "-c", f"import {module}"], stderr=subprocess.DEVNULL, check=False).returncode != 0:
            print(f"skipped: {python} has no {module} (Debian: {package})")
            return SKIPPED
    here = Path(__file__).resolve().parent / "python"
    environment = {**os.environ, "PYTHONPATH": folder, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run([python, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(here)], env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
