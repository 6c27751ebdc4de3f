"""Reductions of integers along the last axis."""
import numpy as np

ROW = "RowsOfIntegersReduced"
X = np.random.default_rng(0).integers(-5, 6, (2, 4, 4, 7)).astype(np.int32)


def build(op, is_real):
    def made(g):
        x, axis = g.parameter("x", "i32", X.shape), g.constant(np.array([3], np.int64))
        if is_real:
            x = g.op("Convert", x, outputs=[("f32", X.shape)], destination_type="f32")
        y = g.op(op, x, axis, outputs=[("f32" if is_real else "i32", X.shape[:3])], keep_dims=False)
        g.result(g.op("Convert", y, outputs=[("i32", X.shape[:3])], destination_type="i32") if is_real else y)
    return made


CASES = [(build(op, False), build(op, True), {"x": X}, [expected.astype(np.int32)])
         for op, expected in (("ReduceMin", X.min(3)), ("ReduceMax", X.max(3)), ("ReduceSum", X.sum(3)), ("ReduceProd", X.prod(3)))]
