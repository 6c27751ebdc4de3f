"""Reshape of a Squeeze that another op reads, too: what reads both overwrites the same memory."""
import numpy as np

ROW = "ViewsOfSharedViews"
X = np.random.default_rng(0).normal(size=(5, 1, 6)).astype(np.float32)


def build(is_direct):
    def made(g):
        x = g.parameter("x", "f32", X.shape)
        squeezed = g.op("Squeeze", x, g.constant(np.array([1])), outputs=[("f32", [5, 6])])
        flat = g.op("Reshape", x if is_direct else squeezed, g.constant(np.array([30])), outputs=[("f32", [30])], special_zero=False)
        g.result(g.op("Tanh", flat, outputs=[("f32", [30])]))
        g.result(g.op("Maximum", squeezed, g.constant(np.float32(-0.2)), outputs=[("f32", [5, 6])], auto_broadcast="numpy"))
    return made


CASES = [(build(False), build(True), {"x": X}, [np.tanh(X).ravel(), np.maximum(X, np.float32(-0.2)).reshape(5, 6)])]
