"""Erf of numbers that another op of the same kernel reads, too."""
import math

import numpy as np

ROW = "ErfOfSharedNumbers"
FEWER_WITH = "avx512f"
X = np.linspace(-3, 3, 20, dtype=np.float32).reshape(4, 5)
A = np.abs(X)
ERF = np.vectorize(math.erf)(A).astype(np.float32)


def build(is_own):
    def made(g):
        def op(type, *inputs, **attributes):
            return g.op(type, *inputs, outputs=[("f32", [4, 5])], **attributes)
        a = op("Abs", g.parameter("x", "f32", [4, 5]))
        root = op("Sqrt", op("Add", a, g.constant(np.float32(0.5)), auto_broadcast="numpy"))
        erf = op("Negative", op("Erf", op("Negative", a))) if is_own else op("Erf", a)
        g.result(op("Multiply", erf, root, auto_broadcast="numpy"))
    return made


CASES = [(build(False), build(True), {"x": X}, [ERF * np.sqrt(A + np.float32(0.5))])]
