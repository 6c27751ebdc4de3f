#!/usr/bin/env python3
"""Compares what OpenVINO makes of our IRs with what it makes of the same ONNX files by its own import: nodes of the executable graph, and time.

usage: executable_graph.py --bin build/release/bin [--python PYTHON] [--models DIR …] [--filter REGEX] [--options "--target_runtime latest"]
                           [--runs 15] [--json FILE] [--allow FILE]

PYTHON has the packages openvino and numpy (default: MO_PEER_OPENVINO, then build/peers/openvino-newest/bin/python); without one the gauge is skipped,
and says so. The models are all ONNX files below the folders (default: models/onnx and cases/torch_exports below MO_SHARED, ../shared). Inputs are
`input_0` … of io.npz beside a model, else random numbers; a size that is not known is 1 for the first dimension and 32 for the others.

Prints a line for each file: nodes from our IR, nodes from the own import (those left out that depend on constants only), time of one inference with our
IR as a part of that with the own import (medians of warm runs in random order, one thread, f32), the same of the own import compiled a second time (what
the clock alone makes of equal networks), and the largest difference of an output as a part of its largest number.
Exit code 1 when a file has more nodes from our IR that --allow does not list (lines "NAME reason", NAME as printed).
"""
import argparse
import json
import os
import re
import shutil
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


# -- in the Python of the runtime --------------------------------------------------------------------------------------------------


ENOUGH = 0.2  # seconds: small networks, which take microseconds, run more often


def serve():
    """One job a line on stdin, {"ours", "own", "data", "runs"}; one answer a line."""
    import time

    import numpy as np
    import openvino as ov

    core = ov.Core()
    core.set_property("CPU", {"INFERENCE_PRECISION_HINT": "f32", "NUM_STREAMS": "1", "INFERENCE_NUM_THREADS": "1"})

    def node_count(compiled):
        """Nodes that run with every inference: neither constants nor what is computed from constants only."""
        constant, count = set(), 0
        for op in compiled.get_runtime_model().get_ordered_ops():
            info = op.get_rt_info()
            kind = str(info["layerType"].astype(str)) if "layerType" in info else ""
            sources = [source.get_source_output().get_node().get_friendly_name() for source in op.inputs()]
            if kind == "Const" or (sources and kind != "Output" and constant.issuperset(sources)):
                constant.add(op.get_friendly_name())
            else:
                count += 1
        return count

    def feed(compiled, data):
        random = np.random.default_rng(0)
        values = []
        for i, port in enumerate(compiled.inputs):
            stored = data.get(f"input_{i}")
            if stored is None:
                shape = [d.get_length() if d.is_static else 1 if k == 0 else 32 for k, d in enumerate(port.get_partial_shape())]
                dtype = port.get_element_type().to_dtype()
                real = np.issubdtype(dtype, np.floating)
                stored = (random.standard_normal(shape) if real else np.ones(shape)).astype(dtype)
            values.append(stored.astype(port.get_element_type().to_dtype(), copy=False))
        return values

    def medians(requests, values, runs):
        """Median seconds of each. A request is timed when it has just run: the first inference after one of another network finds cold caches and is up
        to half slower, and the median of a mixture of both falls on either."""
        order, seconds = np.random.default_rng(0), [[] for _ in requests]
        while len(seconds[0]) < runs or (len(seconds[0]) < 2000 and sum(seconds[0]) < ENOUGH):
            for side in order.permutation(len(requests)):
                requests[side].infer(values)
                start = time.perf_counter()
                requests[side].infer(values)
                seconds[side].append(time.perf_counter() - start)
        return [float(np.median(of_one)) for of_one in seconds]

    def measure(job):
        compiled = [core.compile_model(job[side]) for side in ("ours", "own")]
        answer = {"nodes": [node_count(c) for c in compiled]}
        try:
            data = dict(np.load(job["data"])) if job["data"] else {}
            requests = [c.create_infer_request() for c in compiled]
            values = feed(compiled[1], data)
            for request in requests:
                request.infer(values)
            answer["difference"] = 0.0
            for i in range(len(compiled[1].outputs)):
                got, want = (np.asarray(r.get_output_tensor(i).data, dtype=np.float64) for r in requests)
                if got.shape != want.shape:
                    answer["difference"] = float("inf")
                elif want.size:
                    largest = np.nanmax(np.abs(np.where(np.isfinite(want), want, 0))) or 1.0
                    with np.errstate(invalid="ignore"):
                        answer["difference"] = max(answer["difference"], float(np.nanmax(np.abs(got - want), initial=0.0) / largest))
            if job["runs"]:
                requests.append(core.compile_model(job["own"]).create_infer_request())
                requests[2].infer(values)
                ours, own, again = medians(requests, values, job["runs"])
                answer["time"], answer["control"] = ours / own, again / own
        except Exception as error:  # noqa: BLE001 - the numbers of nodes stand
            answer["why"] = " ".join(str(error).split())[-160:]
        return answer

    for line in sys.stdin:
        try:
            answer = measure(json.loads(line))
        except Exception as error:  # noqa: BLE001 - whatever the runtime throws is its verdict
            answer = {"error": " ".join(str(error).split())[-200:]}
        print(json.dumps(answer), flush=True)
    return 0


# -- outside ------------------------------------------------------------------------------------------------------------------------


