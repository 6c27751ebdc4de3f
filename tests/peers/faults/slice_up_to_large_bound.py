"""Slice of an unknown size up to 1,000,000,000, as tf2onnx says "to the end": the runtime wants memory for so many elements when it compiles the model."""
import numpy as np

ROW = "SliceUpToLargeBound"
V10 = False
X = np.random.default_rng(0).normal(size=(3, 512, 4)).astype(np.float32)
UNKNOWN = (-1, 512, 4)


def sliced(g, strided):
    x, numbers = g.parameter("x", "f32", UNKNOWN), [g.constant(np.array([n])) for n in (0, 1_000_000_000, 1, 0)]
    if not strided:
        return g.op("Slice", x, *numbers, version=8)
    all_of = {name: [0] for name in ("begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask")}
    return g.op("StridedSlice", x, *numbers[:3], **all_of)


def slice_8(g):
    g.result(g.op("Sin", sliced(g, False)))


def strided_slice(g):
    g.result(g.op("Sin", sliced(g, True)))


CASES = [(slice_8, strided_slice, {"x": X}, [np.sin(X)])]
