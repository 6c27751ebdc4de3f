#!/usr/bin/env python3
"""Times `mo run` against the engines that others use, one thread each: ONNX models against onnxruntime-node, Caffe models against OpenCV's dnn.

usage: reference_engines.py BIN [--node-modules DIR] [--runs N] [ID …]     BIN: folder of the programs; DIR: where `npm install onnxruntime-node` was run

Needs Debian's python3-opencv for Caffe, and node for ONNX; what is missing is left out and said. For each model: processor time of the whole `mo run` (start, reading,
one run), and of the engine reading the model and running it once, and running it again when all is warm. The fastest of N runs counts. Prints a table.
"""
import argparse
import json
import os
import re
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

ONNXRUNTIME = r"""
const ort = require('onnxruntime-node'), fs = require('fs');
const ms = (a, b) => (b.user + b.system - a.user - a.system) / 1000;
(async () => {
  const [path, inputs] = [process.argv[1], JSON.parse(process.argv[2])];
  const start = process.cpuUsage();
  const session = await ort.InferenceSession.create(path, {intraOpNumThreads: 1, interOpNumThreads: 1, executionMode: 'sequential'});
  const arrays = {float32: Float32Array, float64: Float64Array, float16: Uint16Array, int64: BigInt64Array, int32: Int32Array, uint8: Uint8Array, int8: Int8Array, bool: Uint8Array};
  const feeds = {};
  for (const {name, dtype, shape, raw} of inputs) {
    const bytes = fs.readFileSync(raw);
    const whole = new Uint8Array(bytes).buffer;  // aligned
    feeds[name] = new ort.Tensor(dtype, new arrays[dtype](whole), shape);
  }
  await session.run(feeds);
  const once = ms(start, process.cpuUsage());
  let warm = Infinity;
  for (let i = 0; i < 3; ++i) { const a = process.cpuUsage(); await session.run(feeds); warm = Math.min(warm, ms(a, process.cpuUsage())); }
  console.log(JSON.stringify({once, warm}));
})().catch(problem => { console.error(String(problem).slice(0, 200)); process.exit(1); });
"""

OPENCV = r"""
import json, sys, time
import cv2, numpy
cv2.setNumThreads(1)
topology, weights, inputs = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
feeds = [(name, numpy.load(path)) for name, path in inputs]
start = time.process_time()
net = cv2.dnn.readNetFromCaffe(topology, weights)
def run():
    for name, array in feeds: net.setInput(array, name)
    net.forward(net.getUnconnectedOutLayersNames())
run()
once = time.process_time() - start
warm = 1e9
for _ in range(3):
    begin = time.process_time(); run(); warm = min(warm, time.process_time() - begin)
print(json.dumps({"once": once * 1e3, "warm": warm * 1e3}))
"""


def engine(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600, check=False)
    if done.returncode != 0:
        return done.stderr.decode(errors="replace").strip().splitlines()[-1][:100] if done.stderr else f"exit code {done.returncode}"
    return json.loads(done.stdout.decode().splitlines()[-1])


def onnxruntime(spec, models, modules, folder):
    inputs = []
    for i, each in enumerate(spec["reference"]["inputs"]):
        array = numpy.load(models / each["file"])
        raw = Path(folder) / f"input_{i}.bin"
        raw.write_bytes(numpy.ascontiguousarray(array).tobytes())
        inputs.append({"name": each["name"], "dtype": str(array.dtype), "shape": list(array.shape), "raw": str(raw)})
    os.environ["NODE_PATH"] = str(Path(modules) / "node_modules")
    return engine(["node", "-e", ONNXRUNTIME, str(models / spec["main_file"]), json.dumps(inputs)])


def opencv(spec, models):
    files = [models / each["path"] for each in spec["files"]]
    (weights,), (topology,) = ([f for f in files if f.suffix == kind] for kind in (".caffemodel", ".prototxt"))
    inputs = [(each["name"], str(models / each["file"])) for each in spec["reference"]["inputs"]]
    return engine([sys.executable, "-c", OPENCV, str(topology), str(weights), json.dumps(inputs)])


def mo_run(mo, spec, models, folder, runs):
    """Processor time in ms, and KB of tensors that lived at one time, of the fastest run; a text when it fails."""
    if spec["framework"] == "caffe":
        files = [models / each["path"] for each in spec["files"]]
        (weights,), (topology,) = ([f for f in files if f.suffix == kind] for kind in (".caffemodel", ".prototxt"))
        words = [weights, "--input_proto", topology]
    else:
        words = [models / spec["main_file"]]
    for each in spec["reference"]["inputs"]:
        words += ["--input", f"{each['name']}={models / each['file']}"]
    best = (1e9, 0.0)
    for _ in range(runs):
        begin = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([str(mo), "run", *map(str, words), "--threads", "1", "--profile", "--output_dir", folder], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        end = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode != 0:
            return done.stderr.decode(errors="replace").strip().splitlines()[0][:100]
        most = re.search(r"at most (\d+) bytes of tensors", done.stdout.decode(errors="replace"))
        best = min(best, ((end.ru_utime + end.ru_stime - begin.ru_utime - begin.ru_stime) * 1e3, int(most[1]) / 1000))
    return best


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin", type=Path)
    parser.add_argument("ids", nargs="*")
    parser.add_argument("--node-modules")
    parser.add_argument("--runs", type=int, default=3)
    how = parser.parse_intermixed_args()
    models = shared_folder("models/manifest.json") / "models"
    specs = [s for s in json.loads((models / "manifest.json").read_text())["models"] if (s.get("reference") or {}).get("inputs")]
    has_opencv = subprocess.run([sys.executable, "-c", "import cv2"], stderr=subprocess.DEVNULL, check=False).returncode == 0
    print("| model | mo run, ms | engine, reading and one run, ms | engine, warm run, ms | ratio | ratio to warm | tensors in memory, KB |\n|---|---|---|---|---|---|---|")
    ratios, left_out = [], []
    for spec in specs:
        if (how.ids and spec["id"] not in how.ids) or spec["framework"] not in ("onnx", "caffe"):
            continue
        if not (has_opencv if spec["framework"] == "caffe" else how.node_modules):
            left_out.append(spec["id"])
            continue
        with tempfile.TemporaryDirectory() as folder:
            ours = mo_run(how.bin.resolve() / "mo", spec, models, folder, how.runs)
            runs = [opencv(spec, models) if spec["framework"] == "caffe" else onnxruntime(spec, models, how.node_modules, folder) for _ in range(how.runs)]
        failed = [run for run in [ours, *runs] if isinstance(run, str)]
        if failed:
            print(f"| {spec['id']} | – | – | – | {failed[0]} | | |", flush=True)
            continue
        once, warm = (max(SMALLEST, min(run[key] for run in runs)) for key in ("once", "warm"))
        ratios.append(ours[0] / once)
        print(f"| {spec['id']} | {ours[0]:.1f} | {once:.1f} | {warm:.1f} | {ours[0] / once:.2f} | {ours[0] / warm:.1f} | {ours[1]:.0f} |", flush=True)
    if left_out:
        print(f"left out, because their engine is missing: {', '.join(left_out)}")
    if ratios:
        print(f"{len(ratios)} models, ratios {min(ratios):.2f} to {max(ratios):.2f}, {sum(r > 3 for r in ratios)} above 3")
    return 0


if __name__ == "__main__":
    sys.exit(main())
