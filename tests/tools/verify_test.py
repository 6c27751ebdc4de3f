#!/usr/bin/env python3
"""mo verify, mo explain and mo reduce as a user calls them, on small models that are written here.

usage: verify_test.py BIN      BIN: folder of the programs
"""
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from program_test import ProgramTest, main  # noqa: E402
from wire_models import INT64, Onnx, Tf, chunk, floats, number  # noqa: E402

TEXT = """graph(%x: f32[2,3] "x" @["x"]) {
  %a = Add(%x, 1) "a" @["a"]
  %r = ReLU(%a) "r" @["r"]
  %s = SoftMax.v8(%r) {axis=1} "s" @["s"]
  return %s
}
"""


def network():
    """Convolution, activation, a secret weight, and an unknown operator at its end."""
    nodes = [Onnx.node("Relu", ["image"], ["first_secret"]), Onnx.node("Mul", ["first_secret", "secret_weights"], ["second_secret"]),
             Onnx.node("Softmax", ["second_secret"], ["third_secret"], axis=1), Onnx.node("Exp", ["third_secret"], ["fourth_secret"])]
    weights = Onnx.tensor("secret_weights", [1, 8], floats(*[0.123 * (i + 1) for i in range(8)]))
    return nodes, [weights]


def model(extra=(), last="fourth_secret"):
    nodes, tensors = network()
    return Onnx.model(Onnx.graph([*nodes, *extra], [Onnx.value("image", (2, 8))], [Onnx.output(last)], tensors))


def npy(shape):
    """An array of f32, all 0.5, in the format of numpy."""
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}".encode().ljust(117) + b"\n"
    count = 1
    for size in shape:
        count *= size
    return b"\x93NUMPY\x01\x00" + (118).to_bytes(2, "little") + header + floats(*[0.5] * count)


