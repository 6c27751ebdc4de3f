"""FakeQuantize whose limits are inputs."""
import numpy as np

ROW = "ComputedQuantizationLimits"
LEVELS = 5
X = np.array([-3, -1, -0.6, 0.4, 0.6, 1.5, 7, 3], np.float32)


def op(g, type, *inputs, **more):
    return g.op(type, *inputs, auto_broadcast="numpy", **more)


def faulty(g):
    x, *limits = (g.parameter(name, "f32", [8] if name == "x" else [1]) for name in ("x", "l", "h"))
    g.result(op(g, "FakeQuantize", x, *limits, *limits, levels=LEVELS))


def replacement(g):
    x, low, high = (g.parameter(name, "f32", [8] if name == "x" else [1]) for name in ("x", "l", "h"))
    steps = g.constant(np.float32(LEVELS - 1))
    span = op(g, "Subtract", high, low)
    scaled = op(g, "Multiply", op(g, "Subtract", x, low), op(g, "Divide", steps, span, outputs=[("f32", [1])]))
    rounded = g.op("Round", scaled, version=5, mode="half_to_even")
    between = op(g, "Add", op(g, "Multiply", rounded, op(g, "Divide", span, steps)), low)
    is_above = op(g, "Less", op(g, "Maximum", low, high), x, outputs=[("boolean", [8])])
    is_below = op(g, "LessEqual", x, op(g, "Minimum", low, high), outputs=[("boolean", [8])])
    inner = op(g, "Select", is_above, high, between, outputs=[("f32", [8])])
    g.result(op(g, "Select", is_below, low, inner, outputs=[("f32", [8])]))


def case(low, high):
    expected = np.where(X <= low, low, high) if low == high else np.round((np.clip(X, low, high) - low) * (LEVELS - 1) / (high - low)) / (LEVELS - 1) * (high - low) + low
    feed = {"x": X, "l": np.array([low], np.float32), "h": np.array([high], np.float32)}
    return faulty, replacement, feed, [expected.astype(np.float32)]


CASES = [case(-1.0, 3.0), case(0.5, 0.5)]
