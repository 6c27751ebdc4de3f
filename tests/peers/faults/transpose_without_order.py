"""Transpose with an empty order, which reverses the dimensions, before a reduction."""
import numpy as np

ROW = "TransposeWithoutOrder"


def reduced(order):
    def build(g):
        turned = g.op("Transpose", g.parameter("x", "f32", [2, 3, 4, 5]), g.constant(np.array(order, np.int64)), outputs=[("f32", [5, 4, 3, 2])])
        g.result(g.op("ReduceMean", turned, g.constant(np.array([2, 3])), outputs=[("f32", [5, 4, 1, 1])], keep_dims=True))
    build.__name__ = f"order {order}"
    return build


X = np.arange(120, dtype=np.float32).reshape(2, 3, 4, 5)
CASES = [(reduced([]), reduced([3, 2, 1, 0]), {"x": X}, [X.T.mean((2, 3), keepdims=True)])]
