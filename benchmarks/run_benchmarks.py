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
       "caffe_inner_product")


def run(command):
    """Seconds, peak resident bytes and exit code of one process. Memory is that of this process alone, not the largest so far."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    error = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)}\nended with {process.returncode}:\n{error.decode(errors='replace')[-2000:]}")
    return seconds, usage.ru_maxrss * 1024


class Table:
    def __init__(self):
        self.rows = []

    def add(self, what, value, unit, budget=None):
        good = budget is None or value <= budget
        self.rows.append({"what": what, "value": value, "unit": unit, "budget": budget, "good": good})
        limit = "" if budget is None else f"budget {budget:g}  {'ok' if good else 'EXCEEDED'}"
        print(f"{what:<58} {value:>10.3f} {unit:<6} {limit}", flush=True)


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
        figures = run([os.path.join(self.bin, "mo"), "--input_model", model, "--output_dir", out, "--silent", *options])
        shutil.rmtree(out)
        return figures

    def copy(self, model):
        target = model + ".copy"
        seconds, _ = run(["cp", model, target])
        os.remove(target)
        return seconds

    def against_copy(self, kind, ratio, memory):
        model = self.generate(kind)
        size = os.path.getsize(model) / MB
        self.convert(model), self.copy(model)  # warms the cache
        pairs = [(self.convert(model), self.copy(model)) for _ in range(self.runs)]
        best = min(seconds for (seconds, _), _ in pairs)
        copy = min(seconds for _, seconds in pairs)
        self.table.add(f"{kind} ({size:.0f} MB): mo, best of {self.runs}", best, "s")
        self.table.add(f"{kind}: cp, best of {self.runs}", copy, "s")
        self.table.add(f"{kind}: mo / cp", best / copy, "x", ratio)
        self.table.add(f"{kind}: peak resident memory", max(rss for (_, rss), _ in pairs) / MB, "MB", memory)
        os.remove(model)

    def transformer(self):
        self.against_copy("transformer", 1.5, 150)

    def onnx_output(self):
        """ONNX models, paired with cp and with the IR of the same model."""
        for kind in ("transformer", "tf_resnet50"):
            model = self.generate(kind)
            rows = [(self.convert(model, "--to", "onnx"), self.convert(model), self.copy(model)) for _ in range(self.runs + 1)]
            del rows[0]  # which warmed the cache
            best = [min(seconds for seconds, _ in column) for column in zip(*[(onnx, ir) for onnx, ir, _ in rows])]
            copy = min(seconds for _, _, seconds in rows)
            self.table.add(f"{kind} to ONNX, best of {self.runs}", best[0], "s")
            self.table.add(f"{kind} to ONNX: mo / cp", best[0] / copy, "x", 1.1 if kind == "transformer" else None)
            self.table.add(f"{kind} to ONNX: mo / mo to an IR", best[0] / best[1], "x", None if kind == "transformer" else 1.5)
            self.table.add(f"{kind} to ONNX: peak resident memory", max(rss for (_, rss), _, _ in rows) / MB, "MB", 40 if kind == "transformer" else None)
            os.remove(model)

    def resnet50(self):
        # Every convolution is scaled by its batch normalisation: no weight stays as it is.
        self.against_copy("resnet50", 3.0, 200)

    def chain(self):
        per_node = {}
        for nodes in (1_000, 10_000, 100_000, 1_000_000):
            model = self.generate("chain", "--nodes", str(nodes))
            figures = [self.convert(model) for _ in range(3 if nodes < 1_000_000 else 1)]
            seconds, memory = min(s for s, _ in figures), max(m for _, m in figures)
            million = nodes == 1_000_000
            self.table.add(f"chain of {nodes} nodes", seconds, "s", 10 if million else None)
            self.table.add(f"chain of {nodes} nodes: peak resident memory", memory / MB, "MB", 1536 if million else None)
            per_node[nodes] = seconds / nodes
            self.table.add(f"chain of {nodes} nodes: per node", per_node[nodes] * 1e6, "us")
            os.remove(model)
        # Start-up is part of the time for 1 000 nodes, which makes that ratio kind; 10 000 to 1 000 000 is the honest one.
        self.table.add("time per node, 1 000 000 against 1 000", per_node[1_000_000] / per_node[1_000], "x")
        self.table.add("time per node, 1 000 000 against 10 000", per_node[1_000_000] / per_node[10_000], "x", 2)

    def tf_resnet50(self):
        # Every weight is permuted and scaled.
        self.against_copy("tf_resnet50", 3.0, 160)

    def caffe_resnet50(self):
        # BatchNorm and Scale fold into every weight.
        self.against_copy("caffe_resnet50", 3.0, 160)

    def caffe_inner_product(self):
        self.against_copy("caffe_inner_product", 1.5, 166)

    def tf_checkpoint(self):
        model = self.generate("tf_checkpoint")
        shards = [os.path.join(self.folder, f) for f in sorted(os.listdir(self.folder)) if ".ckpt.data-" in f]
        options = ["--input_checkpoint", model + ".ckpt"]
        size = sum(map(os.path.getsize, shards)) / MB

        def copy():
            target = os.path.join(self.folder, "copy")
            os.mkdir(target)
            seconds, _ = run(["cp", *shards, target])
            shutil.rmtree(target)
            return seconds

        self.convert(model, *options), copy()  # warms the cache
        pairs = [(self.convert(model, *options), copy()) for _ in range(self.runs)]
        best, copied = min(s for (s, _), _ in pairs), min(s for _, s in pairs)
        self.table.add(f"tf_checkpoint ({size:.0f} MB): mo, best of {self.runs}", best, "s")
        self.table.add("tf_checkpoint: mo / cp", best / copied, "x", 1.5)
        self.table.add("tf_checkpoint: peak resident memory", max(rss for (_, rss), _ in pairs) / MB, "MB", 166)
        for path in [model, model + ".ckpt.index", *shards]:
            os.remove(path)

    def tf_chain(self):
        model = self.generate("tf_chain", "--nodes", "1000000")
        seconds, memory = self.convert(model)
        self.table.add("tf_chain of 1000000 nodes, layout change", seconds, "s", 20)
        self.table.add("tf_chain: peak resident memory", memory / MB, "MB", 1536)
        os.remove(model)

    def tiny(self):
        model = self.generate("tiny")
        times = [self.convert(model)[0] for _ in range(max(20, self.runs))]
        self.table.add("tiny model, whole process, best", min(times) * 1e3, "ms", 20)
        self.table.add("tiny model, whole process, median", sorted(times)[len(times) // 2] * 1e3, "ms")


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
