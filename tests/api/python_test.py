#!/usr/bin/env python3
"""The tests of the Python package.

usage: python_test.py FOLDER [PYTHON]      FOLDER: where the package mo_openvino lies; PYTHON: one with numpy and pytest (default: this one, or Debian's)
"""
import os
import subprocess
import sys
from pathlib import Path


def has_modules(python):
    return os.path.exists(python) and subprocess.run([python, "-c", "import numpy, pytest"], stderr=subprocess.DEVNULL, check=False).returncode == 0


def main():
    folder, *chosen = sys.argv[1:]
    python = next((each for each in chosen or (sys.executable, "/usr/bin/python3") if has_modules(each)), None)
    if python is None:
        print("there is no Python with numpy and pytest: run scripts/install_dependencies.sh (Debian: python3-numpy, python3-pytest)")
        return 1
    here = Path(__file__).resolve().parent / "python"
    environment = {**os.environ, "PYTHONPATH": folder, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run([python, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(here)], env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