class Runtime:
    def __init__(self, python):
        self.python, self.process = python, None

    def ask(self, job):
        if not self.process:
            self.process = subprocess.Popen([self.python, os.path.abspath(__file__), "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=subprocess.DEVNULL, text=True)
        try:
            print(json.dumps(job), file=self.process.stdin, flush=True)
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if line:
            if job["runs"]:  # a process that has run other networks gives the one compiled first worse memory: up to a quarter slower
                self.process.stdin.close()
                self.process.wait()
                self.process = None
            return json.loads(line)
        code, self.process = self.process.wait(), None
        return {"error": f"the runtime's process ended with {code}"}


def find_python(given):
    """A Python with openvino, or the reason why there is none."""
    candidates = [given] if given else [os.environ.get("MO_PEER_OPENVINO"), os.path.join(HERE, "..", "build", "peers", "openvino-newest", "bin", "python")]
    for python in filter(None, candidates):
        if os.path.exists(python) and subprocess.run([python, "-c", "import openvino, numpy"], capture_output=True).returncode == 0:
            return python, ""
    return None, "no Python with openvino and numpy: set MO_PEER_OPENVINO, or run `make test-peers`, which makes build/peers/openvino-newest"


def model_files(folders):
    for folder in folders:
        for path, names, files in os.walk(folder):
            names.sort()
            for file in sorted(files):
                if file.endswith(".onnx"):
                    full = os.path.join(path, file)
                    yield os.path.relpath(full, os.path.dirname(os.path.abspath(folder))), full


def data_of(model):
    for name in (os.path.splitext(model)[0] + ".npz", os.path.join(os.path.dirname(model), "io.npz")):
        if os.path.exists(name):
            return name
    return ""


def allowed_files(path):
    if not path:
        return {}
    with open(path) as file:
        lines = [line.strip().partition(" ") for line in file if line.strip() and not line.startswith("#")]
    return {name: reason for name, _, reason in lines}


def measure_all(options, python):
    runtime, rows = Runtime(python), []
    wanted = re.compile(options.filter)
    for name, model in model_files(options.models):
        if not wanted.search(name):
            continue
        folder = tempfile.mkdtemp(prefix="mo_executable_graph_")
        try:
            command = [os.path.join(options.bin, "mo"), "--input_model", model, "--output_dir", folder, "--model_name", "model", "--silent"]
            done = subprocess.run(command + shlex.split(options.options), capture_output=True, text=True)
            if done.returncode != 0:
                row = {"error": "mo: " + " ".join(done.stderr.split())[:160]}
            else:
                row = runtime.ask({"ours": os.path.join(folder, "model.xml"), "own": model, "data": data_of(model), "runs": options.runs})
        finally:
            shutil.rmtree(folder)
        row["name"] = name
        rows.append(row)
        if "error" in row:
            print(f"{name:<60} {row['error']}", flush=True)
            continue
        ours, own = row["nodes"]
        numbers = f"{row['time']:>7.2f} {row['control']:>8.2f}" if "time" in row else "      -        -"
        numbers += f" {row['difference']:>9.1e}" if "difference" in row else "         -"
        print(f"{name:<60} {ours:>5} {own:>5} {numbers}  {'more' if ours > own else ''}{row.get('why', '')}", flush=True)
    return rows


def main():
    shared = os.environ.get("MO_SHARED", os.path.join(HERE, "..", "..", "shared"))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--bin", help="folder of mo")
    parser.add_argument("--python", help="interpreter with openvino and numpy")
    parser.add_argument("--models", nargs="+", default=[os.path.join(shared, "models", "onnx"), os.path.join(shared, "cases", "torch_exports")])
    parser.add_argument("--filter", default="", help="only files whose name matches")
    parser.add_argument("--options", default="", help="further options of mo")
    parser.add_argument("--runs", type=int, default=15, help="inferences to measure; 0: only nodes")
    parser.add_argument("--json")
    parser.add_argument("--allow", help="files that may have more nodes, with the reason")
    options = parser.parse_args()
    if options.serve:
        return serve()
    if not options.bin:
        parser.error("--bin is missing")
    python, why = find_python(options.python)
    if not python:
        print(f"executable graphs: skipped, {why}")
        return 0
    missing = [folder for folder in options.models if not os.path.isdir(folder)]
    options.models = [folder for folder in options.models if folder not in missing]
    for folder in missing:
        print(f"executable graphs: there is no folder {folder}, its models are left out")
    print(f"{'file':<60} {'ours':>5} {'own':>5} {'time':>7} {'control':>8} {'differ':>9}")
    rows = measure_all(options, python)
    if options.json:
        with open(options.json, "w") as file:
            json.dump(rows, file, indent=1)
    counted = [row for row in rows if "nodes" in row]
    more = [row for row in counted if row["nodes"][0] > row["nodes"][1]]
    times, controls = (sorted(row[of] for row in counted if "time" in row) for of in ("time", "control"))
    allowed = allowed_files(options.allow)
    print(f"{len(rows)} files, {len(counted)} compared: nodes {sum(r['nodes'][0] for r in counted)} against {sum(r['nodes'][1] for r in counted)}, "
          f"fewer in {sum(r['nodes'][0] < r['nodes'][1] for r in counted)} files, more in {len(more)}"
          + (f"; time {times[len(times) // 2]:.2f} (median), {times[-1]:.2f} (slowest), "
             f"of the own import again {controls[len(controls) // 2]:.2f}, {controls[-1]:.2f}" if times else ""))
    unexplained = [row for row in more if row["name"] not in allowed]
    for row in more:
        print(f"  {row['name']}: {row['nodes'][0]} for {row['nodes'][1]} nodes: {allowed.get(row['name'], 'not explained')}")
    return 1 if unexplained else 0


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)  # the runtime's threads must not outlive an answer
