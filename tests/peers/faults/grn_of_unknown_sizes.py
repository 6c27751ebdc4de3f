"""GRN of unknown sizes."""
import numpy as np

ROW = "GRNOfUnknownSizes"
V10 = False
X = np.random.default_rng(0).uniform(-2, 2, (2, 3, 2, 2)).astype(np.float32)
BIAS = 0.5


def faulty(g):
    g.result(g.op("GRN", g.parameter("x", "f32", [-1] * 4), bias=BIAS))


def replacement(g):
    g.result(g.op("NormalizeL2", g.parameter("x", "f32", [-1] * 4), g.constant(np.array([1])), eps=BIAS, eps_mode="add"))


CASES = [(faulty, replacement, {"x": X}, [X / np.sqrt((X ** 2).sum(1, keepdims=True) + BIAS)])]
