#!/usr/bin/env python3
"""Converts a network of quantised operators and runs it: each of its integers must be the one that integer arithmetic gives.

usage: quantised_network.py BIN [--width N] [--keep FOLDER]      BIN: folder of mo and mo_run

A network as MobileNets are built, with numbers made up here: QLinearConv (per channel, per tensor, with zero points, depthwise, grouped), QLinearAdd,
QLinearMul, QLinearGlobalAveragePool, QLinearMatMul, QGemm. numpy computes it beside: sums of products in int64, one f32 factor in the order in which ONNX
and the schemas of ONNX Runtime have the scales, rounding of halves to even, the zero point, the limits of 8 bits. Every inner tensor is an output, so
that the first operator that differs is the one to look at. The weights must be in the .bin as they are in the model: 8 bits each.
"""
import json
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path


sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import numpy_python  # noqa: E402,F401

import numpy as np  # noqa: E402

FLOAT, TYPES = 1, {"u": (2, np.uint8), "i": (3, np.int8)}
LIMITS = {np.uint8: (0, 255), np.int8: (-128, 127)}


class Quantised:
    """Integers, and what they stand for: (integers - zero) * scale."""

    def __init__(self, name, integers, scale, zero):
        self.name, self.integers, self.scale, self.zero = name, integers, np.float32(scale), zero

    def whole(self):
        return self.integers.astype(np.int64) - int(self.zero)

    def real(self):
        return self.whole().astype(np.float32) * self.scale


