"""GatherND and GatherElements with negative indices: older releases read outside of the data."""
import numpy as np

ROW = "NegativeGatherIndices"
X = np.arange(24, dtype=np.float32).reshape(2, 4, 3)


def wrapped(g, indices, kind, shape, sizes):
    below = g.op("Less", indices, g.constant(np.zeros((), sizes.dtype)), outputs=[("boolean", shape)], auto_broadcast="numpy")
    counted = g.op("Add", indices, g.constant(sizes), auto_broadcast="numpy")
    return g.op("Select", below, counted, indices, outputs=[(kind, shape)], auto_broadcast="numpy")


def gather(x, indices, batch, wraps):
    kind, count = f"i{8 * indices.itemsize}", indices.shape[-1]

    def build(g):
        data, places = g.parameter("x", "f32", x.shape), g.parameter("i", kind, indices.shape)
        if wraps:
            places = wrapped(g, places, kind, indices.shape, np.array(x.shape[batch:batch + count], indices.dtype))
        out = (*indices.shape[:-1], *x.shape[batch + count:])
        g.result(g.op("GatherND", data, places, version=5, outputs=[("f32", out)], batch_dims=batch))
    build.__name__ = f"{kind}, batch_dims {batch}"
    return build


def case(x, indices, batch, expected):
    return gather(x, indices, batch, False), gather(x, indices, batch, True), {"x": x, "i": indices}, [expected]


def elements(wraps):
    def build(g):
        data, places = g.parameter("x", "f32", [4, 3]), g.parameter("i", "i64", [2, 3])
        if wraps:
            places = wrapped(g, places, "i64", [2, 3], np.array([4], np.int64))
        g.result(g.op("GatherElements", data, places, version=6, outputs=[("f32", [2, 3])], axis=0))
    build.__name__ = "elements"
    return build


PLACES = np.array([[-1, -2, 0], [1, -4, 3]], np.int64)
CASES = [(elements(False), elements(True), {"x": X[0], "i": PLACES}, [np.take_along_axis(X[0], PLACES % 4, 0)]),
         case(X[0], np.array([[1], [-1]], np.int64), 0, X[0, [1, 3]]),
         case(X, np.array([[-1, 0], [1, -2]], np.int32), 1, np.array([X[0, 3, 0], X[1, 1, 1]]))]
