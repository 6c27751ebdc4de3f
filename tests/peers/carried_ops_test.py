#!/usr/bin/env python3
"""An IR of operations that mo does not know (of openvino-tokenizers) goes through `mo opt`; the newest OpenVINO, which has the package, computes the same
of the IR that it wrote itself and of the one that mo wrote.

usage: carried_ops_test.py BIN      BIN: folder of mo
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import environments  # noqa: E402

SKIPPED = 77
JUDGE = "openvino-newest"
BIN = PYTHON = ""


class CarriedOps(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.run_in(PYTHON, os.path.join(HERE, "tokenizer_worker.py"), "--write", "model.xml")

    def run_in(self, *command, code=0):
        done = subprocess.run(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr if code else done.stdout

    def test_the_runtime_computes_the_same_of_what_opt_writes(self):
        mo = os.path.join(BIN, "mo")
        self.assertIn("MO-IR-0010", self.run_in(mo, "run", "model.xml", code=5))
        self.run_in(mo, "opt", "model.xml", "-o", "carried.xml")
        self.run_in(mo, "diff", "model.xml", "carried.xml")
        original, carried = json.loads(self.run_in(PYTHON, os.path.join(HERE, "tokenizer_worker.py"), "model.xml", "carried.xml"))
        self.assertEqual(carried, original)
        self.assertEqual(original[1], ["hello world # abc", "", "  \u00e9t\u00e9 #x# "])


if __name__ == "__main__":
    BIN = os.path.abspath(sys.argv[1])
    PYTHON, _ = environments.environment(JUDGE, create=False)
    if not PYTHON or subprocess.run([PYTHON, "-c", "import openvino_tokenizers"], stderr=subprocess.DEVNULL, check=False).returncode:
        print(f"skipped: {JUDGE} with openvino-tokenizers is not installed (tests/peers/environments.py)")
        sys.exit(SKIPPED)
    unittest.main(argv=sys.argv[:1])