class Verify(ProgramTest):
    def test_a_right_conversion_is_equal(self):
        onnx = self.path("m.onnx", model())
        self.assertIn("compute the same", self.ends(0, "mo", "verify", onnx, "--seeds", "2"))
        result = self.fits(self.ends(0, "mo", "verify", onnx, "--seeds", "2", "--json"), "verify.schema.json")
        self.assertEqual((result["verdict"], result["seeds"], result["layer"], result["guilty"]), ("equal", [1, 2], None, None))
        self.assertIn("compute the same", self.ends(0, "mo", "--input_model", onnx, "--output_dir", self.folder, "--verify"))
        silent = self.ends(0, "mo", "--input_model", onnx, "--output_dir", self.folder, "--verify", "--silent")
        self.assertIn("compute the same", silent)
        self.assertNotIn("output '", silent)
        self.assertIn("compute the same", self.ends(0, "mo", "verify", onnx, self.path("m.xml"), "--bisect"))

    def test_a_stateful_decoder_is_compared_with_its_caches(self):
        past, present = "past_key_values.0.key", "present.0.key"
        nodes = [Onnx.node("Concat", [past, "input_ids"], [present], axis=1), Onnx.node("Relu", [present], ["logits"])]
        ends = [Onnx.value(name, ("batch", length)) for name, length in (("input_ids", "length"), (past, "past"))]
        onnx = self.path("m.onnx", Onnx.model(Onnx.graph(nodes, ends, [Onnx.output("logits"), Onnx.output(present)], [])))
        said = self.ends(0, "mo", onnx, "--output_dir", self.folder, "--stateful", "--verify")
        self.assertIn("output 'present.0.key'", said)
        self.assertIn("compute the same", said)
        with open(self.path("m.xml")) as file:
            self.assertIn('type="ReadValue"', file.read())

    def test_bfloat16_inside_of_a_model_loosens_the_tolerance(self):
        def cast(name, reads, source, result):
            return Tf.node(name, "Cast", [reads], SrcT=Tf.type(source), DstT=Tf.type(result))

        # Constants, inputs and outputs are f32. An IR of version 10 has no bf16 and computes in f32.
        weights = floats(*[(37 * i % 101 - 50) / 50 for i in range(256)])
        nodes = [Tf.input("x", (1, 64)), Tf.constant("w", (64, 4), weights), cast("xb", "x", 1, 14), cast("wb", "w", 1, 14),
                 Tf.node("m", "MatMul", ["xb", "wb"], T=Tf.type(14)), cast("y", "m", 14, 1)]
        self.ends(0, "mo", "verify", self.path("m.pb", Tf.graph(nodes)), "--ir_version", "10", "--seeds", "5")

    def test_a_spoiled_ir_is_found_at_its_layer(self):
        onnx = self.path("m.onnx", model())
        self.ends(0, "mo", onnx, "--output_dir", self.folder, "--silent")
        with open(self.path("m.xml")) as file:
            text = file.read()
        self.path("bad.xml", text.replace('axis="1"', 'axis="0"'))
        result = self.fits(self.ends(8, "mo", "verify", onnx, self.path("bad.xml"), "--weights", self.path("m.bin"), "--bisect", "--json"), "verify.schema.json")
        self.assertEqual(result["verdict"], "different")
        self.assertIn("third_secret", (result["layer"]["tensor"], result["layer"]["name"]))
        self.assertEqual(result["layer"]["source_op"], "ONNX Softmax, opset 13")
        self.assertEqual(result["guilty"]["when"], "after")

    def test_two_models_and_tolerances(self):
        right = self.path("right.mo", TEXT)
        other = self.path("other.mo", TEXT.replace("(%x, 1)", "(%x, 1.0001)"))
        self.assertIn("compute the same", self.ends(0, "mo", "verify", right, other))
        wrong = self.path("wrong.mo", TEXT.replace("(%x, 1)", "(%x, 1.5)"))
        text = self.ends(8, "mo", "verify", right, wrong)
        self.assertIn("the numbers part at 'a' (Add)", text)
        self.assertIn("MO-VERIFY-0001", text)
        self.ends(0, "mo", "verify", right, wrong, "--atol", "10")
        self.ends(8, "mo", "verify", right, other, "--atol", "0", "--rtol", "1e-7")

    def test_rounding_at_a_discontinuity_is_not_a_difference(self):
        jumps = TEXT.replace("ReLU(%a)", "Round(%a)")
        # 1/16 steps: the sum lies on the half now and then, and a last digit decides.
        line = ["mo", "verify", self.path("a.mo", jumps.replace("(%x, 1)", "(%x, 0.5)")), self.path("b.mo", jumps.replace("(%x, 1)", "(%x, 0.5000001)")),
                "--seeds", "20"]
        self.assertIn("but for what rounding decides", self.ends(0, *line))
        self.assertEqual(self.fits(self.ends(0, *line, "--json"), "verify.schema.json")["verdict"], "unstable")

    def test_arrays_that_are_right(self):
        onnx = self.path("m.onnx", model())
        truth = self.path("truth")
        os.mkdir(truth)
        header = lambda shape: b"\x93NUMPY\x01\x00" + (118).to_bytes(2, "little") + f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}".ljust(117).encode() + b"\n"
        with open(os.path.join(truth, "image.npy"), "wb") as file:
            file.write(header("(2, 8)") + floats(*range(16)))
        self.assertIn("MO-VERIFY-0004", self.ends(4, "mo", "verify", onnx, "--reference", truth))
        with open(os.path.join(truth, "first%5Fsecret.npy"), "wb") as file:
            file.write(header("(2, 8)") + floats(*[i + 0.5 for i in range(16)]))
        with open(os.path.join(truth, "fourth_secret.npy"), "wb") as file:
            file.write(header("(2, 8)") + floats(*[0.5] * 16))
        text = self.ends(8, "mo", "verify", onnx, "--reference", truth, "--bisect")
        self.assertIn("the numbers part at 'first_secret'", text)
        self.assertIn("no pass: the model was read wrongly", text)
        result = self.fits(self.ends(8, "mo", "verify", onnx, "--reference", truth, "--bisect", "--json"), "verify.schema.json")
        self.assertEqual((result["guilty"]["when"], result["layer"]["tensor"]), ("before", "first_secret"))

    def test_indices_stay_in_range(self):
        nodes = [Onnx.node("Gather", ["table", "indices"], ["rows"], axis=0)]
        tensors = [Onnx.tensor("table", [2, 4], floats(*range(8)))]
        gather = Onnx.model(Onnx.graph(nodes, [Onnx.value("indices", (64,), INT64)], [Onnx.output("rows")], tensors))
        self.ends(0, "mo", "verify", self.path("gather.onnx", gather), "--seeds", "5")

    def test_outputs_keep_their_layout_in_version_11(self):
        relu = Onnx.node("Relu", ["x"], ["y"])
        wire = lambda nodes: Onnx.model(Onnx.graph(nodes, [Onnx.value("x", (1, 4, 6, 1))], [Onnx.output("y")]))
        right = self.path("m.onnx", wire([relu]))
        moved = self.path("moved.onnx", wire([Onnx.node("Relu", ["x"], ["r"]), Onnx.node("Transpose", ["r"], ["y"], perm=[0, 3, 1, 2])]))
        self.ends(0, "mo", moved, "--output_dir", self.folder, "--model_name", "moved", "--silent")
        self.assertIn("f32[1,1,4,6] instead of f32[1,4,6,1]", self.ends(8, "mo", "verify", right, self.path("moved.xml")))
        self.assertIn("equal", self.ends(0, "mo", "verify", right, moved), "another model may have another layout")
        with open(self.path("moved.xml")) as file:
            text = file.read()
        self.path("v10.xml", text.replace('version="11"', 'version="10"', 1))
        text = self.ends(0, "mo", "verify", right, self.path("v10.xml"), "--weights", self.path("moved.bin"))
        self.assertIn("channels stand elsewhere: f32[1,1,4,6] instead of f32[1,4,6,1]", text)

    def test_single_steps_of_rounding_are_not_a_difference(self):
        # Random inputs have few values: sums with weights have many, of which few lie close to a half.
        weights = ",".join(f"{0.1 * number ** 0.5:.6f}" for number in range(1, 17))
        rounds = (f'graph(%x: f32[60000,16] "x") {{\n  %w = Multiply(%x, [{weights}])\n  %s = ReduceSum(%w, [1]:i64) {{keep_dims=false}}\n'
                  '  %m = Multiply(%s, FACTOR)\n  %r = Round(%m) {mode="half_to_even"} "r"\n  return %r\n}\n')
        line = lambda factor: ["mo", "verify", self.path("a.mo", rounds.replace("FACTOR", "20")), self.path("b.mo", rounds.replace("FACTOR", factor)), "--json"]
        few = self.fits(self.ends(0, *line("20.00004")), "verify.schema.json")
        self.assertEqual((few["verdict"], few["layer"]["tensor"]), ("unstable", "r"))
        many = self.fits(self.ends(8, *line("20.02")), "verify.schema.json")
        self.assertEqual((many["verdict"], many["layer"]["tensor"]), ("different", "r"))

    def test_ranks_are_found(self):
        for rank, order in ((3, "[2,0,1]"), (5, "[4,0,1,2,3]"), (1, "[0]")):
            turned = self.path("turned.mo", f"graph(%x: f32[...] \"x\") {{\n  %y = Transpose(%x, {order}:i64) \"turned\"\n  return %y\n}}\n")
            sizes = self.fits(self.ends(0, "mo", "verify", turned, turned, "--json"), "verify.schema.json")["sizes"]
            self.assertEqual({len(sizes[0]["x"])}, {rank})

    def test_sizes_that_readers_need(self):
        cases = (("%y = Convolution(%x, [[[[1]],[[2]],[[3]]]]) {strides=[1,1], pads_begin=[0,0], pads_end=[0,0], dilations=[1,1]}", "?,?,?,?", 1, 3),
                 ("%y = Convolution(%x, [[[[1]],[[2]],[[3]]]]) {strides=[1,1], pads_begin=[0,0], pads_end=[0,0], dilations=[1,1], layout=\"channels_last\"}", "?,?,?,?", 3, 3),
                 ("%y = MatMul(%x, [[1],[2],[3],[4],[5]])", "?,?", 1, 5),
                 ("%t = Transpose(%x, [1,0]:i64)\n  %y = Multiply(%t, [[1],[2],[3]])", "?,?", 1, 3),
                 ("%n = ShapeOf(%x)\n  %b = Gather(%n, [0]:i64, 0:i64)\n  %s = Concat(%b, [28]:i64) {axis=0}\n  %y = Reshape(%x, %s) {special_zero=false}", "...", 1, 28))
        for lines, shape, axis, size in cases:
            with self.subTest(lines):
                made = self.path("needs.mo", f'graph(%x: f32[{shape}] "x") {{\n  {lines}\n  return %y\n}}\n')
                sizes = self.fits(self.ends(0, "mo", "verify", made, made, "--json"), "verify.schema.json")["sizes"]
                self.assertEqual({each["x"][axis] for each in sizes}, {size})

    def test_sizes_that_cannot_be_inferred(self):
        folded = self.path("folded.mo", "graph(%x: f32[?,?] \"x\", %z: f32[2] \"z\") {\n  %y = Reshape(%x, [7,11]:i64) {special_zero=false}\n  return %y, %z\n}\n")
        text = self.ends(2, "mo", "verify", folded, folded)
        self.assertRegex(text, r"MO-VERIFY-0015: .*; \d+ were tried for 'x' \[\?,\?\]\n")
        self.assertIn("MO-OPS", text, "what the first choice said")
        self.ends(0, "mo", "verify", folded, folded, "--input_shape", "[7,11],[2]")

    def test_inputs_are_given_as_to_mo_run(self):
        """One spelling for both: what one of them reads, the other one does."""
        onnx = self.path("m.onnx", model())
        for source in ("random", "image=random:7", "zeros"):
            with self.subTest(source):
                self.assertIn("compute the same", self.ends(0, "mo", "verify", onnx, "--array", source))
                self.ends(0, "mo", "run", onnx, "--array", source, "--output_dir", self.folder)
        array = self.path("half.npy", npy((2, 8)))
        self.assertIn("MO-RUN-0006", self.ends(2, "mo", "verify", onnx, "--array", self.path("x.npy", npy((3, 8)))))
        for words in (["--array", array], ["--array", f"image={array}"]):
            self.assertIn("compute the same", self.ends(0, "mo", "verify", onnx, *words))
        self.assertIn("MO-RUN-0001", self.ends(2, "mo", "verify", onnx, "--array", "picture=zeros"))

    def test_refusals(self):
        right = self.path("right.mo", TEXT)
        self.assertIn("MO-VERIFY-0002", self.ends(2, "mo", "verify", right))
        self.assertIn("MO-VERIFY-0003", self.ends(3, "mo", "verify", right, "--reference", self.path("nowhere")))
        self.assertIn("MO-VERIFY-0005", self.ends(4, "mo", "verify", right, self.path("n.mo", TEXT.replace("f32[2,3]", "f32[2,4]"))))
        self.path("x.npy", b"no array")
        os.mkdir(self.path("empty"))
        self.path("empty/s.npy", npy((2, 3)))
        self.assertIn("MO-VERIFY-0006", self.ends(2, "mo", "verify", right, "--reference", self.path("empty")))
        self.assertIn("MO-VERIFY-0007", self.ends(2, "mo", "verify", right, "--seeds", "none"))


