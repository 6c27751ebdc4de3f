#!/usr/bin/env python3
"""Runs the subcommands of mo as a user does: by word and by link, on graphs in text form.

usage: subcommands_test.py BIN      BIN: folder of the programs
"""
import json
import os
import re
import shutil
import sys
from pathlib import Path
from xml.etree import ElementTree

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from program_test import ProgramTest, main  # noqa: E402

GRAPH = """graph(%x: f32[2,3] "x") {
  %a = ReduceL1(%x, [1]:i64) {keep_dims=true} "sum"
  %y = ReLU(%a) "y"
  return %y
}
"""

# The factor means the length before it is rounded, so ResizeRounding changes numbers by design.
RESIZE = """graph(%x: f32[1,4]) {
  %a = Interpolate.v11(%x, [0.6]:f32, [1]:i64) {mode="linear_onnx", shape_calculation_mode="scales",
       coordinate_transformation_mode="align_corners"}
  return %a
}"""

ONNX = """ir_version: 7 opset_import { version: 13 } graph { name: 'g'
  node { op_type: 'HardSigmoid' name: 'h' input: 'x' output: 'b' }
  node { op_type: 'Mul' name: 'm' input: 'x' input: 'b' output: 'a' }
  node { op_type: 'Exp' name: 'e' input: 'a' output: 'y' }
  input { name: 'x' type { tensor_type { elem_type: 1 shape { dim { dim_value: 2 } dim { dim_value: 3 } } } } }
  output { name: 'y' type { tensor_type { elem_type: 1 shape { dim { dim_value: 2 } dim { dim_value: 3 } } } } } }"""


WITH_WEIGHTS = """ir_version: 7 opset_import { version: 13 } graph { name: 'g'
  initializer { name: 'w' data_type: 1 dims: 3 float_data: 1 float_data: 2 float_data: 3 }
  node { op_type: 'Mul' name: 'm' input: 'x' input: 'w' output: 'a' }
  node { op_type: 'Exp' name: 'e' input: 'a' output: 'y' }
  input { name: 'x' type { tensor_type { elem_type: 1 shape { dim { dim_value: 2 } dim { dim_value: 3 } } } } }
  output { name: 'y' type { tensor_type { elem_type: 1 shape { dim { dim_value: 2 } dim { dim_value: 3 } } } } } }"""


