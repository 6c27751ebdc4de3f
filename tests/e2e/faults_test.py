#!/usr/bin/env python3
"""Puts errors into IRs and into conversions, one at a time, and asks mo verify: is each found, is the layer right, is the pass right?

usage: faults_test.py BIN PLUGIN [-v]      BIN: folder of mo; PLUGIN: built from tests/e2e/faults/faulty.cpp

Errors in IRs are other attributes, other types of layers and other weights; errors in conversions are made by the passes of the plugin. An error without an
effect on the outputs (their numbers are compared here, by numpy) does not count. The layer is right when it is the one that was spoiled, or stands for one of
the same nodes of the source, or lies in the region that is named. It is next to it when it is one of those that the report says are right and feed the layer: an error put after a layer spoils no tensor of that
layer. The pass is right when it is the plugin's, or none where a file was changed after the conversion.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from shared_folder import shared_folder

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import numpy_python  # noqa: E402,F401
import numpy  # noqa: E402

from closeness import ELEMENT_AND_RMS, difference, exact_halves  # noqa: E402
from verify_models import command_lines  # noqa: E402

# Small ones of all frameworks and kinds: each error costs some ten conversions.
MODELS = ("caffe_lenet", "caffe_mtcnn_det1", "tf_cifar_frozen", "onnx_cifar_pytorch", "onnx_mnist_cntk", "tf_mnist_conv_savedmodel", "onnx_dtln_1", "caffe_mtcnn_det2",
          "onnx_iris_pytorch", "onnx_transformer_dummy", "caffe_syn_cifar10_quick", "tf_fsrcnn_x2")
FILE_FAULTS = 7  # of each model, at most
PASS_FAULTS = [  # pass, op, which one
    ("FaultyWeights", "Convolution", 1), ("FaultyWeights", "MatMul", 0), ("FaultyPads", "Convolution", 0), ("FaultyOrder", "Subtract", 0),
    ("FaultyRemoval", "ReLU", 1), ("FaultyRemoval", "Sigmoid", 0), ("FaultyShift", "Add", 1), ("FaultyScale", "ReLU", 0), ("FaultyScale", "MatMul", 0),
    ("FaultyClamp", "Convolution", 2), ("FaultyCurve", "Add", 2), ("FaultyLateWeights", "Convolution", 0), ("FaultyLatePads", "MaxPool", 0),
]
NUMPY_TYPES = {"f32": "<f4", "i32": "<i4", "i64": "<i8", "u8": "u1", "boolean": "?"}
TYPES = {"ReLU": "Abs", "Sigmoid": "Tanh", "Tanh": "Sigmoid", "Add": "Subtract", "Multiply": "Add", "Maximum": "Minimum", "Subtract": "Add", "ReduceMean": "ReduceMax",
         "Sqrt": "Exp", "Divide": "Multiply", "Elu": None, "Abs": "Negative"}
NUMBERS = {"alpha": 2.0, "beta": 1.5, "eps": 100000.0, "epsilon": 100000.0, "bias": 2.0, "min": 0.5, "max": 0.5, "confidence_threshold": 2.0, "negative_slope": 3.0}


class Layer:
    def __init__(self, element):
        self.element, self.name, self.type = element, element.get("name"), element.get("type")
        names = element.find("rt_info/attribute[@name='fused_names']")
        self.sources = {self.name} | set(re.split(r", ?", names.get("value")) if names is not None else [])

    def data(self):
        return self.element.find("data")


def attribute_faults(layer):
    """(what, edit of the layer)"""
    data = layer.data()
    if data is not None:
        for key, factor in NUMBERS.items():
            if data.get(key) not in (None, "", "0"):
                value = float(data.get(key))
                yield f"{layer.type}.{key}", lambda value=value, key=key, factor=factor: data.set(key, repr(value * factor))
        begin, end = data.get("pads_begin"), data.get("pads_end")
        if begin and end and data.get("auto_pad", "explicit") in ("explicit", "notset"):
            first, last = [int(n) for n in begin.split(",")], [int(n) for n in end.split(",")]
            if first[-1] > 0:
                moved = [*first[:-1], first[-1] - 1], [*last[:-1], last[-1] + 1]
                yield f"{layer.type}.pads", lambda moved=moved: (data.set("pads_begin", ",".join(map(str, moved[0]))), data.set("pads_end", ",".join(map(str, moved[1]))))
        if data.get("exclude-pad"):
            yield f"{layer.type}.exclude-pad", lambda: data.set("exclude-pad", "false" if data.get("exclude-pad") == "true" else "true")
        if layer.type in ("SoftMax", "LogSoftmax") and data.get("axis"):
            yield f"{layer.type}.axis", lambda: data.set("axis", "0" if data.get("axis") != "0" else "1")
        if layer.type == "Interpolate" and data.get("mode"):
            yield "Interpolate.mode", lambda: data.set("mode", "nearest" if data.get("mode") != "nearest" else "linear_onnx")
    if TYPES.get(layer.type):
        yield f"{layer.type} -> {TYPES[layer.type]}", lambda: layer.element.set("type", TYPES[layer.type])


def weight_faults(layers, edges):
    """(what, layer that reads the weights, place in the .bin); not of bytes that several constants share."""
    constants = {element.get("id"): element.find("data") for element in layers if element.get("type") == "Const"}
    readers = {element.get("id"): element for element in layers}
    users = [data.get("offset") for data in constants.values()]
    for edge in edges:
        data, reader = constants.get(edge.get("from-layer")), readers[edge.get("to-layer")]
        if data is not None and data.get("element_type") == "f32" and int(data.get("size")) >= 16 and users.count(data.get("offset")) == 1:
            yield f"{reader.get('type')} weights", Layer(reader), (int(data.get("offset")), int(data.get("size")))


def file_faults(xml, count):
    """Errors of different kinds: (what, layer, function that writes the spoiled IR to a path)"""
    tree = ElementTree.parse(xml)
    by_kind = {}

    def spoil(position, kind, path):
        again = ElementTree.parse(xml)
        layer = Layer(again.getroot().findall("layers/layer")[position])
        dict(attribute_faults(layer))[kind]()
        again.write(path)
        shutil.copy(xml[:-4] + ".bin", path[:-4] + ".bin")

    def spoil_weights(place, path):
        again = ElementTree.parse(xml)
        for parent in again.iter():  # mo run would see that these are other weights
            for sums in parent.findall("checksums"):
                parent.remove(sums)
        again.write(path)
        with open(xml[:-4] + ".bin", "rb") as file:
            content = bytearray(file.read())
        numbers = numpy.frombuffer(content, "<f4", place[1] // 4, place[0]).copy()
        content[place[0]:place[0] + place[1]] = (numbers * numpy.float32(1.1) + numpy.float32(0.01)).tobytes()
        with open(path[:-4] + ".bin", "wb") as file:
            file.write(content)

    layers = tree.getroot().findall("layers/layer")
    for position, element in enumerate(layers):
        for kind, _ in attribute_faults(Layer(element)):
            by_kind.setdefault(kind, []).append((kind, Layer(element), lambda path, p=position, k=kind: spoil(p, k, path)))
    for kind, layer, place in weight_faults(layers, tree.getroot().findall("edges/edge")):
        by_kind.setdefault(kind, []).append((kind, layer, lambda path, place=place: spoil_weights(place, path)))
    chosen, turn = [], 0
    while len(chosen) < count and any(len(faults) > turn for faults in by_kind.values()):
        for _, faults in sorted(by_kind.items()):
            if len(faults) > turn and len(chosen) < count:
                chosen.append(faults[(turn * 7 + len(faults) // 2) % len(faults)])
        turn += 1
    return chosen


class Faults:
    def __init__(self, bin_folder, plugin, verbose):
        self.mo, self.plugin, self.verbose = os.path.join(bin_folder, "mo"), plugin, verbose
        self.figures = {"file": dict.fromkeys(("made", "without effect", "not runnable", "found", "layer right", "next to it", "pass right"), 0)}
        self.figures["pass"] = dict(self.figures["file"])

    def run(self, *words):
        done = subprocess.run([self.mo, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")

    def outputs(self, xml, folder):
        """What the IR computes of numbers that depend on its inputs only."""
        words = []
        for parameter in ElementTree.parse(xml).getroot().findall("layers/layer[@type='Parameter']"):
            shape = [1 if "?" in d or ".." in d else int(d) for d in parameter.find("data").get("shape").split(",") if d.strip()]
            kind = parameter.find("data").get("element_type")
            random = numpy.random.RandomState(7)
            path = os.path.join(folder, re.sub(r"\W", "_", parameter.get("name")) + ".npy")
            numpy.save(path, (random.uniform(-2, 2, shape) if kind == "f32" else random.randint(0, 4, shape)).astype(NUMPY_TYPES[kind]))
            words += ["--input", f"{parameter.get('name')}={path}"]
        code, out, _ = self.run("run", xml, *words, "--output_dir", os.path.join(folder, "results"))
        if code != 0:
            return None
        return [numpy.load(row["file"]) for row in json.loads(out.splitlines()[-1])["outputs"]]

    @staticmethod
    def differ(a, b):
        """By twice what mo verify allows."""
        allowed = exact_halves(2e-3, 2e-6, scale=ELEMENT_AND_RMS)
        return any(difference(y, x, allowed) for x, y in zip(a, b))

    def judge(self, kind, title, layer_names, wanted_pass, words):
        figures = self.figures[kind]
        figures["made"] += 1
        code, out, err = self.run("verify", *words, "--json", "--bisect")
        result = json.loads(out) if out else {}
        found = code == 8
        blamed = result.get("layer") or {}
        layer_right = found and bool(layer_names & ({blamed.get("name"), blamed.get("source_node")} | set(blamed.get("sources", []) + blamed.get("region", []))))
        near = found and not layer_right and bool(layer_names & set(blamed.get("right_inputs", [])))
        guilty = result.get("guilty") or {}
        pass_right = found and (guilty.get("when"), guilty.get("pass")) == (("during", wanted_pass) if wanted_pass else ("after", ""))
        for name, right in (("found", found), ("layer right", layer_right), ("next to it", near), ("pass right", pass_right)):
            figures[name] += right
        if self.verbose or not (found and (layer_right or near) and pass_right):
            print(f"{title}: found {found}, layer {layer_right or ('next to it' if near else False)} ({blamed.get('name')} of {sorted(layer_names)}), pass {pass_right} ({guilty.get('when')} {guilty.get('pass')})"
                  f"{'' if found else ' ' + err[:300]}", flush=True)

    def spoil_files(self, model, words, folder):
        xml = os.path.join(folder, "m.xml")
        original = self.outputs(xml, folder)
        for number, (what, layer, write) in enumerate(file_faults(xml, FILE_FAULTS)):
            bad = os.path.join(folder, f"bad{number}.xml")
            write(bad)
            spoiled = self.outputs(bad, folder)
            if original is None or spoiled is None:
                self.figures["file"]["not runnable"] += 1
            elif not self.differ(original, spoiled):
                self.figures["file"]["without effect"] += 1
            else:
                self.judge("file", f"{model}: {what} at {layer.name}", layer.sources, None, ["--weights", bad[:-4] + ".bin", *words, "--checked", bad])

    def spoil_conversions(self, model, words, folder):
        original = self.outputs(os.path.join(folder, "m.xml"), folder)
        for name, op, which in PASS_FAULTS:
            spoiling = [*words, "--extensions", self.plugin, "--transform", f"{name}[type={op};which={which}]"]
            code, _, err = self.run("convert", *spoiling, "--output_dir", folder, "--model_name", "spoiled", "--silent")
            spoiled_node = re.search(r"spoiled '(.*)' sources ?(.*)", err)
            if code != 0 or not spoiled_node:
                continue
            spoiled = self.outputs(os.path.join(folder, "spoiled.xml"), folder)
            if original is None or spoiled is None:
                self.figures["pass"]["not runnable"] += 1
            elif not self.differ(original, spoiled):
                self.figures["pass"]["without effect"] += 1
            else:
                names = {spoiled_node.group(1), *spoiled_node.group(2).split("|")} - {""}
                self.judge("pass", f"{model}: {name} at {op} {which}", names, name, spoiling)

    def spoil(self, model, words):
        with tempfile.TemporaryDirectory() as folder:
            code, _, err = self.run("convert", *words, "--output_dir", folder, "--model_name", "m", "--silent")
            assert code == 0, err
            self.spoil_files(model, words, folder)
            self.spoil_conversions(model, words, folder)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin")
    parser.add_argument("plugin")
    parser.add_argument("--ids", default=",".join(MODELS))
    parser.add_argument("-v", action="store_true")
    options = parser.parse_args()
    shared = shared_folder("tools/evaluate_models.py", "models/manifest.json")
    lines = command_lines(shared)
    faults = Faults(options.bin, os.path.abspath(options.plugin), options.v)
    for model in options.ids.split(","):
        faults.spoil(model, lines[model][10])  # static shapes
        print(f"{model}: {sum(figures['found'] for figures in faults.figures.values())} errors found so far", flush=True)
    for kind, figures in faults.figures.items():
        print(f"errors by a {kind}: " + ", ".join(f"{count} {what}" for what, count in figures.items()))
    made = sum(f["made"] for f in faults.figures.values())
    found = sum(f["found"] for f in faults.figures.values())
    layers = sum(f["layer right"] + f["next to it"] for f in faults.figures.values())
    passes = sum(f["pass right"] for f in faults.figures.values())
    print(f"{made} errors: {found} found, {layers} at the right layer, {passes} with the right pass")
    good = made >= 60 and found == made and layers >= 0.9 * made and passes >= 0.9 * made
    return 0 if good or options.ids != ",".join(MODELS) else 1


if __name__ == "__main__":
    sys.exit(main())
