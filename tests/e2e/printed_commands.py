#!/usr/bin/env python3
"""A conversion that the model makes impossible prints a command line, and that line converts: checked as a user types it first, in both IR versions.

usage: printed_commands.py BIN [--cases [--all]] [-v]      BIN: folder of mo; -v: print each command line

Without --cases: the shared models. `mo verify` prints a line as well, and that line finds that model and IR compute the same.
--cases: the model files of the shared cases; of the large collections one file in three, with --all every file. `mo verify` checks the numbers of each printed
line with its own inputs, or with stored inputs and outputs where its own do not suit the model. The tables below list the exceptions. They are always tried.

Of the IR that a printed line writes: no input is of unknown rank, every output depends on an input, and none belongs to the part of a graph that trains it.
"""
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from xml.etree import ElementTree

sys.path.insert(0, str(Path(__file__).resolve().parent))
from shared_folder import shared_folder  # noqa: E402

# Models and cases of which outputs are constants, and why that is right.
CONSTANTS = {
    "tf_saved_model_counter": "the signature get_counter has no input, and the variable has a value in the checkpoint",
    "torch_exports/op_arange_meshgrid/dd.onnx": "four of its outputs depend on the size of the input only, which the line fixes",
}
# Models whose line of `mo verify` ends with MO-VERIFY-0015, and why that is right.
WITHOUT_SIZES = {"onnx_superres_prepost_op18": "an image of three open sizes, of which the last must be 3: only a matrix behind many steps tells"}
# Codes of failures that no cut, shape or frozen value helps, whatever else the model has.
BEFORE_THE_GRAPH = {
    "MO-CLI-0021": "the format is not read: TensorFlow Lite, torch.export",
    "MO-CLI-0071": "a Caffe topology, which is not converted without weights",
    "MO-IO-0020": "an empty file",
    "MO-ONNX-0015": "an input of a type that an IR does not have ends the reading of the file; each of these models has one operator, which reads it",
}
# Other cases without a line, and why. Not listed: models in which every operator is refused, because nothing is left to convert.
WITHOUT_LINE = {
    "findings/replacers/models/cycle.onnxtxt": "malformed: a cycle",
    "findings/replacers/models/cycle2.pbtxt": "malformed: a cycle, and no output",
}
# Cases whose printed line converts, but cannot be compared.
NOT_COMPARED = {
    "onnx_backend/node/test_col2im_pads/model.onnx": "random image sizes do not fit the blocks; the stored inputs have blocks of another size than the line freezes",
    "torch_exports/hf_qwen2_past/dd.onnx": "the mask must be as long as past and new tokens together, which the names of the sizes do not tell",
    "torch_exports/op_repeat_interleave_t/d.onnx": "the new input holds indices, and random ones are out of range",
}
ABOUT_THE_MODEL = (1, 4, 5)  # exit codes
OF_TRAINING = re.compile(r"(^|/)(gradients(_\d+)?|save|Adam|Momentum|GradientDescent)(/|$)|loss", re.IGNORECASE)
MODEL_SUFFIXES = {".onnx", ".onnxtxt", ".pb", ".pbtxt", ".pt2", ".caffemodel", ".prototxt", ".tflite"}
LARGE = ("onnx_backend", "tensorflow_ops", "torch_exports")
STEP = 3  # of the files of a large collection, the first of so many
WORKERS = 2


def main_file(model, root):
    """What a user gives: the model, not its parts."""
    if "main_file" in model:
        return root / model["main_file"]
    paths = [file["path"] for file in model["files"]]
    for ending in (".caffemodel", "saved_model.pb", ".pb", ".pbtxt", ".meta"):
        for path in paths:
            if path.endswith(ending):
                return root / (os.path.dirname(path) if ending == "saved_model.pb" else path)
    return root / paths[0]


def case_files(root, everything):
    """The model files of the cases. A SavedModel is its folder."""
    by_collection = defaultdict(list)
    for path in sorted(root.rglob("*")):
        if path.suffix in MODEL_SUFFIXES and path.is_file() and not path.parent.name.startswith("test_data_set"):
            by_collection[path.relative_to(root).parts[0]].append(path.parent if path.name == "saved_model.pb" else path)
    listed = {root / name for table in (CONSTANTS, WITHOUT_LINE, NOT_COMPARED) for name in table}
    for collection, paths in by_collection.items():
        step = 1 if everything or collection not in LARGE else STEP
        yield from (path for i, path in enumerate(paths) if i % step == 0 or path in listed)


