#!/usr/bin/env python3
"""Runs transform_graph as a user does: flags, exit statuses, messages, files.

usage: transform_graph_test.py BIN      BIN: folder of the programs
"""
import os
import re
import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from program_test import ProgramTest, main  # noqa: E402

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "graph_transforms.md"
# y = Relu(Identity(x)), and an unneeded node
GRAPH = """
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
node { name: "i" op: "Identity" input: "x" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "y" op: "Relu" input: "i" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "unused" op: "NoOp" }
versions { producer: 22 }
"""


class TransformGraph(ProgramTest):
    def setUp(self):
        super().setUp()
        self.graph = self.path("graph.pbtxt", GRAPH)

    def run_program(self, *arguments, program="transform_graph", **how):
        return self.call(program, *arguments, **how)

    def changed(self, transforms, *more):
        """The graph that comes out, as text."""
        out = self.path("out.pbtxt")
        code, _, err = self.run_program(f"--in_graph={self.graph}", f"--out_graph={out}", "--outputs=y", "--output_as_text", f"--transforms={transforms}",
                                        *more)
        self.assertEqual(code, 0, err)
        with open(out, encoding="utf-8") as file:
            return file.read()

    def refused(self, message_code, fragment, *arguments):
        code, _, err = self.run_program(*arguments)
        self.assertEqual(code, 255, err)
        self.assertIn(message_code, err)
        self.assertIn(fragment, err)

    def test_a_graph_is_changed_and_written(self):
        text = self.changed("strip_unused_nodes\\\n remove_nodes(op=Identity)")
        self.assertNotIn("unused", text)
        self.assertIn('name: "y"\n  op: "Relu"\n  input: "x"', text)

    def test_slips_in_inputs_and_outputs_are_errors(self):
        out = self.path("out.pb")
        for option in ("--inputs=x,z", "--outputs=yy"):
            self.refused("MO-GTT-0018", "there is no node", f"--in_graph={self.graph}", f"--out_graph={out}", option, "--transforms=obfuscate_names")
        # A transform may make the node.
        code, _, err = self.run_program(f"--in_graph={self.graph}", f"--out_graph={out}", "--outputs=z", '--transforms=rename_node(old_node_name=y, new_node_name="z")')
        self.assertEqual(code, 0, err)

    def test_models_that_are_not_frozen_are_reported(self):
        graph = self.path("variable.pbtxt", GRAPH + 'node { name: "v" op: "VariableV2" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape {} } } }')
        for transform, told in (("quantize_weights", True), ("remove_device", False)):
            code, _, err = self.run_program(f"--in_graph={graph}", f"--out_graph={self.path('out.pb')}", f"--transforms={transform}")
            self.assertEqual((code, "MO-GTT-0067" in err and "add --freeze" in err), (0, told), err)
        meta = self.path("model.meta", "meta_info_def { }\ngraph_def {" + GRAPH + "}\n")
        self.refused("MO-GTT-0068", "--freeze --outputs=NODE", f"--in_graph={meta}", f"--out_graph={self.path('out.pb')}", "--transforms=remove_device")

    def test_models_are_frozen_before_the_first_transform(self):
        out = self.path("out.pbtxt")
        meta = self.path("model.meta", "meta_info_def { }\ngraph_def {" + GRAPH + "}\n")
        self.ends(0, "transform_graph", f"--in_graph={meta}", f"--out_graph={out}", "--freeze", "--outputs=y", "--output_as_text", "--transforms=remove_device")
        self.assertEqual(re.findall('^  name: "(.*)"', Path(out).read_text(encoding="utf-8"), flags=re.M), ["x", "i", "y"])
        both = (f"--out_graph={out}", "--transforms=remove_device")
        self.refused("MO-GTT-0069", "which outputs", f"--in_graph={meta}", "--freeze", *both)
        self.refused("MO-GTT-0018", "did you mean 'y'", f"--in_graph={meta}", "--freeze", "--outputs=yy", *both)
        self.refused("MO-GTT-0069", "is for --freeze", f"--in_graph={self.graph}", "--input_checkpoint=model", *both)
        onnx = self.path("m.onnxtxt", "ir_version: 7 opset_import { version: 13 } graph { name: 'g' node { op_type: 'Relu' input: 'x' output: 'y' } output { name: 'y' } "
                                      "input { name: 'x' } }")
        self.refused("MO-GTT-0069", "not a model of TensorFlow", f"--in_graph={onnx}", "--freeze", *both)
        variable = 'node { name: "v" op: "VariableV2" attr { key: "dtype" value { type: DT_FLOAT } } } node { name: "z" op: "Neg" input: "v" }'
        self.refused("MO-GTT-0070", "there is no checkpoint", f"--in_graph={self.path('v.pbtxt', variable)}", "--freeze", "--outputs=z", *both)

    def test_convolutions_are_fused_by_the_name_of_the_guide(self):
        conv = ('node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } } node { name: "s" op: "Const" attr { key: "dtype" value { type: DT_INT32 } } '
                'attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape { dim { size: 2 } } int_val: 8 int_val: 8 } } } } node { name: "r" op: "ResizeBilinear" input: '
                '"x" input: "s" attr { key: "align_corners" value { b: false } } attr { key: "T" value { type: DT_FLOAT } } } node { name: "w" op: "Const" attr { key: "dtype" '
                'value { type: DT_FLOAT } } attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 1 } dim { size: 1 } dim { size: 1 } dim { size: 1 } } '
                'float_val: 2 } } } } node { name: "y" op: "Conv2D" input: "r" input: "w" attr { key: "T" value { type: DT_FLOAT } } attr { key: "padding" value { s: "SAME" } } '
                'attr { key: "strides" value { list { i: 1 i: 1 i: 1 i: 1 } } } }')
        self.graph = self.path("conv.pbtxt", conv)
        self.assertIn("FusedResizeAndPadConv2D", self.changed("fuse_convolutions"))

    def test_binary_and_text_give_the_same(self):
        binary = self.path("binary.pb")
        self.assertEqual(self.run_program(f"--in_graph={self.graph}", f"--out_graph={binary}", "--transforms=remove_device")[0], 0)
        text = self.changed("remove_device")
        self.graph = binary
        self.assertEqual(self.changed("remove_device"), text)

    def test_the_same_graph_gives_the_same_bytes_also_in_place(self):
        first, second = self.path("first.pb"), self.path("second.pb")
        for path in (first, second):
            self.run_program(f"--in_graph={self.graph}", f"--out_graph={path}", "--transforms=sort_by_execution_order")
        with open(first, "rb") as a, open(second, "rb") as b:
            content = a.read()
            self.assertEqual(content, b.read())
        self.assertEqual(self.run_program(f"--in_graph={first}", f"--out_graph={first}", "--transforms=remove_device")[0], 0)
        with open(first, "rb") as file:
            self.assertEqual(file.read(), content)

    def test_versions_are_kept_unless_the_original_is_requested(self):
        self.assertIn("producer: 22", self.changed("remove_device"))
        self.assertNotIn("producer", self.changed("remove_device", "--strict_original"))

    def test_steps_are_reported(self):
        _, out, _ = self.run_program(f"--in_graph={self.graph}", f"--out_graph={self.path('o.pb')}", "--outputs=y", "--report",
                                     "--transforms=strip_unused_nodes remove_nodes(op=Identity)")
        self.assertIn("strip_unused_nodes: 4 -> 3 nodes", out)
        self.assertIn("  -1 Identity", out)

    def test_paths_may_begin_at_home(self):
        out = self.path("home.pb")
        code, _, err = self.run_program("--in_graph=~/graph.pbtxt", "--out_graph=~/home.pb", "--transforms=remove_device",
                                        env={**os.environ, "HOME": self.folder})
        self.assertEqual(code, 0, err)
        self.assertTrue(os.path.exists(out))

    def test_help_lists_flags_and_transforms_and_old_flags_of_logging_are_taken(self):
        code, out, _ = self.run_program("--help")
        self.assertEqual(code, 0)
        self.assertIn("--in_graph", out)
        listed = out.split("Transforms are:\n")[1].split()
        self.assertEqual(listed, sorted(listed))
        self.assertIn("strip_unused_nodes", listed)
        self.assertIn("y", self.changed("remove_device", "--logtostderr"))

    def test_transforms_are_described_as_the_documentation_does(self):
        _, out, _ = self.run_program("--describe")
        described = {}
        for line in out.splitlines():
            if line and line[0] != " ":
                name = line
            elif line.startswith("    "):
                what = re.match(r"    (\w+) \((text|integer|number|true or false)(?:, default ([^)]+))?\): ", line)
                self.assertTrue(what, line)
                described[name].append((what.group(1), what.group(3) if re.match(r"[\d-]|true|false|float|\*|group", what.group(3) or "") else None))
            elif line.startswith("  "):
                self.assertNotEqual(line, "  Of a plugin.", name)
                described[name] = []
        documented = {}
        for names, arguments in re.findall(r"^\| (`[a-z0-9_`, ]+`) \|([^|]*)\|", DOCUMENT.read_text(encoding="utf-8").split("## Transforms")[1].split("\n## ")[0],
                                           flags=re.M):
            for name in re.findall(r"`(\w+)`", names):
                documented[name] = re.findall(r"`(\w+)`(?: \(`?([^)`]+)`?\))?", arguments)
        known = set(self.run_program("--help")[1].split("Transforms are:\n")[1].split())
        self.assertEqual(set(described), known)
        refused = {"fuse_remote_graph", "place_remote_graph_arguments", "rewrite_quantized_stripped_model_for_hexagon"}
        self.assertEqual(known - refused, set(documented))
        for name, arguments in documented.items():
            self.assertEqual({argument for argument, _ in described[name]}, {argument for argument, _ in arguments}, name)
            told = {argument: fallback for argument, fallback in described[name]}
            for argument, fallback in arguments:
                if fallback and fallback != "scalar":
                    self.assertEqual(told[argument], fallback, f"{name}({argument})")
        one = self.run_program("--describe", "--transforms=rename_op set_device")[1]
        self.assertEqual([line for line in one.splitlines()[:-1] if line[0] != " "], ["rename_op", "set_device"])
        self.refused("MO-GTT-0001", "did you mean 'rename_op'", "--describe", "--transforms=rename_opp")

    def test_wrong_command_lines_are_refused(self):
        both = (f"--in_graph={self.graph}", f"--out_graph={self.path('o.pb')}")
        self.refused("MO-GTT-0030", "Unknown argument --in_grap=x", "--in_grap=x")
        self.refused("MO-GTT-0030", "Unknown argument extra", *both, "--transforms=remove_device", "extra")
        self.refused("MO-GTT-0030", "Unknown argument -x", "-x")
        self.refused("MO-GTT-0031", "--output_as_text takes true or false", *both, "--output_as_text=yes")
        self.refused("MO-GTT-0031", "--in_graph has no value", "--in_graph", self.graph)
        self.refused("MO-GTT-0032", "in_graph graph can't be empty", both[1], "--transforms=remove_device")
        self.refused("MO-GTT-0032", "out_graph graph can't be empty", both[0], "--transforms=remove_device")
        self.refused("MO-GTT-0033", "You must specify at least one transform", *both)
        self.refused("MO-GTT-0003", "Failed to parse --transform argument", *both, "--transforms=a,b")
        self.refused("MO-GTT-0001", "not recognized", *both, "--transforms=fuse_convolution")
        self.refused("MO-GTT-0018", "not found in graph", *both, "--outputs=nobody", "--transforms=strip_unused_nodes")
        self.assertFalse(os.path.exists(self.path("o.pb")))

    def test_passes_of_mo_opt_are_distinguished_from_transforms(self):
        both = (f"--in_graph={self.graph}", f"--out_graph={self.path('o.pb')}")
        for name in ("GeluFusion", "ConstantFolding"):
            self.refused("MO-GTT-0063", f"mo opt --passes {name}", *both, f"--transforms={name}")
        # One that sees nodes of the framework runs, and has nothing to do here.
        self.assertIn('op: "Identity"', self.changed("TfFrames"))

    def test_functions_are_transformed_when_asked(self):
        self.graph = self.written("f.pbtxt", """
            node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
            node { name: "y" op: "PartitionedCall" input: "x" attr { key: "f" value { func { name: "twice" } } } }
            library { function { signature { name: "twice" input_arg { name: "a" type: DT_FLOAT } output_arg { name: "b" type: DT_FLOAT } }
              node_def { name: "i" op: "Identity" input: "a" attr { key: "T" value { type: DT_FLOAT } } }
              node_def { name: "s" op: "AddV2" input: "i:output:0" input: "i:output:0" attr { key: "T" value { type: DT_FLOAT } } }
              ret { key: "b" value: "s:z:0" } } }""")
        self.assertIn("Identity", self.changed("remove_nodes(op=Identity)"))
        text = self.changed("remove_nodes(op=Identity)", "--functions", "--report")
        self.assertNotIn("Identity", text)
        self.assertIn('input: "a"\n      input: "a"', text)
        self.refused("MO-GTT-0013", "In 'twice': ", f"--in_graph={self.graph}", f"--out_graph={self.path('o.pb')}", "--functions", "--transforms=remove_nodes")

    def test_each_malformed_string_is_refused_by_its_place(self):
        for transforms, rest in (("a b,c", ",c"), ("remove_device (a=1)", "(a=1)"), ("remove_device( )", ")"), ("remove_device(a=1,)", ")"),
                                 ("remove_device(a=1 , b=2)", ", b=2)"), ("remove_device(a = 1)", "= 1)"), ("remove_device(a= 1)", "1)"),
                                 ("remove_device(name=x:0)", ":0)"), ('remove_device(a="x)', ""), ("remove_device(a='x')", "'x')"), ("remove_device(a=1e+5)", "+5)"),
                                 ("remove_device(", ""), ("remove_device(a=", ""), ("remove_device(a=1", ""), ("remove_device()x)", ")"), ("\u00e9", "")):
            with self.subTest(transforms):
                self.refused("MO-GTT-0003", rest, f"--in_graph={self.graph}", f"--out_graph={self.path('o.pb')}", f"--transforms={transforms}")
        self.assertFalse(os.path.exists(self.path("o.pb")))

    def test_wrong_names_and_arguments_are_refused_by_their_code(self):
        rows = (
            # names of transforms
            ("Strip_unused_nodes", "MO-GTT-0001"), ("remove_device remove_devices", "MO-GTT-0001"), ("fuse_remote_graph", "MO-GTT-0051"),
            # arguments
            ("remove_attribute", "MO-GTT-0013"), ("remove_attribute(attribute_name=a, attribute_name=b)", "MO-GTT-0010"), ("rename_op(old_op_name=Relu)", "MO-GTT-0013"),
            ("rename_attribute(old_attribute_name=a)", "MO-GTT-0013"), ("remove_nodes", "MO-GTT-0013"), ("remove_nodes(op=Identity, max_inputs=x)", "MO-GTT-0011"),
            ("remove_nodes(op=Identity, max_inputs=1.5)", "MO-GTT-0011"), ("quantize_weights(minimum_size=many)", "MO-GTT-0011"),
            ("quantize_weights(minimum_size=99999999999)", "MO-GTT-0011"), ("round_weights(num_steps=0)", "MO-GTT-0024"),
            ("set_device(device=a, if_default=maybe)", "MO-GTT-0012"), ("remove_device(ignore_errors=1)", "MO-GTT-0004"), ("strip_unused_nodes(type=float33)", "MO-GTT-0015"),
            ('strip_unused_nodes(shape="1,a")', "MO-GTT-0016"), ('strip_unused_nodes(shape="")', "MO-GTT-0016"),
            ("strip_unused_nodes(name=x, type_for_name=float, type_for_name=int32)", "MO-GTT-0017"), ("rename_node(old_node_name=i, new_node_name=y)", "MO-GTT-0022"),
            ("rename_node(old_node_name=i)", "MO-GTT-0013"), ("freeze_requantization_ranges", "MO-GTT-0013"),
            ('freeze_requantization_ranges(min_max_log_file="/nowhere")', "MO-IO-0001"), ("quantize_nodes(input_min=1)", "MO-GTT-0013"),
            ("quantize_nodes(fallback_max=1)", "MO-GTT-0013"),
            # names of nodes
            ("rename_node(old_node_name=y, new_node_name=z)", "MO-GTT-0007"), ("strip_unused_nodes", "MO-GTT-0018", "--outputs=y,nobody"),
            ("fold_constants", "MO-GTT-0018", "--inputs=nobody"), ("fold_constants", "MO-GTT-0019", "--outputs="), ("fold_constants", "MO-GTT-0019", "--inputs=x,x:0"),
            ("fold_constants", "MO-GTT-0019", "--inputs=y"), ("fold_constants", "MO-GTT-0019", "--inputs=i"), ("strip_unused_nodes", "MO-GTT-0018", "--outputs= y"),
        )
        for transforms, code, *more in rows:
            with self.subTest(transforms, more=more):
                self.refused(code, "hint", f"--in_graph={self.graph}", f"--out_graph={self.path('o.pb')}", "--outputs=y", f"--transforms={transforms}", *more)
        self.assertFalse(os.path.exists(self.path("o.pb")))

    def test_onnx_models_are_detected_by_their_content(self):
        model = self.path("model.txt")
        info = lambda name: f"{{ name: '{name}' type {{ tensor_type {{ elem_type: 1 shape {{ dim {{ dim_value: 2 }} }} }} }} }}"
        with open(model, "w", encoding="utf-8") as file:
            file.write("ir_version: 7 opset_import { version: 13 } graph { name: 'g' node { op_type: 'Identity' input: 'x' output: 'i' } "
                       "node { op_type: 'Relu' input: 'i' output: 'y' } " + f"input {info('x')} output {info('y')} }}")
        out = self.path("out.onnxtxt")
        code, text, err = self.run_program(f"--in_graph={model}", f"--out_graph={out}", "--output_as_text", "--verify", "--transforms=remove_nodes(op=Identity)")
        self.assertEqual(code, 0, err)
        self.assertIn("verified: output 'y' differs by 0,", text)
        with open(out, encoding="utf-8") as file:
            written = file.read()
        self.assertNotIn("Identity", written)
        both = (f"--in_graph={model}", f"--out_graph={self.path('o.onnx')}")
        self.refused("MO-GTT-0055", "about ops of TensorFlow", *both, "--transforms=quantize_nodes")
        self.refused("MO-ONNX-0064", "nobody", *both, "--outputs=nobody", "--transforms=strip_unused_nodes")
        self.assertFalse(os.path.exists(self.path("o.onnx")))

    def written(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def test_saved_models_are_folders(self):
        """Variables and assets come along; the folder is there as a whole, or not at all."""
        self.written("in/saved_model.pbtxt", "saved_model_schema_version: 1 meta_graphs { meta_info_def { tags: 'serve' } graph_def { " + GRAPH + " } signature_def { key: 's' value { "
                     "inputs { key: 'a' value { name: 'x:0' } } outputs { key: 'b' value { name: 'y:0' } } } } }")
        self.written("in/variables/variables.index", "the index")
        self.written("in/assets/words.txt", "words")
        self.written("in/fingerprint.pb", "of another graph")
        source, out = self.path("in"), self.path("out")
        both = (f"--in_graph={source}", f"--out_graph={out}")
        strip = "--transforms=strip_unused_nodes remove_nodes(op=Identity)"
        code, _, err = self.run_program(*both, "--output_as_text", strip)
        self.assertEqual(code, 0, err)
        self.assertEqual(sorted(os.listdir(out)), ["assets", "saved_model.pbtxt", "variables"])
        self.assertEqual(self.read("out/assets/words.txt"), "words")
        self.assertEqual(self.read("out/variables/variables.index"), "the index")
        self.assertNotIn("unused", self.read("out/saved_model.pbtxt"))
        self.assertIn("signature_def", self.read("out/saved_model.pbtxt"))
        # Once more, over what is there, in binary form.
        self.assertEqual(self.run_program(*both, strip)[0], 0)
        self.assertEqual(sorted(os.listdir(out)), ["assets", "saved_model.pb", "variables"])
        # In place: the form stays.
        self.assertEqual(self.run_program(f"--in_graph={source}", f"--out_graph={source}/", strip)[0], 0)
        self.assertNotIn("unused", self.read("in/saved_model.pbtxt"))
        self.assertTrue(os.path.exists(self.path("in/fingerprint.pb")))
        self.refused("MO-GTT-0062", "must not stand beside", f"--in_graph={out}", f"--out_graph={out}", "--output_as_text", strip)
        self.written("full/other.txt", "something")
        self.refused("MO-GTT-0062", "exists", both[0], f"--out_graph={self.path('full')}", strip)
        self.refused("MO-TF-0053", "names the tensor 'x'", both[0], f"--out_graph={self.path('lost')}", "--inputs=y",
                     "--transforms=rename_node(old_node_name=x, new_node_name=z)")
        self.refused("MO-TF-0032", "train", both[0], f"--out_graph={self.path('lost')}", "--saved_model_tags=train", strip)
        self.refused("MO-GTT-0061", "cannot write", both[0], "--out_graph=/proc/no_such_folder", strip)
        self.refused("MO-DRIVER-0002", "is a file", both[0], f"--out_graph={self.path('full/other.txt/deep/folder')}", strip)
        self.assertEqual(sorted(os.listdir(self.folder)), ["full", "graph.pbtxt", "in", "out"])

    def test_caffe_nets_are_a_text_and_a_file_of_weights(self):
        net = self.written("net/n.prototxt", "input: 'data' input_shape { dim: 1 dim: 2 }\n"
                           "layer { name: 'p' type: 'InnerProduct' bottom: 'data' top: 'p' inner_product_param { num_output: 1 bias_term: false } }\n"
                           "layer { name: 'd' type: 'Dropout' bottom: 'p' top: 'p' }\nlayer { name: 'y' type: 'TanH' bottom: 'p' top: 'y' }\n")
        blob = b"\x2a\x08" + struct.pack("<2f", 1, 2) + b"\x3a\x04\x0a\x02\x01\x02"
        layer = b"\x0a\x01p" + b"\x3a" + bytes([len(blob)]) + blob
        weights = self.path("net/n.caffemodel")
        with open(weights, "wb") as file:
            file.write(b"\xa2\x06" + bytes([len(layer)]) + layer)
        remove = "--transforms=remove_nodes(op=Dropout)"
        for out, proto in (("a.caffemodel", ()), ("b.prototxt", (f"--input_proto={net}",))):
            code, text, err = self.run_program(f"--in_graph={weights}", f"--out_graph={self.path(out)}", "--verify", remove, *proto)
            self.assertEqual(code, 0, err)
            self.assertIn("verified: output 'y'", text + err)
            self.assertNotIn("Dropout", self.read(out.split(".")[0] + ".prototxt"))
            with open(self.path(out.split(".")[0] + ".caffemodel"), "rb") as a, open(weights, "rb") as b:
                self.assertEqual(a.read(), b.read())
        # The text alone.
        self.assertEqual(self.run_program(f"--in_graph={net}", f"--out_graph={self.path('c.prototxt')}", remove)[0], 0)
        self.assertFalse(os.path.exists(self.path("c.caffemodel")))
        self.refused("MO-GTT-0060", "no other form", f"--in_graph={net}", f"--out_graph={self.path('d.prototxt')}", "--output_as_text", remove)

    def test_tensors_beside_an_onnx_model_go_along(self):
        os.mkdir(self.path("model"))
        os.mkdir(self.path("other"))
        model = self.path("model/m.onnxtxt")
        data = self.path("model/data.bin", b"\1" * 4096)
        with open(model, "w", encoding="utf-8") as file:
            file.write("ir_version: 7 opset_import { version: 13 } graph { name: 'g' node { op_type: 'Relu' input: 'w' output: 'y' } output { name: 'y' } initializer { "
                       "name: 'w' data_type: 1 dims: 1024 data_location: EXTERNAL external_data { key: 'location' value: 'data.bin' } } }")
        for folder in ("model", "other", "other"):
            out = self.path(f"{folder}/m.onnx")
            self.ends(0, "transform_graph", f"--in_graph={model}", f"--out_graph={out}", "--transforms=sort_by_execution_order")
            self.assertLess(os.path.getsize(out), 1024)
            self.assertEqual(Path(self.path(f"{folder}/data.bin")).read_bytes(), Path(data).read_bytes())
        # What exists is not overwritten, and a copy does not outlive a failure.
        Path(self.path("other/data.bin")).write_bytes(b"2")
        self.refused("MO-GTT-0056", "data.bin", f"--in_graph={model}", f"--out_graph={self.path('other/m.onnx')}", "--transforms=sort_by_execution_order")
        self.assertEqual(Path(self.path("other/data.bin")).read_bytes(), b"2")
        os.mkdir(self.path("third"))
        os.mkdir(self.path("third/m.onnx"))
        self.assertNotEqual(self.run_program(f"--in_graph={model}", f"--out_graph={self.path('third/m.onnx')}", "--transforms=sort_by_execution_order")[0], 0)
        self.assertEqual(os.listdir(self.path("third")), ["m.onnx"])

    def test_strings_are_verified(self):
        words = self.path("words.pbtxt", """
node { name: "s" op: "Const" attr { key: "dtype" value { type: DT_STRING } }
       attr { key: "value" value { tensor { dtype: DT_STRING tensor_shape { dim { size: 2 } } string_val: "cat" string_val: "dog" } } } }
node { name: "i" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
       attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape { dim { size: 2 } } int_val: 1 int_val: 0 } } } }
node { name: "a" op: "Const" attr { key: "dtype" value { type: DT_INT32 } } attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape { } int_val: 0 } } } }
node { name: "g" op: "GatherV2" input: "s" input: "i" input: "a" attr { key: "Tparams" value { type: DT_STRING } }
       attr { key: "Tindices" value { type: DT_INT32 } } attr { key: "Taxis" value { type: DT_INT32 } } }
node { name: "t" op: "Identity" input: "g" attr { key: "T" value { type: DT_STRING } } }
""")
        line = (f"--in_graph={words}", f"--out_graph={self.path('o.pb')}", "--verify", "--outputs=t")
        self.assertIn("verified: output 't' differs by 0,", self.ends(0, "transform_graph", *line, "--transforms=remove_device"))
        self.refused("MO-GTT-0042", "output 't' differs by", *line, "--transforms=remove_nodes(op=GatherV2, max_inputs=3)")

    def test_numbers_are_verified(self):
        with open(self.graph, encoding="utf-8") as file:
            text = file.read()
        shaped = text.replace('value { type: DT_FLOAT } } }', 'value { type: DT_FLOAT } } attr { key: "shape" value { shape { dim { size: -1 } dim { size: 3 } } } } }', 1)
        both = (f"--in_graph={self.graph}", f"--out_graph={self.path('o.pb')}", "--verify", "--inputs=x")
        with open(self.graph, "w", encoding="utf-8") as file:
            file.write(shaped)
        code, out, err = self.run_program(*both, "--outputs=y", "--transforms=remove_nodes(op=Identity)")
        self.assertEqual(code, 0, err)
        self.assertIn("verified: output 'y' differs by 0,", out)
        os.remove(self.path("o.pb"))
        self.refused("MO-GTT-0042", "output 'y' differs by", *both, "--outputs=y", "--transforms=rename_op(old_op_name=Relu, new_op_name=Neg)")
        self.refused("MO-GTT-0040", "nothing to verify", *both, "--transforms=remove_device")
        header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 3), }"
        header += b" " * (117 - len(header)) + b"\n"
        with open(self.path("x.npy"), "wb") as file:
            file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + struct.pack("<3f", -1, 2, 3))
        code, out, err = self.run_program(*both, "--outputs=y", f"--verify_inputs=x={self.path('x.npy')}", "--transforms=remove_nodes(op=Identity)")
        self.assertEqual(code, 0, err)
        self.assertIn("its largest element is 3", out)
        os.remove(self.path("o.pb"))
        self.refused("MO-GTT-0043", "is not NAME=FILE.npy", *both, "--outputs=y", "--verify_inputs=x.npy", "--transforms=remove_device")
        self.refused("MO-GTT-0043", "is not an input", *both, "--outputs=y", f"--verify_inputs=z={self.path('x.npy')}", "--transforms=remove_device")
        with open(self.graph, "w", encoding="utf-8") as file:
            file.write(text.replace('value { type: DT_FLOAT } } }', 'value { type: DT_FLOAT } } attr { key: "shape" value { shape { unknown_rank: true } } } }', 1))
        self.refused("MO-GTT-0041", "no random values", *both, "--outputs=y", "--transforms=remove_device")
        self.assertFalse(os.path.exists(self.path("o.pb")))

    def test_graphs_are_summarised(self):
        code, out, err = self.run_program(f"--in_graph={self.graph}", "--print_structure", program="summarize_graph")
        self.assertEqual(code, 0, err)
        self.assertIn("Found 1 possible inputs: (name=x, type=float(1), shape=None) \n", out)
        self.assertIn(f"--graph={self.graph} --show_flops --input_layer=x", out)
        self.assertTrue(out.endswith("i (Identity): [x]\ny (Relu): [i]\n"), out)
        for arguments in ((), ("--in_graph=/nowhere",), (self.graph,), ("--in_graph=x", "--what")):
            self.assertEqual(self.run_program(*arguments, program="summarize_graph")[0], 255)
        # The GraphDef inside of other models, and whom to ask about the rest.
        meta = self.path("model.meta", "meta_info_def { }\ngraph_def {" + GRAPH + "}\n")
        os.mkdir(self.path("saved"))
        self.path("saved/saved_model.pbtxt", "saved_model_schema_version: 1 meta_graphs { meta_info_def { tags: 'serve' } graph_def {" + GRAPH + "} }")
        for path in (meta, self.path("saved"), self.path("saved/saved_model.pbtxt")):
            self.assertIn("Found 1 possible inputs: (name=x,", self.ends(0, "summarize_graph", f"--in_graph={path}"))
        onnx = self.path("m.onnxtxt", "ir_version: 7 graph { name: 'g' node { op_type: 'Relu' input: 'x' output: 'y' } output { name: 'y' } input { name: 'x' } }")
        code, _, err = self.run_program(f"--in_graph={onnx}", program="summarize_graph")
        self.assertEqual((code, "MO-GTT-0072" in err, f"mo inspect {onnx}" in err), (255, True, True), err)

    def test_graphs_are_compared(self):
        other = self.path("other.pb")
        self.run_program(f"--in_graph={self.graph}", f"--out_graph={other}", "--transforms=sort_by_execution_order")
        self.assertEqual(self.run_program(self.graph, other, program="compare_graphs")[:2], (0, "Graphs are equal.\n"))
        self.run_program(f"--in_graph={self.graph}", f"--out_graph={other}", "--transforms=rename_op(old_op_name=Relu, new_op_name=Elu)")
        self.assertEqual(self.run_program(self.graph, other, program="compare_graphs")[:2], (1, "Node named 'y' has op 'Elu' but expected 'Relu'\n"))
        self.assertEqual(self.run_program("--help", program="compare_graphs")[1].split()[:2], ["usage:", "compare_graphs"])
        for arguments in ((), (self.graph,), (self.graph, "/nowhere")):
            self.assertEqual(self.run_program(*arguments, program="compare_graphs")[0], 255)

    def test_wrong_graphs_are_refused(self):
        out = f"--out_graph={self.path('o.pb')}"
        self.refused("MO-IO-0001", "Loading graph '/nowhere.pb' failed with", "--in_graph=/nowhere.pb", out, "--transforms=remove_device")
        broken = {
            "junk": (b"node { name: ", "MO-TF-0002"),
            "twice": (b'node { name: "a" op: "NoOp" } node { name: "a" op: "NoOp" }', "MO-TF-0004"),
            "missing": (b'node { name: "a" op: "Relu" input: "b" }', "MO-TF-0006"),
            "itself": (b'node { name: "a" op: "Relu" input: "a" }', "MO-TF-0009"),
            "port": (b'node { name: "a" op: "Relu" input: "a:x" }', "MO-TF-0005"),
            "cut.pb": (b"\x0a\x50\x0a\x01a", "MO-PB-0001"),
        }
        for name, (content, code) in broken.items():
            with open(self.path(name), "wb") as file:
                file.write(content)
            self.refused(code, "failed with", f"--in_graph={self.path(name)}", out, "--transforms=remove_device")
        self.refused("MO-DRIVER-0002", "Saving graph", f"--in_graph={self.graph}", f"--out_graph={self.graph}/o.pb", "--transforms=remove_device")
        self.assertFalse(os.path.exists(self.path("o.pb")))


if __name__ == "__main__":
    main(__doc__)
