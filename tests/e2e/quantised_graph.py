#!/usr/bin/env python3
"""Converts a graph as quantize_nodes of TensorFlow's Graph Transform Tool writes it, and runs it: each of its integers must be right.

usage: quantised_graph.py BIN       BIN: folder of mo and mo_run

Each convolution, pooling and so on reads integers with the range that they stand for, which the graph computes. The numbers come from the formulas of
tests/generators, which know nothing of mo; the weights must be in the .bin as they are in the graph: 8 bits each.
"""
import subprocess
import sys
import tempfile
from pathlib import Path

from quantised_network import constants_of, run

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "generators"))

import cases  # noqa: E402
import check  # noqa: E402
from closeness import ELEMENT, Tolerance, difference  # noqa: E402

FIELDS = {"DT_FLOAT": "float_val", "DT_INT32": "int_val", "DT_QUINT8": "int_val"}


class Graph:
    def __init__(self, seed):
        self.random, self.lines, self.weight_bytes = np.random.default_rng(seed), [], 0

    def const(self, name, data_type, values):
        values = np.asarray(values)
        dims = " ".join(f"dim {{ size: {d} }}" for d in values.shape)
        numbers = " ".join(f"{FIELDS[data_type]}: {v}" for v in values.reshape(-1))
        self.lines.append(f'node {{ name: "{name}" op: "Const" attr {{ key: "dtype" value {{ type: {data_type} }} }} attr {{ key: "value" value {{ tensor {{ '
                          f"dtype: {data_type} tensor_shape {{ {dims} }} {numbers} }} }} }} }}")

    def weights(self, name, *shape):
        self.weight_bytes += int(np.prod(shape)) if len(shape) > 1 else 0  # what is added becomes real numbers
        self.const(name, "DT_QUINT8", self.random.integers(0, 256, shape))

    def node(self, name, op, inputs, **attributes):
        def value(v):
            if isinstance(v, list):
                return "list { " + " ".join(f"i: {i}" for i in v) + " }"
            return f"i: {v}" if isinstance(v, int) else f"type: {v}" if v.startswith("DT_") else f's: "{v}"'
        text = " ".join(f'attr {{ key: "{k}" value {{ {value(v)} }} }}' for k, v in attributes.items())
        self.lines.append(f'node {{ name: "{name}" op: "{op}" ' + " ".join(f'input: "{i}"' for i in inputs) + f" {text} }}")

    def layer(self, name, op, *inputs, **attributes):
        """The tensors come first, then the ranges of all of them: constants for weights."""
        ranges = [end for i in inputs for end in ((f"{i}_low", f"{i}_high") if i.startswith("w") else (f"{i}:1", f"{i}:2"))]
        self.node(name, op, [*inputs, *ranges], **attributes)


