"""AdaptiveMaxPool with indices of i64: not compiled; by 2022.1 and 2022.3 only when they are not read."""
import numpy as np

ROW = "AdaptiveMaxPoolOfLongIndices"
V10 = False
X = np.arange(42, dtype=np.float32).reshape(1, 1, 7, 6)


def pooled(type, is_read):
    def build(g):
        x, size = g.parameter("x", "f32", X.shape), g.constant(np.array([7, 6], np.int64))
        values, indices = g.op("AdaptiveMaxPool", x, size, version=8, index_element_type=type, outputs=[("f32", X.shape), (type, X.shape)])
        g.result(values)
        if is_read:
            g.result(indices if type == "i64" else g.op("Convert", indices, destination_type="i64", outputs=[("i64", X.shape)]))
    build.__name__ = f"indices of {type}"
    return build


CASES = [(pooled("i64", True), pooled("i32", True), {"x": X}, [X, np.arange(42).reshape(X.shape)]),
         (pooled("i64", False), pooled("i32", False), {"x": X}, [X])]
