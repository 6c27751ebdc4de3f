"""Squeeze of unknown sizes to a scalar."""
import numpy as np

ROW = "SqueezeToScalar"
V10 = False
X = np.array([3], np.float32)


def build(is_gather):
    def made(g):
        x = g.parameter("x", "f32", [-1])
        if is_gather:
            y = g.op("Gather", x, g.constant(np.int64(0)), g.constant(np.int64(0)), outputs=[("f32", [])])
        else:
            y = g.op("Squeeze", x, g.constant(np.array([0])), outputs=[("f32", [])])
        g.result(g.op("Sqrt", y, outputs=[("f32", [])]))
    return made


CASES = [(build(False), build(True), {"x": X}, [np.sqrt(X[0])])]
