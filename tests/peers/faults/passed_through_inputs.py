"""A Parameter of unknown shape that is a result: not computed, "Network input and output use the same name"."""
import numpy as np

ROW = "PassedThroughInputs"
V10 = False
X = np.arange(6, dtype=np.float32).reshape(2, 3)


def faulty(g):
    g.result(g.parameter("x", "f32", [-1, 3]))


def replacement(g):
    g.result(g.op("Convert", g.parameter("x", "f32", [-1, 3]), outputs=[("f32", [-1, 3])], destination_type="f32"))


CASES = [(faulty, replacement, {"x": X}, [X])]
