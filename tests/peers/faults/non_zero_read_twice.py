"""NonZero that two nodes read, directly or after a Reshape."""
import numpy as np

ROW = "NonZeroReadTwice"
V10 = False  # how many rows it has depends on values
X = np.array([[0, 2, 0], [1, 0, 5]], np.float32)


def build(keeps_one, views):
    def made(g):
        x = g.parameter("x", "f32", X.shape)
        places = g.op("NonZero", x, version=3, outputs=[("i64", [2, -1])], output_type="i64")
        if keeps_one:
            places = g.op("Maximum", places, g.constant(np.int64(0)), auto_broadcast="numpy")
        if views:
            places = g.op("Reshape", places, g.constant(np.array([2, -1])), outputs=[("i64", [2, -1])], special_zero=False)
        g.result(g.op("Add", places, g.constant(np.int64(1)), outputs=[("i64", [2, -1])], auto_broadcast="numpy"))
        g.result(g.op("Reshape", places, g.constant(np.array([-1])), outputs=[("i64", [-1])], special_zero=False))

    return made


PLACES = np.array(np.nonzero(X))
EMPTY = [np.zeros((2, 0), np.int64), np.zeros(0, np.int64)]
CASES = [(build(False, views), build(True, views), {"x": x}, expected)
         for views in (False, True) for x, expected in ((X, [PLACES + 1, PLACES.ravel()]), (np.zeros_like(X), EMPTY))]
