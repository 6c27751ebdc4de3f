#!/usr/bin/env python3
"""Reshape-ability: each shared model is converted with static shapes, its inputs then get another batch or size in the IR, and what that computes is
compared with a fresh conversion of the model with these shapes, in both IR versions.

usage: reshaped_models.py BIN [ID,ID…] [-v]      BIN: folder of mo and mo_run; -v: one line for each change that is legal

A change that the model itself does not allow does not count when a fresh conversion is refused. When a fresh conversion repairs constants, the IR that follows
is the one that was converted with open sizes. The models are looked up in MO_SHARED.
"""
import collections
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from shared_folder import shared_folder

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import numpy_python  # noqa: E402,F401

import numpy  # noqa: E402

from closeness import ELEMENT, difference, exact_halves  # noqa: E402

# (model, change): where the IR of the first shape has no reason to follow.
FIXED = {
    ("tf_mnist_conv_savedmodel", "size"): "its Reshape [-1, 3136] makes four rows of one larger image, in another order of channels",
}
REPAIRED = "held a size of the exported model"  # what the log says of a constant that followed a size of the command line
TYPES = {"f32": "float32", "f16": "float16", "f64": "float64", "i8": "int8", "u8": "uint8", "i32": "int32", "i64": "int64", "boolean": "bool"}


def load_tool(path):
    spec = importlib.util.spec_from_file_location("evaluate_shared_models", path)
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(path.parent))
    spec.loader.exec_module(module)
    return module


def without_inputs(arguments):
    kept, skip = [], False
    for argument in arguments:
        if skip:
            skip = False
        elif argument in ("--input", "--input_shape"):
            skip = True
        else:
            kept.append(argument)
    return kept


def parameters(xml):
    """Name, shape (-1: unknown) and type of each input."""
    found = []
    for layer in ElementTree.parse(xml).getroot().find("layers"):
        if layer.get("type") == "Parameter":
            data = layer.find("data")
            dims = [part.strip() for part in data.get("shape").split(",")] if data.get("shape") else []
            found.append((layer.get("name"), [int(part) if part.isdigit() else -1 for part in dims], data.get("element_type")))
    return found


def changed_shape(shape, change):
    shape = list(shape)
    if change == "batch" and len(shape) > 1 and shape[0] == 1:
        shape[0] = 2
    elif change == "size" and len(shape) == 4:
        for axis in (1, 2) if shape[3] in (1, 3) and shape[1] > 4 else (2, 3):
            shape[axis] *= 2
    return shape


