"""LRN with a bias: the plugin computes with 1."""
import numpy as np

ROW = "LrnWithBias"
ALPHA, BETA, BIAS, SIZE = 2.5, 0.6, 0.5, 3


def lrn(g, alpha, bias):
    return g.op("LRN", g.parameter("x", "f32", [1, 5, 2, 3]), g.constant(np.array([1])), alpha=alpha, beta=BETA, bias=bias, size=SIZE)


def faulty(g):
    g.result(lrn(g, ALPHA, BIAS))


def replacement(g):
    g.result(g.op("Multiply", lrn(g, ALPHA / BIAS, 1), g.constant(np.array(BIAS ** -BETA, np.float32)), auto_broadcast="numpy"))


X = np.linspace(-2, 2, 30, dtype=np.float32).reshape(1, 5, 2, 3)
SQUARES = np.pad(X.astype(np.float64) ** 2, ((0, 0), (1, 1), (0, 0), (0, 0)))
CASES = [(faulty, replacement, {"x": X}, [(X / (BIAS + ALPHA / SIZE * (SQUARES[:, :-2] + SQUARES[:, 1:-1] + SQUARES[:, 2:])) ** BETA).astype(np.float32)])]
