#!/usr/bin/env python3
"""What mo says to files and folders that are not what their names, or --framework, say: each kind is given plainly, with --framework, and under
a name that lies. The message does not depend on which of the three it was.

usage: wrong_starts_test.py BIN [--table]      BIN: folder of the programs; --table prints the table of docs/bad_input.md
"""
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import zipfile

BIN = sys.argv[1] if len(sys.argv) > 1 else ""


# -- protobuf, as far as the beginnings of models need it -------------------------------------------------------------------------------

def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out) + bytes([value])


def number(field, value):
    return varint(field << 3) + varint(value)


def message(field, content):
    content = content.encode() if isinstance(content, str) else content
    return varint(field << 3 | 2) + varint(len(content)) + content


def onnx_model():
    """y = Relu(x), x: f32[1,4]"""
    def value(name):
        shape = message(2, message(1, number(1, 1)) + message(1, number(1, 4)))
        return message(1, name) + message(2, message(1, number(1, 1) + shape))
    node = message(1, "x") + message(2, "y") + message(3, "relu") + message(4, "Relu")
    graph = message(1, node) + message(2, "g") + message(11, value("x")) + message(12, value("y"))
    return number(1, 8) + message(2, "test") + message(7, graph) + message(8, number(2, 13))


def attribute(name, value):
    return message(5, message(1, name) + message(2, value))


def graph_def(output="y"):
    shape = message(7, message(2, number(1, 1)) + message(2, number(1, 4)))
    placeholder = message(1, "x") + message(2, "Placeholder") + attribute("dtype", number(6, 1)) + attribute("shape", shape)
    relu = message(1, output) + message(2, "Relu") + message(3, "x") + attribute("T", number(6, 1))
    return message(1, placeholder) + message(1, relu)


def meta_graph():
    info = message(2, message(1, message(1, "Relu"))) + message(4, "serve") + message(5, "1.15.0")
    return message(1, info) + message(2, graph_def())


def saved_model():
    return number(1, 1) + message(2, meta_graph())


def caffe_weights():
    layer = message(1, "ip") + message(2, "InnerProduct") + message(7, message(7, number(1, 2) + number(1, 4)) + message(5, struct.pack("<8f", *range(8))))
    return message(1, "net") + message(100, layer)


TOPOLOGY = ('name: "net"\nlayer { name: "x" type: "Input" top: "x" input_param { shape { dim: 1 dim: 4 } } }\n'
            'layer { name: "ip" type: "InnerProduct" bottom: "x" top: "y" inner_product_param { num_output: 2 bias_term: false } }\n')
PADDLE = message(1, number(1 << 0, 0) + number(2, -1) + message(3, message(1, "feed")) + message(4, message(3, "feed")))
CHECKPOINT_INDEX = b"\0" * 60 + bytes.fromhex("57fb808b247547db")
SAFETENSORS = struct.pack("<Q", 20) + b'{"__metadata__":{}} '
MXNET = struct.pack("<QQQ", 0x112, 0, 1)
PICKLE = b"\x80\x04\x95\x10\0\0\0\0\0\0\0}."
OLD_TORCH = bytes.fromhex("80028a0a6cfc9c46f9206aa850192e80024d") + b"\0" * 40
NUMPY = b"\x93NUMPY\x01\0v\0" + b"{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }" + b"\0" * 60


def zip_of(path, *names):
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, b"content")