class Trial:
    def __init__(self, bin_folder, folder):
        self.bin, self.folder = bin_folder, folder

    def convert(self, arguments, name, version):
        """What mo says when the model is converted, else None."""
        done = subprocess.run([os.path.join(self.bin, "mo"), *arguments, "--output_dir", os.path.join(self.folder, name), "--model_name", "m", "--ir_version",
                               str(version), "--log_level", "DEBUG"], capture_output=True, text=True, check=False)
        return done.stdout + done.stderr if done.returncode == 0 else None

    def reshape(self, source, name, shapes):
        """The IR `source` with other shapes of its inputs; the weights stay where they are."""
        tree = ElementTree.parse(os.path.join(self.folder, source, "m.xml"))
        for layer in tree.getroot().find("layers"):
            if layer.get("type") != "Parameter":
                continue
            shape = shapes[layer.get("name")]
            layer.find("data").set("shape", ",".join(map(str, shape)))
            for port in layer.find("output"):
                for dim, size in zip(port.findall("dim"), shape):
                    dim.text = str(size)
        os.makedirs(os.path.join(self.folder, name))
        tree.write(os.path.join(self.folder, name, "m.xml"))

    def run(self, name, weights, inputs):
        """The outputs, or the error."""
        out = os.path.join(self.folder, name, "out")
        os.makedirs(out)
        given = []
        for index, (tensor, value) in enumerate(inputs.items()):
            path = os.path.join(self.folder, name, f"{index}.npy")
            numpy.save(path, value)
            given += ["--input", f"{tensor}={path}"]
        done = subprocess.run([os.path.join(self.bin, "mo_run"), os.path.join(self.folder, name, "m.xml"), "--weights",
                               os.path.join(self.folder, weights, "m.bin"), *given, "--output_dir", out], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return None, (done.stderr.strip().splitlines() or ["mo_run fails"])[0]
        return [numpy.load(os.path.join(out, file)) for file in sorted(os.listdir(out))], ""


def same(got, want):
    def close(a, b):
        room = 1e-4 * max(1.0, float(numpy.max(numpy.abs(b.astype("float64")), initial=0)))
        return not difference(a, b, exact_halves(1e-3, room, scale=ELEMENT))

    return len(got) == len(want) and all(close(a, b) for a, b in zip(got, want))


def judge(trial, model, arguments, version, change, inputs):
    """"" when the change is not legal or the model cannot be run without more than its inputs, else "right" or what is wrong."""
    shapes = {name: changed_shape(shape, change) for name, shape, _ in inputs}
    if all(shapes[name] == shape for name, shape, _ in inputs):
        return ""

    def in_model(shape):  # what --input_shape wants: IR version 10 has TensorFlow's images channels-first
        return [shape[0], shape[2], shape[3], shape[1]] if version == 10 and model["framework"] == "tf" and len(shape) == 4 else shape

    wanted = ",".join("[" + ",".join(map(str, in_model(shapes[name]))) + "]" for name, _, _ in inputs)
    fresh = f"fresh_{change}"
    names = ",".join(name for name, _, _ in inputs)
    said = trial.convert([*without_inputs(arguments), "--input", names, "--input_shape", wanted], fresh, version)
    if said is None:
        return ""
    first = "static"
    if REPAIRED in said:  # the model itself does not allow the change: the IR does when its conversion left these sizes open
        first = f"open_{change}"
        open_shapes = ",".join(str([-1 if now != old else old for now, old in zip(shapes[name], shape)]).replace(" ", "") for name, shape, _ in inputs)
        if version == 10 or trial.convert([*without_inputs(arguments), "--input", names, "--input_shape", open_shapes], first, version) is None:
            return ""
    random = numpy.random.default_rng(0)
    values = {name: (random.random(shapes[name]) * (1 if kind in ("f32", "f16") else 5)).astype(TYPES[kind]) for name, _, kind in inputs}
    want, _ = trial.run(fresh, fresh, values)
    if want is None:
        return ""
    trial.reshape(first, f"reshaped_{change}", shapes)
    got, error = trial.run(f"reshaped_{change}", first, values)
    if got is None:
        return error
    return "right" if same(got, want) else "other numbers"


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "-v"]
    if len(arguments) not in (1, 2):
        sys.exit(__doc__)
    shared = shared_folder("models/manifest.json", "tools/evaluate_models.py")
    tool = load_tool(shared / "tools" / "evaluate_models.py")
    manifest = json.loads((shared / "models" / "manifest.json").read_text(encoding="utf-8"))
    models = manifest["models"] if isinstance(manifest, dict) else manifest
    if len(arguments) == 2:
        models = [model for model in models if model["id"] in arguments[1].split(",")]
    count, problems = collections.Counter(), []
    for model in models:
        references = (model.get("reference") or {}).get("inputs") or []
        if not references:
            continue
        command = tool.mo_arguments(model, str(shared / "models"))
        if "--input" not in command and "--input_shape" not in command and all("name" in one for one in references):
            command += ["--input", ",".join(one["name"] for one in references), "--input_shape", ",".join(str(one["shape"]).replace(" ", "") for one in references)]
        for version in (11, 10):
            with tempfile.TemporaryDirectory() as folder:
                trial = Trial(arguments[0], folder)
                if trial.convert(command, "static", version) is None:
                    continue
                inputs = parameters(os.path.join(folder, "static", "m.xml"))
                if any(-1 in shape for _, shape, _ in inputs):
                    continue
                for change in ("batch", "size"):
                    outcome = judge(trial, model, command, version, change, inputs)
                    if not outcome:
                        continue
                    fixed = (model["id"], change) in FIXED
                    count[version, change, "listed as fixed" if fixed else "right" if outcome == "right" else "wrong"] += 1
                    if "-v" in sys.argv:
                        print(f"{model['id']:<32} v{version} {change:<6} {outcome}", flush=True)
                    if fixed and outcome == "right":
                        problems.append(f"{model['id']}, v{version}, {change}: is right, although it is listed as fixed")
                    elif not fixed and outcome != "right":
                        problems.append(f"{model['id']}, v{version}, {change}: {outcome}")
    for (version, change, outcome), number in sorted(count.items()):
        print(f"IR version {version}, {change}: {number} {outcome}")
    for problem in problems:
        print(problem)
    return 1 if problems or not count else 0


if __name__ == "__main__":
    sys.exit(main())
