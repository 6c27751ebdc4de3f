#!/usr/bin/env python3
"""A conversion that the model makes impossible prints a command line, and that one converts: over all shared models as a user types them first, in both IR versions.

usage: printed_commands.py BIN [-v]      BIN: folder of mo; -v: print each command line

`mo verify` of the same models prints a line as well, which finds that both compute the same.
Of the IR that the printed line writes: no input is of unknown rank, every output depends on an input (but for those of the table CONSTANTS), and none is of the part of a graph that trains it.
"""
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

sys.path.insert(0, str(Path(__file__).resolve().parent))
from shared_folder import shared_folder  # noqa: E402

# Models whose printed command line gives a constant, and why that is right.
CONSTANTS = {"tf_saved_model_counter": "the signature get_counter has no input, and the variable has a value in the checkpoint"}
# Models whose line of `mo verify` ends with MO-VERIFY-0015, and why that is right.
WITHOUT_SIZES = {"onnx_superres_prepost_op18": "an image of three open sizes, of which the last must be 3: only a matrix behind many steps tells"}
ABOUT_THE_MODEL = (1, 4, 5)  # exit codes
OF_TRAINING = re.compile(r"(^|/)(gradients(_\d+)?|save|Adam|Momentum|GradientDescent)(/|$)|loss", re.IGNORECASE)


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


def problems_of(xml, constant):
    net = ElementTree.parse(xml).getroot()
    layers = {layer.get("id"): layer for layer in net.find("layers")}
    reads = {}
    for edge in net.find("edges"):
        reads.setdefault(edge.get("to-layer"), []).append(edge.get("from-layer"))
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
        if any(layers[one].get("type") in ("Parameter", "ReadValue") for one in seen) == constant:
            yield f"output '{layer.get('name')}' is {'no' if constant else 'a'} constant"
        name = layers[reads[layer.get("id")][0]].get("name")
        if OF_TRAINING.search(name):
            yield f"output '{name}' is of the training"


def judge(mo, model, version, counts, verbose, constant):
    with tempfile.TemporaryDirectory() as folder:
        first = subprocess.run([mo, str(model), "--ir_version", version], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        counts["converted" if first.returncode == 0 else "refused"] += 1
        if first.returncode not in ABOUT_THE_MODEL:
            return
        lines = re.findall(r"(?m)^  (mo .*)$", first.stderr.decode())
        if len(lines) != 1:
            yield f"{len(lines)} command lines are printed"
            return
        if verbose:
            print(version, lines[0])
        counts["printed"] += 1
        second = subprocess.run([mo, *shlex.split(lines[0])[1:], "--model_name", "net"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        if second.returncode != 0:
            yield f"{lines[0]}: exit code {second.returncode}: {second.stderr.decode()[:300]}"
            return
        counts["converted by the printed line"] += 1
        yield from (f"{lines[0]}: {problem}" for problem in problems_of(Path(folder) / "net.xml", constant))


def judge_verify(mo, model, counts, verbose, lacks_sizes):
    """As `judge`, of the check instead of the conversion."""
    with tempfile.TemporaryDirectory() as folder:
        first = subprocess.run([mo, "verify", str(model)], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        if first.returncode not in ABOUT_THE_MODEL:
            return
        lines = re.findall(r"(?m)^  (mo verify .*)$", first.stderr.decode())
        if len(lines) != 1:
            yield f"mo verify prints {len(lines)} command lines: {first.stderr.decode()[:300]}"
            return
        if verbose:
            print(lines[0])
        second = subprocess.run([mo, *shlex.split(lines[0])[1:]], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        if lacks_sizes != (b"MO-VERIFY-0015" in second.stderr) or second.returncode != 0 and not lacks_sizes:
            yield f"{lines[0]}: exit code {second.returncode}: {second.stderr.decode()[:300]}"
            return
        counts["without sizes, as listed" if lacks_sizes else "the same by the line that mo verify prints"] += 1


def main():
    mo, verbose = os.path.join(os.path.abspath(sys.argv[1]), "mo"), "-v" in sys.argv
    root = shared_folder("models/manifest.json") / "models"
    models = json.loads((root / "manifest.json").read_text(encoding="utf-8"))["models"]
    counts, problems = Counter(), []
    for model in models:
        for version in ("10", "11"):
            problems += [f"{model['id']}, IR version {version}: {problem}" for problem in judge(mo, main_file(model, root), version, counts, verbose, model["id"] in CONSTANTS)]
        problems += [f"{model['id']}: {problem}" for problem in judge_verify(mo, main_file(model, root), counts, verbose, model["id"] in WITHOUT_SIZES)]
    print(*problems, sep="\n")
    print(", ".join(f"{count} {what}" for what, count in counts.items()))
    return 1 if problems or not counts["printed"] else 0


if __name__ == "__main__":
    sys.exit(main())
