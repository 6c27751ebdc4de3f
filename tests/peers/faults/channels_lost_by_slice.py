"""MaxPool of a part of an image up to a computed row: the runtime knows no size of the part, and has no kernel for an unknown number of channels."""
import numpy as np

ROW = "ChannelsLostBySlice"
NEEDS = "avx512f"
V10 = False  # which has no unknown sizes
X = np.random.default_rng(0).normal(size=(1, 2, 3, 1)).astype(np.float32)
SHAPE = [1, 2, -1, -1]


def build(is_reshaped):
    def made(g):
        x, rows = g.parameter("x", "f32", SHAPE), g.parameter("rows", "i64", [1])
        end = g.op("Concat", g.constant(np.array([0, 0])), rows, g.constant(np.array([0])), outputs=[("i64", [4])], axis=0)
        x = g.op("StridedSlice", x, g.constant(np.zeros(4, np.int64)), end, g.constant(np.ones(4, np.int64)), begin_mask=[1, 1, 1, 1], end_mask=[1, 1, 0, 1],
                 new_axis_mask=[], shrink_axis_mask=[], ellipsis_mask=[])
        if is_reshaped:
            x = g.op("Reshape", x, g.constant(np.array([1, 2, 0, 0])), outputs=[("f32", SHAPE)], special_zero=True)
        g.result(g.op("MaxPool", x, kernel=[2, 1], strides=[1, 1], pads_begin=[0, 0], pads_end=[0, 0], rounding_type="floor", auto_pad="explicit"))
    return made


CASES = [(build(False), build(True), {"x": X, "rows": np.array([2])}, [X[:, :, :2].max(2, keepdims=True)])]
