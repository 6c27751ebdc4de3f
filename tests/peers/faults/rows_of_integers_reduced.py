"""Reductions of integers along the last axis; a product of many, one of which is 0, is 0."""
import numpy as np

ROW = "RowsOfIntegersReduced"
X = np.random.default_rng(0).integers(-5, 6, (2, 4, 4, 7)).astype(np.int32)
MANY = np.random.default_rng(0).integers(3, 6, (2, 4, 4, 100)).astype(np.int32)
MANY[..., -1] = 0
EQUAL = np.repeat(np.arange(32, dtype=np.int32).reshape(2, 4, 4, 1), 4, 3)


def build(op, is_real, data=X, is_constant=False):
    def made(g):
        x, axis = g.constant(data) if is_constant else g.parameter("x", "i32", data.shape), g.constant(np.array([3], np.int64))
        version = 4 if op in ("ReduceL1", "ReduceL2") else 1
        if not is_real:
            y = g.op(op, x, axis, version=version, outputs=[("i32", data.shape[:3])], keep_dims=False)
        else:
            x = g.op("Convert", x, outputs=[("f32", data.shape)], destination_type="f32")
            y = g.op(op, x, axis, version=version, outputs=[("f32", data.shape[:3])], keep_dims=False)
            if op == "ReduceProd":
                is_nan = g.op("NotEqual", y, y, outputs=[("boolean", data.shape[:3])], auto_broadcast="numpy")
                y = g.op("Select", is_nan, g.constant(np.float32(0)), y, outputs=[("f32", data.shape[:3])], auto_broadcast="numpy")
            y = g.op("Convert", y, outputs=[("i32", data.shape[:3])], destination_type="i32")
        g.result(y)
        if is_constant:  # a model has an input
            g.result(g.op("Abs", g.parameter("x", "f32", (2,))))
    return made


CASES = [(build(op, False), build(op, True), {"x": X}, [expected.astype(np.int32)])
         for op, expected in (("ReduceMin", X.min(3)), ("ReduceMax", X.max(3)), ("ReduceSum", X.sum(3)), ("ReduceProd", X.prod(3)), ("ReduceL1", np.abs(X).sum(3)))]
CASES.append((build("ReduceL2", False, EQUAL), build("ReduceL2", True, EQUAL), {"x": EQUAL}, [2 * EQUAL[..., 0]]))
CASES.append((build("ReduceProd", False, MANY), build("ReduceProd", True, MANY), {"x": MANY}, [np.zeros((2, 4, 4), np.int32)]))
CASES.append((build("ReduceProd", False, X, True), build("ReduceProd", True, X, True), {"x": np.float32([1, -2])}, [X.prod(3), np.float32([1, 2])]))
