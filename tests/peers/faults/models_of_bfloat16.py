"""Ops of bf16, and Convert between bf16 and f32 beside inputs and outputs, next to ops that have kernels of bf16 for some processors only."""
import numpy as np

ROW = "ModelsOfBfloat16"
FEWER_WITH = "avx512f"
X = np.array([[1, 2, 3], [4, 5, 6]], np.float32)


def separated(g, x):
    axis = g.constant(np.array([0]))
    return g.op("ReduceProd", g.op("Unsqueeze", x, axis, outputs=[(x.type, [1, *x.shape])]), axis, outputs=[(x.type, x.shape)], keep_dims="false")


def convert(g, x, wanted):
    return g.op("Convert", x, outputs=[(wanted, x.shape)], destination_type=wanted)


def output(apart):
    def build(g):
        x = g.parameter("x", "f32", X.shape)
        y = g.op("Add", x, x, auto_broadcast="numpy")
        g.result(convert(g, separated(g, y) if apart else y, "bf16"))
    build.__name__ = f"output{', apart' if apart else ''}"
    return build


def ops(kind):
    def build(g):
        x = convert(g, g.parameter("x", "f32", X.shape), "bf16")
        y = g.op("Add", *2 * [x if kind == "bf16" else convert(g, x, kind)], auto_broadcast="numpy")
        g.result(y if kind == "bf16" else convert(g, separated(g, y), "bf16"))
    build.__name__ = f"ops of {kind}"
    return build


def of_inputs(kind):
    def build(g):
        x = g.parameter("x", "bf16", X.shape)
        x = x if kind == "bf16" else separated(g, convert(g, x, kind))
        y = g.op("Divide", x, convert(g, g.constant(np.float32(2)), kind), outputs=[(kind, X.shape)], auto_broadcast="numpy", m_pythondiv="true")
        y = g.op("Elu", y, alpha="1")
        g.result(y if kind == "bf16" else convert(g, separated(g, y), "bf16"))
    build.__name__ = f"ops of {kind} behind an input of bf16"
    return build


CASES = [(of_inputs("bf16"), of_inputs("f32"), {"x": X}, [X / 2]), (ops("bf16"), ops("f32"), {"x": X}, [X + X]), (output(False), output(True), {"x": X}, [X + X])]
