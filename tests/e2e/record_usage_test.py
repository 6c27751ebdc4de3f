#!/usr/bin/env python3
"""What mo --record-usage writes: what a build has, and what conversions used of it.

usage: record_usage_test.py BIN      BIN: folder of the programs
"""
import os
import subprocess
import sys
import tempfile
import unittest

BIN = ""
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MODEL = """ir_version: 8 opset_import {{ version: 13 }} graph {{ name: "g"
  node {{ op_type: "{op}" name: "first" input: "x" output: "a" }}
  node {{ op_type: "Relu" name: "second" input: "a" output: "y" }}
  input {{ name: "x" type {{ tensor_type {{ elem_type: 1 shape {{ dim {{ dim_value: 2 }} dim {{ dim_value: 3 }} }} }} }} }}
  output {{ name: "y" type {{ tensor_type {{ elem_type: 1 }} }} }} }}
"""


class RecordUsage(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.record = self.path("usage.txt")

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def convert(self, op, *arguments):
        with open(self.path("m.onnxtxt"), "w") as file:
            file.write(MODEL.format(op=op))
        return subprocess.run([os.path.join(BIN, "mo"), "--input_model", self.path("m.onnxtxt"), "--output_dir", self.path("ir"), "--silent",
                               "--record-usage", self.record, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60, check=False)

    def lines(self, word):
        with open(self.record) as file:
            return [line.split()[1:] for line in file if line.startswith(word + " ")]

    def used(self, kind):
        return {words[2]: words[0] for words in self.lines("used") if words[1] == kind}

    def test_a_record_grows_with_what_other_models_use(self):
        self.assertEqual(self.convert("Softmax").returncode, 0)
        self.assertEqual(self.used("frontend"), {"onnx": "frontends/onnx"})
        self.assertEqual(set(self.used("operator")), {"Softmax", "Relu"})
        self.assertIn("SoftMax-1", self.used("op"))
        self.assertNotIn("Tanh-0", self.used("op"))
        with open(self.record) as file:
            first = file.read()
        self.assertEqual(self.convert("Softmax").returncode, 0)
        with open(self.record) as file:
            self.assertEqual(file.read(), first, "the second time nothing is new")
        self.assertEqual(self.convert("Tanh").returncode, 0)
        self.assertEqual(set(self.used("operator")), {"Softmax", "Relu", "Tanh"})
        with open(self.record) as file:
            self.assertTrue(file.read().startswith(first))

    def test_each_file_that_is_named_is_there_and_each_drop_in_file_is_known(self):
        self.assertEqual(self.convert("Softmax").returncode, 0)
        known = {words[0] for words in self.lines("known") if words[1] != "frontend"}
        for path in known:
            self.assertTrue(os.path.isfile(os.path.join(ROOT, path + ".cpp")), path)
        folders = {os.path.dirname(path) for path in known}
        self.assertEqual(folders, {"ops", "phases/pipelines", "extensions/object_detection/replacers"} |
                         {f"transformations/{name}" for name in os.listdir(os.path.join(ROOT, "transformations")) if os.path.isdir(os.path.join(ROOT, "transformations", name)) and name != "support"} |
                         {f"frontends/{f}/ops" for f in ("onnx", "tensorflow", "caffe")} | {f"extensions/front/{f}" for f in ("onnx", "tensorflow", "caffe")})
        there = {os.path.join(folder, name[:-4]) for folder in folders for name in os.listdir(os.path.join(ROOT, folder)) if name.endswith(".cpp")}
        # A file without anything in the registries is there for those that include it.
        self.assertEqual({path for path in there - known if not path.startswith("ops/")}, set())

    def test_passes_of_the_back_phase_count_as_used_where_an_op_of_the_model_may_need_them(self):
        self.assertEqual(self.convert("Softmax").returncode, 0)
        passes = self.used("pass")
        self.assertIn("LowerOpSets", passes)
        self.assertNotIn("LowerElementwise", passes)
        self.assertNotIn("GeluFusion", passes)
        self.assertNotIn("LowLatency2", passes)
        self.assertEqual(self.convert("Softsign").returncode, 0)
        self.assertIn("LowerElementwise", self.used("pass"))

    def test_a_conversion_that_fails_is_not_recorded(self):
        self.assertNotEqual(self.convert("NoSuchOperator").returncode, 0)
        self.assertFalse(os.path.exists(self.record))

    def test_a_record_that_cannot_be_written_is_an_error(self):
        self.record = "/proc/usage.txt"
        done = self.convert("Softmax")
        self.assertEqual(done.returncode, 7, done.stderr)
        self.assertIn(b"MO-EMIT-0001", done.stderr)
        self.assertIn(b"--record-usage", done.stderr)


if __name__ == "__main__":
    BIN = sys.argv.pop(1)
    unittest.main()
