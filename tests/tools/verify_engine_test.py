#!/usr/bin/env python3
"""mo verify --engine: an engine that is right, wrong, absent, too old, crashing, hanging or talking nonsense, and the real ones where tests/peers has them.

usage: verify_engine_test.py BIN      BIN: folder of the programs
"""
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "support"), str(HERE.parent / "peers")]
import environments  # noqa: E402
from program_test import ProgramTest, main  # noqa: E402
from wire_models import INT64, Caffe, Onnx, chunk, floats, int64s  # noqa: E402

PRETENDED = str(HERE / "pretended_engine.py")


def model(constant=1.0):
    nodes = [Onnx.node("Add", ["x", "one"], ["a"]), Onnx.node("Relu", ["a"], ["y"])]
    return Onnx.model(Onnx.graph(nodes, [Onnx.value("x", (8,))], [Onnx.output("y")], [Onnx.tensor("one", [1], floats(constant))]))


def softmax_model():
    nodes = [Onnx.node("Mul", ["x", "two"], ["scaled"]), Onnx.node("Softmax", ["scaled"], ["weights"], axis=1), Onnx.node("Exp", ["weights"], ["y"])]
    return Onnx.model(Onnx.graph(nodes, [Onnx.value("x", (2, 4))], [Onnx.output("y")], [Onnx.tensor("two", [1], floats(2.0))]))


# The rectifier works in place, so blob c is its result, and layer c gives another tensor.
NET = """name: "n"
layer { name: "x" type: "Input" top: "x" input_param { shape { dim: 1 dim: 2 dim: 4 dim: 4 } } }
layer { name: "c" type: "Convolution" bottom: "x" top: "c" convolution_param { num_output: 2 kernel_size: 1 bias_term: false } }
layer { name: "r" type: "ReLU" bottom: "c" top: "c" }
layer { name: "s" type: "Slice" bottom: "c" top: "s0" top: "s1" slice_param { axis: 1 slice_point: 1 } }
layer { name: "weights" type: "Softmax" bottom: "s1" top: "weights" softmax_param { axis: 3 } }
layer { name: "y" type: "Eltwise" bottom: "weights" bottom: "weights" top: "y" }
"""
FROZEN = """node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 2 } dim { size: 4 } } } } }
node { name: "two" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { } float_val: 2 } } } }
node { name: "scaled" op: "Mul" input: "x" input: "two" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "weights" op: "Softmax" input: "scaled" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "y" op: "Exp" input: "weights" attr { key: "T" value { type: DT_FLOAT } } }
"""


