"""Pad with an unknown number of amounts."""
import numpy as np

ROW = "PadOfUnknownAmounts"
V10 = False
X = np.arange(6, dtype=np.float32).reshape(2, 3)
AMOUNTS = {"begin": np.array([1, 0]), "end": np.array([0, 2])}


def pad(is_told):
    def build(g):
        x, begin, end = g.parameter("x", "f32", [-1, -1]), g.parameter("begin", "i64", [-1]), g.parameter("end", "i64", [-1])
        if is_told:
            begin, end = (g.op("Reshape", a, g.constant(np.array([2])), special_zero=False, outputs=[("i64", [2])]) for a in (begin, end))
        g.result(g.op("Pad", x, begin, end, g.constant(np.float32(7)), pad_mode="constant"))

    return build


CASES = [(pad(False), pad(True), {"x": X, **AMOUNTS}, [np.pad(X, ((1, 0), (0, 2)), constant_values=7)])]
