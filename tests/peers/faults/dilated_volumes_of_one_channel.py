"""Dilated convolutions of volumes, from one channel to one."""
import numpy as np

ROW = "DilatedVolumesOfOneChannel"
FEWER_WITH = "avx512f"
V10 = False  # 2021.4 has the fault, too, but no unknown sizes, which 2022.3 has it with even where it has AVX-512
X = np.random.default_rng(0).normal(size=(1, 1, 4, 6, 2)).astype(np.float32)
W = np.array([[1, -2], [3, 0.5]], np.float32).reshape(1, 1, 2, 2, 1)
EXPECTED = sum(W[0, 0, i, j, 0] * X[:, :, i:i + 3, 2 * j:2 * j + 4] for i in (0, 1) for j in (0, 1))
WINDOW = dict(strides=[1, 1, 1], pads_begin=[0, 0, 0], pads_end=[0, 0, 0], dilations=[1, 2, 1], auto_pad="explicit")


def build(channels, groups=False):
    def made(g):
        x = g.parameter("x", "f32", [1, 1, -1, 6, 2] if not groups else X.shape)
        if groups:
            g.result(g.op("GroupConvolution", x, g.constant(W[None]), outputs=[("f32", EXPECTED.shape)], **WINDOW))
            return
        y = g.op("Convolution", x, g.constant(np.repeat(W, channels, 0)), outputs=[("f32", [1, channels, -1, 4, 2])], **WINDOW)
        if channels > 1:
            y = g.op("StridedSlice", y, g.constant(np.array([0, 0])), g.constant(np.array([0, 1])), g.constant(np.array([1, 1])),
                     outputs=[("f32", [1, 1, -1, 4, 2])], begin_mask=[1, 0], end_mask=[1, 0])
        g.result(y)
    return made


CASES = [(build(1), build(2), {"x": X}, [EXPECTED])]