class Explain(ProgramTest):
    def test_a_layer_has_sources_and_passes(self):
        onnx = self.path("m.onnx", model())
        origin = json.loads(self.ends(0, "mo", "explain", onnx, "third_secret", "--json"))
        self.assertEqual(origin["sources"][0]["op"], "ONNX Softmax, opset 13")
        self.assertIn("PartialInference", origin["passes"])
        self.ends(0, "mo", onnx, "--output_dir", self.folder, "--silent")
        self.assertIn("an IR does not say", self.ends(0, "mo", "explain", self.path("m.xml"), origin["name"]))
        self.assertIn("PartialInference", self.ends(0, "mo", "explain", self.path("m.xml"), origin["name"], "--model", onnx))
        self.assertIn("PartialInference", self.ends(0, "mo", "explain", self.path("m.xml"), "--model", onnx, origin["name"]))
        self.assertIn("PartialInference", self.ends(0, "mo", "explain", "--model", onnx, self.path("m.xml"), origin["name"]))
        self.assertEqual(json.loads(self.ends(0, "mo", "explain", onnx, "--json", "third_secret")), origin)
        self.assertIn("MO-EXPLAIN-0001", self.ends(2, "mo", "explain", self.path("m.xml"), "--model", onnx))
        self.assertIn("MO-EXPLAIN-0002", self.ends(2, "mo", "explain", onnx, "nobody"))
        self.assertIn("MO-EXPLAIN-0001", self.ends(2, "mo", "explain", onnx, "third_secret", "--why-not", "GeluFusion", "a"))

    def test_text_formats_have_places(self):
        prototxt = self.path("m.pbtxt", 'node { name: "image" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }\n'
                                        'node { name: "out"\n op: "Relu" input: "image" attr { key: "T" value { type: DT_FLOAT } } }\n')
        self.assertIn("m.pbtxt:2", self.ends(0, "mo", "explain", prototxt, "out", "--input_shape", "[1,4]"))

    def test_a_node_that_became_part_of_another_layer_is_found(self):
        numbers = lambda name, shape, values: (f'node {{ name: "{name}" op: "Const" attr {{ key: "dtype" value {{ type: DT_FLOAT }} }} attr {{ key: "value" value {{ tensor {{ dtype: DT_FLOAT '
                                               f'tensor_shape {{ {shape} }} float_val: [{values}] }} }} }} }}\n')
        reads = lambda name, op, inputs: (f'node {{ name: "{name}" op: "{op}" ' + " ".join(f'input: "{i}"' for i in inputs.split()) +
                                          ' attr { key: "T" value { type: DT_FLOAT } } }\n')
        model = self.path("m.pbtxt", 'node { name: "image" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }\n' +
                          numbers("w", "dim { size: 2 } dim { size: 2 }", "1, 2, 3, 4") + numbers("c", "", "2") + reads("product", "MatMul", "image w") +
                          reads("scaled", "Mul", "product c") + reads("end", "Relu", "scaled"))
        told = json.loads(self.ends(0, "mo", "explain", model, "product", "--json", "--input_shape", "[1,2]"))
        self.assertEqual((told["name"], [source["name"] for source in told["sources"]], told["others"]), ("scaled", ["product", "scaled"], []))

    def test_a_model_without_a_layer_is_not_a_code(self):
        self.assertIn("MO-EXPLAIN-0001", self.ends(2, "mo", "explain", self.path("m.onnx", model())))

    def test_why_a_pass_left_a_node_alone(self):
        onnx = self.path("m.onnx", model())
        self.assertRegex(self.ends(0, "mo", "explain", onnx, "--why-not", "LinearOperationFusion", "second_secret"), r"(?m)^LinearOperationFusion: .* at '.*' \(Multiply\): no match after")
        self.assertIn("MO-PASS-0011", self.ends(2, "mo", "explain", onnx, "--why-not", "NoSuchPass", "second_secret"))
        self.assertIn("MO-EXPLAIN-0003", self.ends(2, "mo", "explain", onnx, "--why-not", "LinearOperationFusion", "nobody"))

    def test_codes_are_explained_as_before(self):
        self.assertIn("cause", self.ends(0, "mo", "explain", "MO-OPS-0012"))
        self.assertIn("cause", self.ends(0, "mo", "explain", "MO-OPS-0012", "--log_level", "ERROR"))


