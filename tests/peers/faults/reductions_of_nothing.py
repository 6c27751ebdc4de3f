"""Reductions of no elements."""
import numpy as np

ROW = "ReductionsOfNothing"
V10 = False  # version 10 has no dimensions of size 0
NEUTRAL = {"ReduceMax": -np.inf, "ReduceMin": np.inf, "ReduceMean": np.nan, "ReduceSum": 0, "ReduceL1": 0, "ReduceL2": 0, "ReduceProd": 1,
           "ReduceLogicalOr": False, "ReduceLogicalAnd": True}


def reduced(g, op, axes, keep_dims, shape):
    type = "boolean" if op.startswith("ReduceLogical") else "f32"
    data = g.op("Slice", g.parameter("x", type, [2, 4, 3]), g.constant(np.array([1])), g.constant(np.array([1])), g.constant(np.array([1])),
                g.constant(np.array([1])), version=8, outputs=[(type, [2, 0, 3])])
    return g.op(op, data, axes, version=4 if op in ("ReduceL1", "ReduceL2") else 1, outputs=[(type, shape)], keep_dims=keep_dims)


def broadcast(g, op, target, shape):
    type, dtype = ("boolean", bool) if op.startswith("ReduceLogical") else ("f32", np.float32)
    return g.op("Broadcast", g.constant(np.array(NEUTRAL[op], dtype)), target, version=3, outputs=[(type, shape)], mode="numpy")


def along_known_axes(op):
    def faulty(g):
        g.result(reduced(g, op, g.constant(np.array([1])), False, [2, 3]))

    def replacement(g):
        g.parameter("x", "boolean" if op.startswith("ReduceLogical") else "f32", [2, 4, 3])
        g.result(broadcast(g, op, g.constant(np.array([2, 3])), [2, 3]))
    return faulty, replacement


def along_computed_axes(op):
    def faulty(g):
        g.result(reduced(g, op, g.parameter("axes", "i64", [1]), True, [-1, -1, -1]))

    def replacement(g):
        made = reduced(g, op, g.parameter("axes", "i64", [1]), True, [-1, -1, -1])
        g.result(broadcast(g, op, g.op("ShapeOf", made, version=3, outputs=[("i64", [3])], output_type="i64"), [-1, -1, -1]))
    return faulty, replacement


def cases():
    for op, number in NEUTRAL.items():
        x = np.ones((2, 4, 3), bool if op.startswith("ReduceLogical") else np.float32)
        yield *along_known_axes(op), {"x": x}, [np.full((2, 3), number, x.dtype)]
        if not op.startswith("ReduceLogical"):  # not compiled with computed axes: LogicalReductionOfComputedAxes
            yield *along_computed_axes(op), {"x": x, "axes": np.array([-2])}, [np.full((2, 1, 3), number, x.dtype)]


CASES = list(cases())
