#!/usr/bin/env python3
"""Reports of conversions, verifications and comparisons, on models that are made here.

usage: report_test.py BIN      BIN: folder of the programs
"""
import os
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from program_test import ProgramTest, main  # noqa: E402
from reports import nodes_of, report_in_page  # noqa: E402
from wire_models import Caffe, Onnx, Tf, chunk, floats, varint  # noqa: E402

HOSTILE = ['</script><script>alert(1)</script>', '<!--<script>', "<img src=x onerror=alert(1)>", "a\u2028b\u2029c", '"}]}', "&lt;b&gt;", "back\\slash\\u003c", "${1}`"]
TOPOLOGY = """name: "net" input: "data" input_shape { dim: 1 dim: 2 dim: 6 dim: 6 }
layer { name: "conv" type: "Convolution" bottom: "data" top: "conv" convolution_param { num_output: 2 kernel_size: 3 bias_term: false } }
layer { name: "scale" type: "Scale" bottom: "conv" top: "scale" scale_param { bias_term: false } }
layer { name: "relu" type: "ReLU" bottom: "scale" top: "relu" }
"""


def onnx_network():
    """A convolution whose scale and shift can be taken in, a Transpose that nothing takes back, two equal weights, one too large for 16 bits."""
    ones = floats(*[1.0] * 4)
    nodes = [Onnx.node("Conv", ["x", "w"], ["c"], "conv", kernel_shape=[3, 3]), Onnx.node("BatchNormalization", ["c", "scale", "bias", "mean", "var"], ["b"], "norm"),
             Onnx.node("Relu", ["b"], ["r"], "relu"), Onnx.node("Transpose", ["r"], ["t"], "turn", perm=[0, 2, 3, 1]),
             Onnx.node("MatMul", ["t", "m1"], ["p"], "product"), Onnx.node("Exp", ["p"], ["e"], "exp"), Onnx.node("MatMul", ["e", "m2"], ["q"], "other"),
             Onnx.node("Mul", ["q", "large"], ["y"], "last")]
    tensors = [Onnx.tensor("w", [4, 3, 3, 3], floats(*[0.01 * i for i in range(108)]))]
    tensors += [Onnx.tensor(name, [4], ones) for name in ("scale", "bias", "mean", "var")]
    tensors += [Onnx.tensor(name, [4, 4], floats(*[0.1 * i for i in range(16)])) for name in ("m1", "m2")]
    tensors += [Onnx.tensor("large", [2, 1, 1], floats(1e6, 2.0))]
    return Onnx.model(Onnx.graph(nodes, [Onnx.value("x", (1, 3, 4, 6))], [Onnx.output("y")], tensors))


def tensorflow_network():
    """Channels last."""
    integers = lambda *values: chunk(1, chunk(3, b"".join(map(varint, values))))
    weights = floats(*[0.1 * i for i in range(2 * 2 * 3 * 3)])
    return Tf.graph([Tf.input("x", (1, 6, 6, 3)), Tf.constant("w", (2, 2, 3, 3), weights), Tf.constant("b", (3,), floats(1, 2, 3)),
                     Tf.op("conv", "Conv2D", "x", "w", strides=integers(1, 1, 1, 1), padding=chunk(2, "SAME"), data_format=chunk(2, "NHWC")),
                     Tf.op("bias", "BiasAdd", "conv", "b"), Tf.op("relu", "Relu", "bias")])


def if_network():
    branches = [{"graph": Onnx.graph([Onnx.node(each, ["x"], ["b"], f"inner_{each}")], (), [Onnx.output("b")])} for each in ("Relu", "Exp")]
    nodes = [Onnx.node("If", ["c"], ["y"], "choice", then_branch=branches[0], else_branch=branches[1])]
    return Onnx.model(Onnx.graph(nodes, [Onnx.value("x"), Onnx.value("c", (), 9)], [Onnx.output("y")]))


class Reports(ProgramTest):
    def mo(self, *words, code=0):
        return self.ends(code, "mo", *words, cwd=self.folder)

    def read(self, name):
        """A report that fits the schema, whose page holds the same."""
        report = self.fits(Path(self.path(name)).read_text(encoding="utf-8"), "report.schema.json")
        for which in range(len(report["graphs"]["tables"])):
            nodes_of(report, which)
        return report

    def converted(self, model, *words, name="m", code=0):
        self.mo(model, "--silent", "--output_dir", "ir", "--report", f"{name}.json", *words, code=code)
        return self.read(f"{name}.json")

    def onnx(self, *words, **more):
        return self.converted(self.path("m.onnx", onnx_network()), *words, **more)