class PretendedEngine(ProgramTest):
    def verify(self, exit_code, how, *words, engine="onnxruntime", limit="1", python=PRETENDED):
        onnx = self.path("m.onnx", model())
        environment = dict(os.environ, MO_PRETENDED=how, MO_ENGINE_SECONDS=limit)
        return self.ends(exit_code, "mo", "verify", onnx, "--engine", engine, *(["--python", python] if python else []), *words, env=environment)

    def test_an_engine_that_agrees(self):
        self.assertIn("m.onnx in ONNX Runtime 2024.6.0 and its IR compute the same", self.verify(0, "right", "--seeds", "2"))
        result = self.fits(self.verify(0, "right", "--json"), "verify.schema.json")
        self.assertEqual((result["verdict"], result["engine"], result["engine_runs"]), ("equal", "ONNX Runtime 2024.6.0", "source"))
        self.assertIn("its IR in OpenVINO 2024.6.0 compute the same", self.verify(0, "right", engine="openvino@2024.6"))
        self.assertIn("OpenVINO 2021.4.2", self.verify(0, "old", engine="openvino@2021.4.2"))

    def test_an_engine_that_disagrees_about_the_model(self):
        text = self.verify(8, "wrong", "--bisect")
        self.assertIn("the numbers part at 'y' (ReLU)", text)
        self.assertIn("source     'y' (ONNX Relu, opset 13)", text)
        self.assertIn("no pass: the model was read wrongly", text)

    def test_an_engine_that_disagrees_about_the_ir(self):
        result = self.fits(self.verify(8, "wrong", "--bisect", "--json", engine="openvino"), "verify.schema.json")
        self.assertEqual((result["layer"]["name"], result["guilty"]["when"], result["engine_runs"]), ("y", "engine", "checked"))
        self.assertGreater(result["layer"]["difference"]["actual"]["mean"], result["layer"]["difference"]["expected"]["mean"])

    def test_a_wrong_ir_is_the_conversions_fault(self):
        other = self.path("other.onnx", model(3.0))
        self.ends(0, "mo", other, "--output_dir", self.folder, "--silent")
        text = self.verify(8, "right", self.path("other.xml"))
        self.assertIn("the numbers part at 'a'", text)

    def test_an_ir_alone(self):
        self.ends(0, "mo", self.path("m.onnx", model()), "--output_dir", self.folder, "--silent")
        environment = dict(os.environ, MO_PRETENDED="right")
        text = self.ends(0, "mo", "verify", self.path("m.xml"), "--engine", "openvino", "--python", PRETENDED, env=environment)
        self.assertIn("the same IR in OpenVINO 2024.6.0 compute the same", text)

    def test_missing_engines(self):
        for text in (self.verify(9, "missing"), self.verify(9, "right", python=self.path("nowhere"))):
            self.assertIn("MO-VERIFY-0008", text)
            self.assertIn("python3 -m venv mo_engine && mo_engine/bin/pip install 'onnxruntime'", text)
        text = self.verify(9, "right", engine="openvino@2023.3")
        self.assertIn("has OpenVINO 2024.6.0, and 2023.3 is asked for", text)
        self.assertIn("pip install 'openvino==2023.3.*'", text)
        self.assertIn("MO-VERIFY-0008", self.verify(9, "right", engine="openvino@2024.60"))

    def test_the_environment_names_the_python(self):
        onnx = self.path("m.onnx", model())
        environment = dict(os.environ, MO_ENGINE_PYTHON=PRETENDED)
        self.assertIn("compute the same", self.ends(0, "mo", "verify", onnx, "--engine", "onnxruntime", env=environment))

    def test_engines_that_fail(self):
        for how, exit_code, code, part in (("crash", 9, "MO-VERIFY-0009", "crashed while it compiled the model (signal 11, Segmentation fault): a wild"),
                                           ("silent", 9, "MO-VERIFY-0009", "crashed while it started (exit code 1): cannot open shared object file"),
                                           ("spin", 6, "MO-VERIFY-0010", "has used up its processor time while it computed the model"),
                                           ("sleep", 6, "MO-VERIFY-0010", "none of its threads has run for a long time"),
                                           ("nonsense", 9, "MO-VERIFY-0011", "Welcome!"), ("list", 9, "MO-VERIFY-0011", "[1, 2]"),
                                           ("steps", 9, "MO-VERIFY-0011", "only steps"), ("flood", 9, "MO-VERIFY-0011", "a line without end"),
                                           ("refuses", 5, "MO-VERIFY-0012", "cannot read the model: Unsupported opset")):
            with self.subTest(how):
                text = self.verify(exit_code, how)
                self.assertIn(code, text)
                self.assertIn(part, text)
        self.assertIn("MO-VERIFY-0004", self.verify(4, "lost"))
        self.assertIn("MO-VERIFY-0011", self.verify(9, "lost", engine="openvino"))

    def test_the_onnx_package_checks_what_was_written(self):
        def checked(exit_code, how, *options):
            environment = dict(os.environ, MO_ENGINE_PYTHON=PRETENDED, MO_PRETENDED=how)
            return self.ends(exit_code, "mo", self.path("m.onnx", model()), "--to", "onnx", "--check", *options, "-o", os.path.join(self.folder, "checked"), env=environment)
        self.assertIn("ONNX 2024.6.0 accepts the model", checked(0, "right"))
        self.assertNotIn("accepts", checked(0, "right", "--silent"))
        text = checked(8, "refuses")
        self.assertIn("MO-VERIFY-0016", text)
        self.assertIn("does not accept the model: Unsupported opset", text)
        text = checked(9, "missing")
        self.assertIn("mo_engine/bin/pip install 'onnx'", text)
        code, _, messages = self.call("mo", self.path("m.onnx"), "--check", "--log_level", "WARN", "-o", os.path.join(self.folder, "ir"))
        self.assertEqual(code, 0)
        self.assertIn("--check has no effect: the model is written as an IR", messages)

    def test_refusals(self):
        self.assertIn("MO-VERIFY-0013", self.verify(2, "right", engine="tensorflow"))
        self.assertIn("MO-VERIFY-0013", self.verify(2, "right", "--scale", "2"))
        self.assertIn("MO-VERIFY-0013", self.verify(2, "right", self.path("other.onnx", model()), engine="openvino"))
        net = self.path("net.prototxt", 'name: "n"\ninput: "x"\ninput_shape { dim: 1 dim: 3 }\nlayer { name: "r" type: "ReLU" bottom: "x" top: "r" }\n')
        text = self.ends(2, "mo", "verify", "--input_proto", net, "--disable_weights", "--engine", "onnxruntime", "--python", PRETENDED)
        self.assertIn("--engine opencv computes the model, --engine openvino its IR", text)
        for words in (["caffe"], ["openvino@newest"], ["openvino@"], ["onnxruntime", "--reference", self.folder]):
            self.assertIn("MO-VERIFY-0007", self.ends(2, "mo", "verify", self.path("m.onnx", model()), "--engine", *words))


