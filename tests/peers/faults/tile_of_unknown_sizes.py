"""Tile along the second and the third of four dimensions, one of unknown size."""
import numpy as np

ROW = "TileOfUnknownSizes"
V10 = False


def data(g):
    return g.parameter("x", "f32", [2, 1, 5, -1])


def faulty(g):
    g.result(g.op("Tile", data(g), g.constant(np.array([2, 2, 2, 1])), outputs=[("f32", [4, 2, 10, -1])]))


def faulty_one_by_one(g):
    x = data(g)
    for axis in range(3):
        shape = [size * 2 if i == axis else size for i, size in enumerate(x.shape)]
        x = g.op("Tile", x, g.constant(np.array([1 + (i == axis) for i in range(4)])), outputs=[("f32", shape)])
    g.result(x)


def replacement(g):
    x = data(g)
    for axis in range(3):
        x = g.op("Concat", x, x, outputs=[("f32", [size * 2 if i == axis else size for i, size in enumerate(x.shape)])], axis=axis)
    g.result(x)


X = np.arange(30, dtype=np.float32).reshape(2, 1, 5, 3)
CASES = [(form, replacement, {"x": X}, [np.tile(X, [2, 2, 2, 1])]) for form in (faulty, faulty_one_by_one)]