class Conversion(Reports):
    def test_what_is_in_the_model_and_in_the_ir(self):
        report = self.onnx("--input_shape", "[1,3,4,6]")
        self.assertEqual((report["kind"], report["status"], report["title"]), ("conversion", "converted", "m"))
        self.assertEqual(report["model"]["ops"], {"BatchNormalization": 1, "Conv": 1, "Exp": 1, "MatMul": 2, "Mul": 1, "Relu": 1, "Transpose": 1})
        self.assertEqual(report["model"]["outputs"][0]["shape"], [1, 2, 4, 4])
        self.assertTrue(report["model"]["outputs"][0]["inferred"])
        self.assertIn({"name": "input_shape", "value": "[1,3,4,6]"}, report["options"])
        self.assertEqual([option["value"] for option in report["options"] if option["name"] == "input_model"], ["m.onnx"])
        self.assertEqual((report["ir"]["xml"], report["ir"]["version"]), ("m.xml", 11))
        self.assertEqual(report["ir"]["bin_bytes"], os.path.getsize(self.path("ir/m.bin")))
        source, ir = nodes_of(report, 0), nodes_of(report, 1)
        self.assertEqual(report["ir"]["layers"], len(ir))
        relu = next(node for node in source if node.name == "relu")
        self.assertEqual((relu.op, relu.tensors, [source[row].name for row in relu.inputs]), ("Relu", "r", ["norm"]))
        relu = next(node for node in ir if node.op == "ReLU")
        self.assertEqual((relu.type, [source[row].name for row in relu.links]), ("f32[1,4,2,4]", ["relu"]))
        self.assertIn("Extraction", relu.passes)

    def test_what_was_fused(self):
        report = self.onnx()
        fusion, = [each for each in report["fusions"] if each["type"].startswith("Convolution")]
        self.assertEqual((fusion["sources"], fusion["passes"], fusion["folded"]), (["conv", "norm"], ["LinearOperationFusion"], False))
        layer, source = nodes_of(report, 1)[fusion["row"]], nodes_of(report, 0)
        self.assertEqual(layer.name, fusion["layer"])
        self.assertEqual({source[row].name for row in layer.links} & {"conv", "norm"}, {"conv", "norm"})
        self.assertEqual([each for each in report["fusions"] if each["folded"]], [], "constants of nodes that are there are no nodes that were computed")
        without = self.onnx("--disable_fusing")
        self.assertEqual([each for each in without["fusions"] if not each["folded"]], [])

    def test_what_was_computed(self):
        nodes = [Onnx.node("Neg", ["w"], ["n"], "neg"), Onnx.node("Add", ["x", "n"], ["y"], "add")]
        model = Onnx.model(Onnx.graph(nodes, [Onnx.value("x")], [Onnx.output("y")], [Onnx.tensor("w", [2], floats(1, 2))]))
        fusion, = self.converted(self.path("m.onnx", model))["fusions"]
        self.assertEqual((fusion["type"], fusion["sources"], fusion["folded"]), ("Const", ["neg"], True))

    def test_transposes_of_the_model_stay_for_a_reason(self):
        one, = self.onnx()["transposes"]
        self.assertEqual((one["order"], one["from"], one["to"], one["sources"], one["in_model"]), ("0,2,3,1", "f32[1,4,2,4]", "f32[1,2,4,4]", ["turn"], True))
        self.assertEqual(one["reason"], "the model has it (Transpose 'turn'), and nothing beside it takes it back")

    def test_transposes_of_the_layout_step_stand_between_layers(self):
        report = self.converted(self.path("m.pb", tensorflow_network()))
        before, behind = report["transposes"]
        self.assertEqual((before["order"], behind["order"]), ("0,3,1,2", "0,2,3,1"))
        self.assertRegex(before["reason"], r"^between the input 'x:0' \(Parameter\), which has the layout of the model and '[^']*' \(Convolution\), which needs channels first$")
        self.assertRegex(behind["reason"], r"^between '[^']*' \(Convolution\), which needs channels first and the output '[^']*' \(Result\), which has the layout of the model$")
        self.assertIn("LayoutChange", before["passes"])
        self.assertEqual(report["model"]["framework"], "TensorFlow")
        self.assertEqual([node.op for node in nodes_of(report, 0) if node.name == "conv"], ["Conv2D"])

    def test_constants(self):
        constants = self.onnx()["constants"]
        self.assertEqual([each["bytes"] for each in constants["biggest"]], sorted((each["bytes"] for each in constants["biggest"]), reverse=True))
        self.assertEqual(constants["biggest"][0]["bytes"], 4 * 108)
        shared = [each for each in constants["sharing"] if each["bytes"] == 64]
        self.assertEqual([(each["layer"], each["same_as"]) for each in shared], [("m2", "m1")])
        self.assertEqual((constants["compressed"], constants["clipped"], constants["clipping"]), (0, 0, []))

    def test_constants_in_16_bits(self):
        report = self.onnx("--compress_to_fp16")
        constants = report["constants"]
        self.assertGreater(constants["compressed"], 3)
        self.assertTrue(constants["biggest"][0]["compressed"])
        clipped, = constants["clipping"]
        self.assertEqual((clipped["clipped"], clipped["type"]), (1, "f16[2,1,1]"))
        message, = [each for each in report["messages"] if each["code"] == "MO-HALF-0001"]
        self.assertEqual((message["severity"], message["hint"]), ("warning", "keep the model in f32 if its results suffer"))
        of_v10 = self.onnx("--data_type", "FP16", "--ir_version", "10")["constants"]
        self.assertTrue(of_v10["biggest"][0]["compressed"])

    def test_caffe(self):
        self.path("net.prototxt", TOPOLOGY)
        weights = Caffe.layer("conv", "Convolution", [Caffe.blob((2, 2, 3, 3), floats(*range(36)))]) + Caffe.layer("scale", "Scale", [Caffe.blob((2,), floats(2, 3))])
        report = self.converted(self.path("net.caffemodel", weights), name="net")
        self.assertEqual((report["model"]["framework"], report["model"]["ops"]), ("Caffe", {"Convolution": 1, "ReLU": 1, "Scale": 1}))
        self.assertEqual([each["sources"] for each in report["fusions"] if not each["folded"]], [["conv", "scale"]])

    def test_bodies_are_stretches_of_rows(self):
        report = self.converted(self.path("m.onnx", if_network()))
        table, nodes = report["graphs"]["tables"][1], nodes_of(report, 1)
        self.assertEqual([scope["title"] for scope in table["scopes"]], ["", "If 'y', body 0", "If 'y', body 1"])
        self.assertEqual([nodes[scope["owner"]].op for scope in table["scopes"][1:]], ["If.v8"] * 2)
        body = nodes[table["scopes"][1]["first"]:][:table["scopes"][1]["count"]]
        self.assertEqual([node.op for node in body], ["Parameter", "ReLU", "Result"])
        source = nodes_of(report, 0)
        self.assertEqual([source[row].name for row in body[1].links], ["inner_Relu"])

    def test_steps_are_measured(self):
        measured = self.onnx()["measurements"]
        steps = measured["steps"]
        self.assertEqual((steps[0]["name"], steps[-1]["name"]), ("read", "write"))
        self.assertEqual([step["phase"] for step in steps if step["name"] == "PartialInference"], ["inference"])
        self.assertAlmostEqual(measured["seconds"], sum(step["seconds"] for step in steps), places=6)
        self.assertTrue(all(step["seconds"] >= 0 and step["peak_bytes"] > 1 << 20 for step in steps))
        self.assertIn(False, [step["changed"] for step in steps])

    def test_memory_is_that_of_the_conversion(self):
        ballast = b"\1" * 200_000_000  # of this process, of which the other one begins as a copy
        self.assertLess(self.onnx()["measurements"]["peak_bytes"], len(ballast) // 2)

    def test_a_conversion_that_fails_is_reported(self):
        model = self.path("m.onnx", Onnx.one("NobodyKnows"))
        self.mo(model, "--output_dir", "ir", "--report", "m.json", "--silent", code=5)
        report = self.read("m.json")
        self.assertEqual((report["status"], report["ir"], report["constants"]), ("failed", None, None))
        self.assertEqual(report["model"]["custom_ops"], {"NobodyKnows": 1})
        last = report["messages"][-1]
        self.assertEqual((last["severity"], last["node"]), ("error", "n"))
        self.assertTrue(last["code"].startswith("MO-") and last["hint"])
        self.mo(self.path("m.onnx", b"\x0a\xff\xff"), "--framework", "onnx", "--report", "n.json", code=4)
        self.assertEqual((self.read("n.json")["model"], self.read("n.json")["graphs"]["tables"]), (None, []))

    def test_verification_is_a_part_of_it(self):
        report = self.onnx("--verify")
        self.assertEqual((report["status"], report["verification"]["verdict"]), ("converted", "equal"))
        self.assertEqual([output["close"] for output in report["verification"]["outputs"]], [True])
        self.assertIsNone(self.onnx()["verification"])

    def test_the_same_report_but_for_measurements(self):
        first, second = self.onnx("--verify"), self.onnx("--verify")
        self.assertNotEqual(first.pop("measurements"), second.pop("measurements"))
        self.assertEqual(first, second)

    def test_the_ir_is_the_same_with_a_report(self):
        self.onnx()
        reported = Path(self.path("ir/m.xml")).read_text()
        self.mo(self.path("m.onnx"), "--silent", "--output_dir", "ir")
        self.assertEqual(reported, Path(self.path("ir/m.xml")).read_text())

    def test_names_of_files(self):
        model = self.path("m.onnx", onnx_network())
        for name in ("report", "report.txt", "m.xml", "m.onnx"):
            self.assertIn("MO-REPORT-0001", self.mo(model, "--silent", "--output_dir", "ir", "--report", name, code=2))
        self.assertFalse(os.path.exists(self.path("ir")))
        self.assertIn("MO-EMIT-0001", self.mo(model, "--silent", "--report", "/proc/m.html", code=7))
        # A link does not hide that the file was read.
        os.symlink(model, self.path("m.html"))
        self.assertIn("MO-EMIT-0003", self.mo(model, "--silent", "--report", "m.html", code=7))


class Page(Reports):
    def test_the_page_holds_the_json_and_nothing_from_elsewhere(self):
        report = self.onnx()
        self.mo(self.path("m.onnx"), "--silent", "--output_dir", "ir", "--report", "m.html")
        page = Path(self.path("m.html")).read_text()
        inside = report_in_page(page)
        for each in (report, inside):
            del each["measurements"], each["options"]
        self.assertEqual(inside, report)
        frame = re.sub(r'<script type="application/json".*?</script>', "", page, flags=re.DOTALL)
        self.assertEqual(re.findall(r"(?:src|href)=\"(?!data:,)[^\"]*\"|url\((?!#)[^$]|@import", frame), [])
        self.assertEqual(set(re.findall(r"https?://[^\"'\s]*", frame)), {"http://www.w3.org/2000/svg"})
        self.assertIn("default-src 'none'", frame)
        self.assertNotIn("innerHTML", frame)

    def test_names_of_models_stay_data(self):
        nodes, last = [], "x"
        for i, name in enumerate(HOSTILE):
            nodes.append(Onnx.node("Relu" if i % 2 else "Exp", [last], [f"{name} {i}"], name))
            last = f"{name} {i}"
        nodes.append(Onnx.node("Abs", [last], ["y"], b"\xff\xfe</script>".decode("latin-1")))
        model = Onnx.model(Onnx.graph(nodes, [Onnx.value("x")], [Onnx.output("y")]))
        self.mo(self.path("m.onnx", model), "--silent", "--output_dir", "ir", "--report", "m.html", "--model_name", "<title><script>")
        page = Path(self.path("m.html")).read_text(encoding="utf-8")
        data = re.search(r'id="report">(.*?)</script>\n', page, re.DOTALL)[1]
        self.assertNotIn("<", data)
        self.assertNotRegex(data, "[\u2028\u2029]")
        self.assertEqual(page.count("<script"), 2)
        self.assertEqual(page.count("<title>"), 1)
        names = {node.name for node in nodes_of(report_in_page(page), 0)}
        self.assertLessEqual(set(HOSTILE), names)

    def test_names_that_are_not_utf_8(self):
        nodes = [chunk(1, "x") + chunk(2, "y") + chunk(3, b"\xff\xfe<name") + chunk(4, "Relu")]
        model = Onnx.model(Onnx.graph(nodes, [Onnx.value("x")], [Onnx.output("y")]))
        code, _, _ = self.call("mo", self.path("m.onnx", model), "--silent", "--report", "m.html", cwd=self.folder)
        # Readers may refuse the name; the page is UTF-8 either way.
        Path(self.path("m.html")).read_text(encoding="utf-8")
        self.assertIn(code, (0, 4))

    def test_a_large_report_is_packed(self):
        nodes = [Onnx.node(("Abs", "Exp", "Tanh")[i % 3], [f"t{i}"], [f"t{i + 1}"], f"node_{i}") for i in range(20000)]
        model = Onnx.model(Onnx.graph(nodes, [Onnx.value("t0")], [Onnx.output("t20000")]))
        self.mo(self.path("m.onnx", model), "--silent", "--output_dir", "ir", "--report", "m.html")
        page = Path(self.path("m.html")).read_text()
        self.assertIn('data-packed="deflate"', page)
        self.assertLess(len(page), 400_000)
        report = report_in_page(page)
        self.has_schema(report, "report.schema.json")
        last = nodes_of(report, 1)[-2]
        self.assertEqual((last.name, last.links, last.inputs), ("t20000", [20000], [last.row - 1]))


class Others(Reports):
    def spoiled_ir(self):
        self.mo(self.path("m.onnx", onnx_network()), "--silent", "--output_dir", self.folder)
        return self.path("bad.xml", Path(self.path("m.xml")).read_text().replace('type="Exp"', 'type="Abs"')), self.path("m.bin")

    def test_verification(self):
        bad, weights = self.spoiled_ir()
        self.mo("verify", "m.onnx", bad, "--weights", weights, "--report", "v.json", code=8)
        report = self.read("v.json")
        self.assertEqual((report["kind"], report["status"], report["verification"]["layer"]["name"]), ("verification", "different", "exp"))
        self.assertEqual(report["model"]["ops"]["BatchNormalization"], 1)
        source, checked = nodes_of(report, 0), nodes_of(report, 1)
        wrong, = [node for node in checked if node.mark == 3]
        self.assertEqual((wrong.name, wrong.op, [source[row].op for row in wrong.links]), ("exp", "Abs", ["Exp"]))
        self.mo("verify", "m.onnx", "--report", "v.html")
        self.assertEqual(report_in_page(Path(self.path("v.html")).read_text())["status"], "equal")

    def test_verification_of_an_ir_by_arrays_fails_with_a_reason(self):
        self.spoiled_ir()
        os.mkdir(self.path("truth"))
        self.mo("verify", "m.xml", "--reference", "truth", "--report", "v.json", code=3)
        report = self.read("v.json")
        self.assertEqual((report["status"], report["verification"], report["messages"][-1]["code"]), ("failed", None, "MO-VERIFY-0003"))
        self.assertEqual(len(report["graphs"]["tables"]), 1)

    def test_comparison(self):
        self.spoiled_ir()
        os.symlink("m.bin", self.path("bad.bin"))
        self.mo("diff", "m.xml", "bad.xml", "--report", "d.json", code=1)
        report = self.read("d.json")
        self.assertEqual((report["kind"], report["status"]), ("comparison", "different"))
        self.assertEqual([(each["kind"], each["to"]) for each in report["comparison"]["differences"] if each["kind"] == "op"], [("op", "Abs.v0")])
        self.assertEqual(report["other_model"]["ops"]["Abs"], 1)
        before, after = nodes_of(report, 0), nodes_of(report, 1)
        changed, = [node for node in after if node.op == "Abs"]
        self.assertEqual((changed.mark, before[changed.links[0]].op, before[changed.links[0]].mark), (1, "Exp", 1))
        self.mo("diff", "m.xml", "m.xml", "--report", "d.html")
        self.assertEqual(report_in_page(Path(self.path("d.html")).read_text())["status"], "same")

    def test_names_of_files(self):
        self.spoiled_ir()
        self.assertIn("MO-REPORT-0001", self.mo("diff", "m.xml", "m.xml", "--report", "d.txt", code=2))
        self.assertIn("MO-REPORT-0001", self.mo("verify", "m.onnx", "--report", "d", code=2))


if __name__ == "__main__":
    main(__doc__)
