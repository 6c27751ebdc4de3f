#!/usr/bin/env python3
"""Measures mo on generated models and compares with the budgets of DESIGN.md, "Reading without copying".

usage: run_benchmarks.py --bin build/release/bin [--only transformer,tf_chain,…] [--runs 9] [--dir DIR] [--json FILE]

Prints one row for each figure with its budget; exit code 1 when a budget is exceeded. The models are generated into DIR (default: a temporary
folder on the disk of TMPDIR), converted with a warm cache, and removed. `mo` and `cp` runs alternate, so that both see the same machine.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

MB = 1 << 20
ALL = ("tiny", "chain", "resnet50", "transformer", "tf_chain", "tf_resnet50", "onnx_output", "tf_checkpoint", "caffe_resnet50",
       "caffe_inner_product", "weights")


class Run:
    """One process: seconds, processor seconds, and its own peak resident memory in MB (not the largest so far)."""

    def __init__(self, command):
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        error = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        self.seconds = time.perf_counter() - start
        self.processor = usage.ru_utime + usage.ru_stime
        self.memory = usage.ru_maxrss * 1024 / MB
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(f"{' '.join(command)}\nended with {process.returncode}:\n{error.decode(errors='replace')[-2000:]}")


class Table:
    """A row for each figure: the best run (the largest for memory), and the spread of all."""

    def __init__(self):
        self.rows = []

    def add(self, what, values, unit, budget=None):
        values = sorted(values) if isinstance(values, list) else [values]
        value = values[-1] if unit == "MB" else values[0]
        good = budget is None or value <= budget
        self.rows.append({"what": what, "value": value, "runs": values, "unit": unit, "budget": budget, "good": good})
        spread = f"{values[len(values) // 2]:9.3f} {values[-1]:9.3f}" if len(values) > 1 else " " * 19
        limit = "" if budget is None else f"budget {budget:g}  {'ok' if good else 'EXCEEDED'}"
        print(f"{what:<62} {value:>9.3f} {spread} {unit:<3} {limit}", flush=True)


class Benchmark:
    def __init__(self, bin_folder, folder, runs):
        self.bin, self.folder, self.runs = bin_folder, folder, runs
        self.table = Table()

    def generate(self, kind, *options):
        extension = ".pb" if kind.startswith("tf_") else ".caffemodel" if kind.startswith("caffe_") else ".onnx"
        path = os.path.join(self.folder, kind + extension)
        subprocess.run([os.path.join(self.bin, "mo_generate"), kind, path, *options], check=True)
        return path

    def convert(self, model, *options):
        out = os.path.join(self.folder, "ir")
        shutil.rmtree(out, ignore_errors=True)
        os.mkdir(out)
        result = Run([os.path.join(self.bin, "mo"), "--input_model", model, "--output_dir", out, "--silent", *options])
        shutil.rmtree(out)
        return result

    def copy(self, files):
        target = os.path.join(self.folder, "copy")
        os.mkdir(target)
        result = Run(["cp", *files, target])
        shutil.rmtree(target)
        return result

    def paired(self, name, model, files, ratio, processor, memory, *options):
        """mo and cp in turn; the ratios are of the best runs, as those of pairs meet different neighbours."""
        size = sum(map(os.path.getsize, files)) / MB
        self.convert(model, *options), self.copy(files)  # warms the cache
        pairs = [(self.convert(model, *options), self.copy(files)) for _ in range(self.runs)]
        ours, copies = [p[0] for p in pairs], [p[1] for p in pairs]
        best = min(c.seconds for c in copies)
        least = min(c.processor for c in copies)
        self.table.add(f"{name} ({size:.0f} MB): mo", [m.seconds for m in ours], "s")
        self.table.add(f"{name}: cp", [c.seconds for c in copies], "s")
        self.table.add(f"{name}: mo / best cp", [m.seconds / best for m in ours], "x", ratio)
        self.table.add(f"{name}: processor time, mo / best cp", [m.processor / least for m in ours], "x", processor)
        self.table.add(f"{name}: peak resident memory", [m.memory for m in ours], "MB", memory)
        for path in {model, *files}:
            os.remove(path)

    def against_copy(self, kind, ratio, processor, memory, *options):
        model = self.generate(kind, *options)
        self.paired(kind, model, [model], ratio, processor, memory)

    def transformer(self):
        self.against_copy("transformer", 1.2, 2, 40)

    def onnx_output(self):
        """ONNX models, paired with cp and with the IR of the same model."""
        for kind in ("transformer", "tf_resnet50"):
            model = self.generate(kind)
            rows = [(self.convert(model, "--to", "onnx"), self.convert(model), self.copy([model])) for _ in range(self.runs + 1)]
            del rows[0]  # which warmed the cache
            copy = min(c.seconds for _, _, c in rows)
            ir = min(i.seconds for _, i, _ in rows)
            onnx = [o for o, _, _ in rows]
            self.table.add(f"{kind} to ONNX", [o.seconds for o in onnx], "s")
            self.table.add(f"{kind} to ONNX: mo / best cp", [o.seconds / copy for o in onnx], "x", 1.1 if kind == "transformer" else None)
            self.table.add(f"{kind} to ONNX: mo / best mo to an IR", [o.seconds / ir for o in onnx], "x", None if kind == "transformer" else 1.5)
            self.table.add(f"{kind} to ONNX: peak resident memory", [o.memory for o in onnx], "MB", 40)
            os.remove(model)

    def chain(self):
        per_node = {}
        for nodes in (10_000, 100_000, 1_000_000, 3_000_000):
            model = self.generate("chain", "--nodes", str(nodes))
            runs = [self.convert(model) for _ in range(3 if nodes <= 1_000_000 else 1)]
            million = nodes == 1_000_000
            self.table.add(f"chain of {nodes} nodes", [r.seconds for r in runs], "s", 2 if million else None)
            self.table.add(f"chain of {nodes} nodes: processor time", [r.processor for r in runs], "s", 1.5 if million else None)
            self.table.add(f"chain of {nodes} nodes: peak resident memory", [r.memory for r in runs], "MB", 250 if million else None)
            per_node[nodes] = min(r.processor for r in runs) / nodes
            self.table.add(f"chain of {nodes} nodes: processor time per node", per_node[nodes] * 1e6, "us")
            os.remove(model)
        # Below 10 000 nodes start-up is part of it, which makes the ratio kind.
        self.table.add("time per node, 3 000 000 against 10 000", per_node[3_000_000] / per_node[10_000], "x", 2)

    def weights(self):
        """One large model after another: time grows with the bytes, memory does not."""
        for blocks in (1, 4, 16, 64):
            model = self.generate("transformer", "--layers", str(blocks))
            self.paired(f"transformer of {blocks} layers", model, [model], 1.2 if blocks > 4 else None, None, 40)

    # Every weight of a ResNet-50 is scaled by its batch normalization; those of TensorFlow are permuted too.
    def resnet50(self):
        self.against_copy("resnet50", 1.2, 1.5, 40)

    def tf_resnet50(self):
        self.against_copy("tf_resnet50", 1.2, 1.5, 40)

    def caffe_resnet50(self):
        self.against_copy("caffe_resnet50", 1.2, 1.5, 40)

    def caffe_inner_product(self):
        self.against_copy("caffe_inner_product", 1.2, 1.5, 40)

    def tf_checkpoint(self):
        model = self.generate("tf_checkpoint")
        shards = [os.path.join(self.folder, f) for f in sorted(os.listdir(self.folder)) if ".ckpt.data-" in f]
        self.paired("tf_checkpoint", model, shards, 1.2, 2, 40, "--input_checkpoint", model + ".ckpt")
        os.remove(model + ".ckpt.index")

    def tf_chain(self):
        model = self.generate("tf_chain", "--nodes", "1000000")
        runs = [self.convert(model) for _ in range(3)]
        self.table.add("tf_chain of 1000000 nodes, layout change", [r.seconds for r in runs], "s", 4)
        self.table.add("tf_chain: processor time", [r.processor for r in runs], "s")
        self.table.add("tf_chain: peak resident memory", [r.memory for r in runs], "MB", 400)
        os.remove(model)

    def tiny(self):
        model = self.generate("tiny")
        runs = [self.convert(model) for _ in range(max(20, self.runs))]
        self.table.add("tiny model, whole process", [r.seconds * 1e3 for r in runs], "ms", 3)
        self.table.add("tiny model: processor time", [r.processor * 1e3 for r in runs], "ms")
        version = [Run([os.path.join(self.bin, "mo"), "--version"]) for _ in runs]
        self.table.add("mo --version", [r.seconds * 1e3 for r in version], "ms")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, help="folder of mo and mo_generate")
    parser.add_argument("--only", default=",".join(ALL))
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--dir")
    parser.add_argument("--json")
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="mo_benchmarks_", dir=options.dir)
    benchmark = Benchmark(options.bin, folder, options.runs)
    try:
        for name in options.only.split(","):
            if name not in ALL:
                parser.error(f"there is no benchmark {name!r}")
            getattr(benchmark, name)()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    rows = benchmark.table.rows
    if options.json:
        with open(options.json, "w") as file:
            json.dump(rows, file, indent=1)
    exceeded = [row["what"] for row in rows if not row["good"]]
    print(f"{len(rows)} figures, {len(exceeded)} over budget" + "".join(f"\n  {what}" for what in exceeded))
    return 1 if exceeded else 0


if __name__ == "__main__":
    sys.exit(main())
