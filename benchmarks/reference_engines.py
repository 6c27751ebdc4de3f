#!/usr/bin/env python3
"""Times `mo run` as a whole process against the engines that others use, one thread each: ONNX Runtime for ONNX models, OpenCV's dnn for Caffe models.

usage: reference_engines.py --bin build/release/bin [--onnxruntime PYTHON] [--opencv PYTHON] [--runs 7] [--all] [--json FILE] [ID …]

PYTHON has the packages onnxruntime and onnx, or opencv-python-headless (default: build/peers/onnxruntime and build/peers/opencv, which `make test-peers`
makes); models whose engine is missing are left out, and that is said. The models: those that have goals, the ones that are named, or with --all each model
of models/manifest.json below MO_SHARED that has inputs.

For each model runs alternate: mo from the model file and from its IR, each with oneDNN and with the portable kernels, and the engine in a process of its
own, which tells the processor time of its calling thread (others of ONNX Runtime spin, as much as that) for reading the model and running it once. Prints the least processor time of each in ms, the median behind it, and what mo takes
as a part of the engine's; with goals, where there are. Exit code 1 when a goal is missed.
"""
import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path += [str(ROOT / "tests/e2e"), str(ROOT / "tests/support")]
import numpy_python  # noqa: E402,F401: goes on in a Python that has numpy
import numpy  # noqa: E402

from shared_folder import shared_folder  # noqa: E402

SMALLEST = 0.05  # ms: what a clock of processor time can tell apart

# model → goals with oneDNN and with the portable kernels
GOALS = {f"onnx_{name}": (1.0, 1.5) for name in ("syn_squeezenet", "light_densenet121", "ultraface_rfb320", "fns_candy_240", "light_inception_v2", "selfie_seg")}
GOALS |= {"made_depthwise_416": (3.0, 3.0), "made_conv_integer": (3.0, 3.0)}

MODES = {"onnx": ("model", []), "onnx portable": ("model", ["--portable"]), "IR": ("ir", []), "IR portable": ("ir", ["--portable"])}

ONNXRUNTIME = r"""
import json, sys, time
import numpy, onnxruntime
path, inputs = sys.argv[1], json.loads(sys.argv[2])
feeds = {name: numpy.load(file) for name, file in inputs}
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = options.inter_op_num_threads = 1
start = time.thread_time()
session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
session.run(None, feeds)
print(json.dumps((time.thread_time() - start) * 1e3))
"""

OPENCV = r"""
import json, sys, time
import cv2, numpy
cv2.setNumThreads(1)
weights, topology, inputs = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
feeds = [(name, numpy.load(path)) for name, path in inputs]
start = time.thread_time()
net = cv2.dnn.readNetFromCaffe(topology, weights)
for name, array in feeds: net.setInput(array, name)
net.forward(net.getUnconnectedOutLayersNames())
print(json.dumps((time.thread_time() - start) * 1e3))
"""

# Networks that stand for real ones which are not in the folder: YOLOX-nano, and a network with dynamically quantised convolutions.
MAKE = r"""
import sys
import numpy, onnx
from onnx import helper as h, numpy_helper as n, TensorProto as T
random = numpy.random.default_rng(0)

class Net:
    def __init__(self): self.nodes, self.constants = [], []
    def add(self, op, *inputs, outputs=1, **attributes):
        names = [f"{op}_{len(self.nodes)}_{i}" for i in range(outputs)]
        self.nodes.append(h.make_node(op, inputs, names, **attributes))
        return names[0] if outputs == 1 else names
    def constant(self, array):
        self.constants.append(n.from_array(array, f"constant_{len(self.constants)}"))
        return self.constants[-1].name
    def weights(self, out, group_in, k): return random.normal(0, (group_in * k * k) ** -0.5, (out, group_in, k, k)).astype("f")
    def save(self, path, shape, last):
        graph = h.make_graph(self.nodes, "made", [h.make_tensor_value_info("x", T.FLOAT, shape)], [h.make_tensor_value_info(last, T.FLOAT, None)], self.constants)
        onnx.save(h.make_model(graph, opset_imports=[h.make_opsetid("", 13)], ir_version=8), path)

def depthwise(path):
    net = Net()
    def convolution(x, channels_in, channels, k, stride, groups):
        x = net.add("Conv", x, net.constant(net.weights(channels, channels_in // groups, k)), net.constant(numpy.zeros(channels, "f")),
                    kernel_shape=[k, k], pads=[k // 2] * 4, strides=[stride] * 2, group=groups)
        return net.add("Mul", x, net.add("Sigmoid", x))
    x = convolution("x", 3, 16, 3, 1, 1)
    for channels_in, channels, stride in ((16, 16, 1), (16, 32, 2), (32, 64, 2), (64, 64, 1), (64, 128, 2), (128, 128, 1)):
        x = convolution(convolution(x, channels_in, channels_in, 5, stride, channels_in), channels_in, channels, 1, 1, 1)
    net.save(path, [1, 3, 416, 416], x)

def conv_integer(path):
    net = Net()
    x, channels_in = "x", 3
    for channels, stride in ((32, 2), (32, 1), (64, 2), (64, 1), (128, 2), (128, 1), (128, 1)):
        data, scale, zero = net.add("DynamicQuantizeLinear", x, outputs=3)
        filters = net.constant(random.integers(-127, 128, (channels, channels_in, 3, 3)).astype("int8"))
        x = net.add("ConvInteger", data, filters, zero, net.constant(numpy.zeros((), "int8")), kernel_shape=[3, 3], pads=[1] * 4, strides=[stride] * 2)
        x = net.add("Mul", net.add("Cast", x, to=T.FLOAT), net.add("Mul", scale, net.constant(numpy.float32(0.01))))
        x, channels_in = net.add("Relu", x), channels
    net.save(path, [1, 3, 224, 224], x)

depthwise(sys.argv[1] + "/made_depthwise_416.onnx")
conv_integer(sys.argv[1] + "/made_conv_integer.onnx")
"""


