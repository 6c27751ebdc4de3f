"""Transpose of booleans, whose result IR version 10 gives as real numbers."""
import numpy as np

ROW = "TransposedBooleans"
VERSION = 10
X = np.array([[True, False, False], [True, True, False]])


def build(is_or):
    def made(g):
        x = g.parameter("x", "boolean", [2, 3])
        if is_or:
            x = g.op("LogicalOr", x, x, outputs=[("boolean", [2, 3])], auto_broadcast="numpy")
        g.result(g.op("Transpose", x, g.constant(np.array([1, 0])), outputs=[("boolean", [3, 2])]))
    return made


CASES = [(build(False), build(True), {"x": X}, [X.T.astype(np.float32)])]
