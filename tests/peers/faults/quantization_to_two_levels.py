"""FakeQuantize of 2 levels."""
import numpy as np

ROW = "QuantizationToTwoLevels"
X = np.random.default_rng(0).uniform(-3, 3, (1, 3, 4)).astype(np.float32)


def faulty(low, high):
    def build(g):
        limits = [g.constant(np.float32(limit)) for limit in (low, high, -2, 5)]
        g.result(g.op("FakeQuantize", g.parameter("x", "f32", X.shape), *limits, levels=2, auto_broadcast="numpy"))

    return build


def replacement(low, high):
    def build(g):
        middle = g.constant(np.float32((low + high) / 2))
        is_high = g.op("Less", middle, g.parameter("x", "f32", X.shape), auto_broadcast="numpy", outputs=[("boolean", X.shape)])
        g.result(g.op("Select", is_high, g.constant(np.float32(5)), g.constant(np.float32(-2)), auto_broadcast="numpy", outputs=[("f32", X.shape)]))

    return build


def case(low, high):
    step = np.round((np.clip(X, low, high) - low) / (high - low))
    return faulty(low, high), replacement(low, high), {"x": X}, [np.where(step == 1, np.float32(5), np.float32(-2))]


CASES = [case(-1.0, 1.0), case(0.0, 2.5)]
