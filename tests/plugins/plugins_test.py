#!/usr/bin/env python3
"""Installs mo into a folder of its own, builds the example plugins and broken ones against it, and runs mo with them.

usage: plugins_test.py BUILD_DIR [TEST…]      BUILD_DIR: a finished build of mo
"""
import glob
import grp
import json
import os
import pwd
import re
import shutil
import signal
import stat
import struct
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

BUILD = ""
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EXAMPLES = ""  # as they are installed


def run(*command, **environment):
    process = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300, env={**os.environ, **environment})
    return process.returncode, process.stdout.decode(), process.stderr.decode()


def must(*command):
    code, out, err = run(*command)
    assert code == 0, f"{' '.join(command)}\n{out}{err}"


class Installed(unittest.TestCase):
    """A folder with an installed mo; everything else is built against that."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.prefix = os.path.join(cls.folder.name, "prefix")
        must("cmake", "--install", BUILD, "--prefix", cls.prefix)
        cls.mo_program = os.path.join(cls.prefix, "bin", "mo")
        global EXAMPLES
        EXAMPLES = os.path.join(cls.prefix, "share", "mo", "examples", "plugins")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder.name, name)

    @classmethod
    def build(cls, source, name):
        """Builds a CMake project that knows nothing but where mo is installed; returns its folder."""
        must("cmake", "-S", source, "-B", cls.path(name), f"-DCMAKE_PREFIX_PATH={cls.prefix}", "-DCMAKE_BUILD_TYPE=Release")
        must("cmake", "--build", cls.path(name), "-j2")
        return cls.path(name)

    def mo(self, *arguments, **environment):
        return run(self.mo_program, *arguments, **environment)

    def converted(self, model, *arguments, **environment):
        """Layers of the IR by type, and its path."""
        out = tempfile.mkdtemp(dir=self.folder.name)
        code, text, err = self.mo("--input_model", model, "--output_dir", out, "--silent", *arguments, **environment)
        self.assertEqual(code, 0, text + err)
        (xml,) = glob.glob(os.path.join(out, "*.xml"))
        layers = {}
        for layer in ElementTree.parse(xml).getroot().find("layers"):
            layers.setdefault(layer.get("type"), []).append(layer)
        return layers, xml

    def result(self, xml, **inputs):
        """The first output of an IR, as mo_run computes it."""
        out = tempfile.mkdtemp(dir=self.folder.name)
        arguments = []
        for name, (shape, values) in inputs.items():
            path = os.path.join(out, name + ".npy")
            header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({''.join(f'{s}, ' for s in shape)}), }}".encode()
            header += b" " * (63 - (10 + len(header)) % 64) + b"\n"
            with open(path, "wb") as file:
                file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + struct.pack(f"<{len(values)}f", *values))
            arguments += ["--input", f"{name}={path}"]
        code, text, err = run(os.path.join(self.prefix, "bin", "mo_run"), xml, *arguments, "--output_dir", out)
        self.assertEqual(code, 0, text + err)
        with open(json.loads(text.splitlines()[-1])["outputs"][0]["file"], "rb") as file:
            content = file.read()
        data = content[10 + struct.unpack("<H", content[8:10])[0]:]
        return struct.unpack(f"<{len(data) // 4}f", data)

    def assert_close(self, found, wanted):
        self.assertEqual(len(found), len(wanted))
        for a, b in zip(found, wanted):
            self.assertAlmostEqual(a, b, places=5)


class Examples(Installed):
    def plugin(self, name):
        if not os.path.isdir(self.path(name)):
            self.build(os.path.join(EXAMPLES, name), name)
        (library,) = glob.glob(os.path.join(self.path(name), "*.so"))
        return library

    def test_an_onnx_operator_becomes_a_layer_and_is_computed_where_it_is_constant(self):
        plugin, model = self.plugin("custom_onnx_op"), os.path.join(EXAMPLES, "custom_onnx_op", "model.onnxtxt")
        code, _, err = self.mo("--input_model", model, "--output_dir", self.path("none"))
        self.assertEqual(code, 5, err)
        self.assertIn("MO-FRONT-0001", err)
        layers, _ = self.converted(model, "--extensions", plugin)
        (norm,) = layers["RmsNorm"]
        self.assertEqual(norm.get("version"), "acme")
        self.assertEqual(norm.find("data").get("epsilon"), "0.001")
        _, xml = self.converted(model, "--extensions", plugin, "--output", "add")
        self.assert_close(self.result(xml, w=((1, 2), [0, 0]), x=((3, 2), [0] * 6)), [1.4, 0.4])  # sqrt((7² + 1²) / 2) is 5

    def test_an_op_of_a_plugin_is_written_to_onnx(self):
        plugin, model = self.plugin("custom_onnx_op"), os.path.join(EXAMPLES, "custom_onnx_op", "model.onnxtxt")
        written = self.path("written.onnx")
        code, out, err = self.mo("--input_model", model, "--extensions", plugin, "-o", written)
        self.assertEqual(code, 0, err)
        for opset in ("18", "17"):
            code, out, err = self.mo("--input_model", model, "--extensions", plugin, "-o", written, "--onnx-opset", opset)
            self.assertEqual(code, 0, err)
            code, out, err = self.mo("verify", model, written, "--extensions", plugin)
            self.assertEqual(code, 0, out + err)
        # From the IR that has the op as a layer, too.
        _, xml = self.converted(model, "--extensions", plugin)
        code, out, err = self.mo(xml, "--extensions", plugin, "-o", self.path("of_ir.onnx"))
        self.assertEqual(code, 0, out + err)
        code, out, err = self.mo("diff", written, self.path("of_ir.onnx"), "--ignore", "metadata")
        self.assertEqual(code, 0, out + err)

    def test_the_replacers_are_a_plugin(self):
        (plugin,) = glob.glob(os.path.join(self.build(os.path.join(self.prefix, "share", "mo", "examples", "replacers"), "replacers"), "*.so"))
        model = self.path("sub.onnxtxt")
        for kind in ("FLOAT", "FLOAT16", "INT64"):
            number = {"FLOAT": 1, "FLOAT16": 10, "INT64": 7}[kind]
            with open(model, "w") as file:
                file.write('ir_version: 8 opset_import { version: 13 } graph { name: "g" node { op_type: "Sub" name: "y" input: "a" input: "b" output: "y" } ' +
                           "".join(f'input {{ name: "{name}" type {{ tensor_type {{ elem_type: {number} shape {{ dim {{ dim_value: 2 }} }} }} }} }} ' for name in "ab") +
                           f'output {{ name: "y" type {{ tensor_type {{ elem_type: {number} }} }} }} }}')
            layers, _ = self.converted(model, "--extensions", plugin)
            self.assertEqual((len(layers.get("Add", [])), "Subtract" in layers), (1, False), kind)

    def test_run_takes_plugins(self):
        plugin, model = self.plugin("custom_onnx_op"), os.path.join(EXAMPLES, "custom_onnx_op", "model.onnxtxt")
        program = os.path.join(self.prefix, "bin", "mo")
        code, _, err = run(program, "run", model, "--output", "add", "--output_dir", self.path("run"))
        self.assertEqual(code, 5, err)
        code, out, err = run(program, "run", model, "--output", "add", "--extensions", plugin, "--output_dir", self.path("run"))
        self.assertIn("MO-RUN-0004", err, out)  # the op is known: it is the inputs that are missing

    def test_a_plugin_is_never_replaced_by_an_output(self):
        plugin, model = self.plugin("custom_onnx_op"), os.path.join(EXAMPLES, "custom_onnx_op", "model.onnxtxt")
        out = tempfile.mkdtemp(dir=self.folder.name)
        os.link(plugin, os.path.join(out, "model.bin"))
        code, _, err = self.mo("--input_model", model, "--extensions", plugin, "--output_dir", out)
        self.assertEqual(code, 7, err)
        self.assertIn("MO-EMIT-0003", err)
        self.assertEqual(os.listdir(out), ["model.bin"])

    def test_a_tensorflow_op_and_its_fusion_give_the_same_layer(self):
        layers, _ = self.converted(os.path.join(EXAMPLES, "custom_tf_op", "model.pbtxt"), "--extensions", self.plugin("custom_tf_op"))
        self.assertEqual([(layer.get("version"), layer.find("data").get("alpha"), layer.find("data").get("beta")) for layer in layers["ScaledTanh"]],
                         [("acme", "1.5", "0.5"), ("acme", "2", "0.25")])
        self.assertNotIn("Tanh", layers)
        self.assertEqual(layers["ScaledTanh"][1].get("name"), "spelled_out")

    def test_a_replacer_follows_its_configuration(self):
        plugin, folder = self.plugin("config_replacement"), os.path.join(EXAMPLES, "config_replacement")
        model, config = os.path.join(folder, "model.pbtxt"), os.path.join(folder, "clip.json")
        data = {"x": ((4,), [-3, 0.5, 1, 7])}
        layers, xml = self.converted(model, "--extensions", plugin, "--transformations_config", config)
        self.assertEqual([(layer.get("name"), layer.find("data").get("min"), layer.find("data").get("max")) for layer in layers["Clamp"]],
                         [("clip_1/Minimum", "-1", "2.5"), ("clip_2/Minimum", "-1", "2.5")])
        self.assertNotIn("Maximum", layers)
        self.assert_close(self.result(xml, **data), [-1, 1, 2, 2.5])
        _, unreplaced = self.converted(model)
        self.assert_close(self.result(unreplaced, **data), [-1, 1, 2, 2.5])
        with open(config) as file:
            description = json.load(file)
        description[0]["custom_attributes"]["min"] = 9
        with open(self.path("wrong.json"), "w") as file:
            json.dump(description, file)
        code, _, err = self.mo("--input_model", model, "--extensions", plugin, "--transformations_config", self.path("wrong.json"), "--silent")
        self.assertNotEqual(code, 0)
        self.assertIn("ACME-0004: min 9 is above max 2.5", err)

    def test_links_of_installed_pages_lead_to_installed_files(self):
        share = os.path.join(self.prefix, "share")
        pages = [page for page in glob.glob(os.path.join(share, "**", "*.md"), recursive=True)]
        self.assertGreater(len(pages), 30)
        for page in pages:
            with open(page) as file:
                text = re.sub(r"^```.*?^```|`[^`\n]*`", "", file.read(), flags=re.DOTALL | re.MULTILINE)  # no code
            for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
                if "://" not in target:
                    self.assertTrue(os.path.exists(os.path.join(os.path.dirname(page), target)), f"{page}: {target}")

    def test_facts_beside_the_model_and_notes_between_passes(self):
        plugin, folder = self.plugin("class_count"), os.path.join(EXAMPLES, "class_count")
        model, pipeline = os.path.join(folder, "model.pbtxt"), "--tensorflow_object_detection_api_pipeline_config"
        _, xml = self.converted(model, "--extensions", plugin, pipeline, os.path.join(folder, "pipeline.config"))
        with open(xml) as file:
            self.assertNotIn("acme", file.read())  # notes stay in memory
        code, text, err = self.mo("--input_model", model, "--extensions", plugin, "--output_dir", self.path("none"))
        self.assertEqual(code, 9, text + err)
        for word in ("ACME-0006", "--scale_values", "MO-CONFIG-0201"):
            self.assertIn(word, text + err)
        with open(self.path("other.config"), "w") as file:
            file.write("model { ssd { num_classes: 7 } }")
        code, text, err = self.mo("--input_model", model, "--extensions", plugin, pipeline, self.path("other.config"), "--scale_values", "[255]",
                                  "--output_dir", self.path("none"))
        self.assertEqual(code, 9, text + err)
        self.assertIn("ACME-0005: MatMul: it has 3 values for 7 classes", err)
        self.assertIn("'head/product'", err)
        self.assertNotIn("ACME-0006", text + err)

    def test_a_framework_is_read_by_its_name_and_by_the_name_of_the_file(self):
        plugin, model = self.plugin("tiny_framework"), os.path.join(EXAMPLES, "tiny_framework", "model.tiny")
        for extra in ([], ["--framework", "tiny"]):
            layers, _ = self.converted(model, "--extensions", plugin, *extra)
            (threshold,) = layers["Threshold"]
            self.assertEqual((threshold.get("version"), threshold.find("data").get("limit")), ("tiny", "0.5"))
        _, xml = self.converted(model, "--extensions", plugin, "--output", "s")
        self.assert_close(self.result(xml, x=((2, 3), [-1, 0, 1, 2, 3, -4])), [1, 2, -0.5, 6, 9.5, -3])

    def transformed(self, *arguments):
        """Runs transform_graph on the example's graph; its exit status, the graph that it writes, and its messages."""
        folder, out = os.path.join(EXAMPLES, "graph_transform"), os.path.join(tempfile.mkdtemp(dir=self.folder.name), "out.pbtxt")
        code, text, err = self.mo("transform", f"--in_graph={folder}/graph.pbtxt", f"--out_graph={out}", "--inputs=x", "--outputs=y", "--output_as_text", *arguments)
        if os.path.exists(out):
            with open(out) as file:
                return code, file.read(), text + err
        return code, "", text + err

    def test_graph_transforms_of_a_plugin_are_called_like_those_of_mo(self):
        plugin = "--extensions=" + self.plugin("graph_transform")
        code, graph, err = self.transformed(plugin, "--transforms=tutorial_rename_op(old_op_name=Mul, new_op_name=Multiply) strip_unused_nodes")
        self.assertEqual(code, 0, err)
        self.assertIn('op: "Multiply"', graph)
        code, graph, err = self.transformed(plugin, "--verify", "--transforms=tutorial_fuse_resize_and_conv")
        self.assertEqual(code, 0, err)
        self.assertIn("verified: output 'y' differs by 0,", err)
        self.assertIn('name: "conv"\n  op: "FusedResizeAndPadConv2D"\n  input: "x"\n  input: "size"\n  input: "conv_dummy_paddings"\n  input: "weights"', graph)
        self.assertNotIn("ResizeBilinear", graph)
        self.assertIn("tutorial_rename_op\n", self.mo("transform", plugin, "--help")[1])
        # Its errors are the user's, and without the plugin they are unknown.
        code, graph, err = self.transformed(plugin, "--transforms=tutorial_rename_op")
        self.assertEqual((code, graph), (255, ""))
        self.assertIn("MO-GTT-0013", err)
        self.assertIn("MO-GTT-0001", self.transformed("--transforms=tutorial_rename_op")[2])
        self.assertIn("MO-PLUGIN-", self.transformed("--extensions=/nowhere.so", "--transforms=remove_device")[2])

    def test_errors_of_a_reader_reach_the_user_with_the_file(self):
        plugin = self.plugin("tiny_framework")
        for text, code in (("input x f32 2\nfrobnicate\n", "TINY-0001: line 2"), ("input x f32 2\nrelu y z\n", "TINY-0002: line 2"), ("input x f32\n", "TINY-0003"),
                           ("input x f32 2\nscale y x\noutput y\n", "TINY-0004"), ("input x f32 2\nsine y x\noutput y\n", "MO-FRONT-0001")):
            with open(self.path("wrong.tiny"), "w") as file:
                file.write(text)
            status, _, err = self.mo("--input_model", self.path("wrong.tiny"), "--extensions", plugin, "--output_dir", self.path("none"))
            self.assertNotEqual(status, 0)
            self.assertIn(code, err)

    def test_a_folder_of_plugins_is_loaded_and_listed_with_its_owners(self):
        os.makedirs(self.path("folder"), exist_ok=True)
        for name in sorted(os.listdir(EXAMPLES)):
            self.assertTrue(os.path.isfile(os.path.join(EXAMPLES, name, "CMakeLists.txt")), name)
        for name in ("custom_onnx_op", "custom_tf_op", "config_replacement", "tiny_framework"):
            shutil.copy(self.plugin(name), self.path("folder"))
        code, out, err = self.mo("--list-extensions", "--extensions", self.path("folder") + "," + self.path("folder/../folder"))
        self.assertEqual(code, 0, err)
        rows = [line.split() for line in out.splitlines()]
        for row in (["tiny", "1.0.0", self.path("folder/libtiny.so")], ["tiny", "(.tiny)", "tiny"], ["onnx", "com.acme::RmsNorm", "(1+)", "acme-onnx"],
                    ["onnx", "Softmax", "(13+)", "mo"], ["tf", "AcmeScaledTanh", "(any)", "acme-tf"], ["middle", "ScaledTanhFusion", "acme-tf"],
                    ["middle", "GeluFusion", "mo"], ["acme", "RmsNorm", "acme-onnx"], ["opset1", "Add", "mo"]):
            self.assertIn(row, rows)
        self.assertEqual(self.mo("--list-ops", "tiny", "--extensions", self.path("folder"))[1].split(), ["add", "relu", "scale", "threshold"])
        code, out, _ = self.mo("--list-extensions")
        self.assertEqual(code, 0)
        self.assertNotIn("acme", out)
        self.assertIn("MO-DRIVER-0005", self.mo("--list-ops", "tinier", "--extensions", self.path("folder"))[2])

    def test_headers_of_the_sdk_show_no_library_that_only_mo_needs(self):
        self.plugin("custom_onnx_op")
        (dependencies,) = glob.glob(self.path("custom_onnx_op/CMakeFiles/*/rms_norm.cpp.o.d"))
        with open(dependencies) as file:
            headers = file.read().split()
        self.assertTrue(any(header.endswith("mo/plugin.hpp") for header in headers))
        for library in ("absl/", "google/", "spdlog/", "nlohmann/", "pugixml", "re2/", "/boost/"):
            self.assertEqual([header for header in headers if library in header], [])

    def test_a_program_that_embeds_mo_loads_plugins_when_it_shows_them_mo(self):
        plugin, model = self.plugin("tiny_framework"), os.path.join(EXAMPLES, "tiny_framework", "model.tiny")
        self.build(os.path.join(ROOT, "tests", "plugins", "embedding"), "embedding")
        code, out, err = run(self.path("embedding/with_host"), model, plugin, self.path("embedded"))
        self.assertEqual(code, 0, err)
        self.assertRegex(out, r"^(\d+ layers)\n\1\n$")
        self.assertEqual(run(self.path("embedding/without_host"), model, plugin, self.path("embedded"))[1].split(), ["MO-PLUGIN-0011"] * 2)

    def test_an_unknown_framework_is_reported_with_the_known_ones(self):
        plugin = self.plugin("tiny_framework")
        model = self.path("model.huge")
        with open(model, "wb") as file:
            file.write(b"\x01\x02 of nobody's format")
        code, _, err = self.mo("--input_model", model, "--extensions", plugin)
        self.assertEqual(code, 2)
        self.assertIn("MO-CLI-0020", err)
        self.assertIn("the plugins have: tiny", err)
        self.assertIn("MO-CLI-0005", self.mo("--input_model", "m.tiny", "--framework", "huge", "--extensions", plugin)[2])


