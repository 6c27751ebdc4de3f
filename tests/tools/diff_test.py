#!/usr/bin/env python3
"""mo diff on models that are made here.

usage: diff_test.py BIN      BIN: folder of the programs
"""
import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from program_test import ProgramTest, main  # noqa: E402
from wire_models import Onnx, Tf, chunk, floats  # noqa: E402

TEXT = """graph(%x: f32[2,3] "x", %z: f32[2,3] "z") {
  %c = Const() {value=[1.0, 2.0, 3.0]:f32} "c"
  %a = Add(%x, %c) "a"
  %r = ReLU(%a) "r"
  %m = Multiply(%r, %z) "m"
  return %m, %r
}
"""


def chain(count, *, tail="Relu", weight=1.0, prefix="n"):
    """count operators in a row, with a weight in the middle."""
    kinds = ["Abs", "Neg", "Exp", "Sigmoid", "Tanh"]
    nodes, last = [], "x"
    for i in range(count):
        nodes.append(Onnx.node(kinds[i % 5], [last], [f"{prefix}t{i}"], f"{prefix}{i}"))
        last = f"{prefix}t{i}"
        if i == count // 2:
            nodes.append(Onnx.node("Mul", [last, f"{prefix}w"], [f"{prefix}m"], f"{prefix}mul"))
            last = f"{prefix}m"
    nodes.append(Onnx.node(tail, [last], ["y"], f"{prefix}tail"))
    return Onnx.model(Onnx.graph(nodes, [Onnx.value("x", (1, 4))], [Onnx.output("y")], [Onnx.tensor(f"{prefix}w", [4], floats(1, 2, weight, 4))]))


