"""Concat of two vectors that a Gather with a scalar index takes from a matrix: taken for a part of a shape, the indices are joined, which have no dimensions."""
import numpy as np

ROW = "JoinedRowsOfMatrix"
X = np.random.default_rng(0).normal(size=(4, 3)).astype(np.float32)


def build(axis, is_squeezed):
    def made(g):
        x = g.parameter("x", "f32", X.shape)
        length = X.shape[1 - axis]

        def taken(index):
            index, along = g.constant(np.array([index] if is_squeezed else index)), g.constant(np.array(axis))
            if not is_squeezed:
                return g.op("Gather", x, index, along, outputs=[("f32", [length])])
            row = g.op("Gather", x, index, along, outputs=[("f32", [1, length] if axis == 0 else [length, 1])])
            return g.op("Squeeze", row, g.constant(np.array([axis])), outputs=[("f32", [length])])
        g.result(g.op("Concat", taken(2), taken(0), outputs=[("f32", [2 * length])], axis=0))
    return made


CASES = [(build(axis, False), build(axis, True), {"x": X}, [np.take(X, [2, 0], axis).T.reshape(-1) if axis else X[[2, 0]].reshape(-1)]) for axis in (0, 1)]