class Reduce(ProgramTest):
    def reduced(self, *words):
        out = self.path("reduced")
        self.ends(0, "mo", "reduce", *words[:1], "-o", out, *words[1:])
        with open(os.path.join(out, "README.md")) as file:
            readme = file.read()
        (name,) = [name for name in os.listdir(out) if name != "README.md"]
        with open(os.path.join(out, name), "rb") as file:
            return os.path.join(out, name), file.read(), readme

    def assert_anonymous(self, content, readme):
        self.assertNotRegex(content, b"secret|image")
        self.assertNotIn(floats(0.123, 0.246), content)
        self.assertIn("Nothing of the names and weights", readme)

    def test_an_unsupported_op(self):
        unknown = [Onnx.node("Mystery", ["fourth_secret"], ["fifth_secret"]), Onnx.node("Exp", ["fifth_secret"], ["sixth_secret"])]
        onnx = self.path("m.onnx", model(unknown, "sixth_secret"))
        path, content, readme = self.reduced(onnx, "--error", "MO-FRONT-0001")
        self.assertIn("1 of 6 nodes", readme)
        self.assertIn(b"Mystery", content)
        self.assert_anonymous(content, readme)
        self.assertIn("MO-FRONT-0001", self.ends(5, "mo", path, "--output_dir", self.folder, "--silent"))

    def test_the_text_of_an_error(self):
        """Two ops are unknown: the code alone would do with either."""
        unknown = [Onnx.node("Mystery", ["fourth_secret"], ["fifth_secret"]), Onnx.node("Riddle", ["fifth_secret"], ["sixth_secret"])]
        onnx = self.path("m.onnx", model(unknown, "sixth_secret"))
        for wanted, other in ((b"Mystery", b"Riddle"), (b"Riddle", b"Mystery")):
            _, content, readme = self.reduced(onnx, "--error", "MO-FRONT-0001", "--says", wanted.decode())
            self.assertIn("1 of 6 nodes", readme)
            self.assertIn(wanted, content)
            self.assertNotIn(other, content)

    def test_a_loop_of_tensorflow_1(self):
        """The graph has a cycle."""
        typed = {"T": Tf.type()}
        graph = Tf.graph([Tf.input("image", ()), Tf.node("enter", "Enter", ["image"], **typed), Tf.node("merge", "Merge", ["enter", "next"], **typed),
                          Tf.node("next", "NextIteration", ["merge"], **typed), Tf.node("strange_secret", "Mystery", ["image"], **typed)])
        _, content, readme = self.reduced(self.path("m.pb", graph), "--error", "MO-FRONT-0001")
        self.assertIn("of 4 nodes", readme)
        self.assertIn(b"Mystery", content)
        self.assert_anonymous(content, readme)

    def test_a_graph_def(self):
        relu = lambda name, source: Tf.node(name, "Relu", [source], T=Tf.type())
        graph = Tf.graph([Tf.input("image", (1, 4)), relu("a_secret", "image"), Tf.node("b_secret", "Mystery", ["a_secret"], T=Tf.type()), relu("c_secret", "b_secret")])
        _, content, readme = self.reduced(self.path("m.pb", graph), "--error", "MO-FRONT-0001")
        self.assertIn("1 of 3 nodes", readme)
        self.assert_anonymous(content, readme)

    def test_a_command(self):
        text = self.path("m.mo", TEXT)
        _, content, readme = self.reduced(text, "--", os.path.join(self.bin, "mo"), "opt", "{}", "--passes", "moc")
        self.assertIn("1 of 3 nodes", readme)
        self.assertRegex(content.decode(), "graph")

    def slow_problem(self):
        """A chain of which nothing can go, the command that says so, and the file that has a line for each test."""
        chain = "graph(%x: f32[2]) {\n  %n0 = Exp(%x)\n" + "".join(f"  %n{i} = Exp(%n{i - 1})\n" for i in range(1, 30)) + "  return %n29\n}\n"
        tests = self.path("tests", "")
        return self.path("m.mo", chain), ["--", "sh", "-c", f"echo x >> {tests}; test $(grep -c Exp {{}}) -ge 30"], tests

    def test_it_ends_when_its_time_is_over(self):
        text, problem, _ = self.slow_problem()
        _, _, readme = self.reduced(text, "--max-seconds", "0.001", *problem)
        self.assertRegex(readme, r"30 of 30 nodes are left, after [01] tests \(it was ended early and may become smaller\)")

    def test_an_interruption_keeps_what_there_is(self):
        text, problem, tests = self.slow_problem()
        problem[-1] = "sleep 0.1; " + problem[-1]
        out = self.path("reduced")
        running = subprocess.Popen([os.path.join(self.bin, "mo"), "reduce", text, "-o", out, *problem], stdout=subprocess.DEVNULL)
        while os.path.getsize(tests) < 6:  # the model itself, and the first that is smaller
            time.sleep(0.02)
        running.send_signal(signal.SIGINT)
        self.assertEqual(running.wait(), 0)
        with open(os.path.join(out, "README.md")) as file:
            self.assertIn("it was ended early", file.read())

    def test_refusals(self):
        onnx = self.path("m.onnx", model())
        self.assertIn("MO-REDUCE-0001", self.ends(2, "mo", "reduce", onnx))
        self.assertIn("MO-REDUCE-0001", self.ends(2, "mo", "reduce", onnx, "--crashes", "--differs"))
        self.assertIn("MO-REDUCE-0001", self.ends(2, "mo", "reduce", onnx, "--crashes", "--says", "text"))
        self.assertIn("MO-REDUCE-0003", self.ends(2, "mo", "reduce", onnx, "--error", "MO-FRONT-0001"))
        tensors = {"raw": chunk(10, Onnx.tensor("t", [1], floats(1.0))) + number(20, 9)}  # a list of tensors
        strange = Onnx.model(Onnx.graph([Onnx.node("Foo", ["image"], ["y"], tensors=tensors)], [Onnx.value("image", (1,))], [Onnx.output("y")]))
        self.assertIn("MO-ONNX-0052", self.ends(4, "mo", "reduce", self.path("strange.onnx", strange), "--error", "MO-FRONT-0001"))
        self.assertIn("MO-REDUCE-0004", self.ends(3, "mo", "reduce", onnx, "--", "/nowhere/program", "{}"))


if __name__ == "__main__":
    main(__doc__)