class Refused(Installed):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.build(os.path.join(ROOT, "tests", "plugins", "broken"), "broken")
        # Behaviours that are about nodes of a model need one with an operator that mo does not know, and one that it does.
        cls.model = os.path.join(EXAMPLES, "custom_onnx_op", "model.onnxtxt")

    def library(self, name):
        return os.path.join(self.path("broken"), f"lib{name}.so")

    def copy(self, name, change=None):
        """A copy of a good plugin, its bytes changed."""
        with open(self.library("good"), "rb") as file:
            content = bytearray(file.read())
        if change:
            content = change(content)
        path = self.path(name)
        with open(path, "wb") as file:
            file.write(content)
        os.chmod(path, 0o644)
        return path

    def assert_refused(self, paths, code, *words):
        """mo ends in order, with exit code 9 and one explanation, which names the file."""
        paths = [paths] if isinstance(paths, str) else paths
        status, out, err = self.mo("--input_model", self.model, "--output_dir", self.path("none"), "--extensions", ",".join(paths))
        self.assertEqual(status, 9, out + err)
        self.assertEqual(err.count("[ ERROR ]"), 1, err)
        for word in (f"[ ERROR ]  {code}: ", os.path.basename(paths[-1]), *words):
            self.assertIn(word, err)
        self.assertFalse(os.path.exists(self.path("none")))

    def test_a_good_one_is_not(self):
        code, out, err = self.mo("--list-extensions", "--extensions", self.library("good"))
        self.assertEqual(code, 0, err)
        self.assertIn("  good 1.0 ", out)

    # -- the file ------------------------------------------------------------------------------------------------------------------

    def test_missing(self):
        self.assert_refused(self.path("missing.so"), "MO-PLUGIN-0001", "No such file")

    def test_unreadable(self):
        path = self.copy("unreadable.so")
        os.chmod(path, 0)
        if os.access(path, os.R_OK):
            self.skipTest("this user may read everything")
        self.assert_refused(path, "MO-PLUGIN-0001", "Permission denied")

    def test_a_device(self):
        self.assert_refused("/dev/null", "MO-PLUGIN-0002")

    def test_a_pipe_does_not_block(self):
        os.mkfifo(self.path("pipe.so"))
        self.assert_refused(self.path("pipe.so"), "MO-PLUGIN-0002")

    def test_a_folder_without_plugins(self):
        os.makedirs(self.path("empty/front"))
        self.assert_refused(self.path("empty"), "MO-PLUGIN-0003", "Python")

    def test_no_elf_file(self):
        for name, content in (("empty.so", b""), ("text.so", b"print('hello')\n")):
            self.assert_refused(self.copy(name, lambda _, content=content: content), "MO-PLUGIN-0004")

    def test_of_another_machine(self):
        def machine(content):
            struct.pack_into("=H", content, 18, 243 if struct.unpack_from("=H", content, 18)[0] == 183 else 183)
            return content

        def width(content):
            content[4] = 3 - content[4]
            return content

        def order(content):
            content[5] = 3 - content[5]
            return content

        self.assert_refused(self.copy("machine.so", machine), "MO-PLUGIN-0005", "this machine is")
        self.assert_refused(self.copy("width.so", width), "MO-PLUGIN-0005", "bits")
        self.assert_refused(self.copy("order.so", order), "MO-PLUGIN-0005", "byte order")

    def test_truncated_anywhere(self):
        size = os.path.getsize(self.library("good"))
        for length in (4, 15, 16, 63, 64, 100, size // 4, size // 2, size - 1):
            self.assert_refused(self.copy(f"truncated_{length}.so", lambda content, length=length: content[:length]), "MO-PLUGIN-0006")

    def test_no_shared_library(self):
        self.assert_refused(self.path("broken/program"), "MO-PLUGIN-0007", "program")
        (object_file,) = glob.glob(self.path("broken/CMakeFiles/object_file.dir/*.o"))
        self.assert_refused(object_file, "MO-PLUGIN-0007", "object file")

    def test_files_that_everybody_may_write_to(self):
        path = self.copy("writable.so")
        os.chmod(path, 0o666)
        self.assert_refused(path, "MO-PLUGIN-0008", "chmod o-w")
        os.mkdir(self.path("open"))
        path = self.copy("open/good.so")
        os.chmod(self.path("open"), 0o777)
        self.assert_refused(path, "MO-PLUGIN-0008", "directory")
        os.chmod(self.path("open"), 0o777 | stat.S_ISVTX)
        self.assertEqual(self.mo("--list-extensions", "--extensions", path)[0], 0)

    def test_of_another_user(self):
        path = self.copy("foreign.so")
        if os.geteuid() != 0:
            self.skipTest("only root can give files away")
        os.chown(path, 1, 1)
        self.assert_refused(path, "MO-PLUGIN-0009", "user 1", "chown 0")
        os.mkdir(self.path("foreign"))
        path = self.copy("foreign/good.so")
        os.chown(self.path("foreign"), 1, 1)
        self.assert_refused(path, "MO-PLUGIN-0009", "directory", "user 1")
        os.chmod(self.path("foreign"), 0o755 | stat.S_ISVTX)  # its owner may exchange what is in it all the same
        self.assert_refused(path, "MO-PLUGIN-0009", "directory")

    def test_files_that_a_group_may_write_to(self):
        group = 1 if os.geteuid() == 0 else -1  # root's own group has no other members
        path = self.copy("shared.so")
        os.chown(path, -1, group)
        os.chmod(path, 0o664)
        self.assert_refused(path, "MO-PLUGIN-0008", "group", "chmod g-w")
        os.mkdir(self.path("shared"))
        path = self.copy("shared/good.so")
        os.chown(self.path("shared"), -1, group)
        os.chmod(self.path("shared"), 0o775)
        self.assert_refused(path, "MO-PLUGIN-0008", "directory", "group")
        os.chmod(self.path("shared"), 0o775 | stat.S_ISVTX)
        self.assertEqual(self.mo("--list-extensions", "--extensions", path)[0], 0)

    def test_files_that_the_group_of_root_may_write_to(self):
        if os.geteuid() != 0 or grp.getgrgid(0).gr_mem not in ([], ["root"]):
            self.skipTest("only root can be the owner, without others in root's group")
        os.mkdir(self.path("of_root"))
        path = self.copy("of_root/good.so")  # as `umask 002` leaves them
        os.chown(path, 0, 0)
        os.chown(self.path("of_root"), 0, 0)
        os.chmod(path, 0o775)
        os.chmod(self.path("of_root"), 0o775)
        self.assertEqual(self.mo("--list-extensions", "--extensions", path)[0], 0)

    def test_a_group_of_one_user_is_accepted(self):
        if os.geteuid() != 0:
            self.skipTest("only root can become somebody else")
        daemon = pwd.getpwnam("daemon")
        if grp.getgrgid(daemon.pw_gid).gr_name != "daemon" or grp.getgrgid(daemon.pw_gid).gr_mem:
            self.skipTest("the group of user daemon has other members here")
        path = self.copy("daemon.so")
        os.chmod(path, 0o664)
        os.chown(path, daemon.pw_uid, daemon.pw_gid)
        os.chmod(self.folder.name, 0o755)

        def refused():
            return subprocess.run([self.mo_program, "--list-extensions", "--extensions", path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  user=daemon.pw_uid, group=daemon.pw_gid, cwd="/").stdout.decode()
        self.assertIn("  good 1.0 ", refused())
        os.chown(path, daemon.pw_uid, 0)
        self.assertIn("group 0 may write to it", refused())

    # -- what it says of itself ----------------------------------------------------------------------------------------------------

    def test_that_needs_a_library_that_is_not_there(self):
        self.assert_refused(self.library("missing_library"), "MO-PLUGIN-0010", "function_of_a_missing_library")

    def test_that_needs_a_later_mo(self):
        self.assert_refused(self.library("future_function"), "MO-PLUGIN-0011", "function_of_a_later_version")

    def test_without_the_symbol(self):
        self.assert_refused(self.library("no_symbol"), "MO-PLUGIN-0012", "mo_plugin_describe")

    def test_with_an_incomplete_description(self):
        for flaw in ("no_description", "no_build_tag", "no_name", "bad_name", "reserved_name", "no_version"):
            self.assert_refused(self.library(flaw), "MO-PLUGIN-0013")

    def test_of_another_interface(self):
        self.assert_refused(self.library("other_abi"), "MO-PLUGIN-0014", "99")

    def test_of_another_build(self):
        self.assert_refused(self.library("other_build"), "MO-PLUGIN-0015", "mo 0.0.1", "build the plugin against the SDK of this mo")

    def test_that_registers_nothing(self):
        self.assert_refused(self.library("no_function"), "MO-PLUGIN-0016")

    def test_that_throws(self):
        self.assert_refused(self.library("throws_on_description"), "MO-PLUGIN-0017", "no licence")
        self.assert_refused(self.library("throws"), "MO-PLUGIN-0017", "no licence")
        self.assert_refused(self.library("throws_a_number"), "MO-PLUGIN-0017")

    def test_that_would_end_the_process(self):
        for flaw, how in (("throws_on_load", "signal"), ("crashes", "signal"), ("exits", "exit code 0")):
            self.assert_refused(self.library(flaw), "MO-PLUGIN-0017", how)

    def test_that_ends_the_process_with_any_code(self):
        for code in ("0", "1", "9", "113"):
            os.environ["EXIT_CODE"] = code
            try:
                self.assert_refused(self.library("exits_at_once"), "MO-PLUGIN-0017", f"exit code {code}")
            finally:
                del os.environ["EXIT_CODE"]

    def test_damaged_anywhere_in_its_tables(self):
        """Refused with a reason or loaded, but never the end of mo."""
        with open(self.library("good"), "rb") as file:
            size = len(file.read())
        for place in [*range(16, 64, 3), *range(64, 600, 41), *range(600, size, size // 12)]:
            def damage(content, place=place):
                content[place] ^= 0xff
                return content

            status, out, err = self.mo("--list-extensions", "--extensions", self.copy("damaged.so", damage))
            self.assertIn(status, (0, 9), f"byte {place}: {out}{err}")
            self.assertTrue(status == 0 or "[ ERROR ]  MO-PLUGIN-" in err, err)

    def test_of_the_same_name(self):
        self.assert_refused([self.library("good"), self.library("twin")], "MO-PLUGIN-0018", self.library("good"), "1.0", "2.0")

    def test_each_of_several(self):
        code, _, err = self.mo("--input_model", self.model, "--extensions", ",".join(self.library(n) for n in ("no_symbol", "good", "other_abi", "no_name")))
        self.assertEqual(code, 9)
        for text in ("MO-PLUGIN-0012", "MO-PLUGIN-0014", "MO-PLUGIN-0013"):
            self.assertIn(text, err)

    # -- what it registers ---------------------------------------------------------------------------------------------------------

    def behave(self, behaviour, *arguments, **environment):
        return self.mo(*(arguments or ("--input_model", self.model, "--output_dir", self.path("none"))), "--extensions", self.library("behaviour"),
                       BEHAVIOUR=behaviour, **environment)

    def test_duplicate_names(self):
        for behaviour, code, name in (("op", "MO-CORE-0020", "ReLU"), ("extractor", "MO-CORE-0021", "Relu"), ("pass", "MO-PLUGIN-0021", "GeluFusion"),
                                      ("framework", "MO-PLUGIN-0022", "onnx"), ("pass of mo's own", "MO-PLUGIN-0021", "PartialInference")):
            status, out, err = self.behave(behaviour)
            self.assertEqual(status, 9, out + err)
            for word in (code, name, "by mo", "by behaviour"):
                self.assertIn(word, err)

    def test_impossible_things(self):
        for behaviour, code in (("pass without a name", "MO-PLUGIN-0024"), ("framework without a reader", "MO-PLUGIN-0024"),
                                ("unknown framework", "MO-PLUGIN-0026")):
            status, out, err = self.behave(behaviour)
            self.assertEqual(status, 9, out + err)
            self.assertIn(code, err)
        status, _, err = self.behave("op of another shape", OVERRIDES="1")
        self.assertEqual(status, 9)
        self.assertIn("MO-PLUGIN-0023", err)

    def test_names_of_ops(self):
        status, out, err = self.behave("op of a wrong name")
        self.assertEqual(status, 9, out + err)
        for word in ("MO-PLUGIN-0027", "SquaredDiference", "of plugin behaviour", "did you mean SquaredDifference?"):
            self.assertIn(word, err)
        model = self.path("relu.onnxtxt")
        with open(model, "w") as file:
            file.write('ir_version: 8 opset_import { version: 14 } graph { name: "g" node { op_type: "Relu" name: "y" input: "x" output: "y" } '
                       'input { name: "x" type { tensor_type { elem_type: 1 shape { dim { dim_value: 2 } } } } } '
                       'output { name: "y" type { tensor_type { elem_type: 1 } } } }')
        for behaviour, op in (("op of another framework", "FusedBatchNormV3"), ("op that nobody knows", "Mine")):
            status, out, err = self.behave(behaviour, "--input_model", model, "--output_dir", self.path("converted"))
            self.assertEqual(status, 0, out + err)
            for word in ("MO-PLUGIN-0028", f"pass {op} of plugin behaviour found nothing to replace"):
                self.assertIn(word, out + err)

    def test_exceptions_end_at_the_border(self):
        slips = {
            "absent input port": ("MO-PLUGIN-0031", "input port 5 was used, but the node has 2"),
            "absent output port": ("MO-PLUGIN-0031", "output port 3 was used, but the node has 1"),
            "absent node": ("MO-PLUGIN-0031", "an empty node was used"),
            "misspelt alias": ("MO-PLUGIN-0031", "no alias \"misspelt\"; it has first"),
            "erase of a used node": ("MO-PLUGIN-0030", "which the node reads"),
            "cycle": ("MO-PLUGIN-0030", "the graph has a cycle"),
            "unknown op": ("MO-PLUGIN-0030", "left the op Unheard"),
            "throwing pass": ("MO-PLUGIN-0020", "threw an exception"),
            "value of a failed call": ("MO-PLUGIN-0031", "value of a failed Expected was used: no such thing"),
            "misspelt attribute": ("MO-PLUGIN-0031", "attribute 'axsi' of a Multiply was used"),
            "misspelt option": ("MO-PLUGIN-0031", "the option 'scale_valeus' was asked for, and mo has none of that name: did you mean 'scale_values'?"),
            "absent input": ("MO-OPS-0001", "input 0 is missing"),
            "empty value": ("MO-OPS-0001", "input 1 is missing"),
            "dimension that is not there": ("MO-PLUGIN-0031", "dimension 9 of the shape"),
            "erase of a read node": ("MO-PLUGIN-0031", "is still read by"),
            "disconnected input": ("MO-OPS-0001", "input 0 is missing"),
            "operator made behind extraction": ("MO-PLUGIN-0030", "onnx::Relu was created in a phase that no longer converts operators of the framework"),
        }
        for behaviour, (code, text) in slips.items():
            with self.subTest(behaviour):
                status, out, err = self.behave(behaviour)
                self.assertEqual(status, 9, out + err)
                for word in (code, text, "of plugin behaviour", "while running"):
                    self.assertIn(word, err)
                for blame in ("bug in mo", "the file is corrupt", "export the model again", "the node is invalid", "check the node in the model"):
                    self.assertNotIn(blame, err)
        for behaviour in ("throwing extractor", "throwing pass", "throwing op"):
            status, out, err = self.behave(behaviour)
            self.assertEqual(status, 9, out + err)
            self.assertIn("MO-PLUGIN-0020", err)
        for behaviour, code in (("throwing reader", "MO-PLUGIN-0020"), ("reader without a graph", "MO-PLUGIN-0025")):
            status, out, err = self.behave(behaviour, "--input_model", "model.test", "--output_dir", self.path("none"))
            self.assertEqual(status, 9, out + err)
            self.assertIn(code, err)

    def test_names_that_only_the_model_has(self):
        for behaviour in ("pattern of the model's own op", "op of the model"):
            status, out, err = self.behave(behaviour)
            self.assertEqual(status, 9, out + err)
            self.assertIn("FOUND-0001", err)

    def test_results_of_a_replacer_are_not_the_truth(self):
        model = self.path("verified.onnxtxt")
        with open(model, "w") as file:
            file.write('ir_version: 8 opset_import { version: 14 } graph { name: "g" node { op_type: "Relu" name: "y" input: "x" output: "y" } '
                       'input { name: "x" type { tensor_type { elem_type: 1 shape { dim { dim_value: 8 } } } } } '
                       'output { name: "y" type { tensor_type { elem_type: 1 } } } }')
        status, out, err = self.behave("wrong replacement", "--input_model", model, "--output_dir", self.path("wrong"), "--verify")
        self.assertEqual(status, 8, out + err)
        self.assertIn("do not compute the same", err)
        # An op that only a replacer knows: the rest is checked, and that is said.
        status, out, err = self.behave("replaced op", "--input_model", self.model, "--output_dir", self.path("rest"), "--verify")
        self.assertEqual(status, 0, out + err)
        self.assertIn("MO-VERIFY-0014", out + err)
        self.assertIn("compute the same", out)
        status, out, err = self.behave("op of another framework", "--input_model", model, "--output_dir", self.path("once"), "--verify")
        self.assertEqual((status, (out + err).count("MO-PLUGIN-0028")), (0, 1), out + err)

    def test_other_things_than_in_the_trial(self):
        mark = self.path("mark")
        status, out, err = self.behave("other things each time", MARK=mark)
        self.assertEqual(status, 9, out + err)
        for word in ("MO-PLUGIN-0032", "plugin behaviour", "pass Harmless (middle)", "pass Harmful (middle)"):
            self.assertIn(word, err)
        self.assertEqual(self.behave("other things each time", "--list-extensions", MARK=mark)[0], 0)  # the same each time from now on

    def test_a_crash_names_its_plugin(self):
        crashes = {"crashing pass": (signal.SIGSEGV, "pass Last of plugin behaviour"), "aborting pass": (signal.SIGABRT, "pass Last of plugin behaviour"),
                   "endless pass": (signal.SIGSEGV, "pass Last of plugin behaviour"), "crashing op": (signal.SIGFPE, "op Crashing of plugin behaviour"),
                   "crashing extractor": (signal.SIGBUS, "the extractor of com.acme::RmsNorm in plugin behaviour"),
                   "crashing reader": (signal.SIGABRT, "the reader test of plugin behaviour")}
        for behaviour, (number, who) in crashes.items():
            with self.subTest(behaviour):
                model = "model.test" if "reader" in behaviour else self.model
                status, out, err = self.behave(behaviour, "--input_model", model, "--output_dir", self.path("none"))
                self.assertEqual(status, -number, out + err)
                self.assertIn(f"[ ERROR ]  MO-PLUGIN-0033: {who} crashed: signal {number}, ", err)
                self.assertFalse(os.path.exists(self.path("none")))

    def test_an_uncaught_exception_names_its_plugin(self):
        for behaviour, said in (("pass with a throwing thread", "thrown in a thread"), ("pass that may not throw", "vector")):
            with self.subTest(behaviour):
                status, out, err = self.behave(behaviour, "--input_model", self.model, "--output_dir", self.path("none"))
                self.assertEqual(status, -signal.SIGABRT, out + err)
                self.assertRegex(err, rf"\[ ERROR \]  MO-PLUGIN-0036: an exception left a thread or a noexcept function of the plugin \S*behaviour\S*: .*{said}")
                self.assertNotIn("MO-PLUGIN-0033", err)
                self.assertFalse(os.path.exists(self.path("none")))

    def test_an_exit_is_not_a_success(self):
        for behaviour, call in (("exiting pass", "exit"), ("quickly exiting pass", "quick_exit"), ("pass that exits at once", "_exit"),
                                ("pass that exits at once, as C++ spells it", "_exit")):
            with self.subTest(behaviour):
                status, out, err = self.behave(behaviour)
                self.assertEqual(status, 9, out + err)
                self.assertIn(f"[ ERROR ]  MO-PLUGIN-0034: pass Last of plugin behaviour ended the process with {call}\n", err)

    # -- what it overrides ---------------------------------------------------------------------------------------------------------

    def overriding(self, behaviour, model, *arguments):
        return self.converted(model, "--extensions", self.library("behaviour"), *arguments, BEHAVIOUR=behaviour, OVERRIDES="1")

    def test_an_extractor_for_some_versions(self):
        for version, wanted in ((13, "ReLU"), (14, "Add")):
            path = self.path(f"relu_{version}.onnxtxt")
            with open(path, "w") as file:
                file.write(f'ir_version: 8 opset_import {{ version: {version} }} graph {{ name: "g" '
                           'node { op_type: "Relu" name: "relu" input: "x" output: "y" } '
                           'input { name: "x" type { tensor_type { elem_type: 1 shape { dim { dim_value: 2 } } } } } '
                           'output { name: "y" type { tensor_type { elem_type: 1 } } } }')
            self.assertIn(wanted, self.overriding("extractor", path)[0])

    def test_the_evaluation_of_an_op(self):
        path = self.path("constant.onnxtxt")
        with open(path, "w") as file:
            file.write('ir_version: 8 opset_import { version: 13 } graph { name: "g" '
                       'node { op_type: "Relu" name: "relu" input: "c" output: "r" } node { op_type: "Add" name: "add" input: "x" input: "r" output: "y" } '
                       'initializer { name: "c" data_type: 1 dims: 2 float_data: [-1, 3] } '
                       'input { name: "x" type { tensor_type { elem_type: 1 shape { dim { dim_value: 2 } } } } } '
                       'output { name: "y" type { tensor_type { elem_type: 1 } } } }')
        _, xml = self.overriding("overriding op", path)
        self.assert_close(self.result(xml, x=((2,), [0, 0])), [0, 6])
        out = self.behave("overriding op", "--list-extensions", OVERRIDES="1")[1]
        self.assertRegex(out, r"opset1 ReLU +behaviour \(instead of mo\)")

    def test_a_framework(self):
        path = self.path("anything.onnx")
        with open(path, "w") as file:
            file.write("not read at all")
        self.assertIn("ReLU", self.overriding("framework", path)[0])

    def test_a_pass(self):
        self.assertRegex(self.behave("pass", "--list-extensions", OVERRIDES="1")[1], r"middle GeluFusion +behaviour \(instead of mo\)")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    BUILD = sys.argv.pop(1)
    unittest.main()
