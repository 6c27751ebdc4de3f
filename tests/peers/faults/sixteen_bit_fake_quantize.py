"""FakeQuantize of 65536 levels, as 16-bit quantisation writes it."""
import numpy as np

ROW = "SixteenBitFakeQuantize"
LEVELS = 65536
W = np.random.default_rng(1).uniform(-4, 4, size=(4, 3, 1, 1)).astype(np.float32)


def quantize(g, x, low, high, arithmetic):
    def constant(value):
        return g.constant(np.float32(value))

    def op(type, a, b):
        return g.op(type, a, b, auto_broadcast="numpy")
    if not arithmetic:
        limits = [constant(low), constant(high)]
        return g.op("FakeQuantize", x, *limits, *limits, levels=LEVELS, auto_broadcast="numpy")
    limited = op("Minimum", op("Maximum", x, constant(low)), constant(high))
    steps = g.op("Round", op("Multiply", op("Subtract", limited, constant(low)), constant((LEVELS - 1) / (high - low))), version=5, mode="half_to_even")
    return op("Add", op("Multiply", steps, constant((high - low) / (LEVELS - 1))), constant(low))


def network(low, high, weights, arithmetic):
    def build(g):
        x = g.parameter("x", "f32", [1, 3, 8, 8])
        if not weights:
            return g.result(quantize(g, x, low, high, arithmetic))
        kernel = quantize(g, g.constant(W), low, high, arithmetic)
        window = dict(strides=[1, 1], dilations=[1, 1], pads_begin=[0, 0], pads_end=[0, 0], auto_pad="explicit")
        return g.result(g.op("Convolution", x, kernel, outputs=[("f32", [1, 4, 8, 8])], **window))
    build.__name__ = "arithmetic" if arithmetic else "FakeQuantize"
    return build


def rounded(x, low, high):
    step = (high - low) / (LEVELS - 1)
    return np.round((np.clip(x.astype(np.float64), low, high) - low) / step) * step + low


def case(low, high, weights):
    step = (high - low) / (LEVELS - 1)
    random = np.random.default_rng(2)
    x = low + (random.integers(0, LEVELS, size=(1, 3, 8, 8)) + random.uniform(-0.3, 0.3, size=(1, 3, 8, 8))) * step
    x = x.astype(np.float32)
    expected = np.einsum("nchw,oc->nohw", x.astype(np.float64), rounded(W, low, high)[:, :, 0, 0]) if weights else rounded(x, low, high)
    return network(low, high, weights, False), network(low, high, weights, True), {"x": x}, [expected.astype(np.float32)]


CASES = [case(-20.0, 20.0, False), case(-5.0, 5.0 - 10 / LEVELS, False), case(0.0, 10.0, True)]