def problems_of(xml, constant):
    """`constant`: some outputs are expected to be constants."""
    net = ElementTree.parse(xml).getroot()
    layers = {layer.get("id"): layer for layer in net.find("layers")}
    reads = {}
    for edge in net.find("edges"):
        reads.setdefault(edge.get("to-layer"), []).append(edge.get("from-layer"))
    constants = []
    for layer in layers.values():
        if layer.get("type") == "Parameter" and layer.find("data").get("shape") == "...":
            yield f"the rank of input '{layer.get('name')}' is not known"
        if layer.get("type") != "Result":
            continue
        open_layers, seen = [layer.get("id")], set()
        while open_layers:
            one = open_layers.pop()
            if one not in seen:
                seen.add(one)
                open_layers += reads.get(one, [])
        if not any(layers[one].get("type") in ("Parameter", "ReadValue") for one in seen):
            constants.append(layer.get("name"))
        name = layers[reads[layer.get("id")][0]].get("name")
        if OF_TRAINING.search(name):
            yield f"output '{name}' is of the training"
    if bool(constants) != constant:
        yield f"constant outputs: {', '.join(constants) or 'none'}"


class Judge:
    """Runs the commands of one model or case, which has the name `name`, and counts."""

    def __init__(self, bin_folder, name, path, verbose):
        self.bin, self.name, self.path, self.verbose = bin_folder, name, path, verbose
        self.counts, self.codes, self.problems = Counter(), Counter(), []

    def run(self, folder, *words, program="mo"):
        return subprocess.run([os.path.join(self.bin, program), *map(str, words)], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)

    def complain(self, version, problem):
        self.problems.append(f"{self.name}, IR version {version}: {problem}")

    def line_of(self, failed, command="mo"):
        """The words after the command of the one line that is printed."""
        lines = re.findall(rf"(?m)^  ({command} .*)$", failed.stderr.decode(errors="replace"))
        if len(lines) != 1:
            return None
        if self.verbose:
            print(lines[0])
        return shlex.split(lines[0])[len(command.split()):]

    def convert(self, version, reason_without_line, check_numbers):
        """Converts as a user types first. `reason_without_line(error code)`: why no line can be printed; None: one is to be printed."""
        with tempfile.TemporaryDirectory() as folder:
            first = self.run(folder, self.path, "--ir_version", version)
            self.counts["converted" if first.returncode == 0 else "refused"] += 1
            if first.returncode == 0:
                return
            code = re.search(r"MO-[A-Z]+-\d+", first.stderr.decode(errors="replace"))
            self.codes[code[0] if code else f"exit code {first.returncode}"] += 1
            if first.returncode not in ABOUT_THE_MODEL:
                self.counts["not about the model"] += 1
                return
            words, reason = self.line_of(first), reason_without_line(code[0] if code else "")
            if words is None and reason:
                self.counts["without a line, as listed"] += 1
                return
            if words is None:
                self.complain(version, "no command line is printed")
                return
            if self.name in WITHOUT_LINE:
                self.complain(version, "a command line is printed: take the case out of WITHOUT_LINE")
            self.counts["printed"] += 1
            second = self.run(folder, *words, "--model_name", "net")
            if second.returncode != 0:
                self.complain(version, f"mo {shlex.join(words)}: exit code {second.returncode}: {second.stderr.decode()[:300]}")
                return
            self.counts["converted by the printed line"] += 1
            constant = self.name in CONSTANTS and (self.name == Path(self.name).name or "--input" in words)
            for problem in problems_of(Path(folder) / "net.xml", constant):
                self.complain(version, f"mo {shlex.join(words)}: {problem}")
            if check_numbers:
                self.check_numbers(version, words, folder)

    def check_numbers(self, version, words, folder):
        verified = self.run(folder, "verify", *words)
        right = verified.returncode == 0 or self.stored_numbers_match(words, folder)
        if right and self.name in NOT_COMPARED:
            self.complain(version, "the numbers are right: take the case out of NOT_COMPARED")
        elif right:
            self.counts["right numbers"] += 1
        elif self.name in NOT_COMPARED:
            self.counts["not compared, as listed"] += 1
        else:
            self.complain(version, f"mo verify {shlex.join(words)}: exit code {verified.returncode}: {verified.stderr.decode()[:300]}")

    def stored_numbers_match(self, words, folder):
        """Of a line that converts the model as it is: does the IR compute what is stored beside the model?"""
        if set(word for word in words if word.startswith("--")) != {"--input_model", "--ir_version"}:
            return False
        beside = self.path.parent
        if (beside / "test_data_set_0").is_dir():
            version = words[words.index("--ir_version") + 1]
            tests = ("--tests", beside.parent, "--filter", f"/{re.escape(beside.name)}$", "--ir_version", version)
            ran = self.run(folder, *tests, program="mo_conformance")
            return ran.returncode == 0 and b"1 passed" in ran.stdout
        if not (beside / "meta.json").is_file():
            return False
        meta = json.loads((beside / "meta.json").read_text(encoding="utf-8"))
        tensors = {each["key"]: each["tensor"] for each in meta["inputs"] + meta["outputs"]}
        arrays = Path(folder) / "arrays"
        arrays.mkdir()
        for archive in ("inputs.npz", "expected.npz"):
            with zipfile.ZipFile(beside / archive) as opened:
                for entry in opened.namelist():
                    (arrays / f"{tensors[entry[:-len('.npy')]]}.npy").write_bytes(opened.read(entry))
        return self.run(folder, "verify", "net.xml", "--reference", arrays).returncode == 0

    def verify(self):
        """As `convert`, of the check instead of the conversion."""
        with tempfile.TemporaryDirectory() as folder:
            first = self.run(folder, "verify", self.path)
            if first.returncode not in ABOUT_THE_MODEL:
                return
            words = self.line_of(first, "mo verify")
            if words is None:
                self.problems.append(f"{self.name}: mo verify prints no command line: {first.stderr.decode()[:300]}")
                return
            second = self.run(folder, "verify", *words)
            lacks_sizes = self.name in WITHOUT_SIZES
            if lacks_sizes != (b"MO-VERIFY-0015" in second.stderr) or second.returncode != 0 and not lacks_sizes:
                self.problems.append(f"{self.name}: mo verify {shlex.join(words)}: exit code {second.returncode}: {second.stderr.decode()[:300]}")
                return
            self.counts["without sizes, as listed" if lacks_sizes else "the same by the line that mo verify prints"] += 1

    def reason_without_line(self, code):
        if code in BEFORE_THE_GRAPH or self.name in WITHOUT_LINE:
            return BEFORE_THE_GRAPH.get(code) or WITHOUT_LINE[self.name]
        inspected = self.run(None, "inspect", self.path, "--json")
        if inspected.returncode != 0:
            return None
        report = json.loads(inspected.stdout)
        refused = {node for refusal in report["conversion"]["refusals"] for node in refusal["nodes"]}
        operators = sum(count for op, count in report["model"]["ops"].items() if op not in ("Const", "Constant"))
        return "every operator is refused" if operators <= len(refused) else None