class Failed(Exception):
    pass


def run(command):
    """Processor time in ms, and what the process printed."""
    begin = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600, check=False)
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        lines = done.stderr.decode(errors="replace").strip().splitlines() or [f"exit code {done.returncode}"]
        raise Failed(f"{Path(command[0]).name}: {lines[0 if Path(command[0]).name == 'mo' else -1][:120]}")
    return (end.ru_utime + end.ru_stime - begin.ru_utime - begin.ru_stime) * 1e3, done.stdout.decode(errors="replace")


class Model:
    """A model file (and Caffe's topology), and the files of its inputs."""

    def __init__(self, name, framework, files, inputs):
        self.name, self.framework, self.files, self.inputs = name, framework, files, inputs

    def words(self):
        return [self.files[0], *(["--input_proto", self.files[1]] if self.framework == "caffe" else [])]


def from_manifest(spec, folder):
    files = [folder / each["path"] for each in spec["files"]]
    chosen = [next(f for f in files if f.suffix == kind) for kind in (".caffemodel", ".prototxt")] if spec["framework"] == "caffe" else [folder / spec["main_file"]]
    return Model(spec["id"], spec["framework"], chosen, [(each["name"], str(folder / each["file"])) for each in spec["reference"]["inputs"]])


def made(python, folder):
    run([python, "-c", MAKE, folder])
    models = []
    for name, shape in (("made_depthwise_416", (1, 3, 416, 416)), ("made_conv_integer", (1, 3, 224, 224))):
        numpy.save(f"{folder}/{name}.npy", numpy.random.default_rng(1).standard_normal(shape).astype("f"))
        models.append(Model(name, "onnx", [Path(folder) / f"{name}.onnx"], [("x", f"{folder}/{name}.npy")]))
    return models


def measure(model, mo, python, runs):
    """Processor times in ms: {mode or "engine": [time of each run]}."""
    with tempfile.TemporaryDirectory() as folder:
        run([mo, "--input_model", *model.words(), "--output_dir", folder, "--model_name", "ir", "--silent"])
        inputs = [word for name, file in model.inputs for word in ("--input", f"{name}={file}")]
        words = {"model": model.words(), "ir": [f"{folder}/ir.xml"]}
        code = OPENCV if model.framework == "caffe" else ONNXRUNTIME
        times = {mode: [] for mode in [*MODES, "engine"]}
        for _ in range(runs):
            for mode, (source, options) in MODES.items():
                times[mode].append(run([mo, "run", *words[source], *inputs, "--threads", "1", "--output_dir", folder, *options])[0])
            times["engine"].append(max(SMALLEST, json.loads(run([python, "-c", code, *model.files, json.dumps(model.inputs)])[1])))
    return times


def usable(python, module):
    return python if python and os.path.exists(python) and subprocess.run([python, "-c", f"import {module}"], capture_output=True, check=False).returncode == 0 else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=Path, required=True, help="folder of mo")
    parser.add_argument("ids", nargs="*")
    parser.add_argument("--onnxruntime", default=ROOT / "build/peers/onnxruntime/bin/python")
    parser.add_argument("--opencv", default=ROOT / "build/peers/opencv/bin/python")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--json", type=Path)
    how = parser.parse_intermixed_args()
    pythons = {"onnx": usable(how.onnxruntime, "onnxruntime, onnx"), "caffe": usable(how.opencv, "cv2")}
    folder = shared_folder("models/manifest.json") / "models"
    specs = [s for s in json.loads((folder / "manifest.json").read_text())["models"] if (s.get("reference") or {}).get("inputs")]
    rows, left_out, missed = {}, [], []
    with tempfile.TemporaryDirectory() as made_folder:
        models = [from_manifest(spec, folder) for spec in specs if spec["framework"] in pythons]
        models += made(pythons["onnx"], made_folder) if pythons["onnx"] else []
        print(f"| model | {' | '.join(f'{mode}, ms' for mode in MODES)} | engine, ms | {' | '.join(f'{mode} ÷ engine' for mode in MODES)} | goals |")
        print("|---" * (2 * len(MODES) + 3) + "|", flush=True)
        for model in models:
            if not (how.all or model.name in (how.ids or GOALS)):
                continue
            if not pythons[model.framework]:
                left_out.append(model.name)
                continue
            try:
                times = measure(model, how.bin.resolve() / "mo", pythons[model.framework], how.runs)
            except Failed as problem:
                print(f"| {model.name} | {problem} |", flush=True)
                continue
            least = {of: min(values) for of, values in times.items()}
            ratios = {mode: least[mode] / least["engine"] for mode in MODES}
            goals = GOALS.get(model.name)
            missed += [f"{model.name} {mode}" for mode in MODES if goals and ratios[mode] > goals["portable" in mode]]
            rows[model.name] = {"times": times, "ratios": ratios, "goals": goals}
            spread = [f"{least[of]:.1f} ({sorted(values)[len(values) // 2]:.1f})" for of, values in times.items()]
            print(f"| {model.name} | {' | '.join(spread)} | {' | '.join(f'{ratio:.2f}' for ratio in ratios.values())} | "
                  f"{' '.join(f'{goal:g}' for goal in goals or ())} |", flush=True)
    if how.json:
        how.json.write_text(json.dumps(rows, indent=1))
    if left_out:
        print(f"left out, because their engine is missing: {', '.join(left_out)}")
    if missed:
        print(f"{len(missed)} goals missed: {', '.join(missed)}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