class ChosenSizes(ProgramTest):
    """With an engine or without: unknown dimensions get sizes that belong together."""

    @staticmethod
    def decoder(mask):
        """The sizes of past and new add up to that of the mask; dimensions are unknown where they have names."""
        nodes = [Onnx.node("Concat", ["past", "new"], ["all"], axis=1), Onnx.node("Mul", ["all", "mask"], ["y"])]
        inputs = [Onnx.value(name, ("batch", size)) for name, size in (("past", "p"), ("new", "n"), ("mask", mask))]
        return Onnx.model(Onnx.graph(nodes, inputs, [Onnx.output("y")]))

    def test_a_mask_of_past_and_new_tokens(self):
        for name, shapes in (("p + n", [{"past": [1, 2], "new": [1, 2], "mask": [1, 4]}, {"past": [2, 3], "new": [2, 3], "mask": [2, 6]}]),
                             ("total", [{"past": [1, 2], "new": [1, 2], "mask": [1, 4]}, {"past": [2, 3], "new": [2, 3], "mask": [2, 6]}])):
            result = self.fits(self.ends(0, "mo", "verify", self.path("decoder.onnx", self.decoder(name)), "--json"), "verify.schema.json")
            self.assertEqual(result["sizes"], shapes)

    def test_an_ir_that_holds_a_size_is_found(self):
        wire = lambda size: Onnx.model(Onnx.graph([Onnx.node("Reshape", ["x", "shape"], ["y"])], [Onnx.value("x", ("n", "m"))], [Onnx.output("y")],
                                                  [Onnx.tensor("shape", [2], int64s(*size), INT64)]))
        right, holds = self.path("right.onnx", wire((-1, 1))), self.path("holds.onnx", wire((2, 1)))
        text = self.ends(4, "mo", "verify", right, holds)
        self.assertIn("with sizes that were chosen for this check: 'x' [2,3]", text)

    def test_regions_of_images_that_exist(self):
        nodes = [Onnx.node("Gather", ["rois", "first"], ["index"], axis=1), Onnx.node("Cast", ["index"], ["indices"], to=INT64),
                 Onnx.node("Gather", ["rois", "others"], ["boxes"], axis=1),
                 Onnx.node("RoiAlign", ["x", "boxes", "indices"], ["y"], output_height=2, output_width=2)]
        tensors = [Onnx.tensor("first", [], int64s(0), INT64), Onnx.tensor("others", [4], int64s(1, 2, 3, 4), INT64)]
        inputs = [Onnx.value("x", ("batch", 3, 8, 8)), Onnx.value("rois", ("regions", 5))]
        self.ends(0, "mo", "verify", self.path("regions.onnx", Onnx.model(Onnx.graph(nodes, inputs, [Onnx.output("y")], tensors))), "--seeds", "3")

    def test_the_message_names_the_sizes_that_failed(self):
        nodes = [Onnx.node("Reshape", ["x", "shape"], ["y"])]
        onnx = Onnx.model(Onnx.graph(nodes, [Onnx.value("x", ("n", "m"))], [Onnx.output("y")], [Onnx.tensor("shape", [1], int64s(7), INT64)]))
        self.assertIn("--input_shape gives others", self.ends(2, "mo", "verify", self.path("m.onnx", onnx)))