def judge_model(judge):
    for version in ("10", "11"):
        judge.convert(version, lambda code: None, check_numbers=False)
    judge.verify()
    return judge


def judge_case(judge):
    for version in ("10", "11"):
        judge.convert(version, judge.reason_without_line, check_numbers=True)
    return judge


def report(title, judges):
    counts, codes = Counter(files=len(judges)), Counter()
    for judge in judges:
        counts += judge.counts
        codes += judge.codes
    print(f"{title}: {', '.join(f'{count} {what}' for what, count in counts.items())}")
    if codes:
        print("  refused by", ", ".join(f"{code} {count}" for code, count in sorted(codes.items())))
    return counts


def main():
    bin_folder, verbose = os.path.abspath(sys.argv[1]), "-v" in sys.argv
    if "--cases" in sys.argv:
        root = shared_folder("cases") / "cases"
        judges = [Judge(bin_folder, str(path.relative_to(root)), path, verbose) for path in case_files(root, "--all" in sys.argv)]
        judge_one = judge_case
    else:
        root = shared_folder("models/manifest.json") / "models"
        models = json.loads((root / "manifest.json").read_text(encoding="utf-8"))["models"]
        judges = [Judge(bin_folder, model["id"], main_file(model, root), verbose) for model in models]
        judge_one = judge_model
    with ThreadPoolExecutor(WORKERS) as workers:
        list(workers.map(judge_one, judges))
    for judge in judges:
        print(*judge.problems, sep="\n", end="\n" if judge.problems else "")
    if "--cases" in sys.argv:
        for collection in sorted({judge.name.split("/")[0] for judge in judges}):
            report(collection, [judge for judge in judges if judge.name.split("/")[0] == collection])
    counts = report("all", judges)
    return 1 if any(judge.problems for judge in judges) or not counts["printed"] else 0


if __name__ == "__main__":
    sys.exit(main())
