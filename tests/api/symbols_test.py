#!/usr/bin/env python3
"""libmo shows the functions of mo.h and nothing else, each with its version, under its SONAME.

usage: symbols_test.py LIBRARY
"""
import re
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = ""


def output(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.decode()


class Symbols(unittest.TestCase):
    def test_the_header_declares_what_the_library_shows(self):
        declared = set(re.findall(r"^MO_API [^;(]*?\b(mo_\w+)\(", (ROOT / "api/c/mo.h").read_text(), re.MULTILINE))
        lines = output("nm", "--dynamic", "--defined-only", "--with-symbol-versions", LIBRARY).splitlines()
        shown = {line.split()[-1] for line in lines if line.split()[-2] != "A"}  # A: the version itself
        self.assertEqual({f"{name}@@MO_1" for name in declared}, shown)

    def test_the_name_of_the_library_has_its_version(self):
        self.assertRegex(output("readelf", "--dynamic", LIBRARY), r"SONAME.*\[libmo\.so\.1\]")


if __name__ == "__main__":
    LIBRARY = sys.argv.pop(1)
    unittest.main()
