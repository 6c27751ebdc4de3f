#!/usr/bin/env python3
"""Programs for the API of 2018 to 2022 (IECore) find inputs and outputs by name, with the layouts and element types that they expect: in IR version 10, which
2021.4 reads, and in IR version 11, for which the releases of 2022 have that API as well.

usage: old_api_test.py BIN [JUDGE …]      BIN: folder of mo; all installed releases from 2021.4 to 2022.3 without names
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "support")]
import numpy_python  # noqa: E402,F401  (goes on in a Python with numpy)

import numpy as np  # noqa: E402

import environments  # noqa: E402

SKIPPED = 77
BIN = ""
TABLE = np.arange(12, dtype=np.float32).reshape(4, 3)
# Names of nodes are others than those of the tensors at the ends.
WORDS = """ir_version: 8 opset_import { version: 13 } graph { name: "g"
node { op_type: "Gather" name: "look_up" input: "table" input: "ids" output: "rows" }
node { op_type: "ReduceMax" name: "Max_1" input: "rows" output: "largest" attribute { name: "axes" type: INTS ints: 1 } }
initializer { name: "table" data_type: 1 dims: 4 dims: 3 %s }
input { name: "ids" type { tensor_type { elem_type: 7 shape { dim { dim_value: 2 } } } } }
output { name: "rows" type { tensor_type { elem_type: 1 shape { dim { dim_value: 2 } dim { dim_value: 3 } } } } }
output { name: "largest" type { tensor_type { elem_type: 1 shape { dim { dim_value: 2 } dim { dim_value: 1 } } } } }
}""" % " ".join(f"float_data: {number}" for number in TABLE.reshape(-1))
IMAGE = """node { name: "image" op: "Placeholder" attr { key: "dtype" value { type: DT_UINT8 } }
  attr { key: "shape" value { shape { dim { size: 1 } dim { size: 2 } dim { size: 3 } dim { size: 2 } } } } }
node { name: "cast" op: "Cast" input: "image" attr { key: "SrcT" value { type: DT_UINT8 } } attr { key: "DstT" value { type: DT_FLOAT } } }
node { name: "kernel" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "value" value { tensor { dtype: DT_FLOAT
  tensor_shape { dim { size: 1 } dim { size: 1 } dim { size: 2 } dim { size: 2 } } float_val: 1 float_val: 2 float_val: 3 float_val: 4 } } } }
node { name: "features" op: "Conv2D" input: "cast" input: "kernel" attr { key: "T" value { type: DT_FLOAT } } attr { key: "padding" value { s: "VALID" } }
  attr { key: "strides" value { list { i: 1 i: 1 i: 1 i: 1 } } } }
"""
PIXELS = np.arange(12, dtype=np.float32).reshape(1, 2, 3, 2)
FEATURES = (PIXELS @ np.array([[1, 2], [3, 4]], np.float32)).transpose(0, 3, 1, 2)


def is_v10(judge):
    return judge.startswith("openvino-2021")


class OldApi(unittest.TestCase):
    def run_program(self, judge, name, text, inputs, *options):
        """What the program sees of the IR for that release, and the outputs."""
        with tempfile.TemporaryDirectory() as folder:
            def path(file):
                return os.path.join(folder, file)
            with open(path(name), "w", encoding="utf-8") as file:
                file.write(text)
            version = ["--ir_version", "10"] if is_v10(judge) else ["--target_runtime", judge.rpartition("-")[2].rpartition(".")[0]]
            run = subprocess.run([os.path.join(BIN, "mo"), path(name), "--silent", "--output_dir", folder, "--model_name", "ir", *version, *options],
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60, check=False)
            self.assertEqual(run.returncode, 0, run.stdout.decode(errors="replace"))
            np.savez(path("inputs.npz"), **inputs)
            job = {"model": path("ir.xml"), "inputs": path("inputs.npz"), "output": path("output.npz")}
            run = subprocess.run([JUDGES[judge], os.path.join(HERE, "old_api_worker.py")], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 input=json.dumps(job).encode(), timeout=120, check=False)
            self.assertEqual(run.returncode, 0, f"{judge}: {run.stderr.decode(errors='replace')[-2000:]}")
            with np.load(path("output.npz")) as arrays:
                return json.loads(run.stdout), dict(arrays)

    def test_outputs_of_onnx_have_the_names_of_tensors(self):
        for judge in JUDGES:
            with self.subTest(judge):
                ends, arrays = self.run_program(judge, "words.onnxtxt", WORDS, {"ids": np.array([3, 1])})
                # docs/differences.md: version 10 keeps integers of 64 bits.
                self.assertEqual(ends["inputs"], {"ids": ["I64" if is_v10(judge) else "I32", [2]]})
                self.assertEqual(ends["outputs"], {"rows": ["FP32", [2, 3]], "largest": ["FP32", [2, 1]]})
                self.assertEqual(arrays["rows"].tolist(), TABLE[[3, 1]].tolist())
                self.assertEqual(arrays["largest"].tolist(), [[11], [5]])

    def test_images_of_tensorflow_are_channels_first(self):
        for judge in JUDGES:
            with self.subTest(judge):
                ends, arrays = self.run_program(judge, "image.pbtxt", IMAGE, {"image": PIXELS.transpose(0, 3, 1, 2)}, "--input", "image")
                self.assertEqual(ends["inputs"], {"image": ["U8" if is_v10(judge) else "FP32", [1, 2, 2, 3]]})
                self.assertEqual(ends["outputs"], {"features": ["FP32", [1, 2, 2, 3]]})
                self.assertEqual(arrays["features"].tolist(), FEATURES.tolist())

    def test_a_type_that_the_user_chose_is_seen(self):
        for judge in JUDGES:
            with self.subTest(judge):
                ends, _ = self.run_program(judge, "words.onnxtxt", WORDS, {"ids": np.array([3, 1])}, "--input", "ids{i64}")
                self.assertEqual(ends["inputs"], {"ids": ["I64", [2]]})

    def test_compressed_models_take_f32(self):
        for judge in JUDGES:
            with self.subTest(judge):
                text = IMAGE.replace("DT_UINT8", "DT_FLOAT")
                ends, arrays = self.run_program(judge, "image.pbtxt", text, {"image": PIXELS.transpose(0, 3, 1, 2)}, "--input", "image", "--data_type", "FP16")
                self.assertEqual(ends["inputs"], {"image": ["FP32", [1, 2, 2, 3]]})
                self.assertEqual(arrays["features"].tolist(), FEATURES.tolist())


if __name__ == "__main__":
    BIN = sys.argv[1]
    FOUND = {name: environments.environment(name, create=False)[0] for name in environments.judges() if name.startswith(("openvino-2021", "openvino-2022"))}
    JUDGES = {name: python for name, python in FOUND.items() if python and (name in sys.argv[2:] or not sys.argv[2:])}
    if not JUDGES:
        print("skipped: no release of OpenVINO that has the API of 2021 is installed (tests/peers/environments.py)")
        sys.exit(SKIPPED)
    unittest.main(argv=sys.argv[:1])
