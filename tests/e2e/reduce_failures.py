#!/usr/bin/env python3
"""mo reduce on six failures of real models: an unsupported op, a wrong number, a crash, a pass that takes long, a refusal of IR version 10, a configuration that
does not fit. The result must show the failure, be small, and contain nothing of the original.

usage: reduce_failures.py BIN PLUGIN [--table]     BIN: folder of the programs; PLUGIN: built from tests/e2e/faults/faulty.cpp; --table prints the figures
"""
import re
import shlex
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from shared_folder import shared_folder

BIN, PLUGIN = (Path(word).resolve() for word in sys.argv[1:3])
MODELS = shared_folder("models/manifest.json") / "models"
CIFAR = MODELS / "onnx/onnx_cifar_pytorch/ImageClassifier.onnx"
SSD = MODELS / "tf/tf_syn_ssdlite_mbv2/frozen_inference_graph.pb"
PIPELINE = SSD.parent / "pipeline.config"
SMALL = 60000  # bytes of a result as text, at most: a loop of TensorFlow 1 has a hundred nodes
TOO_SHORT = 5  # names of so few letters are everywhere


def mo(*words, ends=None):
    done = subprocess.run([str(BIN / "mo"), *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600, check=False)
    text = done.stdout.decode(errors="replace")
    if ends is not None and done.returncode != ends:
        sys.exit(f"mo {shlex.join(map(str, words))}: exit code {done.returncode}\n{text[-3000:]}")
    return done.returncode, text


def fails(code, *options):
    return lambda model, out: mo(model, *options, "--silent", "-o", out)[1].count(code) > 0


def crashes(model, out):
    return mo(model, *faulty("FaultyCrash[type=ReLU;which=1]"), "--silent", "-o", out)[0] < 0


def differs(model, out):
    mo(model, *faulty("FaultyScale[type=ReLU;which=1]"), "--silent", "-o", out, ends=0)
    (xml,) = Path(out).glob("*.xml")
    return mo("verify", model, xml)[0] == 8


def takes_long(model, out):
    begin = time.monotonic()
    mo(model, *faulty("FaultySlowness[type=Convolution]"), "--silent", "-o", out)
    return time.monotonic() - begin > 2


def faulty(transform):
    return ["--extensions", PLUGIN, "--transform", transform]


def cases(folder):
    """What is wrong, the model, what mo reduce is told, and whether a model shows it."""
    unknown = folder / "unknown.pb"
    cut = folder / "cifar.pb"
    cut.write_bytes((MODELS / "tf/tf_cifar_frozen/frozen_model.pb").read_bytes())
    mo("transform", f"--in_graph={cut}", f"--out_graph={unknown}", "--transforms=rename_op(old_op_name=Relu, new_op_name=Mystery)", ends=0)
    script = folder / "slow.sh"
    script.write_text(f"#!/bin/sh\ntimeout 2 {BIN}/mo $1 {shlex.join(map(str, faulty('FaultySlowness[type=Convolution]')))} --silent -o {folder}/slow\n"
                      "test $? = 124\n")
    config = ["--transformations_config", "faster_rcnn_support.json", "--tensorflow_object_detection_api_pipeline_config", PIPELINE]
    version_10 = ["--ir_version", "10"]
    return [
        ("unsupported op", unknown, ["--error", "MO-FRONT-0001"], fails("MO-FRONT-0001")),
        ("wrong number", CIFAR, ["--differs", *faulty("FaultyScale[type=ReLU;which=1]")], differs),
        ("crash of a plugin", CIFAR, ["--crashes", *faulty("FaultyCrash[type=ReLU;which=1]")], crashes),
        ("slow pass", CIFAR, ["--", "sh", script, "{}"], takes_long),
        ("refused in version 10", SSD, ["--error", "MO-BACK-0002", "--says", "Range", *version_10], fails("MO-BACK-0002: Range", *version_10)),
        ("configuration that does not fit", SSD, ["--error", "MO-CONFIG-0241", *config], fails("MO-CONFIG-0241", *config)),
    ]


def names_and_weights(model, folder):
    """Of the IR of a model: names, and pieces of constants."""
    out = folder / "original"
    mo(model, "--silent", "-o", out)
    found = list(out.glob("*.xml"))
    if not found:  # no IR: what looks like a name in the file
        return {text.decode() for text in re.findall(rb"[A-Za-z_]\w*/[\w/]{4,}", model.read_bytes())}, []
    names = {layer.get("name") for layer in ElementTree.parse(found[0]).iter("layer")}
    weights = found[0].with_suffix(".bin").read_bytes()
    step = max(1, len(weights) // 4 // 5000) * 4
    return {name for name in names if len(name) > TOO_SHORT}, [weights[at:at + 12] for at in range(0, len(weights) - 12, step) if len(set(weights[at:at + 12])) > 8]


def main():
    failed = 0
    if "--table" in sys.argv:
        print("| failure | before | after | tests | seconds |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as top:
        folder = Path(top)
        for number, (what, model, words, shows) in enumerate(cases(folder)):
            out = folder / f"reduced_{number}"
            at = words.index("--") if "--" in words else len(words)
            begin = time.monotonic()
            _, text = mo("reduce", model, "-o", out, *words[:at], *words[at:], ends=0)
            seconds = time.monotonic() - begin
            (small,) = [path for path in out.iterdir() if path.name != "README.md"]
            content = small.read_bytes()
            nodes, tests = re.search(r"(\d+ of \d+) nodes", text).group(1), re.search(r"(\d+) tests", text).group(1)
            names, weights = names_and_weights(model, folder / f"of_{number}")
            problems = [] if len(content) <= SMALL else [f"has {len(content)} bytes"]
            problems += [] if shows(small, folder / f"shown_{number}") else ["does not show it any more"]
            problems += [f"names {name}" for name in names if name.encode() in content]
            problems += ["has weights of the original"] if any(piece in content for piece in weights) else []
            for problem in problems:
                print(f"{what}: {problem}")
            failed += len(problems)
            if "--table" in sys.argv:
                print(f"| {what} | {nodes.split()[-1]} nodes, {model.stat().st_size} bytes | {nodes.split()[0]} nodes, {len(content)} bytes | {tests} | {seconds:.1f} |")
    print(f"6 failures, {failed} problems")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
