"""Pad with zeros before a MaxPool: the padding becomes one of the pooling, whose elements are never the largest."""
import numpy as np

ROW = "PaddedMaxPool"
X = -1 - np.abs(np.random.default_rng(0).normal(size=(1, 2, 5, 5))).astype(np.float32)
PADDED = np.pad(X, ((0, 0), (0, 0), (1, 1), (1, 1)))
EXPECTED = np.stack([np.stack([PADDED[:, :, i:i + 3, j:j + 3].max((2, 3)) for j in (0, 2, 4)], -1) for i in (0, 2, 4)], -2)


def build(separated):
    def made(g):
        pads = [g.constant(np.array([0, 0, 1, 1])) for _ in range(2)]
        x = g.op("Pad", g.parameter("x", "f32", [1, 2, 5, 5]), *pads, g.constant(np.float32(0)), outputs=[("f32", [1, 2, 7, 7])], pad_mode="constant")
        if separated:
            x = g.op("Maximum", x, g.constant(np.finfo(np.float32).min), auto_broadcast="numpy")
        g.result(g.op("MaxPool", x, outputs=[("f32", [1, 2, 3, 3])], kernel=[3, 3], strides=[2, 2], pads_begin=[0, 0], pads_end=[0, 0],
                      rounding_type="floor", auto_pad="explicit"))
    return made


CASES = [(build(False), build(True), {"x": X}, [EXPECTED])]