class Diff(ProgramTest):
    def setUp(self):
        super().setUp()
        self.a = self.path("a.mo", TEXT)

    def run_diff(self, code, *arguments):
        return self.ends(code, "mo", "diff", *arguments)

    def text(self, *arguments):
        return self.run_diff(1, *arguments).splitlines()

    def changes(self, *arguments, code=1):
        report = self.fits(self.run_diff(code, "--json", *arguments), "diff.schema.json")
        self.assertEqual(report["same"], code == 0)
        return report["differences"]

    def edited(self, *edits):
        text = TEXT
        for old, new in edits:
            self.assertIn(old, text)
            text = text.replace(old, new)
        return self.path("b.mo", text)

    def test_same(self):
        self.assertEqual(self.run_diff(0, self.a, self.path("b.mo", TEXT)), "the graphs are the same\n")
        self.assertEqual(self.changes(self.a, self.a, code=0), [])

    def test_removed_and_added(self):
        b = self.edited(('  %r = ReLU(%a) "r"\n', '  %s = Sigmoid(%a) "s"\n'), ("(%r, %z)", "(%s, %z)"), ("return %m, %r", "return %m, %s"))
        lines = self.text(self.a, b)
        self.assertEqual(lines[:2], ["- ReLU 'r'", "~ Multiply 'm': input 0: 'r' output 0 -> 's' output 0"])
        self.assertIn("+ Sigmoid 's'", lines)
        self.assertEqual([change["kind"] for change in self.changes(self.a, b)].count("removed"), 1)

    def test_another_op_of_the_same_name(self):
        self.assertEqual(self.text(self.a, self.edited(("ReLU(%a)", "Sigmoid(%a)"))),
                         ["~ ReLU 'r': op: ReLU.v0 -> Sigmoid.v0", "1 difference: 1 op"])

    def test_constants(self):
        b = self.edited(("2.0, 3.0", "2.0, 3.5"))
        self.assertEqual(self.text(self.a, b)[0], "~ Const 'c': value f32[3]: 1 elements differ, most at element 2: 3 -> 3.5")
        self.assertEqual(self.changes(self.a, b)[0]["elements"], {"differing": 1, "largest": 0.5, "place": 2})
        self.run_diff(0, self.a, b, "--ignore", "constants")

    def test_types_and_shapes(self):
        changes = self.changes(self.a, self.edited(('%x: f32[2,3] "x"', '%x: f32[1,3] "x"')))
        self.assertIn(("attribute", "shape"), [(change["kind"], change["what"]) for change in changes])
        self.assertEqual([(change["before"]["name"], change["from"], change["to"]) for change in changes if change["kind"] == "type"],
                         [("x", "f32[2,3]", "f32[1,3]"), ("a", "f32[2,3]", "f32[1,3]"), ("r", "f32[2,3]", "f32[1,3]")])

    def test_order(self):
        b = self.edited(("return %m, %r", "return %r, %m"))
        self.assertEqual([change["kind"] for change in self.changes(self.a, b)], ["order"])
        self.run_diff(0, self.a, b, "--ignore", "order")

    def test_names(self):
        b = self.edited(*[(f'"{name}"', f'"other_{name}"') for name in "xzcarm"])
        self.assertEqual({change["kind"] for change in self.changes(self.a, b)}, {"name"})
        self.run_diff(0, self.a, b, "--ignore", "names")

    def test_renamed_graph_and_one_change(self):
        """Structure finds the pairs on both sides of a change."""
        a = self.path("a.onnx", chain(40))
        b = self.path("b.onnx", chain(40, tail="Softplus", weight=1.5, prefix="other"))
        changes = self.changes(a, b, "--ignore", "names")
        self.assertEqual(sorted(change["kind"] for change in changes), ["added", "input", "removed", "value"])
        self.assertEqual([change["elements"]["largest"] for change in changes if change["kind"] == "value"], [0.5])

    def test_metadata(self):
        a = self.path("a.onnx", chain(3))
        b = self.path("b.onnx", chain(3) + chunk(2, "somebody else"))
        self.assertEqual([(change["kind"], change["what"], change["to"]) for change in self.changes(a, b)], [("property", "producer_name", '"somebody else"')])
        self.run_diff(0, a, b, "--ignore", "metadata,order")

    def test_attributes_of_a_framework(self):
        a = self.path("a.onnx", Onnx.one("LeakyRelu", alpha=0.5))
        b = self.path("b.onnx", Onnx.one("LeakyRelu", alpha=0.25))
        self.assertEqual(self.text(a, b)[0], "~ onnx::LeakyRelu 'n': attribute alpha: 0.5 -> 0.25")

    def test_bodies(self):
        def model(op):
            branches = [{"graph": Onnx.graph([Onnx.node(each, ["x"], ["b"], "inner")], (), [Onnx.output("b")])} for each in ("Relu", op)]
            nodes = [Onnx.node("If", ["c"], ["y"], "if", then_branch=branches[0], else_branch=branches[1])]
            return Onnx.model(Onnx.graph(nodes, [Onnx.value("x"), Onnx.value("c", (), 9)], [Onnx.output("y")]))
        changes = self.changes(self.path("a.onnx", model("Abs")), self.path("b.onnx", model("Neg")))
        self.assertEqual([(change["kind"], change["inside"]) for change in changes], [("op", "onnx::If 'if', body 1")])

    def test_graph_defs_as_they_stand(self):
        """Nodes that no output needs, control inputs, and attributes that no op declares."""
        def model(**more):
            return Tf.graph([Tf.input(), Tf.op("y", "Relu", "x", **more), Tf.op("unread", "Abs", "x"), Tf.op("z", "Neg", "y", more.pop("control", "^unread"))])
        a = self.path("a.pb", model())
        self.run_diff(0, a, self.path("b.pb", model()))
        self.assertEqual([(c["kind"], c["what"]) for c in self.changes(a, self.path("c.pb", model(_mine=Tf.type())))], [("attribute", "_mine")])
        without = Tf.graph([Tf.input(), Tf.op("y", "Relu", "x"), Tf.op("unread", "Abs", "x"), Tf.op("z", "Neg", "y")])
        self.assertEqual([(c["kind"], c["what"]) for c in self.changes(a, self.path("d.pb", without))], [("input", "control inputs")])

    def test_irs(self):
        for name, weight in (("a", 1.0), ("b", 2.0)):
            model = self.path("model.onnx", chain(3, weight=weight))
            self.ends(0, "mo", "--input_model", model, "--output_dir", self.folder, "--model_name", name, "--silent")
        kinds = [change["kind"] for change in self.changes(self.path("a.xml"), self.path("b.xml"), "--ignore", "metadata")]
        self.assertEqual(kinds, ["value"])
        # A model that is converted in memory is the IR that was written.
        self.run_diff(0, model, self.path("b.xml"), "--stage", "converted", "--ignore", "metadata")

    def test_how_an_ir_is_written(self):
        """The hashes of the files and the number of digits of a real do not count."""
        text = "graph(%x: f32[1,4,8]) {\n  %y = MVN(%x, [2]:i64) {eps=1e-05}\n  return %y\n}\n"
        model = self.path("n.xml")
        self.ends(0, "mo", "opt", self.path("n.mo", text), "-o", model)
        written = Path(model).read_text(encoding="utf-8")
        self.assertIn("checksums", written)
        for digits, code in (("9.9999997473787516e-06", 0), ("1.0001e-05", 1)):
            self.assertIn('eps="1e-05"', written)
            other = self.path("other.xml", written.replace('eps="1e-05"', f'eps="{digits}"'))
            Path(other).with_suffix(".bin").write_bytes(Path(model).with_suffix(".bin").read_bytes())
            self.run_diff(code, model, other)

    def test_picture(self):
        b = self.edited(('  %r = ReLU(%a) "r"\n', '  %s = Sigmoid(%a) "s"\n'), ("(%r, %z)", "(%s, %z)"), ("return %m, %r", "return %m, %s"), ("3.0]", "4.0]"))
        self.run_diff(1, self.a, b, "-o", self.path("diff.dot"))
        dot = Path(self.path("diff.dot")).read_text()
        coloured = {colour: [line for line in dot.splitlines() if colour in line] for colour in ("#ccffcc", "#ffcccc", "#fff2b3")}
        self.assertIn("Sigmoid", coloured["#ccffcc"][0])
        self.assertIn("ReLU", coloured["#ffcccc"][0])
        self.assertTrue(any("Multiply" in line for line in coloured["#fff2b3"]) and any("value" in line for line in coloured["#fff2b3"]), coloured)

    def test_large_weights_are_read_in_stretches(self):
        count = 1 << 20
        a = self.path("a.onnx", Onnx.one("Add", (1,), [("w", Onnx.tensor("w", [count], bytes(4 * count)))]))
        b = self.path("b.onnx", Onnx.one("Add", (1,), [("w", Onnx.tensor("w", [count], bytes(4 * count - 8) + struct.pack("<2f", 3, 0)))]))
        self.assertEqual(self.changes(a, b)[0]["elements"], {"differing": 1, "largest": 3.0, "place": count - 2})

    def test_could_not(self):
        self.assertIn("MO-DIFF-0001", self.run_diff(2, self.a))
        self.assertIn("MO-DIFF-0001", self.run_diff(2, self.a, self.a, "--ignore", "nothing"))
        self.assertIn("MO-IO-0001", self.run_diff(2, self.a, self.path("nothing.onnx")))

    def test_old_name(self):
        a = self.path("a.pb", Tf.graph([Tf.input(), Tf.op("y", "Relu", "x")]))
        for words in (["compare_graphs"], ["mo", "compare_graphs"]):
            self.assertEqual(self.ends(0, *words, a, a), "Graphs are equal.\n")


if __name__ == "__main__":
    main(__doc__)
