#!/usr/bin/env python3
"""What mo --depfile writes: every file that was read, as make understands it; with the IR or not at all.

usage: depfile_test.py BIN      BIN: folder of mo
"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

MODEL = """ir_version: 8 opset_import { version: 13 } graph { name: "g"
node { op_type: "Add" name: "sum" input: "x" input: "w" output: "s" }
node { op_type: "%s" name: "act" input: "s" output: "y" }
initializer { name: "w" data_type: 1 dims: 3 data_location: EXTERNAL external_data { key: "location" value: "%s" } }
input { name: "x" type { tensor_type { elem_type: 1 shape { dim { dim_value: 3 } } } } }
output { name: "y" type { tensor_type { elem_type: 1 } } } }
"""
BIN = ""


class Depfile(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def model(self, operator="Relu", weights="net.weights", name="net.onnxtxt"):
        (self.folder / weights).write_bytes(bytes(12))
        (self.folder / name).write_text(MODEL % (operator, weights))
        return name

    def mo(self, *arguments, code=0):
        process = subprocess.run([os.path.join(BIN, "mo"), "--silent", *arguments, "--output_dir", "ir"], cwd=self.folder, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, timeout=60, check=False)
        self.assertEqual(process.returncode, code, process.stderr.decode())
        return process.stderr.decode()

    def prerequisites(self, depfile="ir/net.d"):
        targets, colon, rest = (self.folder / depfile).read_text().partition(":")
        self.assertEqual((targets, colon), ("ir/net.xml ir/net.bin", ":"))
        return sorted(os.path.basename(word) for word in rest.replace("\\\n", " ").split())

    def test_all_files_that_were_read_are_listed(self):
        (self.folder / "transforms.json").write_text("[]")
        self.mo(self.model(), "--transformations_config", "transforms.json", "--depfile", "ir/net.d")
        self.assertEqual(self.prerequisites(), ["net.onnxtxt", "net.weights", "transforms.json"])

    def test_make_understands_names_of_all_kinds(self):
        if not shutil.which("make"):
            self.skipTest("there is no make")
        name = self.model(weights="a b#c$d.weights", name="net.onnxtxt")
        self.mo(name, "--depfile", "ir/net.d")
        (self.folder / "Makefile").write_text("include ir/net.d\nir/net.xml:\n\t@echo made\n")

        def made():
            return subprocess.run(["make", "-s", "ir/net.xml"], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True).stdout

        self.assertEqual(made(), b"")
        os.utime(self.folder / "a b#c$d.weights", ns=(2**61, 2**61))
        self.assertEqual(made(), b"made\n")

    def test_the_ir_does_not_know_of_it(self):
        self.mo(self.model())
        before = (self.folder / "ir/net.xml").read_bytes()
        self.mo("net.onnxtxt", "--depfile", "ir/net.d")
        self.assertEqual((self.folder / "ir/net.xml").read_bytes(), before)

    def test_without_an_ir_there_is_none(self):
        self.mo(self.model(operator="NoSuchOp"), "--depfile", "net.d", code=5)
        self.assertEqual(sorted(os.listdir(self.folder)), ["net.onnxtxt", "net.weights"])

    def test_without_it_there_is_no_ir(self):
        self.assertIn("MO-EMIT-0001", self.mo(self.model(), "--depfile", "/proc/net.d", code=7))
        self.assertEqual(sorted(os.listdir(self.folder)), ["net.onnxtxt", "net.weights"])

    def test_no_input_is_replaced(self):
        name = self.model()
        before = (self.folder / "net.weights").read_bytes()
        self.assertIn("MO-EMIT-0003", self.mo(name, "--depfile", "net.weights", code=7))
        self.assertEqual((self.folder / "net.weights").read_bytes(), before)


if __name__ == "__main__":
    BIN = os.path.abspath(sys.argv.pop(1))
    unittest.main()
