"""ReduceMean of integers: 2021.4 does not compile it, later releases round the quotient to the nearest number, and limit the sum of bytes."""
import numpy as np

ROW = "IntegerMeans"
TYPES = {"i32": np.int32, "i64": np.int64, "i16": np.int16, "u8": np.uint8, "i8": np.int8}


def faulty(kind, shape):
    def build(g):
        g.result(g.op("ReduceMean", g.parameter("x", kind, shape), g.constant(np.array([1], np.int64)), outputs=[(kind, shape[:1])], keep_dims=False))
    build.__name__ = f"mean of {kind}"
    return build


def replacement(kind, shape):
    def build(g):
        x = g.op("Convert", g.parameter("x", kind, shape), outputs=[("f32", shape)], destination_type="f32")
        mean = g.op("ReduceMean", x, g.constant(np.array([1], np.int64)), outputs=[("f32", shape[:1])], keep_dims=False)
        if kind not in ("i32", "i64"):
            mean = g.op("Multiply", g.op("Sign", mean), g.op("Floor", g.op("Abs", mean)), auto_broadcast="numpy")
        g.result(g.op("Convert", mean, outputs=[(kind, shape[:1])], destination_type=kind))
    build.__name__ = f"mean of {kind} by f32"
    return build


WHOLE = np.repeat(np.arange(1, 21), 49).reshape(20, 49)  # whole means of many elements
NUMBERS = [np.array([[1, 2, 5], [7, 8, 11]]), WHOLE, WHOLE + (np.arange(49) == 5) * 40]
CASES = [(faulty(kind, x.shape), replacement(kind, x.shape), {"x": x.astype(dtype)}, [(x.sum(1) // x.shape[1]).astype(dtype)])
         for kind, dtype in TYPES.items() for x in NUMBERS]