class RealEngines(ProgramTest):
    def python(self, judge, create=False):
        python, reason = environments.environment(judge, create)
        if python is None:
            self.skipTest(f"{judge}: {reason}")
        return python

    def test_onnxruntime_finds_a_spoiled_ir(self):
        python, onnx = self.python("onnxruntime"), self.path("m.onnx", softmax_model())
        self.ends(0, "mo", "verify", onnx, "--engine", "onnxruntime", "--python", python, "--seeds", "2")
        self.ends(0, "mo", onnx, "--output_dir", self.folder, "--silent")
        spoiled = Path(self.path("m.xml")).read_text(encoding="utf-8").replace('axis="1"', 'axis="0"')
        text = self.ends(8, "mo", "verify", onnx, self.path("bad.xml", spoiled), "--weights", self.path("m.bin"), "--engine", "onnxruntime", "--python", python)
        self.assertIn("source     'weights' (ONNX Softmax, opset 13)", text)

    def test_tensorflow_finds_a_spoiled_ir(self):
        python, graph = self.python("tensorflow"), self.path("m.pbtxt", FROZEN)
        line = ["--engine", "tensorflow", "--python", python]
        self.ends(0, "mo", "verify", graph, *line, "--seeds", "2")
        self.ends(0, "mo", "verify", graph, *line, "--input", "scaled", "--output", "weights")
        self.ends(0, "mo", graph, "--output_dir", self.folder, "--silent")
        ir = Path(self.path("m.xml")).read_text(encoding="utf-8")
        self.assertIn('axis="1"', ir)
        text = self.ends(8, "mo", "verify", graph, self.path("bad.xml", ir.replace('axis="1"', 'axis="0"')), "--weights", self.path("m.bin"), *line)
        self.assertIn("source     'weights' (TensorFlow Softmax)", text)

    def test_opencv_finds_a_spoiled_ir(self):
        python, net = self.python("opencv", create=True), self.path("n.prototxt", NET)
        self.path("n.caffemodel", chunk(1, "n") + Caffe.layer("c", "Convolution", [Caffe.blob((2, 2, 1, 1), floats(1, -2, 3, 0.5))]))
        line = ["--engine", "opencv@4", "--python", python]
        self.assertIn("s0", self.ends(0, "mo", "verify", self.path("n.caffemodel"), *line, "--seeds", "2"))
        self.ends(0, "mo", "--input_proto", net, "--input_model", self.path("n.caffemodel"), "--output_dir", self.folder, "--silent")
        ir = Path(self.path("n.xml")).read_text(encoding="utf-8")
        self.assertIn('<data axis="3" />', ir)
        spoiled = self.path("bad.xml", ir.replace('<data axis="3" />', '<data axis="2" />'))
        text = self.ends(8, "mo", "verify", self.path("n.caffemodel"), spoiled, "--weights", self.path("n.bin"), *line)
        self.assertIn("source     'weights' (Caffe Softmax)", text)
        spoiled = self.path("bad.xml", ir.replace('type="ReLU"', 'type="Abs"'))
        text = self.ends(8, "mo", "verify", self.path("n.caffemodel"), spoiled, "--weights", self.path("n.bin"), *line)
        self.assertIn("source     'r' (Caffe ReLU)", text)

    def test_onnxruntime_computes_what_is_cut_or_frozen(self):
        python, onnx = self.python("onnxruntime"), self.path("m.onnx", softmax_model())
        for words in (["--input", "scaled"], ["--output", "weights"], ["--input", "scaled", "--output", "weights"]):
            self.ends(0, "mo", "verify", onnx, "--engine", "onnxruntime", "--python", python, *words)
        product = Onnx.model(Onnx.graph([Onnx.node("Mul", ["x", "factor"], ["y"])], [Onnx.value("x", (3,)), Onnx.value("factor", (1,))], [Onnx.output("y")]))
        self.ends(0, "mo", "verify", self.path("product.onnx", product), "--engine", "onnxruntime", "--python", python,
                  "--freeze_placeholder_with_value", "factor->2")

    def test_openvino_finds_a_spoiled_ir(self):
        onnx = self.path("m.onnx", softmax_model())
        for judge, options in (("openvino-newest", []), ("openvino-2021.4.2", ["--ir_version", "10"])):
            with self.subTest(judge):
                python = self.python(judge)
                self.ends(0, "mo", "verify", onnx, "--engine", "openvino", "--python", python, *options)
                self.ends(0, "mo", onnx, "--output_dir", self.folder, "--silent", *options)
                spoiled = Path(self.path("m.xml")).read_text(encoding="utf-8").replace('axis="1"', 'axis="0"')
                line = ["mo", "verify", onnx, self.path("bad.xml", spoiled), "--weights", self.path("m.bin"), "--engine", "openvino", "--python", python]
                text = self.ends(8, *line)
                self.assertIn("(SoftMax)", text)


if __name__ == "__main__":
    main(__doc__)
