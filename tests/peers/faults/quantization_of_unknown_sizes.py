"""FakeQuantize of unknown sizes whose limits are inputs."""
import numpy as np

ROW = "QuantizationOfUnknownSizes"
V10 = False
LEVELS = 5
X = np.array([[-3, -1, -0.6, 0.4], [0.6, 1.6, 7, 3]], np.float32)


def inputs(g):
    return [g.parameter(name, "f32", [-1, -1] if name == "x" else [1]) for name in ("x", "l", "h")]


def op(g, type, *operands, result="f32", shape=(-1, -1)):
    return g.op(type, *operands, auto_broadcast="numpy", outputs=[(result, shape)])


def faulty(g):
    x, low, high = inputs(g)
    g.result(g.op("FakeQuantize", x, low, high, low, high, levels=LEVELS, auto_broadcast="numpy"))


def replacement(g):
    x, low, high = inputs(g)
    steps, span = g.constant(np.float32(LEVELS - 1)), op(g, "Subtract", high, low, shape=[1])
    scaled = op(g, "Multiply", op(g, "Subtract", x, low), op(g, "Divide", steps, span, shape=[1]))
    rounded = g.op("Round", scaled, version=5, mode="half_to_even")
    between = op(g, "Add", op(g, "Multiply", rounded, op(g, "Divide", span, steps, shape=[1])), low)
    is_above = op(g, "Less", op(g, "Maximum", low, high, shape=[1]), x, result="boolean")
    is_below = op(g, "LessEqual", x, op(g, "Minimum", low, high, shape=[1]), result="boolean")
    g.result(op(g, "Select", is_below, low, op(g, "Select", is_above, high, between)))


CASES = [(faulty, replacement, {"x": X, "l": np.array([-1], np.float32), "h": np.array([3], np.float32)}, [np.round(np.clip(X, -1, 3))])]
