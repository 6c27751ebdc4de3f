"""Pad that reflects rows, of an image with one column whose number is unknown: the runtime requires two, though they are not padded."""
import numpy as np

ROW = "ReflectionBesideUnknownSizes"
V10 = False  # which has no unknown sizes
X = np.random.default_rng(0).normal(size=(1, 2, 3, 1)).astype(np.float32)


def build(is_gathered):
    def made(g):
        x = g.parameter("x", "f32", [1, 2, 3, -1])
        if is_gathered:
            g.result(g.op("Gather", x, g.constant(np.array([1, 0, 1, 2, 1, 0])), g.constant(np.array(2)), outputs=[("f32", [1, 2, 6, -1])]))
        else:
            amounts = g.constant(np.array([0, 0, 1, 0])), g.constant(np.array([0, 0, 2, 0]))
            g.result(g.op("Pad", x, *amounts, outputs=[("f32", [1, 2, 6, -1])], pad_mode="reflect"))
    return made


CASES = [(build(False), build(True), {"x": X}, [np.pad(X, [(0, 0), (0, 0), (1, 2), (0, 0)], "reflect")])]
