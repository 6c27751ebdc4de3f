#!/usr/bin/env python3
"""Converts ONNX's own test models into both IR versions and looks at every IR with the static checker, which knows the rules of the runtimes 2021.4
(version 10) and 2022.1 (version 11): it must find nothing. An IR of version 11 that needs a newer op set is judged by the first runtime that has it;
there may not be more of them than there are now.

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
NEWER_DATA = "cases/onnx_backend"  # of the shared folder: tests of later opsets
NEWEST_OF_2022_1 = 8
# How many IRs of version 11 may need more than 2022.1 reads.
MOST_NEWER = {TEST_DATA: 31, NEWER_DATA: 34}
# What a test model may have itself: inputs and outputs without elements, and strings. IR version 10 has neither.
MODELS_OWN = re.compile(r"\[io\.zero_dim\]|element_type=\"string\"|precision 'STRING'")


def load_checker(path):
    spec = importlib.util.spec_from_file_location("check_ir", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def newest_op_set(xml):
    return max(int(number) for number in re.findall(r'version="opset(\d+)"', xml.read_text(encoding="utf-8")))


def findings_of(checker, xml, judge):
    """What the checker prints about one IR by the rules of `judge`."""
    said = io.StringIO()
    before = sys.argv
    sys.argv = ["check_ir.py", str(xml), "--no-warn", *judge]
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            status = checker.main()
    finally:
        sys.argv = before
    lines = said.getvalue().splitlines()
    return lines if lines or status == 0 else [f"{xml}: the checker ended with {status}"]


def check(checker, bin_folder, data, version, name_filter):
    """Whether there are IRs, and none of them is bad."""
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run([os.path.join(bin_folder, "mo_conformance"), "--tests", str(data), "--ir_version", str(version), "--keep", folder,
                              "--filter", name_filter], capture_output=True, text=True, check=False)
        # Exit code 1 says that some test came out wrong, which other tests look at.
        if run.returncode not in (0, 1):
            sys.exit(run.stdout + run.stderr)
        irs = sorted(Path(folder).rglob("model.xml"))
        bad = newer = 0
        for xml in irs:
            judge = ["--runtime", "auto"]
            if (op_set := newest_op_set(xml)) > NEWEST_OF_2022_1:
                newer += 1
                judge = ["--target", next(release for release, known in checker.RELEASE_OPSETS.items() if known >= op_set)]
            lines = [line for line in findings_of(checker, xml, judge) if version == 10 or not MODELS_OWN.search(line)]
            bad += bool(lines)
            for line in lines:
                print(line.replace(folder + "/", f"v{version} "))
        for line in run.stdout.splitlines():
            if re.match(r"conversion of|\d+ passed", line):
                print(f"IR version {version}: {line}")
        print(f"IR version {version}: {len(irs)} IRs, {bad} with findings, {newer} need more than the runtime of 2022.1")
        most = next((count for name, count in MOST_NEWER.items() if str(data).endswith(name)), 0)
        if newer > most:
            print(f"IR version {version}: {newer} IRs need a newer runtime, {most} did before")
        return bool(irs) and not bad and newer <= most


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    shared = shared_folder("tools/check_ir.py")
    if not Path(TEST_DATA).exists():
        print(f"skipped: there is no {TEST_DATA}")
        return SKIPPED
    loaded = load_checker(shared / "tools" / "check_ir.py")
    suites = [TEST_DATA] + ([shared / NEWER_DATA] if (shared / NEWER_DATA).exists() else [])
    results = [check(loaded, sys.argv[1], data, version, sys.argv[2] if len(sys.argv) == 3 else "") for data in suites for version in (11, 10)]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
