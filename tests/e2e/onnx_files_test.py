#!/usr/bin/env python3
"""The files of mo --to onnx: their names, the one for the weights, what the model says of itself, and that they compute the same.

usage: onnx_files_test.py BIN      BIN: folder of mo
"""
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import numpy_python  # noqa: E402,F401

from onnx_file import fields, text  # noqa: E402

BIN = ""
COUNT = 600  # elements: 2400 bytes, enough for the file beside the model

MODEL = """ir_version: 8 opset_import { version: 13 } graph { name: "g"
node { op_type: "Add" name: "sum" input: "x" input: "w" output: "s" }
node { op_type: "%s" name: "act" input: "s" output: "y" }
initializer { name: "w" data_type: 1 dims: 600 data_location: EXTERNAL external_data { key: "location" value: "net.weights" } }
input { name: "x" type { tensor_type { elem_type: 1 shape { dim { dim_param: "batch" } dim { dim_value: 600 } } } } }
output { name: "y" type { tensor_type { elem_type: 1 shape { dim { dim_param: "batch" } dim { dim_value: 600 } } } } } }
metadata_props { key: "names" value: "cat,dog" }
"""


def field(message, *numbers):
    """The first submessage on a path of field numbers."""
    for number in numbers:
        message = fields(message)[number][0]
    return message


