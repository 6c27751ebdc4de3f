#!/usr/bin/env python3
"""mo inspect on models that are made here: facts, coverage, and proposals, which are run.

usage: inspect_test.py BIN      BIN: folder of the programs
"""
import os
import resource
import shlex
import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from program_test import ProgramTest, main  # noqa: E402
from wire_models import Caffe, Onnx, Tf, chunk, head, number  # noqa: E402

WEIGHTS = struct.pack("<54f", *range(54))


def conv(name, reads, makes):
    return Onnx.node("Conv", [reads, "w"], [makes], name, pads=[1, 1, 1, 1])


def onnx(nodes, outputs, shape=(1, 3, 8, 8), weights=None, **more):
    weights = Onnx.tensor("w", [3, 3, 3, 3], struct.pack("<81f", *range(81))) if weights is None else weights
    return Onnx.model(Onnx.graph(nodes, [Onnx.value("x", shape)], [Onnx.output(name) for name in outputs], [weights]), **more)


class Inspect(ProgramTest):
    def model(self, content, name="model.onnx"):
        return self.path(name, content)

    def inspect(self, *arguments, code=0, program=("mo", "inspect")):
        return self.ends(code, *program, *arguments)

    def report(self, *arguments):
        report = self.fits(self.inspect("--json", *arguments), "inspect.schema.json")
        return report["model"], report["conversion"]

    def run_proposal(self, conversion):
        """Runs the proposed command as a shell does; gives the text of the .xml."""
        words = shlex.split(conversion["proposal"]["command"])
        self.assertEqual(words[1:], conversion["proposal"]["words"])
        out = self.path("out")
        self.ends(0, *words, "--output_dir", out, "--model_name", "made")
        return Path(out, "made.xml").read_text()

    def test_facts(self):
        path = self.model(onnx([conv("c", "x", "a"), Onnx.node("Relu", ["a"], ["y"], "r")], ["y"]))
        model, conversion = self.report(path)
        self.assertEqual((model["framework"], model["op_sets"], model["versions"]), ("ONNX", {"ai.onnx": 13, "local": 1}, {"IR version": "8"}))
        self.assertEqual(model["ops"], {"Conv": 1, "Relu": 1})
        self.assertEqual(model["parameters"], {"count": 81, "bytes": 324, "bytes_by_type": {"f32": 324}})
        self.assertEqual(model["multiply_adds"], {"total": 8 * 8 * 81, "all_known": True,
                                                  "layers": [{"name": "c", "op": "Convolution", "multiply_adds": 8 * 8 * 81}]})
        self.assertEqual([(end["name"], end["shape"], end["certainty"], end["inferred"]) for end in model["inputs"]], [("x", [1, 3, 8, 8], "fixed", False)])
        self.assertEqual([(end["tensor_names"], end["shape"], end["certainty"], end["inferred"]) for end in model["outputs"]],
                         [(["y"], [1, 3, 8, 8], "fixed", True)])
        self.assertTrue(conversion["converts"])
        self.run_proposal(conversion)
        text = self.inspect(path, "--layers")
        for expected in ("Conv 1, Relu 1", "multiply-adds  5.18k", "5.18k  Convolution  c", "r (tensor y)  f32[1,3,8,8]  fixed, inferred", "it converts:"):
            self.assertIn(expected, text)

    def test_a_layer_with_a_bias_has_the_name_of_its_operator(self):
        weights = [Onnx.tensor("w", [3, 3, 3, 3], bytes(324)), Onnx.tensor("b", [3], bytes(12))]
        graph = Onnx.graph([Onnx.node("Conv", ["x", "w", "b"], ["y"], "c")], [Onnx.value("x", (1, 3, 8, 8))], [Onnx.output("y")], weights)
        self.assertIn(" Convolution  c\n", self.inspect(self.model(Onnx.model(graph)), "--layers"))

    def test_dynamic_shapes_are_reported(self):
        model, _ = self.report(self.model(onnx([conv("c", "x", "y")], ["y"], shape=("N", 3, None, 8))))
        self.assertEqual((model["inputs"][0]["shape"], model["inputs"][0]["certainty"]), (["?", 3, "?", 8], "dynamic"))
        self.assertFalse(model["multiply_adds"]["all_known"])

    def test_open_dimensions_have_the_names_of_the_file(self):
        model = self.model(onnx([conv("c", "x", "y")], ["y"], shape=("batch", 3, None, "width")))
        text = self.inspect(model)
        for expected in ("x  f32[batch,3,?,width]  dynamic", "c (tensor y)  f32[batch,3,?,width]  dynamic, inferred"):
            self.assertIn(expected, text)
        self.assertNotIn("#", text)

    def test_control_flow_and_functions(self):
        def branch(op):
            return {"graph": Onnx.graph([Onnx.node(op, ["x"], ["b"], op)], (), [Onnx.output("b")])}
        nodes = [Onnx.node("If", ["c"], ["y"], "if", then_branch=branch("Relu"), else_branch=branch("Abs")), Onnx.node("F", ["y"], ["z"], "f", "local")]
        graph = Onnx.graph(nodes, [Onnx.value("x"), Onnx.value("c", (), 9)], [Onnx.output("z")])
        model, conversion = self.report(self.model(Onnx.model(graph, functions=[Onnx.function("F", ["a"], ["b"], [Onnx.node("Neg", ["a"], ["b"])])])))
        self.assertTrue(conversion["converts"], conversion)
        self.assertEqual(model["functions"], 1)
        self.assertEqual([(each["name"], each["op"], each["bodies"]) for each in model["control_flow"]], [("if", "If", 2)])
        self.assertEqual({op: model["ops"][op] for op in ("Relu", "Abs", "Neg")}, {"Relu": 1, "Abs": 1, "Neg": 1})

    def test_unknown_op_at_the_end(self):
        path = self.model(onnx([conv("c", "x", "a"), Onnx.node("Relu", ["a"], ["b"], "r"), Onnx.node("Strange", ["b"], ["y"], "s")], ["y"]))
        model, conversion = self.report(path)
        self.assertFalse(conversion["converts"])
        refusal = conversion["refusals"][0]
        self.assertEqual((refusal["code"], refusal["op"], refusal["nodes"]), ("MO-FRONT-0001", "Strange", ["s"]))
        self.assertTrue(any('"op": "Strange"' in remedy for remedy in refusal["remedies"]))
        self.assertEqual(model["custom_ops"], {"Strange": 1})
        self.assertEqual((conversion["proposal"]["whole"], conversion["proposal"]["nodes"]), (False, 2))
        self.assertIn("ReLU", self.run_proposal(conversion))

    def test_unknown_op_in_the_middle(self):
        nodes = [Onnx.node("Strange", ["x"], ["a"], "s"), conv("c1", "a", "b"), conv("c2", "b", "c"), Onnx.node("Relu", ["c"], ["y"], "r")]
        before = [Onnx.node("Abs", ["x"], ["x0"], "abs"), Onnx.node("Strange", ["x0"], ["a"], "s"), *nodes[1:]]
        for each in (nodes, before):
            _, conversion = self.report(self.model(onnx(each, ["y"])))
            self.assertEqual(conversion["proposal"]["nodes"], 3)
            xml = self.run_proposal(conversion)
            self.assertEqual(xml.count('type="Convolution"'), 2)
            self.assertNotIn('type="Abs"', xml)

    def test_unknown_ops_at_both_ends(self):
        nodes = [Onnx.node("Decode", ["x"], ["a"], "d", "acme"), conv("c", "a", "b"), Onnx.node("Encode", ["b"], ["y"], "e", "acme")]
        model, conversion = self.report(self.model(onnx(nodes, ["y"], imports=[("", 13), ("acme", 1)])))
        self.assertEqual(model["custom_ops"], {"acme.Decode": 1, "acme.Encode": 1})
        self.assertEqual([refusal["nodes"] for refusal in conversion["refusals"]], [["d"], ["e"]])
        self.assertIn("Convolution", self.run_proposal(conversion))

    def test_unknown_op_in_one_of_two_branches(self):
        nodes = [conv("c", "x", "a"), Onnx.node("Strange", ["a"], ["b"], "s"), Onnx.node("Relu", ["a"], ["d"], "r"), Onnx.node("Add", ["b", "d"], ["e"], "add"),
                 Onnx.node("Sigmoid", ["d"], ["z"], "z")]
        _, conversion = self.report(self.model(onnx(nodes + [Onnx.node("Abs", ["e"], ["y"], "abs")], ["y", "z"])))
        # The other branch keeps everything together: what the op computes becomes an input beside the model's own.
        self.assertEqual(conversion["proposal"]["nodes"], 5)
        xml = self.run_proposal(conversion)
        self.assertEqual(xml.count('type="Parameter"'), 2)
        for op in ("Convolution", "ReLU", "Add", "Abs", "Sigmoid"):
            self.assertIn(f'type="{op}"', xml)

    def test_all_nodes_of_an_unknown_op(self):
        nodes = [Onnx.node("Strange", ["x"], [f"s{i}"], f"n{i}") for i in range(50)] + [Onnx.node("Sum", [f"s{i}" for i in range(50)], ["y"], "sum")]
        path = self.model(onnx(nodes + [conv("c", "x", "z")], ["y", "z"]))
        _, conversion = self.report(path)
        self.assertEqual(conversion["refusals"][0]["nodes"], [f"n{i}" for i in range(50)])
        self.assertIn("Convolution", self.run_proposal(conversion))
        self.assertIn("and 30 more", self.inspect(path))

    def test_unknown_op_in_a_body(self):
        body = {"graph": Onnx.graph([Onnx.node("Strange", ["a"], ["b"], "s")], (), [Onnx.output("b")])}
        other = {"graph": Onnx.graph([Onnx.node("Abs", ["a"], ["b"], "abs")], (), [Onnx.output("b")])}
        nodes = [conv("c", "x", "a"), Onnx.node("If", ["k"], ["y"], "if", then_branch=body, else_branch=other)]
        graph = Onnx.graph(nodes, [Onnx.value("x", (1, 3, 8, 8)), Onnx.value("k", (), 9)], [Onnx.output("y")],
                           [Onnx.tensor("w", [3, 3, 3, 3], struct.pack("<81f", *range(81)))])
        _, conversion = self.report(self.model(Onnx.model(graph)))
        self.assertEqual(conversion["refusals"][0]["nodes"], ["s"])
        self.assertIn("Convolution", self.run_proposal(conversion))

    def test_nothing_converts(self):
        _, conversion = self.report(self.model(onnx([Onnx.node("Strange", ["x"], ["y"], "s")], ["y"])))
        self.assertIsNone(conversion["proposal"])

    def test_fixed_shapes_for_version_10(self):
        path = self.model(onnx([conv("c", "x", "y")], ["y"], shape=("N", 3, None, None)))
        _, conversion = self.report(path, "--ir_version", "10")
        self.assertEqual((conversion["converts"], conversion["proposal"]["whole"], len(conversion["proposal"]["assumptions"])), (False, True, 1))
        self.assertIn('version="10"', self.run_proposal(conversion))

    def test_usual_sizes_of_volumes(self):
        path = self.model(onnx([Onnx.node("Relu", ["x"], ["y"], "r")], ["y"], shape=(1, 2, None, None, None)))
        _, conversion = self.report(path, "--ir_version", "10")
        self.assertIn("x[1 2 64 64 64]", conversion["proposal"]["words"])

    def test_a_flag_of_training_gets_a_value(self):
        graph = Onnx.graph([Onnx.node("Dropout", ["x", "ratio", "training"], ["a"], "d"), Onnx.node("Relu", ["a"], ["y"], "r")],
                           [Onnx.value("x", (2, 3)), Onnx.value("ratio", ()), Onnx.value("training", (), 9)], [Onnx.output("y")])
        for version in ("10", "11"):
            _, conversion = self.report(self.model(Onnx.model(graph)), "--ir_version", version)
            self.assertEqual(conversion["proposal"]["words"][-2:], ["--freeze_placeholder_with_value", "training->False"])
            self.assertEqual((conversion["proposal"]["whole"], len(conversion["proposal"]["assumptions"])), (True, 1))
            self.assertIn("ReLU", self.run_proposal(conversion))

    def test_frozen_values_of_the_line_are_kept(self):
        graph = Onnx.graph([Onnx.node("Dropout", ["x", "ratio", "training"], ["a"], "d"), Onnx.node("Add", ["a", "b"], ["y"], "add")],
                           [Onnx.value("x", (2, 3)), Onnx.value("ratio", ()), Onnx.value("training", (), 9), Onnx.value("b", ())], [Onnx.output("y")])
        _, conversion = self.report(self.model(Onnx.model(graph)), "--freeze_placeholder_with_value", "b->3")
        self.assertIn("b->3,training->False", conversion["proposal"]["words"])
        self.run_proposal(conversion)

    def test_each_of_several_flags_gets_a_value(self):
        nodes = [Onnx.node("Dropout", ["x", "ratio", "first"], ["a"], "d"), Onnx.node("Relu", ["a"], ["b"], "r"),
                 Onnx.node("Dropout", ["b", "ratio", "second"], ["c"], "e"), Onnx.node("Abs", ["c"], ["e"], "abs"), Onnx.node("Strange", ["e"], ["z"], "s")]
        inputs = [Onnx.value("x", (2, 3)), Onnx.value("ratio", ()), Onnx.value("first", (), 9), Onnx.value("second", (), 9)]
        for count, output in ((4, "e"), (5, "z")):  # of all; before an op that stays refused
            _, conversion = self.report(self.model(Onnx.model(Onnx.graph(nodes[:count], inputs, [Onnx.output(output)]))))
            self.assertEqual(conversion["proposal"]["whole"], count == 4)
            self.assertIn("first->False,second->False", conversion["proposal"]["words"])
            self.assertIn("Abs", self.run_proposal(conversion))

    def test_an_axis_gets_a_value(self):
        graph = Onnx.graph([Onnx.node("DFT", ["x", "", "axis"], ["y"], "d")], [Onnx.value("x", (1, 4, 6, 2)), Onnx.value("axis", (), 7)], [Onnx.output("y")])
        _, conversion = self.report(self.model(Onnx.model(graph, 20)))
        self.assertIn("axis->1", conversion["proposal"]["words"])
        self.run_proposal(conversion)

    def test_all_of_the_model_in_version_11_rather_than_copies(self):
        graph = Onnx.graph([Onnx.node("BitwiseAnd", ["x", "z"], ["a"], "b"), Onnx.node("Identity", ["a"], ["y"], "i")],
                           [Onnx.value("x", (2,), 6), Onnx.value("z", (2,), 6)], [Onnx.output("y")])
        _, conversion = self.report(self.model(Onnx.model(graph, 18)), "--ir_version", "10")
        self.assertTrue(conversion["proposal"]["whole"])
        self.assertIn('version="11"', self.run_proposal(conversion))

    def test_constants_and_gradients_are_not_proposed_as_outputs(self):
        nodes = [Tf.input("x", (1, 4)), Tf.constant("w", (4, 2), bytes(32)), Tf.op("m", "MatMul", "x", "w"), Tf.op("sizes", "Shape", "x"),
                 Tf.op("gradients/g", "Strange", "m", "sizes"), Tf.op("gradients/r", "Relu", "gradients/g"), Tf.op("y", "Relu", "gradients/r")]
        _, conversion = self.report(self.model(Tf.graph(nodes), "model.pb"))
        self.assertEqual(conversion["proposal"]["words"][-2:], ["--output", "m"])
        self.run_proposal(conversion)

    def test_a_part_after_what_the_front_phase_refuses(self):
        nodes = [Tf.input("table", (), 20), Tf.input("x", (1, 4), 9), Tf.constant("default", (), bytes(4)),
                 Tf.node("look", "LookupTableFindV2", ["table", "x", "default"], Tin=Tf.type(9), Tout=Tf.type()), Tf.op("y", "Relu", "look")]
        _, conversion = self.report(self.model(Tf.graph(nodes), "model.pb"))
        self.assertEqual((conversion["refusals"][0]["code"], conversion["proposal"]["words"][-1]), ("MO-TF-0730", "y"))
        self.assertIn("ReLU", self.run_proposal(conversion))

    def test_blobs_of_caffe_are_called_like_their_layers(self):
        self.model('layer { name: "data" type: "Input" top: "data" input_param { shape { dim: 1 dim: 3 dim: 8 dim: 8 } } } '
                   'layer { name: "foo" type: "Foo" bottom: "data" top: "foo" } layer { name: "relu" type: "ReLU" bottom: "foo" top: "relu" }',
                   "net.prototxt")
        _, conversion = self.report(self.model(Caffe.layer("foo", "Foo"), "net.caffemodel"))
        self.assertIn("foo:0[? ? ? ?]", conversion["proposal"]["words"])
        self.assertIn("ReLU", self.run_proposal(conversion))

    def test_options_of_the_line_are_kept(self):
        path = self.model(onnx([conv("c", "x", "a"), Onnx.node("Strange", ["a"], ["y"], "s")], ["y"]), "my model.onnx")
        _, conversion = self.report(path, "--compress_to_fp16", "--mean_values", "[1,2,3]")
        self.assertIn("'" + path + "'", conversion["proposal"]["command"])
        self.assertIn("--compress_to_fp16", conversion["proposal"]["words"])
        self.assertIn("FP16", self.run_proposal(conversion))

    def test_tensorflow(self):
        nodes = [Tf.input("x", (1, 4)), Tf.constant("w", (4, 2), bytes(32)), Tf.op("m", "MatMul", "x", "w"), Tf.op("s", "Strange", "m"),
                 Tf.op("y", "Relu", "s")]
        model, conversion = self.report(self.model(Tf.graph(nodes), "model.pb"))
        self.assertEqual((model["framework"], model["ops"]["MatMul"], model["parameters"]["count"]), ("TensorFlow", 1, 8))
        self.assertEqual(conversion["refusals"][0]["op"], "Strange")
        self.run_proposal(conversion)

    def test_irs_and_text_forms(self):
        path = self.model(onnx([conv("c", "x", "y")], ["y"]))
        self.ends(0, "mo", "--input_model", path, "--output_dir", self.folder, "--silent")
        model, conversion = self.report(self.path("model.xml"))
        self.assertEqual((model["framework"], conversion, model["multiply_adds"]["total"]), ("OpenVINO IR", None, 8 * 8 * 81))
        self.assertIn("opset1", model["op_sets"])
        model, _ = self.report(self.model(b'graph(%x: f32[2] "x") {\n  %y = ReLU(%x) "y"\n  return %y\n}\n', "model.mo"))
        self.assertEqual((model["framework"], model["ops"]), ("text form", {"ReLU": 1}))

    def test_weights_are_not_read(self):
        """A file with 2 GB of weights, which are a hole in it."""
        size = 1 << 31
        tensor = number(1, size // 4) + number(2, 1) + chunk(8, "big") + head(9, size)
        nodes = [Onnx.node("Abs", ["big"], ["a"], "abs"), Onnx.node("Add", ["x", "a"], ["y"], "add")]
        front = chunk(2, "g") + b"".join(chunk(1, node) for node in nodes)
        rest = chunk(11, Onnx.value("x", (1,))) + chunk(12, Onnx.output("y"))
        graph_size = len(front) + len(rest) + len(head(5, len(tensor) + size)) + len(tensor) + size
        path = self.model(number(1, 8) + chunk(8, chunk(1, "") + number(2, 13)) + head(7, graph_size) + rest + front + head(5, len(tensor) + size) + tensor)
        os.truncate(path, os.path.getsize(path) + size)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        model, conversion = self.report(path)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertEqual((model["parameters"]["bytes"], conversion["converts"]), (size, True))
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        self.assertLess(spent, 1)  # seconds of processor time; reading it all takes longer, without weights it is a few milliseconds

    def test_refused_lines(self):
        self.assertIn("MO-INSPECT-0001", self.inspect("--json=perhaps", code=2))
        self.assertIn("MO-IO-0001", self.inspect(self.path("nothing.onnx"), code=3))
        self.inspect(self.model(b"no model at all"), code=4)

    def test_old_name(self):
        graph = self.model(Tf.graph([Tf.input("x", (1, 4)), Tf.op("y", "Relu", "x")]), "model.pb")
        for program in (("summarize_graph",), ("mo", "summarize_graph")):
            self.assertIn("Found 1 possible inputs", self.inspect(f"--in_graph={graph}", program=program))


if __name__ == "__main__":
    main(__doc__)
