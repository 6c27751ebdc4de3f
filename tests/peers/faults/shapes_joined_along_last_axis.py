"""A shape that is joined along axis -1."""
import numpy as np

ROW = "ShapesJoinedAlongLastAxis"
V10 = False  # static shapes only


def reshape(axis):
    def build(g):
        x, sizes = g.parameter("x", "f32", (-1, 4)), g.parameter("s", "i64", (3,))
        parts = g.op("Split", sizes, g.constant(np.int64(0)), num_splits=3, outputs=[("i64", (1,))] * 3)
        shape = g.op("Concat", *parts, axis=axis, outputs=[("i64", (3,))])
        return g.result(g.op("Reshape", x, shape, special_zero=True, outputs=[("f32", (-1, -1, -1))]))
    build.__name__ = f"axis {axis}"
    return build


x = np.arange(12, dtype=np.float32).reshape(3, 4)
CASES = [(reshape(-1), reshape(0), {"x": x, "s": np.array([3, 2, 2])}, [x.reshape(3, 2, 2)])]
