#!/usr/bin/env python3
"""Runs a program under valgrind: no error of memory, and nothing that is definitely lost.

usage: valgrind.py PROGRAM [ARGUMENT…]
"""
import shutil
import subprocess
import sys

SKIPPED = 77
FOUND = 99  # valgrind's exit code for what it found, which the program itself never has


def main():
    if not shutil.which("valgrind"):
        print("skipped: there is no valgrind (Debian: valgrind)")
        return SKIPPED
    command = ["valgrind", "--quiet", "--leak-check=full", "--errors-for-leak-kinds=definite", "--show-leak-kinds=definite", f"--error-exitcode={FOUND}", *sys.argv[1:]]
    code = subprocess.run(command, check=False).returncode
    print("clean" if code == 0 else "valgrind found errors" if code == FOUND else f"the program ended with {code}")
    return code


if __name__ == "__main__":
    sys.exit(main())
