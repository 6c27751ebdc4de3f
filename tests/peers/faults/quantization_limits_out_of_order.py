"""FakeQuantize whose low input limit is its high one, or lies above it."""
import numpy as np

ROW = "QuantizationLimitsOutOfOrder"
X = np.random.default_rng(0).uniform(-3, 3, (1, 3, 4)).astype(np.float32)
LOW, HIGH = -2.0, 5.0  # of the result


def op(g, type, *inputs, result=None, **more):
    return g.op(type, *inputs, auto_broadcast="numpy", outputs=[(result or "f32", X.shape)], **more)


def constants(g, *values):
    return [g.constant(np.asarray(value, np.float32)) for value in values]


def quantize(data, levels, *limits):
    def build(g):
        g.result(g.op("FakeQuantize", g.parameter("x", "f32", data.shape), *constants(g, *limits), levels=levels, auto_broadcast="numpy"))

    return build


def threshold(data, number, low, high):
    def build(g):
        x = g.parameter("x", "f32", data.shape)
        is_high = g.op("Less", *constants(g, number), x, auto_broadcast="numpy", outputs=[("boolean", data.shape)])
        g.result(g.op("Select", is_high, *constants(g, high, low), auto_broadcast="numpy", outputs=[("f32", data.shape)]))

    return build


def by_cases(levels, low, high):
    def build(g):
        x = g.parameter("x", "f32", X.shape)
        with np.errstate(divide="ignore"):
            to_steps, from_steps = np.float32(levels - 1) / np.asarray(high - low, np.float32), np.float32((HIGH - LOW) / (levels - 1))
        scaled = op(g, "Multiply", op(g, "Subtract", x, *constants(g, low)), *constants(g, to_steps))
        steps = op(g, "Round", scaled, version=5, mode="half_to_even")
        between = op(g, "Add", op(g, "Multiply", steps, *constants(g, from_steps)), *constants(g, LOW))
        is_above = op(g, "Less", *constants(g, np.maximum(low, high)), x, result="boolean")
        is_below = op(g, "LessEqual", x, *constants(g, np.minimum(low, high)), result="boolean")
        g.result(op(g, "Select", is_below, *constants(g, LOW), op(g, "Select", is_above, *constants(g, HIGH), between)))

    return build


def rounded(levels, low, high):
    with np.errstate(divide="ignore", invalid="ignore"):
        between = np.round((X - low) / (high - low) * (levels - 1)) / (levels - 1) * (HIGH - LOW) + LOW
    return np.where(X <= np.minimum(low, high), LOW, np.where(X > np.maximum(low, high), HIGH, between)).astype(np.float32)


def mixed(levels, low, high):
    return quantize(X, levels, low, high, LOW, HIGH), by_cases(levels, low, high), {"x": X}, [rounded(levels, low, high)]


def equal(data, levels, number, low, high):
    return quantize(data, levels, number, number, low, high), threshold(data, number, low, high), {"x": data}, [np.where(data > number, high, low).astype(np.float32)]


CHANNELS = np.array([1, 0.5, -1]).reshape(1, 3, 1)
# Binary results of an image are left out: the releases write outside of their memory, and the replacement is asked of the same process.
CASES = [equal(X, 16, 0.5, LOW, HIGH), equal(X, 2, 0.5, -1.0, 1.0), mixed(16, CHANNELS, np.float64(0.5)), mixed(2, np.float64(1), np.float64(-1))]
