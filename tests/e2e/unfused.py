#!/usr/bin/env python3
"""Counts what remains after the convolutions and matrix products of IRs: a Multiply by a constant, or a second Add of one, that belongs into the weights
or the bias. A shared model may keep one only for a reason of the model's (REASONS), and not more than the IR of the original has (unfused_original.txt).
The original also folds factors into quantised weights, which changes what is rounded afterwards: these do not count.

usage: unfused.py BIN [FILTER]         BIN: folder of mo; converts the shared models, whose ids FILTER may restrict
       unfused.py --irs IR.xml...      prints a line for each IR: its name, and how many are left for which reason

The shared models are looked up in MO_SHARED (default: ../shared beside the sources); without them the test is skipped, which it says.
"""
import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as et
from pathlib import Path

from checker import load_tool
from shared_folder import ROOT, shared_folder

sys.path.insert(0, str(ROOT / "tests" / "support"))
import numpy_python  # noqa: E402,F401  (evaluate_models.py of the shared folder needs numpy)

PRODUCTS = {"Convolution", "GroupConvolution", "ConvolutionBackpropData", "GroupConvolutionBackpropData", "MatMul"}
# What may stay, and why. Anything else is a fusion that was missed.
REASONS = {
    "reader": "the product, or the sum behind it, has another reader",
    "weights": "the weights have another reader",
    "channels": "the constant is not one number for each output channel",
    "input": "the weights are not constant",
    "quantised": "the weights are compressed or quantised, or the sums are whole numbers, whose rounding a factor in the weights would change",
}
MISSED = "missed"
ORIGINAL = ROOT / "tests" / "e2e" / "unfused_original.txt"


class Net:
    """The layers of one graph (an IR or the body of a loop) with their inputs and readers."""

    def __init__(self, element):
        self.layers = {layer.get("id"): layer for layer in element.find("layers")}
        self.inputs = collections.defaultdict(dict)
        self.readers = collections.defaultdict(list)
        for edge in element.find("edges"):
            self.inputs[edge.get("to-layer")][int(edge.get("to-port"))] = edge.get("from-layer")
            self.readers[edge.get("from-layer")].append(edge.get("to-layer"))

    def kind(self, layer):
        return self.layers[layer].get("type")

    def sources(self, layer):
        return [self.inputs[layer][port] for port in sorted(self.inputs[layer])]

    def is_constant(self, layer):
        """Whether all that the layer computes follows from constants."""
        open_layers, seen = [layer], set()
        while open_layers:
            one = open_layers.pop()
            if one in seen:
                continue
            seen.add(one)
            if self.kind(one) != "Const" and not self.sources(one):
                return False
            open_layers += self.sources(one)
        return True

    def shape(self, layer):
        output = self.layers[layer].find("output")
        return [int(dim.text) for dim in output.find("port").findall("dim")] if output is not None else []

    def split(self, layer):
        """The data and the constant of an operation on two tensors; nothing when it has not one of each."""
        sources = self.sources(layer)
        constants = [self.is_constant(source) for source in sources]
        if len(sources) != 2 or constants[0] == constants[1]:
            return None
        return (sources[1], sources[0]) if constants[0] else (sources[0], sources[1])


def lies_along_channels(net, constant, product):
    """Whether a constant is one number for each output channel of a product, or one number."""
    shape, result = net.shape(constant), net.shape(product)
    if all(size == 1 for size in shape):
        return len(shape) <= len(result)
    axis = len(result) - 1 if net.kind(product) == "MatMul" else 1
    at = axis - (len(result) - len(shape))
    return at >= 0 and all(size == 1 or (i == at and size == result[axis]) for i, size in enumerate(shape))


def reason_of(net, product, chain, layer):
    """Why the constant of a layer at the end of a chain after a product is not part of its weights or its bias."""
    weights = net.sources(product)[1]
    other = net.sources(product)[0]
    if not net.is_constant(weights):
        if not net.is_constant(other):
            return None  # two computed tensors: no weights at all
        return "input"
    if any(len(net.readers[before]) > 1 for before in [product, *chain]):
        return "reader"
    if not lies_along_channels(net, net.split(layer)[1], product):
        return "channels"
    if net.kind(weights) != "Const" or all(net.kind(reader) in ("Round", "FakeQuantize") for reader in net.readers[layer]):
        return "quantised"
    return "weights" if len(net.readers[weights]) > 1 else MISSED


def left_in(net):
    """[(reason, name of the layer)] of one graph."""
    found = []
    for layer in net.layers:
        if net.kind(layer) not in ("Multiply", "Add") or not net.split(layer):
            continue
        data = net.split(layer)[0]
        chain = []
        while net.kind(data) in ("Multiply", "Add") and net.split(data):
            chain.append(data)
            data = net.split(data)[0]
        if net.kind(data) not in PRODUCTS:
            continue
        if net.kind(layer) == "Add" and not chain:
            continue  # the bias
        reason = reason_of(net, data, chain, layer)
        if reason:
            found.append((reason, net.layers[layer].get("name")))
    return found


def left_behind(xml):
    root = et.parse(xml).getroot()
    return [found for element in [root, *root.iter("body"), *root.iter("then_body"), *root.iter("else_body")] for found in left_in(Net(element))]


def counted(found):
    return collections.Counter(reason for reason, _ in found)


def describe(counts):
    return " ".join(f"{reason}={count}" for reason, count in sorted(counts.items())) or "-"


def read_original():
    """{model: {reason: count}} of the IRs of the original."""
    table = {}
    for line in ORIGINAL.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            model, *counts = line.split()
            table[model] = {reason: int(count) for reason, _, count in (item.partition("=") for item in counts if item != "-")}
    return table


def convert(bin_folder, tool, shared, folder, model):
    run = subprocess.run([os.path.join(bin_folder, "mo"), *tool.mo_arguments(model, str(shared / "models")), "--output_dir", folder, "--model_name",
                          model["id"]], capture_output=True, text=True, check=False)
    return Path(folder) / f"{model['id']}.xml" if run.returncode == 0 else None


def main():
    if len(sys.argv) > 2 and sys.argv[1] == "--irs":
        for xml in sys.argv[2:]:
            print(Path(xml).stem, describe(counted(left_behind(xml))))
        return 0
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    name_filter = sys.argv[2] if len(sys.argv) == 3 else ""
    shared = shared_folder("models/manifest.json", "tools/evaluate_models.py")
    tool = load_tool(shared / "tools" / "evaluate_models.py")
    models = json.loads((shared / "models" / "manifest.json").read_text(encoding="utf-8"))["models"]
    models = [model for model in models if re.search(name_filter, model["id"])]
    original = read_original()
    total, bad, converted = collections.Counter(), 0, 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        for model, xml in zip(models, pool.map(lambda model: convert(sys.argv[1], tool, shared, folder, model), models)):
            if not xml:
                continue
            converted += 1
            found = left_behind(xml)
            total += counted(found)
            allowed = original.get(model["id"])
            kept = sum(reason != "quantised" for reason, _ in found)
            more = allowed is not None and kept > sum(allowed.values())
            missed = [name for reason, name in found if reason == MISSED]
            if missed or more:
                bad += 1
                print(f"{model['id']}: {describe(counted(found))}, the original {describe(allowed or {})}; missed: {', '.join(missed) or 'none'}")
    print(f"{converted} models: {describe(total)}")
    return 1 if bad or converted < (1 if name_filter else 80) else 0


if __name__ == "__main__":
    sys.exit(main())
