"""Reductions along dimensions that are empty only when the model runs. Later releases give ReduceMax, ReduceMin and ReduceMean of nothing finite numbers, which is
no reason for a Select after each of them; the row has them for the releases that give what was in memory."""
import numpy as np

ROW = "ReductionsOfUnknownSizes"
V10 = False  # version 10 has static shapes
X = np.zeros((2, 0, 3), np.float32)
NEUTRAL = {"ReduceSum": 0, "ReduceL1": 0, "ReduceL2": 0, "ReduceProd": 1,
           "ReduceLogicalOr": False, "ReduceLogicalAnd": True}


def reduction(op, axes, chosen):
    """Along the second dimension, which is an input where `axes` is None; `chosen`: a Select before the result."""
    def build(g):
        logical = op.startswith("ReduceLogical")
        type = "boolean" if logical else "f32"
        data = g.parameter("x", type, [-1, -1, 3])
        axis = g.parameter("axes", "i64", [1]) if axes is None else g.constant(np.array(axes))
        shape = [-1, -1, -1] if axes is None else [-1, 3]
        version = 4 if op in ("ReduceL1", "ReduceL2") else 1
        made = g.op(op, data, axis, version=version, outputs=[(type, shape)], keep_dims=axes is None)
        if chosen:
            sizes = g.op("ShapeOf", data, version=3, outputs=[("i64", [3])], output_type="i64")
            places = np.array([0, 1]) if axes is None else np.int64(1)
            size = g.op("Gather", sizes, g.constant(places), g.constant(np.int64(0)), outputs=[("i64", places.shape)])
            if axes is None:
                size = g.op("ReduceMin", size, g.constant(np.array([0])), outputs=[("i64", [])], keep_dims=False)
            empty = g.op("Equal", size, g.constant(np.int64(0)), outputs=[("boolean", [])])
            neutral = g.constant(np.array(NEUTRAL[op], bool if logical else np.float32))
            made = g.op("Select", empty, neutral, made, outputs=[(type, shape)])
        g.result(made)
    build.__name__ = f"{op} {'Select' if chosen else ''}"
    return build


def cases():
    for op, number in NEUTRAL.items():
        data = X.astype(bool) if op.startswith("ReduceLogical") else X
        yield reduction(op, [1], False), reduction(op, [1], True), {"x": data}, [np.full((2, 3), number, data.dtype)]
        if not op.startswith("ReduceLogical"):  # with computed axes they are not compiled: LogicalReductionOfComputedAxes
            yield reduction(op, None, False), reduction(op, None, True), {"x": data, "axes": np.array([1])}, [np.full((2, 1, 3), number, data.dtype)]


CASES = list(cases())
