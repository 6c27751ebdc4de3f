"""Einsum with an input that has no labels: the reader counts one input less."""
import numpy as np

ROW = "EinsumOfScalars"
X, A = np.arange(6, dtype=np.float32).reshape(2, 3), np.array(3, np.float32)


def faulty(g):
    g.result(g.op("Einsum", g.parameter("x", "f32", [2, 3]), g.constant(A), version=7, equation="ij,->j", outputs=[("f32", [3])]))


def replacement(g):
    summed = g.op("Einsum", g.parameter("x", "f32", [2, 3]), version=7, equation="ij->j", outputs=[("f32", [3])])
    g.result(g.op("Multiply", summed, g.constant(A), auto_broadcast="numpy"))


CASES = [(faulty, replacement, {"x": X}, [X.sum(0) * A])]
