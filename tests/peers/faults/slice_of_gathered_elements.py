"""Slice that cuts off what no index of a GatherElements reaches."""
import numpy as np

ROW = "SliceOfGatheredElements"
V10 = False


def gathered(g, part):
    g.result(g.op("GatherElements", part, g.parameter("i", "i64", [2, 1, 1]), version=6, axis=1, outputs=[("f32", [2, 1, 1])]))


def faulty(g):
    numbers = [g.constant(np.array(n)) for n in ([0, 0], [2, 1], [1, 1], [0, 2])]
    gathered(g, g.op("Slice", g.parameter("x", "f32", [5, 1, 4]), *numbers, version=8, outputs=[("f32", [2, 1, 1])]))


def replacement(g):
    numbers = [g.constant(np.array(n)) for n in ([0, 0, 0], [2, 1, 1], [1, 1, 1])]
    gathered(g, g.op("StridedSlice", g.parameter("x", "f32", [5, 1, 4]), *numbers, outputs=[("f32", [2, 1, 1])], begin_mask="0,1,0", end_mask="0,1,0",
                     new_axis_mask="0,0,0", shrink_axis_mask="0,0,0", ellipsis_mask="0,0,0"))


X = np.arange(20, dtype=np.float32).reshape(5, 1, 4)
CASES = [(faulty, replacement, {"x": X, "i": np.zeros((2, 1, 1), np.int64)}, [X[:2, :, :1]])]
