"""A product with a constant that differs from pixel to pixel, before a convolution."""
import numpy as np

ROW = "ScaledPixels"
RNG = np.random.default_rng(0)
X, W = RNG.normal(size=(2, 3, 8)).astype(np.float32), RNG.normal(size=(2, 3, 2)).astype(np.float32)
SCALE = RNG.uniform(1, 2, (1, 1, 8)).astype(np.float32)
SCALED = X * SCALE
EXPECTED = sum(np.einsum("oi,nix->nox", W[..., i], SCALED[..., i:i + 7]) for i in (0, 1))


def build(shape, is_apart):
    def made(g):
        x, scale = g.parameter("x", "f32", shape), SCALE
        if is_apart:
            x, scale = g.op("Unsqueeze", x, g.constant(np.array([3])), outputs=[("f32", [*shape, 1])]), SCALE[..., None]
        x = g.op("Multiply", x, g.constant(scale), outputs=[("f32", x.shape)], auto_broadcast="numpy")
        if is_apart:
            x = g.op("Reshape", x, g.constant(np.zeros(3, np.int64)), outputs=[("f32", shape)], special_zero=True)
        g.result(g.op("Convolution", x, g.constant(W), outputs=[("f32", [shape[0], 2, 7])],
                      strides=[1], dilations=[1], pads_begin=[0], pads_end=[0], auto_pad="explicit"))
    return made


V10 = False  # which has no unknown sizes
CASES = [(build(shape, False), build(shape, True), {"x": X}, [EXPECTED]) for shape in (X.shape, (-1, -1, 8))]
