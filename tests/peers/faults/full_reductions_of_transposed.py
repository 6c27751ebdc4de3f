"""Reductions of all dimensions to a scalar, of what a Transpose makes."""
import numpy as np

ROW = "FullReductionsOfTransposed"
X = np.random.default_rng(0).normal(size=(4, 3)).astype(np.float32)


def build(op, is_direct):
    def made(g):
        x = g.parameter("x", "f32", X.shape)
        if not is_direct:
            x = g.op("Transpose", x, g.constant(np.array([1, 0])), outputs=[("f32", X.T.shape)])
        g.result(g.op("Sqrt", g.op(op, x, g.constant(np.array([0, 1])), outputs=[("f32", [])], version=4 if op == "ReduceL2" else 1, keep_dims=False)))
    return made


CASES = [(build(op, False), build(op, True), {"x": X}, [np.sqrt(expected)])
         for op, expected in (("ReduceMax", X.max()), ("ReduceL2", np.sqrt((X * X).sum())))]
