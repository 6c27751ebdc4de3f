"""Squeeze without axes of a shape with unknown sizes: the rank of the result is not known."""
import numpy as np

ROW = "SqueezeOfUnknownSizes"
V10 = False


def squeeze(axes):
    def build(g):
        x = g.parameter("x", "f32", [1, -1, 1, 3])
        operands = [g.constant(np.array(axes, np.int64))] if axes else []
        g.result(g.op("Squeeze", x, *operands, outputs=[("f32", (-1, 3))]))
    return build


X = np.arange(6, dtype=np.float32).reshape(1, 2, 1, 3)
CASES = [(squeeze([]), squeeze([0, 2]), {"x": X}, [X.reshape(2, 3)])]
