"""The readers of 2022 refuse inputs with a dimension of 0; they read one that may be 0."""
import numpy as np

ROW = "InputsWithoutElements"
V10 = False  # mo refuses such inputs there
X, Y = np.zeros((2, 0), np.float32), np.ones((2, 3), np.float32)


def joined(g, size, text):
    x = g.parameter("x", "f32", [2, size])
    x.layer.attributes["shape"] = text
    g.result(g.op("Concat", x, g.parameter("y", "f32", [2, 3]), outputs=[("f32", [2, -1])], axis=1))


def faulty(g):
    joined(g, 0, "2,0")


def replacement(g):
    joined(g, -1, "2,0..1")


CASES = [(faulty, replacement, {"x": X, "y": Y}, [Y])]