class OnnxFiles(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.model()

    def model(self, operator="Relu"):
        (self.folder / "net.weights").write_bytes(struct.pack(f"<{COUNT}f", *(i / 16 - 9 for i in range(COUNT))))
        (self.folder / "net.onnxtxt").write_text(MODEL % operator)

    def mo(self, *arguments, code=0, silent=("--silent",)):
        process = subprocess.run([os.path.join(BIN, "mo"), *arguments, *silent], cwd=self.folder, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, timeout=60, check=False)
        self.assertEqual(process.returncode, code, process.stdout.decode())
        return process.stdout.decode()

    def files(self, folder):
        return sorted(path.name for path in (self.folder / folder).iterdir())

    def metadata(self, name):
        entries = fields((self.folder / name).read_bytes()).get(14, [])
        return {text(fields(entry)[1]): text(fields(entry).get(2, [])) for entry in entries}

    def test_a_file_as_output_names_the_format(self):
        self.mo("net.onnxtxt", "-o", "out/other.onnx")
        self.assertEqual(self.files("out"), ["other.onnx"])
        self.mo("net.onnxtxt", "-o", "ir/other.xml")
        self.assertEqual(self.files("ir"), ["other.bin", "other.xml"])

    def test_an_ir_becomes_an_onnx_model(self):
        self.mo("net.onnxtxt", "-o", "ir")
        self.mo("ir/net.xml", "--to", "onnx", "-o", "a")
        self.mo("opt", "ir/net.xml", "-o", "b/net.onnx", silent=())
        self.assertEqual((self.folder / "a/net.onnx").read_bytes(), (self.folder / "b/net.onnx").read_bytes())
        self.assertIn("compute the same", self.mo("verify", "ir/net.xml", "a/net.onnx", silent=()))
        refused = self.mo("ir/net.xml", "--to", "onnx", "--scale", "2", code=2)
        self.assertIn("MO-CLI-0099", refused)
        self.assertIn("mo MODEL --scale 2 --to onnx", refused)

    def test_weights_go_to_a_file_of_their_own(self):
        for option in ("--external-data", "--external_data"):
            self.mo("net.onnxtxt", "-o", "out/net.onnx", option)
            self.assertEqual(self.files("out"), ["net.onnx", "net.onnx.data"])
            self.assertEqual((self.folder / "out/net.onnx.data").read_bytes(), (self.folder / "net.weights").read_bytes())
            self.assertLess((self.folder / "out/net.onnx").stat().st_size, 1000)
        self.assertIn("compute the same", self.mo("verify", "net.onnxtxt", "out/net.onnx", silent=()))
        self.mo("out/net.onnx", "-o", "back")
        self.assertEqual((self.folder / "back/net.bin").read_bytes(), (self.folder / "net.weights").read_bytes())
        self.mo("opt", "back/net.xml", "-o", "opt/net.onnx", "--external-data", silent=())
        self.assertEqual(self.files("opt"), ["net.onnx", "net.onnx.data"])

    def test_the_files_of_an_input_are_not_replaced(self):
        self.mo("net.onnxtxt", "-o", "out/net.onnx", "--external-data")
        before = (self.folder / "out/net.onnx.data").read_bytes()
        refused = self.mo("out/net.onnx", "--model_name", "net", "--to", "onnx", "-o", "out", "--external-data", code=7)
        self.assertIn("MO-EMIT-0003", refused)
        self.assertEqual((self.folder / "out/net.onnx.data").read_bytes(), before)
        self.assertEqual(self.files("out"), ["net.onnx", "net.onnx.data"])

    def test_a_failure_leaves_the_old_files(self):
        self.mo("net.onnxtxt", "-o", "out/net.onnx", "--external-data")
        before = {name: (self.folder / "out" / name).read_bytes() for name in self.files("out")}
        self.model("NoSuchOperator")
        self.mo("net.onnxtxt", "-o", "out/net.onnx", "--external-data", code=5)
        self.assertEqual({name: (self.folder / "out" / name).read_bytes() for name in self.files("out")}, before)

    def test_the_model_says_where_it_came_from(self):
        self.mo("net.onnxtxt", "-o", "a/net.onnx", "--input_shape", "[2,600]")
        self.mo(str(self.folder / "net.onnxtxt"), "-o", str(self.folder / "b/net.onnx"), "--input_shape", "[2,600]")
        self.assertEqual((self.folder / "a/net.onnx").read_bytes(), (self.folder / "b/net.onnx").read_bytes())
        said = self.metadata("a/net.onnx")
        self.assertEqual(said["names"], "cat,dog")
        self.assertEqual(said["conversion_parameters.framework"], "onnx")
        self.assertEqual(said["conversion_parameters.input_model"], "DIR/net.onnxtxt")
        self.assertEqual(said["conversion_parameters.input_shape"], "[2,600]")
        self.assertIn("MO_version", said)
        self.assertNotIn(str(self.folder), " ".join(said.values()))

    def test_an_ir_in_between_keeps_what_the_model_says(self):
        self.mo("net.onnxtxt", "-o", "ir")
        self.mo("ir/net.xml", "--to", "onnx", "-o", "a")
        said = self.metadata("a/net.onnx")
        self.assertEqual(said["names"], "cat,dog")
        self.assertEqual(said["conversion_parameters.input_model"], "DIR/net.onnxtxt")

    def test_dimensions_keep_their_names(self):
        self.mo("net.onnxtxt", "-o", "out/net.onnx")
        graph = field((self.folder / "out/net.onnx").read_bytes(), 7)
        for end in (11, 12):  # input, output
            shape = field(graph, end, 2, 1, 2)
            self.assertEqual(text(fields(fields(shape)[1][0])[2]), "batch")

    def test_the_op_set_is_the_one_that_the_model_needs(self):
        (self.folder / "bits.onnxtxt").write_text("""ir_version: 8 opset_import { version: 18 } graph { name: "g"
node { op_type: "BitwiseAnd" name: "mask" input: "x" input: "x" output: "y" }
input { name: "x" type { tensor_type { elem_type: 7 shape { dim { dim_value: 3 } } } } }
output { name: "y" type { tensor_type { elem_type: 7 } } } }
""")
        told = self.mo("bits.onnxtxt", "-o", "out/bits.onnx", "--log_level", "INFO", silent=())
        self.assertIn("MO-EMIT-0043: the ONNX model is of op set 18, because op set 17 has no form of BitwiseAnd 'y'", told)
        self.assertIn("Generated ONNX model of op set 18", told)
        refused = self.mo("bits.onnxtxt", "-o", "out/bits.onnx", "--onnx_opset", "17", code=1)
        self.assertIn("MO-EMIT-0041", refused)

    def test_a_rule_for_make_names_all_files(self):
        self.mo("net.onnxtxt", "-o", "out/net.onnx", "--external-data", "--depfile", "out/net.d")
        self.assertTrue((self.folder / "out/net.d").read_text().startswith("out/net.onnx.data out/net.onnx:"))

    def test_what_was_written_can_be_verified_at_once(self):
        told = self.mo("net.onnxtxt", "-o", "out/net.onnx", "--verify", silent=())
        self.assertIn("compute the same", told)
        told = self.mo("verify", "net.onnxtxt", "--to", "onnx", silent=())
        self.assertIn("net.onnxtxt and its ONNX model compute the same", told)


if __name__ == "__main__":
    BIN = os.path.abspath(sys.argv.pop(1))
    unittest.main()