# One row: name that people give it, how it is made, the code, the exit code, words of the first line, words of the hint.
# %s in the hint is the path. Models that are read have the code "".
READ = ("", 0, "", "")
ONNX_HINT = r"then: mo .*\.onnx"
HDF5 = b"\x89HDF\r\n\x1a\n" + b"\0" * 90
ROWS = [
    ("model.onnx", onnx_model(), *READ),
    ("graph.pb", graph_def(), *READ),
    ("model.ckpt.meta", meta_graph(), *READ),
    ("model.h5", HDF5 + b"model_weights" + b"\0" * 90, "MO-CLI-0021", 5, "HDF5 file (Keras)", r"load_model\(\"\S+\.h5\"\).export\(.*then: mo "),
    ("net.weights.h5", HDF5 + b"layers" + b"\0" * 90, "MO-CLI-0021", 5, "an HDF5 file with weights only (Keras)",
     r"model.load_weights\(\"\S+\.h5\"\); model.export\(\"\S+\"\); then: mo "),
    ("model.keras", ("metadata.json", "config.json", "model.weights.h5"), "MO-CLI-0021", 5, "a Keras model",
     r"load_model\(\"\S+\.keras\"\).export\(.*then: mo "),
    ("best.pt", ("best/data.pkl", "best/data/0"), "MO-CLI-0021", 5, "a PyTorch file", r"torch.onnx.export\(model.eval\(\).*" + ONNX_HINT),
    ("script.pt", ("script/data.pkl", "script/constants.pkl", "script/code/m.py"), "MO-CLI-0021", 5, "a TorchScript module",
     r"torch.onnx.export\(torch.jit.load\(\"%s\"\), example_input, .*, dynamo=False\); " + ONNX_HINT),
    ("program.pt2", ("program/archive_format", "program/models/model.json"), "MO-CLI-0021", 5, "a program exported by torch.export",
     r"torch.onnx.export\(torch.export.load\(\"%s\"\), \(\), .*dynamo=True\); " + ONNX_HINT),
    ("text.onnx", b"hello, this is text", "MO-IO-0025", 4, "a text file, not a model", "give the path of the model"),
    ("old.pth", OLD_TORCH, "MO-CLI-0021", 5, "a PyTorch file", "torch.onnx.export"),
    ("weights.pkl", PICKLE, "MO-CLI-0021", 5, "a Python pickle", "ONNX"),
    ("model.tflite", b"\x1c\0\0\0TFL3" + b"\0" * 60, "MO-CLI-0021", 5, "a TensorFlow Lite model", r"tf2onnx.convert --tflite .*" + ONNX_HINT),
    ("model.json", b'{"format": "graph-model", "weightsManifest": []}', "MO-CLI-0021", 5, "a TensorFlow.js model", "tfjs_graph_converter"),
    ("model.pdmodel", PADDLE, "MO-CLI-0021", 5, "a PaddlePaddle model", r"paddle2onnx --model_dir \S+ --model_filename \S+ --params_filename \S+\.pdiparams"),
    ("model.safetensors", SAFETENSORS, "MO-CLI-0021", 5, "a safetensors file", "optimum-cli export onnx --model"),
    ("net-symbol.json", b'{"nodes": [{"op": "null", "name": "data", "inputs": []}], "arg_nodes": [0]}', "MO-CLI-0021", 5, "the topology of an MXNet model",
     "mxnet.onnx.export_model"),
    ("net-0000.params", MXNET, "MO-CLI-0021", 5, "the parameters of an MXNet model", "mxnet.onnx.export_model"),
    ("final.nnet", b"\0B<Nnet> " + b"\0" * 30, "MO-CLI-0021", 5, "a Kaldi model", "ONNX"),
    ("yolov3.cfg", b"[net]\nbatch=1\n", "MO-CLI-0021", 5, "a Darknet configuration", "ONNX"),
    ("model.gguf", b"GGUF\3\0\0\0" + b"\0" * 30, "MO-CLI-0021", 5, "a GGUF file", "ONNX"),
    ("model.ort", b"\x20\0\0\0ORTM" + b"\0" * 30, "MO-CLI-0021", 5, "ONNX Runtime's own format", "ONNX"),
    ("model.engine", b"ftrt" + b"\0" * 30, "MO-CLI-0021", 5, "a TensorRT engine", "ONNX"),
    ("model.mlmodel", number(1, 4) + message(2, message(1, message(1, "image"))) + message(500, b"\x0a\0"), "MO-CLI-0021", 5, "a Core ML model", "ONNX"),
    ("net.param", b"7767517\n2 2\nInput data 0 1 data\n", "MO-CLI-0021", 5, "an ncnn model", "ONNX"),
    ("model.ckpt.index", CHECKPOINT_INDEX, "MO-CLI-0071", 4, "a TensorFlow checkpoint", "--input_checkpoint"),
    ("checkpoint", b'model_checkpoint_path: "model.ckpt-1"\n', "MO-CLI-0071", 4, "a list of TensorFlow checkpoints", "--input_checkpoint"),
    ("deploy.prototxt", TOPOLOGY.encode(), "MO-CLI-0071", 4, "the topology of a Caffe model", "--input_proto %s --input_model"),
    ("solver.prototxt", b'net: "train.prototxt"\nbase_lr: 0.01\n', "MO-CLI-0071", 4, "a Caffe solver", "--input_proto NET.prototxt"),
    ("mean.binaryproto", number(1, 1) + number(2, 3) + number(3, 1) + number(4, 1) + message(5, struct.pack("<3f", 1, 2, 3)), "MO-CLI-0071", 4,
     "a Caffe mean image", "--mean_file %s"),
    ("pipeline.config", b'model { ssd { num_classes: 90 } }\ntrain_config { batch_size: 1 }\n', "MO-CLI-0071", 4, "a pipeline.config",
     "--tensorflow_object_detection_api_pipeline_config %s"),
    ("label_map.pbtxt", b'item { name: "cat" id: 1 }\n', "MO-CLI-0071", 4, "a list of labels", "--input_model"),
    ("input_0.pb", number(1, 2) + number(2, 1) + message(9, struct.pack("<2f", 1, 2)), "MO-CLI-0071", 4, "an ONNX tensor", "--input_model"),
    ("renamed.pb", saved_model(), "MO-CLI-0071", 4, "the graph of a TensorFlow SavedModel", r"mv %s \S+saved_model.pb; then: mo --saved_model_dir"),
    ("ssd.json", b'[{"id": "x", "match_kind": "points"}]', "MO-CLI-0071", 4, "a JSON file", "--transformations_config"),
    ("model.xml", b'<?xml version="1.0"?>\n<net name="m" version="11"></net>\n', "MO-CLI-0071", 4, "an OpenVINO IR", "mo_run %s"),
    ("model.zip", ("exported/model.onnx", "readme.txt"), "MO-IO-0023", 4, "a zip archive", "unzip %s; then: mo exported/model.onnx"),
    ("model.tar.gz", b"\x1f\x8b\x08\0" + b"\0" * 30, "MO-IO-0023", 4, "gzip-compressed", r"(tar xf|gunzip -k) %s"),
    ("model.7z", b"7z\xbc\xaf\x27\x1c" + b"\0" * 30, "MO-IO-0023", 4, "a 7z archive", "7z x %s"),
    ("x.npy", NUMPY, "MO-IO-0025", 4, "a NumPy array", "path of the model"),
    ("libfoo.so", b"\x7fELF\2\1\1" + b"\0" * 30, "MO-IO-0025", 4, "a program or shared library", "path of the model"),
    ("paper.pdf", b"%PDF-1.4\n", "MO-IO-0025", 4, "a PDF document", "path of the model"),
    ("cat.png", b"\x89PNG\r\n\x1a\n" + b"\0" * 30, "MO-IO-0025", 4, "a PNG image", "path of the model"),
    ("lfs.onnx", b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "MO-IO-0021", 4, "a Git LFS pointer", "git lfs pull"),
    ("page.onnx", b"<!DOCTYPE html>\n<html></html>", "MO-IO-0022", 4, "HTML", "raw"),
    ("answer.onnx", b"404: Not Found", "MO-IO-0022", 4, "is an error message of a server, not a model: 404: Not Found", "the download failed"),
    ("api.onnx", b'{"message": "Not Found", "status": "404"}', "MO-IO-0022", 4, 'is an error message of a server, not a model: {"message": "Not Found"',
     "the download failed"),
    ("hub.onnx", b"Entry not found", "MO-IO-0022", 4, "is an error message of a server, not a model: Entry not found", "the download failed"),
    ("empty.onnx", b"", "MO-IO-0020", 4, "empty", "download"),
]


