"""A product with a constant that differs from pixel to pixel, in front of a convolution to one channel."""
import numpy as np

ROW = "ScaledPixelsToOneChannel"
RNG = np.random.default_rng(0)
X, W = RNG.normal(size=(2, 3, 8)).astype(np.float32), RNG.normal(size=(1, 3, 2)).astype(np.float32)
SCALE = RNG.uniform(1, 2, (1, 1, 8)).astype(np.float32)
SCALED = X * SCALE
EXPECTED = sum(np.einsum("oi,nix->nox", W[..., i], SCALED[..., i:i + 7]) for i in (0, 1))


def build(is_apart):
    def made(g):
        x, first = g.parameter("x", "f32", X.shape), g.constant(np.array([0]))
        if is_apart:
            x = g.op("Unsqueeze", x, first, outputs=[("f32", [1, *X.shape])])
        x = g.op("Multiply", x, g.constant(SCALE), outputs=[("f32", x.shape)], auto_broadcast="numpy")
        if is_apart:
            x = g.op("Squeeze", x, first, outputs=[("f32", X.shape)])
        g.result(g.op("Convolution", x, g.constant(W), outputs=[("f32", EXPECTED.shape)],
                      strides=[1], dilations=[1], pads_begin=[0], pads_end=[0], auto_pad="explicit"))
    return made


CASES = [(build(False), build(True), {"x": X}, [EXPECTED])]
