#!/usr/bin/env python3
"""Converts ONNX's own test models into both IR versions and looks at every IR with the static checker: it must find nothing.

usage: check_conformance_irs.py BIN [FILTER]      BIN: folder of mo_conformance; FILTER: regular expression on test names

The checker is looked up in MO_SHARED (default: ../shared beside the sources); without it, or without ONNX's test data, the test is skipped,
which it says.
"""
import contextlib
import importlib.util
import io
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from shared_folder import SKIPPED, shared_folder

TEST_DATA = "/usr/share/libonnx-testdata/data"


def load_checker(path):
    spec = importlib.util.spec_from_file_location("check_ir", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def findings_of(checker, xml):
    """What the checker prints about one IR."""
    said = io.StringIO()
    before = sys.argv
    sys.argv = ["check_ir.py", str(xml), "--no-warn"]
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            status = checker.main()
    finally:
        sys.argv = before
    lines = said.getvalue().splitlines()
    return lines if lines or status == 0 else [f"{xml}: the checker ended with {status}"]


def check(checker, bin_folder, version, name_filter):
    """How many IRs there are, and how many of them are bad."""
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run([os.path.join(bin_folder, "mo_conformance"), "--tests", TEST_DATA, "--ir_version", str(version), "--keep", folder,
                              "--filter", name_filter], capture_output=True, text=True, check=False)
        # Exit code 1 says that some test came out wrong, which other tests look at.
        if run.returncode not in (0, 1):
            sys.exit(run.stdout + run.stderr)
        irs = sorted(Path(folder).rglob("model.xml"))
        bad = 0
        for xml in irs:
            lines = findings_of(checker, xml)
            bad += bool(lines)
            for line in lines:
                print(line.replace(folder + "/", f"v{version} "))
        for line in run.stdout.splitlines():
            if re.match(r"conversion of|\d+ passed", line):
                print(f"IR version {version}: {line}")
        print(f"IR version {version}: {len(irs)} IRs, {bad} with findings")
        return len(irs), bad


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    checker = shared_folder("tools/check_ir.py") / "tools" / "check_ir.py"
    if not Path(TEST_DATA).exists():
        print(f"skipped: there is no {TEST_DATA}")
        return SKIPPED
    loaded = load_checker(checker)
    results = [check(loaded, sys.argv[1], version, sys.argv[2] if len(sys.argv) == 3 else "") for version in (11, 10)]
    return 1 if any(bad or not irs for irs, bad in results) else 0


if __name__ == "__main__":
    sys.exit(main())
