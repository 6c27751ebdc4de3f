"""FakeQuantize of a range that is too wide to be multiplied by the number of its steps: attention masks of quantised models hold the lowest number there is."""
import numpy as np

ROW = "WideFakeQuantize"
LEVELS = 256
LARGEST = float(np.finfo(np.float32).max)


def quantize(g, x, low, high, by_steps):
    def constant(value):
        return g.constant(np.float32(value))

    def op(type, a, b):
        return g.op(type, a, b, auto_broadcast="numpy")
    if not by_steps:
        limits = [constant(low), constant(high)]
        return g.op("FakeQuantize", x, *limits, *limits, levels=LEVELS, auto_broadcast="numpy")
    step = (high - low) / (LEVELS - 1)
    lowest = round(low / step)
    steps = g.op("Round", op("Multiply", x, constant(1 / step)), version=5, mode="half_to_even")
    return op("Multiply", op("Minimum", op("Maximum", steps, constant(lowest)), constant(lowest + LEVELS - 1)), constant(step))


def network(low, high, by_steps):
    def build(g):
        return g.result(quantize(g, g.parameter("x", "f32", [1, 16]), low, high, by_steps))
    build.__name__ = "steps" if by_steps else "FakeQuantize"
    return build


def case(low, high):
    step = (high - low) / (LEVELS - 1)
    steps = np.random.default_rng(2).integers(0, LEVELS, size=(1, 16))
    steps[0, :2] = [0, LEVELS - 1]
    x = (low + (steps + 0.2 * np.sin(np.arange(16))) * step).clip(low, high).astype(np.float32)
    return network(low, high, False), network(low, high, True), {"x": x}, [(low + steps * step).astype(np.float32)]


CASES = [case(-LARGEST, 0.0), case(-1.5e36, 0.0), case(-128e35, 127e35)]
