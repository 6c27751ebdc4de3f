"""Tile with more repeats than the data has dimensions: "read_vector type must match Tensor type" in 2021.4."""
import numpy as np

ROW = "TilesOfMoreDimensions"
X = np.arange(6, dtype=np.float32).reshape(2, 3)
REPEATS = [2, 1, 3]


def tiled(g, x):
    g.result(g.op("Tile", x, g.constant(np.array(REPEATS, np.int64)), outputs=[("f32", [2, 2, 9])]))


def faulty(g):
    tiled(g, g.parameter("x", "f32", X.shape))


def replacement(g):
    tiled(g, g.op("Unsqueeze", g.parameter("x", "f32", X.shape), g.constant(np.array([0], np.int64)), outputs=[("f32", [1, 2, 3])]))


CASES = [(faulty, replacement, {"x": X}, [np.tile(X, REPEATS)])]