def convolution(x, w, strides, pads, groups):
    """Sums of products of whole numbers, [N, O, H, W]."""
    x = np.pad(x, ((0, 0), (0, 0), (pads, pads), (pads, pads)))
    rows, columns = ((x.shape[i + 2] - w.shape[i + 2]) // strides + 1 for i in (0, 1))
    made = np.zeros((x.shape[0], w.shape[0], rows, columns), np.int64)
    per_group = w.shape[0] // groups
    for o in range(w.shape[0]):
        first = o // per_group * w.shape[1]
        for i, j in np.ndindex(*w.shape[2:]):
            part = x[:, first:first + w.shape[1], i:i + rows * strides:strides, j:j + columns * strides:strides]
            made[:, o] += (part[:, :, :rows, :columns] * w[o, :, i, j][None, :, None, None]).sum(1)
    return made


class Network:
    """A model in text form and its numbers, built operator by operator."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.nodes, self.constants, self.outputs, self.wanted, self.weight_bytes = [], [], [], {}, 0

    def constant(self, name, values, data_type):
        values = np.asarray(values)
        text = "".join(f"\\{byte:03o}" for byte in values.tobytes())
        self.constants.append(f"initializer {{ name: '{name}' {' '.join(f'dims: {d}' for d in values.shape)} data_type: {data_type} raw_data: '{text}' }}")
        return name

    def scale_and_zero(self, name, scale, zero):
        data_type = {np.dtype(t): number for number, t in TYPES.values()}[np.asarray(zero).dtype]
        return [self.constant(name + "_scale", np.asarray(scale, np.float32), FLOAT), self.constant(name + "_zero", zero, data_type)]

    def operands(self, *tensors):
        return [name for t in tensors for name in [t.name, *self.scale_and_zero(f"{t.name}_{len(self.constants)}", t.scale, t.zero)]]

    def node(self, op, inputs, output, attributes="", domain=""):
        names = " ".join(f"input: '{i}'" for i in inputs)
        self.nodes.append(f"node {{ op_type: '{op}' domain: '{domain}' {names} output: '{output}' {attributes} }}")
        self.outputs.append(output)

    def result(self, name, real_spread, scaled, kind="u"):
        """A quantised tensor; `scaled(scale)` are the numbers that are rounded."""
        number_type = TYPES[kind][1]
        zero = number_type(self.random.integers(100, 150) if kind == "u" else self.random.integers(-20, 20))
        scale = np.float32(real_spread / 50 * self.random.uniform(0.8, 1.2))
        low, high = LIMITS[number_type]
        numbers = scaled(scale)
        assert numbers.dtype == np.float32
        made = Quantised(name, np.clip(np.rint(numbers) + np.float32(zero), low, high).astype(number_type), scale, zero)
        self.wanted[name] = made.integers
        return made

    def start(self, shape):
        self.x = self.random.normal(0, 1, shape).astype(np.float32)
        self.shape = shape
        q = self.result("x_q", 1.0, lambda scale: self.x / scale)
        self.node("QuantizeLinear", ["x", *self.scale_and_zero("x_q", q.scale, q.zero)], "x_q")
        return q

    def weights(self, name, shape, kind, per_channel, zero_points, axis=0):
        number_type = TYPES[kind][1]
        low, high = LIMITS[number_type]
        w = self.random.integers(low, high + 1, shape).astype(number_type)
        count = (shape[axis],) if per_channel else ()
        scale = (self.random.uniform(0.005, 0.02, count) / np.sqrt(w.size / shape[axis])).astype(np.float32)
        zero = (self.random.integers(-9, 10, count) * zero_points + (128 if kind == "u" else 0)).astype(number_type)
        self.constant(name + "_w", w, TYPES[kind][0])
        self.weight_bytes += w.size
        return w, scale, zero

    def conv(self, x, name, channels, size, strides=1, groups=1, kind="i", per_channel=True, zero_points=False, bias=True, result="u"):
        shape = (channels, x.integers.shape[1] // groups, size, size)
        w, w_scale, zero = self.weights(name, shape, kind, per_channel, zero_points)
        spread = (slice(None),) + (None,) * 3 if per_channel else ()
        total = convolution(x.whole(), w.astype(np.int64) - zero.astype(np.int64)[spread], strides, size // 2, groups)
        inputs = [*self.operands(x), name + "_w", *self.scale_and_zero(name + "_w", w_scale, zero)]
        if bias:
            b = self.random.integers(-3000, 3000, channels).astype(np.int32)
            total += b[None, :, None, None]
        assert abs(total).max() < 2**24
        factor = lambda scale: ((x.scale * w_scale) / scale).reshape(-1, 1, 1) if per_channel else (x.scale * w_scale) / scale
        real = total * (x.scale * w_scale.reshape(-1, 1, 1) if per_channel else x.scale * w_scale)
        made = self.result(name, real.std(), lambda scale: total.astype(np.float32) * factor(scale), result)
        inputs += self.scale_and_zero(name, made.scale, made.zero)
        if bias:
            inputs.append(self.constant(name + "_b", b, 6))
        half = size // 2
        self.node("QLinearConv", inputs, name, f"attribute {{ name: 'pads' ints: [{half}, {half}, {half}, {half}] type: INTS }} attribute {{ name: 'strides' ints: "
                  f"[{strides}, {strides}] type: INTS }} attribute {{ name: 'group' i: {groups} type: INT }}")
        return made

    def binary(self, op, a, b, name, real, scaled, result="u"):
        inputs = self.operands(a, b)
        made = self.result(name, real.std(), scaled, result)
        self.node(op, inputs + self.scale_and_zero(name, made.scale, made.zero), name, domain="com.microsoft")
        return made

    def add(self, a, b, name):
        return self.binary("QLinearAdd", a, b, name, a.real() + b.real(), lambda scale: (a.real() + b.real()) / scale)

    def multiply(self, a, b, name):
        product = a.whole() * b.whole()
        return self.binary("QLinearMul", a, b, name, a.real() * b.real(), lambda scale: product.astype(np.float32) * ((a.scale * b.scale) / scale))

    def average(self, x, name):
        total = x.whole().sum((2, 3), keepdims=True)
        count = np.float32(x.integers[0, 0].size)
        inputs = self.operands(x)
        made = self.result(name, (total * x.scale / count).std(), lambda scale: total.astype(np.float32) * (x.scale / (scale * count)))
        self.node("QLinearGlobalAveragePool", inputs + self.scale_and_zero(name, made.scale, made.zero), name, domain="com.microsoft")
        return made

    def flatten(self, x, name):
        self.node("Flatten", [x.name], name)
        self.wanted[name] = x.integers.reshape(x.integers.shape[0], -1)
        return Quantised(name, self.wanted[name], x.scale, x.zero)

    def matrix(self, x, name, columns, kind="i"):
        w, w_scale, zero = self.weights(name, (x.integers.shape[1], columns), kind, False, True)
        total = x.whole() @ (w.astype(np.int64) - int(zero))
        inputs = [*self.operands(x), name + "_w", *self.scale_and_zero(name + "_w", w_scale, zero)]
        made = self.result(name, (total * x.scale * w_scale).std(), lambda scale: total.astype(np.float32) * ((x.scale * w_scale) / scale))
        self.node("QLinearMatMul", inputs + self.scale_and_zero(name, made.scale, made.zero), name)
        return made

    def gemm(self, x, name, columns):
        w, w_scale, zero = self.weights(name, (columns, x.integers.shape[1]), "i", True, True)
        b = self.random.integers(-3000, 3000, columns).astype(np.int32)
        total = x.whole() @ (w.astype(np.int64) - zero.astype(np.int64)[:, None]).T + b
        inputs = [*self.operands(x), name + "_w", *self.scale_and_zero(name + "_w", w_scale, zero), self.constant(name + "_b", b, 6)]
        made = self.result(name, (total * x.scale * w_scale).std(), lambda scale: total.astype(np.float32) * ((x.scale * w_scale) / scale), "i")
        inputs += self.scale_and_zero(name, made.scale, made.zero)
        self.node("QGemm", inputs, name, "attribute { name: 'transB' i: 1 type: INT }", "com.microsoft")
        return made

    def finish(self, x):
        self.wanted["y"] = x.real()
        self.node("DequantizeLinear", self.operands(x), "y")

    def text(self):
        dims = " ".join(f"dim {{ dim_value: {d} }}" for d in self.shape)
        outputs = " ".join(f"output {{ name: '{name}' }}" for name in self.outputs)
        return ("ir_version: 8 opset_import { version: 13 } opset_import { domain: 'com.microsoft' version: 1 } graph { name: 'quantised' input { name: 'x' "
                f"type {{ tensor_type {{ elem_type: 1 shape {{ {dims} }} }} }} }} " + "\n".join(self.constants + self.nodes) + f" {outputs} }}")


def mobile_network(width, blocks):
    net = Network(11)
    x = net.start((1, 3, 32, 32))
    x = net.conv(x, "stem", width, 3, strides=2)
    for i in range(blocks):
        before = x
        x = net.conv(x, f"expand{i}", 2 * width, 1, kind="u" if i % 2 else "i", per_channel=i % 2 == 0, zero_points=True)
        x = net.conv(x, f"depthwise{i}", 2 * width, 3, groups=2 * width, result="i", bias=i % 2 == 0)
        x = net.conv(x, f"project{i}", width, 1, zero_points=i % 2 == 1)
        x = net.add(before, x, f"add{i}")
    x = net.conv(x, "grouped", width, 3, strides=2, groups=2, per_channel=False)
    gate = net.average(x, "squeeze")
    gate = net.conv(gate, "excite", width, 1)
    x = net.multiply(x, gate, "gated")
    x = net.flatten(net.average(x, "pool"), "flat")
    x = net.matrix(x, "hidden", 2 * width, kind="u")
    net.finish(net.gemm(x, "logits", 40))
    return net


def converted(bins, model, folder, version):
    subprocess.run([bins / "mo", "--input_model", model, "--output_dir", folder, "--ir_version", str(version)], check=True, stdout=subprocess.DEVNULL)
    return folder / (model.stem + ".xml")


def run(bins, xml, x, folder):
    """The results by the names of their tensors."""
    np.save(folder / "x.npy", x)
    done = subprocess.run([bins / "mo_run", xml, "--input", folder / "x.npy", "--output_dir", folder], check=True, stdout=subprocess.PIPE, text=True)
    made = {}
    for output in json.loads(done.stdout.splitlines()[-1])["outputs"]:
        for name in output.get("names") or output["tensor_names"]:
            made[name] = np.load(folder / output["file"])
    return made


def constants_of(xml):
    return [layer.find("data").attrib for layer in ElementTree.parse(xml).iter("layer") if layer.get("type") == "Const"]


def problems_of(bins, net, folder, version):
    model = folder / "net.onnxtxt"
    model.write_text(net.text(), encoding="utf-8")
    xml = converted(bins, model, folder, version)
    got = run(bins, xml, net.x, folder)
    problems = []
    for name, wanted in net.wanted.items():
        if name not in got:
            problems.append(f"{name}: there is no such result")
        elif got[name].dtype != wanted.dtype or got[name].shape != wanted.shape:
            problems.append(f"{name}: {got[name].dtype}{list(got[name].shape)} instead of {wanted.dtype}{list(wanted.shape)}")
        elif (got[name] != wanted).any():
            problems.append(f"{name}: {(got[name] != wanted).sum()} of {wanted.size} numbers differ")
    stored = sum(int(data["size"]) for data in constants_of(xml) if data["element_type"] in ("i8", "u8"))
    bin_size = xml.with_suffix(".bin").stat().st_size
    print(f"IR version {version}: {sum(w.size for w in net.wanted.values())} numbers, {net.weight_bytes} weights, {bin_size} bytes in the .bin")
    if stored < net.weight_bytes:
        problems.append(f"{stored} bytes of integers are stored for {net.weight_bytes} weights")
    return [f"IR version {version}: {problem}" for problem in problems]


def main():
    bins = Path(sys.argv[1])
    options = dict(zip(sys.argv[2::2], sys.argv[3::2]))
    net = mobile_network(int(options.get("--width", 32)), 4)
    problems = []
    with tempfile.TemporaryDirectory() as temporary:
        for version in (11, 10):
            folder = Path(options.get("--keep", temporary)) / str(version)
            folder.mkdir(parents=True, exist_ok=True)
            problems += problems_of(bins, net, folder, version)
    print("\n".join(problems) or "every number is exact")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
