"""Reductions of no elements."""
import numpy as np

ROW = "ReductionsOfNothing"
V10 = False  # version 10 has no dimensions of size 0


def faulty(op):
    def build(g):
        data = g.op("Slice", g.parameter("x", "f32", [2, 4, 3]), g.constant(np.array([1])), g.constant(np.array([1])), g.constant(np.array([1])),
                    g.constant(np.array([1])), version=8, outputs=[("f32", [2, 0, 3])])
        version = 4 if op in ("ReduceL1", "ReduceL2") else 1
        g.result(g.op(op, data, g.constant(np.array([1])), version=version, outputs=[("f32", [2, 3])], keep_dims=False))
    build.__name__ = op
    return build


def replacement(number):
    def build(g):
        g.parameter("x", "f32", [2, 4, 3])
        g.result(g.op("Broadcast", g.constant(np.array(number, np.float32)), g.constant(np.array([2, 3])), version=3, outputs=[("f32", [2, 3])], mode="numpy"))
    build.__name__ = f"Broadcast of {number}"
    return build


NEUTRAL = {"ReduceMax": -np.inf, "ReduceMin": np.inf, "ReduceMean": np.nan, "ReduceSum": 0, "ReduceL1": 0, "ReduceL2": 0, "ReduceProd": 1}
X = np.ones((2, 4, 3), np.float32)
CASES = [(faulty(op), replacement(number), {"x": X}, [np.full((2, 3), number, np.float32)]) for op, number in NEUTRAL.items()]
