"""Convolutions of data of which only the number of channels is unknown."""
import numpy as np

ROW = "ChannelsThatFiltersTell"
V10 = False
RNG = np.random.default_rng(0)
X, W = RNG.normal(size=(1, 2, 4)).astype(np.float32), RNG.normal(size=(3, 2, 1)).astype(np.float32)


def build(op, filters, channels):
    def made(g):
        x = g.parameter("x", "f32", [1, -1, 4])
        if channels:
            x = g.op("Reshape", x, g.constant(np.array(X.shape)), outputs=[("f32", X.shape)], special_zero=False)
        g.result(g.op(op, x, g.constant(filters), outputs=[("f32", [1, filters.size // 2, 4])], strides=[1], dilations=[1], pads_begin=[0], pads_end=[0],
                      auto_pad="same_upper"))
    return made


CASES = [(build("Convolution", W, False), build("Convolution", W, True), {"x": X}, [np.einsum("oi,nix->nox", W[..., 0], X)])]