class WrongStarts(unittest.TestCase):
    table = []

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return path

    def write(self, name, content):
        path = self.path(name)
        if isinstance(content, tuple):
            zip_of(path, *content)
        else:
            with open(path, "wb") as file:
                file.write(content)
        return path

    def mo(self, *arguments):
        done = subprocess.run([os.path.join(BIN, "mo"), *arguments, "--silent", "--output_dir", self.path("ir")],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        return done.returncode, done.stderr.decode() + done.stdout.decode()

    def check(self, arguments, path, code, exit_code, what, hint):
        status, text = self.mo(*arguments)
        label = " ".join(os.path.basename(a) for a in arguments)
        self.assertEqual(status, exit_code, f"{label}: {text}")
        if not code:
            self.assertNotIn("[ ERROR ]", text, label)
            return text
        self.assertEqual(re.search(r"MO-[A-Z]+-\d+", text)[0], code, f"{label}: {text}")
        self.assertIn(what, text, label)
        self.assertRegex(text, hint.replace("%s", re.escape(path)), label)
        self.assertEqual(text.count("[ ERROR ]"), 1, f"{label}: one cause, one message: {text}")
        return text

    def test_each_kind_plainly_with_framework_and_under_a_wrong_name(self):
        for row, (name, content, code, exit_code, what, hint) in enumerate(ROWS):
            with self.subTest(name):
                path = self.write(f"{row}/{name}", content)
                text = self.check([path], path, code, exit_code, what, hint)
                self.table.append((name, code or "converts", exit_code, text))
                for lie in (".pb", ".onnx", ".dat", ""):
                    other = self.write("other/model" + lie, content)
                    self.check([other], other, code, exit_code, what, hint)
                if code:
                    for framework in ("tf", "onnx"):
                        self.check([path, "--framework", framework], path, code, exit_code, what, hint)

    def test_the_wrong_framework_is_named(self):
        model = self.write("m.onnx", onnx_model())
        for given in ([model, "--framework", "tf"], [model, "--framework", "caffe"], ["--input_model", model, "--input_proto", "x.prototxt"]):
            self.check(given, model, "MO-CLI-0070", 2, "is an ONNX model, but", "mo --framework onnx --input_model %s")
        graph = self.write("m.pb", graph_def())
        self.check([graph, "--framework", "onnx"], graph, "MO-CLI-0070", 2, "is a TensorFlow graph", "mo --framework tf --input_model %s")

    def test_command_lines_of_hints_overwrite_no_file(self):
        for name, content, code, *_ in ROWS:
            if code != "MO-CLI-0021" and name != "renamed.pb":
                continue
            for ending in (".onnx", ".pb", ".keras", ".h5", ""):
                path = self.write("net" + ending, content)
                saved = self.write("saved_model.pb", content) if name == "renamed.pb" else path
                _, text = self.mo(path)
                hint = text.split("hint", 1)[1]
                made = re.findall(r"(?:--output|--save_file|onnx_file_path=|export\(|example_input,|\(\),|cp \S+|tfjs_graph_converter \S+|mv \S+) \"?([^\s\",;)]+)", hint)
                for target in made:
                    self.assertFalse(os.path.exists(target), f"{name} as {path}: {hint}")
                for each in {path, saved}:
                    os.remove(each)

    def test_keras_gets_names_that_it_knows(self):
        path = self.write("net.onnx", ("metadata.json", "config.json", "model.weights.h5"))
        _, text = self.mo(path)
        named = self.path("net.keras")
        self.assertIn(f'cp {path} {named}; then save it as a SavedModel in Python: keras.models.load_model("{named}")', text)

    def test_what_keras_saved_becomes_a_folder_of_its_name(self):
        for name in ("km.weights.h5", "km.h5"):
            path = self.write(name, HDF5 + b"layers")
            _, text = self.mo(path)
            folder = self.path("km")
            self.assertIn(f'model.load_weights("{path}"); model.export("{folder}"); then: mo {folder}\n', text)

    def test_what_is_not_a_model_is_said_before_anything_is_printed(self):
        truncated = onnx_model()[:-9]
        for content, code, what in ((bytes(range(0x8c, 0xff)) * 9, "MO-PB-", "is not an ONNX model, or it is corrupt"), (b"", "MO-IO-0020", "is empty"),
                                    (b"hello, this is text", "MO-IO-0025", "is a text file"), (truncated, "MO-PB-0001", "is not an ONNX model, or it is corrupt")):
            path = self.write("m.onnx", content)
            for options in ([], ["--framework", "onnx"]):
                done = subprocess.run([os.path.join(BIN, "mo"), path, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
                text = done.stderr.decode()
                self.assertEqual((done.stdout, done.returncode), (b"", 4), text)
                self.assertRegex(text, f'{code}[0-9]*: "{path}" {what}')
                self.assertEqual("  note  " in text, code.startswith("MO-PB"), "where it is damaged")

    def test_a_pipe_has_to_be_saved_first(self):
        model = self.write("m.onnx", onnx_model())
        fifo = self.path("fifo")
        os.mkfifo(fifo)
        mo = f'"{os.path.abspath(BIN)}/mo"'
        options = f'--silent -o {self.path("ir")}'
        save = "a pipe cannot be read: save it first: "
        for line, hint in ((f"cat {model} | {mo} - {options}", save + "cat > model.onnx; mo model.onnx\n"),
                           (f"cat {model} | {mo} /dev/stdin {options}", save + "cat > model.onnx; mo model.onnx\n"),
                           (f"cat {model} | {mo} - --framework onnx {options}", save + "cat > model.onnx; mo model.onnx\n"),
                           (f"{mo} <(cat {model}) {options}", save + "COMMAND > model.onnx; mo model.onnx\n"),
                           (f"{mo} {fifo} {options}", save + f"cat {fifo} > model.onnx; mo model.onnx\n"),
                           (f"cat {model} | {mo} inspect -", save + "cat > model.onnx; mo model.onnx\n"),
                           (f"{mo} - {options} < {model}", "standard input is a file: give /dev/stdin\n")):
            done = subprocess.run(["bash", "-c", line], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
            self.assertEqual(done.returncode, 3, line)
            self.assertIn(hint, done.stderr.decode(), line)
        for line in (f"{mo} /dev/stdin {options} < {model}", f"cd {self.folder}; cat {model} | cat > model.onnx; {mo} model.onnx {options}"):
            self.assertEqual(subprocess.run(["bash", "-c", line], stdout=subprocess.PIPE).returncode, 0, line)

    def test_folders(self):
        self.write("saved/saved_model.pb", saved_model())
        for given in ([self.path("saved")], ["--input_model", self.path("saved")], [self.path("saved/saved_model.pb")],
                      [self.path("saved"), "--framework", "tf"]):
            status, text = self.mo(*given)
            self.assertEqual(status, 0, text)
        self.assertTrue(os.path.exists(self.path("ir/saved_model.xml")), "named after the file")
        self.assertTrue(os.path.exists(self.path("ir/saved.xml")), "named after the folder")
        self.check([self.path("saved"), "--framework", "onnx"], "", "MO-CLI-0070", 2, "is a TensorFlow SavedModel", "--framework tf")
        os.mkdir(self.path("nothing"))
        self.check([self.path("nothing")], "", "MO-CLI-0071", 4, "is a folder, and no SavedModel", "saved_model.pb")
        self.write("one/net.onnx", onnx_model())
        self.check([self.path("one")], "", "MO-CLI-0071", 4, "is a folder", r"mo \S+/one/net\.onnx")
        self.write("served/1/saved_model.pb", saved_model())
        self.check([self.path("served")], "", "MO-CLI-0071", 4, "is a folder", r"mo \S+/served/1\b")
        self.write("two/a.onnx", onnx_model())
        self.write("two/b.pb", graph_def())
        self.check([self.path("two")], "", "MO-CLI-0071", 4, "is a folder", r"it holds a\.onnx, b\.pb; .*mo \S+/two/a\.onnx")
        self.write("hub/config.json", b"{}")
        self.check([self.path("hub")], "", "MO-CLI-0021", 5, "a Hugging Face model", "optimum-cli")
        self.write("paddle/inference.pdmodel", PADDLE)
        self.check([self.path("paddle")], "", "MO-CLI-0021", 5, "a PaddlePaddle model", "paddle2onnx --model_dir")
        self.write("ckpt/checkpoint", b'model_checkpoint_path: "m"\n')
        self.check([self.path("ckpt")], "", "MO-CLI-0071", 4, "a folder of TensorFlow checkpoints", "--input_checkpoint")

    def test_companions_that_lie_beside_are_named(self):
        self.write("m.ckpt.meta", meta_graph())
        index = self.write("m.ckpt.index", CHECKPOINT_INDEX)
        self.check([index], index, "MO-CLI-0071", 4, "checkpoint", r"mo --input_meta_graph \S+m\.ckpt\.meta")
        topology = self.write("net.prototxt", TOPOLOGY.encode())
        weights = self.write("net.caffemodel", caffe_weights())
        self.check([topology], topology, "MO-CLI-0071", 4, "topology", "--input_proto %s --input_model " + re.escape(weights))
        status, text = self.mo("--input_proto", topology, "--input_model", weights)
        self.assertEqual(status, 0, text)
        shutil.move(weights, self.path("net.weights"))
        status, text = self.mo(self.path("net.weights"))  # told by content, with the prototxt of its name
        self.assertEqual(status, 0, text)

    def test_command_lines_in_hints_survive_a_shell(self):
        path = self.write("my model (1).ckpt.index", CHECKPOINT_INDEX)
        self.write("my model (1).ckpt.meta", meta_graph())
        _, text = self.mo(path)
        line = re.search(r"hint\s+.*?: (mo .*)", text)[1]
        done = subprocess.run(["bash", "-c", f'PATH="{BIN}:$PATH"; {line} --silent --output_dir "{self.path("ir")}"'], stderr=subprocess.PIPE)
        # The checkpoint of the test is not a checkpoint; what counts is that the path arrived.
        self.assertNotIn("syntax error", done.stderr.decode())
        self.assertIn("my model (1).ckpt", done.stderr.decode())

    def test_text_forms_are_detected_by_content(self):
        onnx_text = (b'ir_version: 8\nopset_import { version: 13 }\ngraph { name: "g" node { input: "x" output: "y" op_type: "Relu" }\n'
                     b'input { name: "x" type { tensor_type { elem_type: 1 shape { dim { dim_value: 4 } } } } }\n'
                     b'output { name: "y" type { tensor_type { elem_type: 1 shape { dim { dim_value: 4 } } } } } }\n')
        tf_text = (b'# a comment\nnode { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }\n'
                   b'attr { key: "shape" value { shape { dim { size: 4 } } } } }\nnode { name: "y" op: "Relu" input: "x" attr { key: "T" value { type: DT_FLOAT } } }\n')
        for content in (onnx_text, tf_text):
            for name in ("m.txt", "m.pbtxt", "m.onnx", "m", "m.pb"):
                status, text = self.mo(self.write(name, content))
                self.assertEqual(status, 0, name + text)

    def test_the_hint_for_unknown_operations_works_as_printed(self):
        node = message(1, "y") + message(2, "MyOp") + message(3, "r") + attribute("T", number(6, 1)) + attribute("beta", message(2, "b"))
        behind = message(1, "z") + message(2, "Relu") + message(3, "y") + attribute("T", number(6, 1))
        graph = self.write("unknown.pb", graph_def("r") + message(1, node) + message(1, behind))
        status, text = self.mo(graph)
        self.assertEqual((status, text.count("MO-FRONT-0001")), (5, 1), text)
        self.assertEqual(self.mo(graph, "--output", re.search(r"--output (\S+)\n", text)[1])[0], 0, text)
        description = self.write("op.json", re.search(r"\{.*\}", text)[0].encode())
        status, text = self.mo(graph, "--custom_ops", description)
        self.assertEqual(status, 0, text)
        with open(self.path("ir/unknown.xml"), encoding="utf-8") as file:
            self.assertIn('type="MyOp"', file.read())
        net = self.write("net.prototxt", b"input: 'data' input_shape { dim: 1 dim: 3 }\n"
                                         b"layer { name: 'm' type: 'SeLu' bottom: 'data' top: 'm' selu_param { alpha: 1.5 } }\n")
        status, text = self.mo("--input_proto", net, "--disable_weights")
        self.assertEqual(status, 5, text)
        mapping = self.write("map.xml", re.search(r"<CustomLayers>.*</CustomLayers>", text)[0].encode())
        status, text = self.mo("--input_proto", net, "--disable_weights", "--custom_layers_mapping", mapping)
        self.assertEqual(status, 0, text)

    def test_unknown_places_list_the_known_ones(self):
        model = self.write("m.onnx", onnx_model())
        status, text = self.mo(model, "--output", "probabilities")
        self.assertEqual((status, "the model's output is: y" in text, "did you mean" in text), (2, True, False), text)
        status, text = self.mo(model, "--input", "image")
        self.assertIn("the model's input is: x", text)

    def test_a_shape_of_another_rank_is_answered_with_the_model_s_own(self):
        node = message(1, "x") + message(1, "w") + message(2, "y") + message(3, "conv") + message(4, "Conv")
        def value(name, dims):
            return message(1, name) + message(2, message(1, number(1, 1) + message(2, b"".join(message(1, number(1, each)) for each in dims))))
        weights = b"".join(number(1, each) for each in (1, 3, 1, 1)) + number(2, 1) + message(9, struct.pack("<3f", 1, 2, 3)) + message(8, "w")
        graph = message(1, node) + message(2, "g") + message(5, weights) + message(11, value("x", (1, 3, 8, 8))) + message(12, value("y", (1, 1, 8, 8)))
        model = self.write("conv.onnx", number(1, 8) + message(7, graph) + message(8, number(2, 13)))
        for shape in ("[3,8,8]", "[1,1,3,8,8]", "[1,1,8,8]"):
            status, text = self.mo(model, "--input_shape", shape)
            self.assertEqual((status, '--input "x[1,3,8,8]"' in text.split("hint")[1]), (4, True), text)
        self.assertIn("has rank 4 in the model, and was given rank 3", self.mo(model, "--input_shape", "[3,8,8]")[1])
        self.assertEqual(self.mo(model, "--input", "x[1,3,8,8]")[0], 0)

    def test_shapes_without_brackets_are_answered_with_brackets(self):
        model = self.write("m.onnx", onnx_model())
        for given, right in (("x:1,4", "'x[1,4]'"), ("x:2,4", "'x[2,4]'"), ("x=2,4", "'x[2,4]'"), ("image:1,4", "'x[1,4]'"), ("image=2x4", "'x[2,4]'"),
                             ("x=-1,4", "'x[-1,4]'"), ("x:?,4", "'x[?,4]'")):
            status, text = self.mo(model, "--input", given)
            self.assertEqual(status, 2, text)
            self.assertIn(f"hint    a shape is written in brackets: --input {right}\n", text)
            self.assertEqual(self.mo(model, "--input", right.strip("'"))[0], 0)
        for given in ("x:1", "image", "image:0"):
            self.assertNotIn("a shape is written in brackets: --input", self.mo(model, "--input", given)[1])

    def test_a_missing_model_is_reported_before_anything_is_printed(self):
        for name in ("missing.onnx", "missing.pb", "missing"):
            done = subprocess.run([os.path.join(BIN, "mo"), self.path(name)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertEqual(done.stdout, b"")
            self.assertIn(b"MO-IO-0001", done.stderr)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    outcome = unittest.main(argv=sys.argv[:1], exit=False, verbosity=1).result
    if "--table" in sys.argv:
        print("| input | code | exit code | message |\n|---|---|---|---|")
        for name, code, exit_code, text in WrongStarts.table:
            first = re.search(r"MO-[A-Z]+-\d+: (.*)", text)
            said = re.sub(r"/tmp/[^\s\"]*/", "", first[1]) if first else ""
            print(f"| `{name}` | {code} | {exit_code} | {said} |")
    sys.exit(0 if outcome.wasSuccessful() else 1)
