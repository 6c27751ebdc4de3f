#!/usr/bin/env python3
"""Measures mo on generated models and compares with the goals of docs/performance.md.

usage: run_benchmarks.py --bin build/release/bin [--before OTHER_BIN] [--only transformer,tf_chain,…] [--runs 9] [--dir DIR] [--json FILE]

Prints one row for each figure: the best run (the largest for memory), the median and the worst one, and the goal; exit code 1 when a goal is missed. With
--before, the programs of another build run in turn with these, and their best run is printed as well. The models are generated into DIR (default: a temporary
folder on the disk of TMPDIR), converted with a warm cache, and removed. `mo` and `cp` alternate, so that all see the same machine.
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
ALL = ("tiny", "chain", "resnet50", "transformer", "decoder", "tf_chain", "tf_resnet50", "onnx_output", "tf_checkpoint", "caffe_resnet50",
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
    def __init__(self, has_before):
        self.rows = []
        before = "   before" if has_before else ""
        print(f"{'':<62} {before} {'best':>9} {'median':>9} {'worst':>9}")
        self.has_before = has_before

    def add(self, what, values, unit, goal=None, before=None):
        """`values`: one figure for each run. Of memory, the largest one counts."""
        best = max if unit == "MB" else min
        value = best(values)
        good = goal is None or value <= goal
        row = {"what": what, "value": value, "runs": values, "unit": unit, "goal": goal, "good": good}
        text = ""
        if self.has_before:
            text = f"{best(before):9.3f}" if before else " " * 9
            row["before"] = before
        self.rows.append(row)
        middle = sorted(values)[len(values) // 2]
        limit = "" if goal is None else f"goal {goal:g}  {'reached' if good else 'MISSED'}"
        print(f"{what:<62} {text} {value:>9.3f} {middle:9.3f} {max(values):9.3f} {unit:<3} {limit}", flush=True)


class Benchmark:
    def __init__(self, programs, folder, runs):
        self.programs, self.folder, self.runs = programs, folder, runs
        self.table = Table(len(programs) > 1)

    def generate(self, kind, *options):
        extension = ".pb" if kind.startswith("tf_") else ".caffemodel" if kind.startswith("caffe_") else ".onnx"
        path = os.path.join(self.folder, kind + extension)
        subprocess.run([os.path.join(self.programs[0], "mo_generate"), kind, path, *options], check=True)
        return path

    def convert(self, program, model, *options):
        out = os.path.join(self.folder, "ir")
        shutil.rmtree(out, ignore_errors=True)
        os.mkdir(out)
        result = Run([os.path.join(program, "mo"), "--input_model", model, "--output_dir", out, "--silent", *options])
        shutil.rmtree(out)
        return result

    def copy(self, files):
        target = os.path.join(self.folder, "copy")
        os.mkdir(target)
        result = Run(["cp", *files, target])
        shutil.rmtree(target)
        return result

    def in_turn(self, runs, *measures):
        """What each measure gives in `runs` rounds, after one that warms the cache. A measure takes the folder of programs; those of --before are last."""
        rounds = [[measure(program) for program in self.programs for measure in measures] for _ in range(runs + 1)]
        return list(zip(*rounds[1:]))

    def add(self, name, figure, unit, columns, step=1, goal=None):
        """A row of `figure` of the runs in columns[0], and in columns[step] of the programs before."""
        of = [[figure(run) for run in column] for column in columns[::step]]
        self.table.add(name, of[0], unit, goal, of[1] if len(of) > 1 else None)

    def against_copy(self, name, model, files, ratio, processor, memory, *options):
        """The ratios are to the best copy, as the runs of a pair may meet different neighbours."""
        size = sum(map(os.path.getsize, files)) / MB
        columns = self.in_turn(self.runs, lambda program: self.convert(program, model, *options), lambda _: self.copy(files))
        copies = [run for column in columns[1::2] for run in column]
        best, least = min(c.seconds for c in copies), min(c.processor for c in copies)
        self.add(f"{name} ({size:.0f} MB)", lambda r: r.seconds, "s", columns, 2)
        self.table.add(f"{name}: cp", [c.seconds for c in copies], "s")
        self.add(f"{name}: mo / best cp", lambda r: r.seconds / best, "x", columns, 2, ratio)
        self.add(f"{name}: processor time, mo / best cp", lambda r: r.processor / least, "x", columns, 2, processor)
        self.add(f"{name}: peak resident memory", lambda r: r.memory, "MB", columns, 2, memory)
        for path in {model, *files}:
            os.remove(path)

    def generated(self, kind, ratio, processor, memory):
        model = self.generate(kind)
        self.against_copy(kind, model, [model], ratio, processor, memory)

    def transformer(self):
        self.generated("transformer", 1.2, None, 40)

    def decoder(self):
        self.generated("decoder", 1.2, None, 64)

    # Every weight of a ResNet-50 is scaled by its batch normalization; those of TensorFlow are permuted as well.
    def resnet50(self):
        self.generated("resnet50", 1.2, 1.5, 40)

    def tf_resnet50(self):
        self.generated("tf_resnet50", 1.2, 1.5, 40)

    def caffe_resnet50(self):
        self.generated("caffe_resnet50", 1.2, 1.5, 40)

    def caffe_inner_product(self):
        self.generated("caffe_inner_product", 1.2, 1.5, 40)

    def tf_checkpoint(self):
        model = self.generate("tf_checkpoint")
        shards = [os.path.join(self.folder, f) for f in sorted(os.listdir(self.folder)) if ".ckpt.data-" in f]
        self.against_copy("tf_checkpoint", model, shards, 1.2, None, 40, "--input_checkpoint", model + ".ckpt")
        os.remove(model + ".ckpt.index")

    def weights(self):
        """Larger and larger models, 10 MB to 2 GB: time grows with the bytes, memory does not."""
        for layers, hidden, words in ((1, 192, 11_000), (2, 384, 9_216), (4, 384, 16_384), *((n, 768, 19_456) for n in (1, 4, 16, 64, 72))):
            model = self.generate("transformer", "--layers", str(layers), "--hidden", str(hidden), "--vocabulary", str(words))
            self.against_copy(f"transformer of {layers} layers of {hidden}", model, [model], None, None, 40)

    def onnx_output(self):
        """ONNX models, against cp and against the IR of the same model."""
        for kind in ("transformer", "tf_resnet50"):
            model = self.generate(kind)
            columns = self.in_turn(self.runs, lambda p: self.convert(p, model, "--to", "onnx"), lambda p: self.convert(p, model), lambda _: self.copy([model]))
            copy = min(run.seconds for column in columns[2::3] for run in column)
            ir = min(run.seconds for run in columns[1])
            large = kind == "transformer"
            self.add(f"{kind} to ONNX: mo / best cp", lambda r: r.seconds / copy, "x", columns, 3, 1.1 if large else None)
            self.add(f"{kind} to ONNX: mo / best mo to an IR", lambda r: r.seconds / ir, "x", columns, 3, None if large else 1.5)
            self.add(f"{kind} to ONNX: peak resident memory", lambda r: r.memory, "MB", columns, 3, 40)
            os.remove(model)

    def nodes(self, name, kind, count, runs, seconds=None, processor=None, memory=None):
        model = self.generate(kind, "--nodes", str(count))
        columns = self.in_turn(runs, lambda program: self.convert(program, model))
        self.add(name, lambda r: r.seconds, "s", columns, goal=seconds)
        self.add(f"{name}: processor time", lambda r: r.processor, "s", columns, goal=processor)
        self.add(f"{name}: processor time for a node", lambda r: r.processor / count * 1e6, "us", columns)
        self.add(f"{name}: peak resident memory", lambda r: r.memory, "MB", columns, goal=memory)
        os.remove(model)

    def chain(self):
        for count in (10_000, 100_000, 300_000):
            self.nodes(f"chain of {count} nodes", "chain", count, 3)
        self.nodes("chain of 1000000 nodes", "chain", 1_000_000, 3, 2, 1.5, 250)
        self.nodes("chain of 3000000 nodes", "chain", 3_000_000, 1)

    def tf_chain(self):
        self.nodes("tf_chain of 1000000 nodes, layout change", "tf_chain", 1_000_000, 3, 4, None, 400)

    def tiny(self):
        model = self.generate("tiny")
        columns = self.in_turn(max(20, self.runs), lambda p: self.convert(p, model), lambda p: Run([os.path.join(p, "mo"), "--version"]))
        self.add("tiny model, whole process", lambda r: r.seconds * 1e3, "ms", columns, 2, 3)
        self.add("tiny model: processor time", lambda r: r.processor * 1e3, "ms", columns, 2)
        self.add("mo --version", lambda r: r.seconds * 1e3, "ms", columns[1:], 2)
        os.remove(model)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, help="folder of mo and mo_generate")
    parser.add_argument("--before", help="folder of the mo of another build")
    parser.add_argument("--only", default=",".join(ALL))
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--dir")
    parser.add_argument("--json")
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="mo_benchmarks_", dir=options.dir)
    benchmark = Benchmark([options.bin] + ([options.before] if options.before else []), folder, options.runs)
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
    missed = [row["what"] for row in rows if not row["good"]]
    print(f"{len(rows)} figures, {len(missed)} goals missed" + "".join(f"\n  {what}" for what in missed))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
