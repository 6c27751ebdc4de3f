"""Slices that go backwards along two dimensions of unknown size."""
import numpy as np

ROW = "BackwardSlices"
V10 = False  # Slice came with opset 8
X = np.arange(24, dtype=np.float32).reshape(6, 4)


def slice_8(step):
    def build(g):
        x = g.parameter("x", "f32", [-1, -1])
        bounds = [g.constant(np.full(2, number, np.int64)) for number in (-1, np.iinfo(np.int64).min, step)]
        g.result(g.op("Slice", x, *bounds, g.constant(np.array([0, 1])), version=8))
    build.__name__ = f"Slice by {step}"
    return build


def strided_slice(step):
    def build(g):
        x = g.parameter("x", "f32", [-1, -1])
        bounds = [g.constant(np.full(2, number, np.int64)) for number in (-1, 0, step)]
        g.result(g.op("StridedSlice", x, *bounds, begin_mask="0,0", end_mask="1,1"))
    build.__name__ = f"StridedSlice by {step}"
    return build


CASES = [(slice_8(step), strided_slice(step), {"x": X}, [X[::step, ::step]]) for step in (-1, -2)]