class Subcommands(ProgramTest):
    def setUp(self):
        super().setUp()
        self.model = self.path("model.mo", GRAPH)

    def works(self, program, *arguments, **how):
        return self.ends(0, program, *arguments, **how)

    def refused(self, code, exit_code, program, *arguments, **how):
        self.assertIn(code, self.ends(exit_code, program, *arguments, **how))

    def test_each_subcommand_has_its_own_help(self):
        for name in ("diff", "draw", "explain", "inspect", "opt", "ovc", "reduce", "run", "test", "verify"):
            out = self.works("mo", name, "--help")
            self.assertRegex(out, rf"Usage: mo {name}\b", name)
            self.assertLessEqual(max(len(line) for line in out.splitlines()), 80, name)

    def test_subcommands_read_options_as_mo_does(self):
        changed = self.works("mo", "opt", self.model, "--passes", "ReduceL1Decomposition")
        self.assertEqual(changed, self.works("mo", "opt", "--passes=ReduceL1Decomposition", self.model, "--dump_changes=false"))
        self.works("mo", "draw", self.model, "--dot-output", self.path("model.dot"), "--no_shapes")
        self.refused("MO-OPT-0002", 2, "mo", "opt", self.model, "--stage", "read")
        self.refused("MO-OPT-0002", 2, "mo", "opt", self.model, "--bisect-limit", "-1")
        self.refused("MO-RUN-0010", 2, "mo", "run", self.model, "--threads", "0")
        self.refused("MO-TEST-0001", 2, "mo", "test", "--nonsense")

    def test_ovc_converts_with_the_command_line_and_the_defaults_of_ovc(self):
        model = self.path("net.onnxtxt", WITH_WEIGHTS)
        def files(*words, program=("mo", "ovc")):
            folder = Path(self.path("made"))
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            self.works(*program, model, *words, cwd=folder)
            return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*.xml")}
        by_default = files()
        self.assertEqual(list(by_default), ["net.xml"])
        self.assertIn('element_type="f16"', by_default["net.xml"])
        self.assertEqual(by_default, files(program=("mo-ovc",)))
        for words in (["--compress_to_fp16"], ["--compress_to_fp16", "True"], ["--compress_to_fp16=true"], ["--verbose"]):
            self.assertIn('element_type="f16"', files(*words)["net.xml"], words)
        for words in (["--compress_to_fp16", "False"], ["--compress_to_fp16=false"]):
            self.assertNotIn('element_type="f16"', files(*words)["net.xml"], words)
        self.assertEqual(list(files("--output_model", "other")), ["other.xml"])
        self.assertEqual(list(files("--output_model", "a/other.xml")), ["a/other.xml"])
        self.assertEqual(list(files("--output_model", "a/")), ["a/net.xml"])
        self.assertEqual(list(files("--output_model=.")), ["net.xml"])
        self.assertRegex(files("--input", "[7,3]")["net.xml"], r'<data shape="7, ?3"')
        self.assertRegex(files("--input", "x[7,3]", "--output", "a")["net.xml"], r'<data shape="7, ?3"')
        self.assertIn("<compress_to_fp16", files("--layout", "nc")["net.xml"])
        self.assertIn("Version of Model Optimizer", self.works("mo", "ovc", "--version"))
        self.refused("MO-OVC-0001", 2, "mo", "ovc", model, "--compress_to_fp16=maybe")
        self.refused("MO-CLI-0006", 2, "mo", "ovc")
        self.refused("MO-CLI-0001", 2, "mo", "ovc", model, "--nonsense")

    def test_opt_does_not_take_the_version_of_onnx_for_that_of_the_ir(self):
        ends = ['{ name: "%s" type { tensor_type { elem_type: 1 shape { dim { dim_value: 4 } } } } }' % name for name in "xy"]
        text = ('ir_version: 10 opset_import { version: 13 } graph { name: "g" node { input: "x" output: "y" op_type: "Relu" } input %s output %s }' % tuple(ends))
        self.works("mo", "opt", self.path("relu.onnxtxt", text), "--passes", "moc", "-o", self.path("relu.xml"))
        with open(self.path("relu.xml")) as file:
            self.assertIn('version="11"', file.read())

    def test_opt_runs_transformations(self):
        out = self.works("mo", "opt", self.model, "--passes", "ReduceL1Decomposition")
        self.assertIn("ReduceSum", out)
        self.assertEqual(out, self.works("mo_opt", self.model, "--passes", "ReduceL1Decomposition"))
        self.assertNotIn("ReduceSum", self.works("mo", "opt", self.model))
        self.assertNotIn("ReduceSum", self.works("mo", "opt", self.model, "--passes", "ReduceL1Decomposition", "--disable", "ReduceL1Decomposition"))
        self.assertNotIn("ReduceSum", self.works("mo", "opt", self.model, "--passes", "ReduceL1Decomposition", "--leave", "^sum$"))

    def test_opt_reshapes(self):
        self.assertIn("f32[4,5]", self.works("mo", "opt", self.model, "--input_shape", "[4,5]"))
        self.assertIn("f32[4,1]", self.works("mo", "opt", self.model, "--input", "x[4,5]"))
        self.refused("MO-CUT-0001", 2, "mo", "opt", self.model, "--input", "nobody[4,5]")

    def test_opt_groups_and_values_without_keys(self):
        self.assertIn("ReduceSum", self.works("mo", "opt", self.model, "--passes", "GraphRewrite(ReduceL1Decomposition, ReduceL2Decomposition)"))
        out = self.works("mo", "opt", self.model, "--passes", 'ConvertPrecision("f32->f16")')
        self.assertEqual(out, self.works("mo", "opt", self.model, "--passes", 'ConvertPrecision(precisions="f32->f16")'))
        self.assertIn("f16[2,3]", out)
        self.refused("MO-PASS-0022", 2, "mo", "opt", self.model, "--passes", "ReduceL1Decomposition(true)")
        self.refused("MO-PASS-0011", 2, "mo", "opt", self.model, "--passes", "GraphRewrite(Nobody)")

    def test_opt_reads_and_writes_irs(self):
        xml = self.path("out.xml")
        self.works("mo", "opt", self.model, "--passes", "ReduceL1Decomposition", "-o", xml)
        self.assertIn("ReduceSum", self.works("mo", "opt", xml))
        self.works("mo", "opt", xml, "-o", self.path("again.mo"))
        self.assertIn("ReduceSum", self.works("mo", "opt", self.path("again.mo")))

    def opened(self, xml):
        """The version of an IR, the release that it was made for, and what else it tells of its conversion."""
        net = ElementTree.parse(xml).getroot()
        told = {item.tag: item.get("value") for section in net.iter() if section.tag in ("conversion_parameters", "cli_parameters") for item in section}
        return net.get("version"), told.pop("target_runtime", None), told

    def test_opt_writes_for_the_target_of_the_ir_that_it_reads(self):
        for target, version, release in [([], "11", None), (["--ir_version", "10"], "10", None), (["--target_runtime", "2021.4"], "10", "2021.4"),
                                         (["--target_runtime", "2023.3"], "11", "2023.3"),
                                         (["--ir_version", "10", "--target_runtime", "2023.3"], "10", "2023.3")]:
            with self.subTest(target=target):
                first, second = self.path("first.xml"), self.path("second.xml")
                self.works("mo", "opt", self.model, *target, "-o", first)
                self.assertEqual(self.opened(first)[:2], (version, release))
                self.works("mo", "opt", first, "--passes", "ReduceL1Decomposition", "-o", second)
                self.assertEqual(self.opened(second), self.opened(first))

    def test_opt_writes_an_ir_as_an_onnx_model_that_converts_again(self):
        first, model, again = self.path("first.xml"), self.path("net.onnx"), self.path("again.xml")
        self.works("mo", "opt", self.model, "--target_runtime", "2021.4", "-o", first)
        self.works("mo", "opt", first, "-o", model)
        self.works("mo", "verify", first, model)
        self.works("mo", "opt", model, "-o", again)
        self.refused("MO-EMIT-0003", 7, "mo", "opt", model, "-o", model)

    def test_opt_writes_for_another_target_on_demand(self):
        old, new = self.path("old.xml"), self.path("new.xml")
        self.works("mo", "opt", self.model, "--target_runtime", "2021.4", "-o", old)
        self.works("mo", "opt", old, "--ir_version", "11", "-o", new)
        self.assertEqual(self.opened(new)[:2], ("11", None))
        self.works("mo", "opt", old, "--target_runtime", "2024.0", "-o", new)
        self.assertEqual(self.opened(new)[:2], ("11", "2024.0"))
        self.works("mo", "opt", new, "--ir_version", "10", "-o", old)
        self.assertEqual(self.opened(old)[:2], ("10", None))

    def test_opt_refuses_what_the_target_cannot_have(self):
        newer = self.path("newer.mo", "graph(%x: f32[2,3]) {\n  %y = SoftMax.v8(%x) {axis=1}\n  return %y\n}\n")
        xml = self.path("newer.xml")
        self.works("mo", "opt", newer, "-o", xml)
        self.refused("MO-BACK-0001", 5, "mo", "opt", xml, "--ir_version", "10", "-o", self.path("older.xml"))
        self.works("mo", "opt", xml, "--ir_version", "10", "--passes", "v10", "-o", self.path("older.xml"))
        self.refused("MO-BACK-0002", 5, "mo", "opt", newer, "--passes", "v10", "--input_shape", "[?,3]", "--ir_version", "10", "-o", self.path("older.xml"))

    def test_opt_shows_changes_and_times(self):
        out = self.works("mo", "opt", self.model, "--passes", "ReduceL1Decomposition", "--dump-changes", "--time-passes", "--verify-each=numbers",
                         "--trace", self.path("trace.json"))
        self.assertIn("-   %1 = ReduceL1", out)
        self.assertRegex(out, r"(?m)^ {5} \dms ReduceL1Decomposition$")
        self.assertRegex(out, r"(?m)^passes done in \d+ms$")
        with open(self.path("trace.json")) as file:
            self.assertEqual(json.load(file)["traceEvents"][0]["name"], "ReduceL1Decomposition")
        self.assertRegex(self.works("mo", "opt", self.model, "--passes", "ReduceL1Decomposition", env={**os.environ, "OV_PROFILE_PASS_ENABLE": "ON"}), r"(?m)^ {5} \dms ")
        self.refused("MO-OPT-0004", 2, "mo", "opt", self.model, env={**os.environ, "OV_PROFILE_PASS_ENABLE": "perhaps"})
        self.assertNotIn("ReduceSum", self.works("mo", "opt", self.model, "--passes", "ReduceL1Decomposition", "--bisect-limit", "0"))

    def test_opt_checks_numbers(self):
        self.model = self.path("resize.mo", RESIZE)
        self.works("mo", "opt", self.model, "--passes", "ResizeRounding", "--verify-each")
        self.refused("MO-OPT-0003", 8, "mo", "opt", self.model, "--passes", "ResizeRounding", "--verify-each=numbers")

    def test_opt_checks_numbers_of_half_the_digits(self):
        with open(self.model, "w") as file:
            file.write("""graph(%x: f32[2,3]) {
  %a = MatMul(%x, [[0.1, 0.2], [0.3, 0.4], [0.7, 0.9]]:f32)
  return %a
}""")
        for transformation in ("ConvertFP32ToFP16", "CompressFloatConstants"):
            self.assertIn("f16", self.works("mo", "opt", self.model, "--passes", transformation, "--verify-each=numbers"))

    def test_opt_runs_named_passes_that_are_off_by_default(self):
        out = self.works("mo", "opt", self.model, "--passes", "MakeStateful(param_res_names=\"{'x':'y'}\")")
        self.assertIn("ReadValue", out)
        self.refused("MO-CONFIG-0051", 9, "mo", "opt", self.model, "--passes", "MakeStateful(param_res_names=\"{'x':'nobody'}\")")

    def test_opt_changes_the_layout_for_transformations_that_take_images_channels_first(self):
        with open(self.model, "w") as file:
            file.write("""graph(%x: f32[1,4,6,4]) {
  %a = DepthToSpace(%x) {block_size=2, mode="blocks_first", layout="channels_last"}
  return %a
}""")
        out = self.works("mo", "opt", self.model, "--passes", "ConvertDepthToSpace", "--verify-each=numbers")
        self.assertNotIn("channels_last", out)

    def test_opt_lists_and_describes(self):
        self.assertIn("ReduceL1Decomposition", self.works("mo", "opt", "--print-passes"))
        rows = json.loads(self.works("mo", "opt", "--print-passes", "--json"))
        self.assertTrue(any(row["name"] == "ReduceL1Decomposition" and row["kind"] == "rewrite" for row in rows))
        self.assertIn("ReduceSum(Abs(x), axes)", self.works("mo", "opt", "--describe", "ReduceL1Decomposition"))

    def test_opt_converts(self):
        model = self.path("relu.onnxtxt", ONNX)
        self.works("mo", model, "--output_dir", self.folder, "--model_name", "m")
        wanted = [Path(self.path(name)).read_bytes() for name in ("m.xml", "m.bin")]
        described = json.loads(self.works("mo", "opt", model, "--describe", "convert", "--json"))[0]
        passes = [step["pass"] for step in described["steps"] if step["enabled"]]
        self.assertIn("PartialInference", passes)
        xml, half = self.path("m.xml"), self.path("half.mo")

        def made(*words):
            os.remove(xml)
            self.works("mo", "opt", *words, "--model_name", "m", "-o", xml)
            return [Path(self.path(name)).read_bytes() for name in ("m.xml", "m.bin")]

        self.assertEqual(made(model, "--passes", "convert"), wanted)
        self.assertEqual(made(model, "--passes", " ".join(passes)), wanted)
        for stop in (1, passes.index("PartialInference"), passes.index("PartialInference") + 1, len(passes) - 1):
            self.works("mo", "opt", model, "--model_name", "m", "--passes", " ".join(passes[:stop]), "-o", half)
            self.assertEqual(made(half, "--passes", " ".join(passes[stop:])), wanted, passes[stop])

    def test_opt_tells_outputs_of_the_model_from_the_file(self):
        model = self.path("relu.onnxtxt", ONNX)
        out = self.works("mo", "opt", model, "--passes", "convert", "--output", "a", "-o", self.path("cut.mo"))
        self.assertNotIn("Exp", Path(self.path("cut.mo")).read_text(encoding="utf-8"), out)
        self.works("mo", "opt", model, "--output", "a", "--output=" + self.path("again.mo"))
        self.assertNotIn("Exp", Path(self.path("again.mo")).read_text(encoding="utf-8"))

    def test_opt_writes_a_reproducer(self):
        model = self.path("resize.mo", RESIZE)
        words = ["--passes", "SwishFusion ResizeRounding GeluFusion", "--verify-each=numbers"]
        said = self.ends(8, "mo", "opt", model, *words, "--reproducer", self.path("again.mo"))
        self.assertIn("MO-OPT-0003", said)
        self.assertIn("mo opt " + self.path("again.mo"), said)
        self.assertIn("# passes: ResizeRounding GeluFusion", Path(self.path("again.mo")).read_text(encoding="utf-8"))
        self.refused("MO-OPT-0003", 8, "mo", "opt", self.path("again.mo"), "--verify-each=numbers")
        self.works("mo", "opt", self.path("again.mo"))
        self.assertFalse(os.path.exists(self.path("none.mo")))
        self.works("mo", "opt", model, "--passes", "SwishFusion", "--reproducer", self.path("none.mo"))
        self.assertFalse(os.path.exists(self.path("none.mo")))

    def test_opt_refuses(self):
        self.refused("MO-PASS-0011", 2, "mo", "opt", self.model, "--passes", "ReduceL1Decompositio")
        self.refused("MO-OPT-0001", 2, "mo", "opt", self.model, "--passes", "ReduceL1Decomposition(")
        self.refused("MO-OPT-0002", 2, "mo", "opt", self.model, "--stage", "later")
        self.refused("MO-PASS-0022", 2, "mo", "opt", self.model, "--passes", "ReduceL1Decomposition(x=1)")
        self.refused("MO-IO-0001", 3, "mo", "opt", self.path("missing.mo"))

    def test_a_failed_conversion_says_what_would_convert_unless_it_is_silent(self):
        model = self.path("net.onnxtxt", ONNX.replace("op_type: 'Exp'", "op_type: 'Unheard'"))
        self.assertIn("Unheard", Path(model).read_text(encoding="utf-8"))
        for words, is_said in ((["mo", model], True), (["mo", "convert", model], True), (["mo", model, "--silent"], False)):
            code, _, err = self.call(*words)
            self.assertEqual((code, "\n  mo --input_model" in err), (5, is_said), err)

    def test_tools_that_compute_nothing_carry_unknown_ops_of_irs_through(self):
        self.works("mo", self.path("net.onnxtxt", WITH_WEIGHTS), "-o", self.path("net.xml"))
        known = Path(self.path("net.xml"))
        text = known.read_text(encoding="utf-8")
        layer = 'type="Exp" version="opset1"'
        self.assertIn(layer, text)
        odd = Path(self.path("odd.xml", text.replace(layer, 'type="Unheard" version="opset99"')))
        shutil.copy(known.with_suffix(".bin"), odd.with_suffix(".bin"))
        self.assertIn("Unheard", self.works("mo", "inspect", str(odd)))
        self.works("mo", "draw", str(odd), "-o", self.path("odd.dot"))
        self.assertIn("Exp", self.ends(1, "mo", "diff", str(known), str(odd)))
        for passes in ([], ["--passes", "common"]):
            self.works("mo", "opt", str(odd), *passes, "-o", self.path("again.xml"))
            self.assertIn('type="Unheard" version="opset99"', Path(self.path("again.xml")).read_text(encoding="utf-8"))
        self.works("mo", "opt", str(odd), "-o", self.path("odd.mo"))
        self.works("mo", "opt", self.path("odd.mo"), "-o", self.path("back.xml"))
        self.assertIn('type="Unheard" version="opset99"', Path(self.path("back.xml")).read_text(encoding="utf-8"))
        for words in (["run", str(odd)], ["verify", str(known), str(odd)], [str(odd), "--to", "onnx"]):
            self.assertIn("Unheard (opset99)", self.ends(5, "mo", *words))
        self.refused("MO-IR-0015", 4, "mo", "opt", str(odd), "--input_shape", "[5,3]")
        self.refused("MO-BACK-0001", 5, "mo", "opt", str(odd), "--target_runtime", "2022.1", "-o", self.path("old.xml"))

    def test_opt_runs_passes_for_the_target(self):
        model = self.path("bf16.mo", 'graph(%x: bf16[2] "x") {\n  %y = ReLU(%x) "y"\n  return %y\n}\n')
        passes = ("--passes", "ModelsOfBfloat16")
        code, out, err = self.call("mo", "opt", model, *passes)
        self.assertEqual(code, 0, err)
        self.assertIn("MO-OPT-0005", err)
        self.assertNotIn("f32", out)
        hint = re.search(r"add (--target_runtime=\S+)", err).group(1)
        code, out, err = self.call("mo", "opt", model, *passes, hint)
        self.assertEqual((code, err), (0, ""))
        self.assertIn("f32", out)
        self.works("mo", "opt", model, "-o", self.path("old.xml"), hint)
        self.assertIn("f32", self.works("mo", "opt", self.path("old.xml"), *passes), "the target of the IR")

    def test_reduce_goes_into_bodies(self):
        branch = "attribute {{ name: '{}_branch' type: GRAPH g {{ name: '{}' {} output {{ name: '{}' }} }} }}"
        inner = ("node { op_type: 'Relu' input: 'x' output: 'a' } node { op_type: 'Nope' input: 'a' output: 'b' } node { op_type: 'Relu' input: 'b' output: 'd' }", "d")
        model = self.path("if.onnxtxt", "ir_version: 7 opset_import { version: 13 } graph { name: 'g' node { op_type: 'If' input: 'c' output: 'y' " +
                          branch.format("then", "t", *inner) + branch.format("else", "e", "node { op_type: 'Neg' input: 'x' output: 'n' }", "n") +
                          "} input { name: 'c' type { tensor_type { elem_type: 9 shape { } } } } input { name: 'x' type { tensor_type { elem_type: 1 shape { dim { "
                          "dim_value: 2 } } } } } output { name: 'y' type { tensor_type { elem_type: 1 shape { dim { dim_value: 2 } } } } } }")
        self.works("mo", "reduce", model, "--error", "MO-FRONT-0001", "-o", self.path("reduced"))
        text = Path(self.path("reduced/model.onnxtxt")).read_text()
        self.assertEqual(re.findall('op_type: "(.*)"', text), ["Nope"], text)

    def test_reduce_takes_meta_graphs_that_cannot_be_converted(self):
        floats = 'attr { key: "T" value { type: DT_FLOAT } }'
        nodes = ('node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape { dim { size: 4 } } } } } '
                 f'node {{ name: "a" op: "Relu" input: "x" {floats} }} node {{ name: "b" op: "ReluGrad" input: "a" input: "x" {floats} }} '
                 f'node {{ name: "y" op: "Neg" input: "b" {floats} }}')
        model = self.path("model.meta", "meta_info_def { } graph_def { " + nodes + " }")
        self.works("mo", "reduce", model, "--error", "MO-FRONT-0001", "-o", self.path("reduced"))
        text = Path(self.path("reduced/model.pbtxt")).read_text()
        self.assertIn('op: "ReluGrad"', text)
        self.assertNotIn('op: "Neg"', text)

    def test_hints_name_something(self):
        """"did you mean ''": a hint of a name that is none."""
        empty = self.path("empty.mo", "graph(%x: f32[2]) {\n  return %x\n}\n")
        for words in (("explain", empty, "nobody"), ("explain", self.model, "nobodyatallhere"), ("explain", "MO-NOPE-0001"), ("convert", empty, "--layout", "q(nc)")):
            code, out, err = self.call("mo", *words)
            self.assertNotEqual(code, 0, words)
            self.assertNotIn("did you mean ''", out + err)

    def test_draw(self):
        out = self.works("mo", "draw", self.model)
        self.assertIn("digraph ngraph", out)
        self.assertIn("label=<<b>ReduceL1</b><br/>", out)
        self.assertRegex(out, r'fillcolor="\d\.\d+ 0\.09 0\.99"')
        self.assertNotIn("value:", out)
        self.assertIn("value:", self.works("mo", "draw", self.model, "--constants"))
        self.works("graph_to_dot", self.model, "-o", self.path("model.dot"))
        self.works("graph_to_dot", f"--graph={self.model}", f"--dot_output={self.path('same.dot')}")  # the flags of TensorFlow's program
        self.assertEqual(Path(self.path("same.dot")).read_text(), Path(self.path("model.dot")).read_text())
        with open(self.path("model.dot")) as file:
            self.assertEqual(file.read(), out)
        near = self.works("mo", "draw", self.model, "--around", "y", "--neighbours", "0")
        self.assertNotIn("ReduceL1", near)
        self.refused("MO-DRAW-0003", 2, "mo", "draw", self.model, "--stage", "later")
        self.refused("MO-DRAW-0004", 2, "mo", "draw", self.model, "--around", "nobody")

    def test_draw_pictures(self):
        code, _, err = self.call("mo", "draw", self.model, "-o", self.path("model.svg"))
        if "MO-DRAW-0001" in err:
            self.assertEqual(code, 3)
            self.skipTest("Graphviz's library is not there")
        self.assertEqual(code, 0, err)
        with open(self.path("model.svg")) as file:
            self.assertIn("<svg", file.read())
        self.works("mo", "draw", self.model, "-o", self.path("a<b&c.html"))
        page = Path(self.path("a<b&c.html")).read_text(encoding="utf-8")
        self.assertTrue(page.startswith("<!DOCTYPE html>"))
        self.assertIn("<title>a&lt;b&amp;c</title>", page)
        self.assertEqual((page.count("<svg "), page.count("<?xml"), page.count("<!DOCTYPE")), (1, 0, 1))
        self.assertIn("ReduceL1", page)
        self.assertEqual(set(re.findall(r"https?://[^\"' ]+", page)), {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}, "names of formats only")
        self.refused("MO-DRAW-0002", 2, "mo", "draw", self.model, "-o", self.path("model.doc"))
        self.works("mo", "opt", self.model, "--passes", "ReduceL1Decomposition", "--visualize", self.folder)
        self.assertTrue(os.path.exists(self.path("model_000_ReduceL1Decomposition.svg")))

    def chain(self, length):
        with open(self.model, "w") as file:
            file.write('graph(%v0: f32[2,3] "x") {\n')
            file.writelines(f"  %v{i + 1} = Multiply(%v{i}, [0.125, 0.25, 0.5]:f32)\n" for i in range(length))
            file.write(f"  return %v{length}\n}}\n")

    def test_a_chain_with_constants_is_drawn_from_top_to_bottom(self):
        self.chain(60)
        code, _, err = self.call("mo", "draw", self.model, "-o", self.path("model.svg"))
        if "MO-DRAW-0001" in err:
            self.skipTest("Graphviz's library is not there")
        self.assertEqual(code, 0, err)
        with open(self.path("model.svg")) as file:
            width, height = re.search(r'<svg width="(\d+)pt" height="(\d+)pt"', file.read()).groups()
        self.assertLess(int(width), 1000)
        self.assertGreater(int(height), 3000)

    def test_a_picture_that_is_too_large_is_refused(self):
        self.chain(2600)
        self.refused("MO-DRAW-0005", 2, "mo", "draw", self.model, "--constants", "-o", self.path("model.svg"))
        self.works("mo", "draw", self.model, "-o", self.path("model.dot"))
        code, _, err = self.call("mo", "draw", self.model, "-o", self.path("model.svg"), "--most-nodes", "50")
        self.assertTrue(code == 0 or "MO-DRAW-0001" in err, err)

    def test_test(self):
        good = self.path("good.test")
        with open(good, "w") as file:
            file.write("# passes: ReduceL1Decomposition\n=== hit\n" + GRAPH + "--- graph\n" + GRAPH.replace(
                "%a = ReduceL1(%x, [1]:i64)", "%b = Abs(%x)\n  %a = ReduceSum(%b, [1]:i64)"))
        self.assertIn("1 passed, 0 failed", self.works("mo", "test", good))
        self.assertIn("1 passed, 0 failed", self.works("mo_test", self.folder))
        with open(good, "a") as file:
            file.write("\n=== wrong\n" + GRAPH + "--- unchanged\n")
        self.assertIn("the graph changed", self.ends(8, "mo", "test", good))
        self.refused("MO-TEST-0001", 2, "mo", "test")
        self.refused("MO-TEST-0002", 2, "mo", "test", good, "--filter", "nothing is called so")

    def test_run_runs_text_forms(self):
        out = self.works("mo", "run", "--help")
        self.assertIn("MODEL", out)
        self.refused("MO-CLI-0006", 2, "mo", "run")
        self.refused("MO-RUN-0004", 2, "mo", "run", self.model)


if __name__ == "__main__":
    main(__doc__)