def small_network():
    g = Graph(3)
    g.lines.append('node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape { dim { size: 1 } '
                   "dim { size: 9 } dim { size: 9 } dim { size: 3 } } } } }")
    g.const("low", "DT_FLOAT", -2.0)
    g.const("high", "DT_FLOAT", 2.5)
    g.const("axis", "DT_INT32", 3)
    g.const("shape", "DT_INT32", [1, -1])
    for name, shape in (("w1", (3, 3, 3, 8)), ("w2", (8,)), ("w3", (1, 1, 8, 5)), ("w4", (250, 6))):
        g.weights(name, *shape)
        g.const(name + "_low", "DT_FLOAT", -0.5)
        g.const(name + "_high", "DT_FLOAT", 0.75)
    g.node("quantized", "QuantizeV2", ["x", "low", "high"], T="DT_QUINT8", mode="MIN_FIRST")
    g.layer("conv", "QuantizedConv2D", "quantized", "w1", Tinput="DT_QUINT8", Tfilter="DT_QUINT8", out_type="DT_QINT32", strides=[1, 2, 2, 1], padding="SAME")
    g.layer("range", "RequantizationRange", "conv", Tinput="DT_QINT32")
    g.node("requantized", "Requantize", ["conv", "conv:1", "conv:2", "range", "range:1"], Tinput="DT_QINT32", out_type="DT_QUINT8")
    g.layer("bias", "QuantizedBiasAdd", "requantized", "w2", T1="DT_QUINT8", T2="DT_QUINT8", out_type="DT_QINT32")
    g.layer("shrunk", "QuantizeDownAndShrinkRange", "bias", Tinput="DT_QINT32", out_type="DT_QUINT8")
    g.layer("relu", "QuantizedRelu", "shrunk", Tinput="DT_QUINT8", out_type="DT_QUINT8")
    g.layer("pool", "QuantizedMaxPool", "relu", T="DT_QUINT8", ksize=[1, 3, 3, 1], strides=[1, 1, 1, 1], padding="SAME")
    g.layer("second", "QuantizedConv2D", "pool", "w3", Tinput="DT_QUINT8", Tfilter="DT_QUINT8", out_type="DT_QINT32", strides=[1, 1, 1, 1], padding="VALID")
    g.layer("small", "QuantizeDownAndShrinkRange", "second", Tinput="DT_QINT32", out_type="DT_QUINT8")
    g.layer("average", "QuantizedAvgPool", "small", T="DT_QUINT8", ksize=[1, 2, 2, 1], strides=[1, 1, 1, 1], padding="SAME")
    g.node("both", "QuantizedConcat", ["axis", "small", "average", "small:1", "average:1", "small:2", "average:2"], N=2, T="DT_QUINT8")
    g.node("flat", "QuantizedReshape", ["both", "shape", "both:1", "both:2"], T="DT_QUINT8")
    g.layer("product", "QuantizedMatMul", "flat", "w4", T1="DT_QUINT8", T2="DT_QUINT8", Toutput="DT_QINT32")
    g.layer("last", "QuantizeDownAndShrinkRange", "product", Tinput="DT_QINT32", out_type="DT_QUINT8")
    g.node("y", "Dequantize", ["last", "last:1", "last:2"], T="DT_QUINT8", mode="MIN_FIRST")
    g.node("integers", "Identity", ["last"], T="DT_QUINT8")
    return g


def wanted(text, x, folder):
    """By name: what the formulas give for the outputs of the graph."""
    path = Path(folder, "graph.test")
    numbers = str(x.tolist())
    path.write_text(f"=== graph\n--- pbtxt\n{text}\n--- evaluate\n%x = {numbers}:f32\n=> 0:f32\n=> 0:u8\n", encoding="utf-8")
    (_, graph, ((feeds, _),)), = cases.read(path)
    return check.run(graph, feeds)


def problems_of(bins, g, version, folder):
    model = folder / "graph.pbtxt"
    text = "\n".join(g.lines)
    model.write_text(text, encoding="utf-8")
    x = g.random.normal(0, 1, (1, 9, 9, 3)).astype(np.float32)
    subprocess.run([bins / "mo", "--input_model", model, "--input_model_is_text", "--output_dir", folder, "--ir_version", str(version)], check=True,
                   stdout=subprocess.DEVNULL)
    xml = folder / "graph.xml"
    # IR version 10 has images channels-first.
    got = run(bins, xml, x if version == 11 else x.transpose(0, 3, 1, 2).copy(), folder)
    real, integers = wanted(text, x, folder)
    results = {result.dtype.kind: result for result in got.values()}
    problems = []
    for kind, expected in (("u", integers), ("f", real)):
        if why := difference(results[kind], expected, Tolerance(1e-6, 1e-6, scale=ELEMENT)):
            problems.append(why)
    stored = sum(int(data["size"]) for data in constants_of(xml) if data["element_type"] == "u8")
    if stored < g.weight_bytes:
        problems.append(f"{stored} bytes of integers are stored for {g.weight_bytes} weights")
    print(f"IR version {version}: {g.weight_bytes} weights, {xml.with_suffix('.bin').stat().st_size} bytes in the .bin")
    return [f"IR version {version}: {problem}" for problem in problems]


def main():
    problems = []
    for version in (11, 10):
        with tempfile.TemporaryDirectory() as folder:
            problems += problems_of(Path(sys.argv[1]), small_network(), version, Path(folder))
    print("\n".join(problems) or "every number is right")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
