"""Reverse with a mask, which the runtime turns into bytes before it looks for booleans."""
import numpy as np

ROW = "ReverseByMask"
X = np.arange(6, dtype=np.float32).reshape(2, 3)


def faulty(g):
    g.result(g.op("Reverse", g.parameter("x", "f32", X.shape), g.constant(np.array([False, True])), mode="mask"))


def replacement(g):
    g.result(g.op("Reverse", g.parameter("x", "f32", X.shape), g.constant(np.array([1])), mode="index"))


CASES = [(faulty, replacement, {"x": X}, [X[:, ::-1]])]
