"""VariadicSplit, a part of which has no elements and is not read."""
import numpy as np

ROW = "SplitPartsWithoutElements"
X = np.arange(6, dtype=np.float32).reshape(2, 3)


def split(lengths):
    def build(g):
        x = g.parameter("x", "f32", [2, 3])
        parts = g.op("VariadicSplit", x, g.constant(np.array(1)), g.constant(np.array(lengths)), outputs=[("f32", [2, n]) for n in lengths])
        for part, length in zip(parts, lengths):
            if length:
                g.result(g.op("Abs", part))
    build.__name__ = f"VariadicSplit {lengths}"
    return build


def data(g):
    g.result(g.op("Abs", g.parameter("x", "f32", [2, 3])))


CASES = [(split([3, 0]), data, {"x": X}, [X]), (split([1, 0, 2]), split([1, 2]), {"x": X}, [X[:, :1], X[:, 1:]])]
