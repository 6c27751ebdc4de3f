"""Reductions to a scalar: what reads it takes it for a tensor of four dimensions, so that shapes change or nothing is computed."""
import numpy as np

ROW = "ScalarReductions"
X = np.array([[1, -2, 3], [4, 5, -6]], np.float32)


def build(op, keeps):
    version = 4 if op in ("ReduceL1", "ReduceL2") else 1

    def made(g):
        x, axes = g.parameter("x", "f32", [2, 3]), g.constant(np.array([0, 1], np.int64))
        if keeps:
            scalar = g.op(op, x, axes, version=version, outputs=[("f32", [1, 1])], keep_dims=True)
            scalar = g.op("Reshape", scalar, g.constant(np.zeros(0, np.int64)), outputs=[("f32", [])], special_zero=False)
        else:
            scalar = g.op(op, x, axes, version=version, outputs=[("f32", [])], keep_dims=False)
        g.result(g.op("Multiply", x, scalar, auto_broadcast="numpy"))
    return made


SCALARS = {"ReduceSum": X.sum(), "ReduceMean": X.mean(), "ReduceMax": X.max(), "ReduceMin": X.min(), "ReduceProd": X.prod(), "ReduceL1": np.abs(X).sum(),
           "ReduceL2": np.sqrt((X * X).sum())}
CASES = [(build(op, False), build(op, True), {"x": X}, [X * value]) for op, value in SCALARS.items()]
