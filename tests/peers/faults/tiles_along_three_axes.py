"""Tile with computed repeats of rank 4 and more, along three axes or more: uninitialised memory."""
import numpy as np

ROW = "TilesAlongThreeAxes"
V10 = False
X = np.arange(120, dtype=np.float32).reshape(2, 3, 4, 5)
REPEATS = np.array([1, 2, 2, 2], np.int64)


def tiled(tile):
    def build(g):
        x, repeats = g.parameter("x", "f32", X.shape), g.parameter("repeats", "i64", REPEATS.shape)
        g.result(tile(g, x, repeats))
    build.__name__ = tile.__name__
    return build


def at_once(g, x, repeats):
    return g.op("Tile", x, repeats, outputs=[("f32", [-1] * 4)])


def two_axes_each(g, x, repeats):
    ones = g.constant(np.array([1, 1], np.int64))
    first, last = (g.op("Gather", repeats, g.constant(np.array(places, np.int64)), g.constant(np.int64(0)), outputs=[("i64", [2])])
                   for places in ([0, 1], [2, 3]))
    columns = g.op("Concat", ones, last, axis=0, outputs=[("i64", [4])])
    return at_once(g, at_once(g, x, columns), g.op("Concat", first, ones, axis=0, outputs=[("i64", [4])]))


CASES = [(tiled(at_once), tiled(two_axes_each), {"x": X, "repeats": REPEATS}, [np.tile(X, REPEATS)])]
