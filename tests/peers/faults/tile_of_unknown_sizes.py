"""Tile along the second and the third of four dimensions, one of unknown size."""
import numpy as np

ROW = "TileOfUnknownSizes"
V10 = False


def tiled(*repeats):
    def build(g):
        x = g.parameter("x", "f32", [2, 1, 5, -1])
        for counts in repeats:
            shape = [size * count if size > 0 else -1 for size, count in zip(x.shape, counts)]
            x = g.op("Tile", x, g.constant(np.array(counts)), outputs=[("f32", shape)])
        g.result(x)
    build.__name__ = f"{len(repeats)} Tile"
    return build


X = np.arange(30, dtype=np.float32).reshape(2, 1, 5, 3)
CASES = [(tiled([1, 2, 2, 1]), tiled([1, 2, 1, 1], [1, 1, 2, 1]), {"x": X}, [np.tile(X, [1, 2, 2, 1])])]
