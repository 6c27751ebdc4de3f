"""Unsqueeze with a negative axis before a reduction: the runtime moves it after the reduction, whose result has fewer dimensions."""
import numpy as np

ROW = "NegativeAxesInFrontOfReductions"
X = np.random.default_rng(0).normal(size=(1, 5, 3)).astype(np.float32)


def build(axis):
    def made(g):
        x = g.parameter("x", "f32", X.shape)
        x = g.op("Unsqueeze", x, g.constant(np.array([axis])), outputs=[("f32", [1, 1, 5, 3])])
        g.result(g.op("ReduceMax", x, g.constant(np.array([1, 2, 3])), outputs=[("f32", [1])], keep_dims=False))
    return made


CASES = [(build(-4), build(0), {"x": X}, [X.max().reshape(1)])]
