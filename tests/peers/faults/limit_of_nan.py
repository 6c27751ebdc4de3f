"""Minimum(a, b) is computed as a < b ? a : b: a NaN in a is lost, one in b is not."""
import numpy as np

ROW = "LimitOfNan"
V10 = False  # 2021.4 negates both inputs of Minimum: NaN is lost in either order
X, LIMIT = np.array([np.nan, 0, 2, 3], np.float32), np.array(1, np.float32)


def limit(op, constant_first):
    def build(g):
        x, constant = g.parameter("x", "f32", [4]), g.constant(LIMIT)
        g.result(g.op(op, *((constant, x) if constant_first else (x, constant)), outputs=[("f32", [4])], auto_broadcast="numpy"))
    build.__name__ = f"{op}, the constant {'first' if constant_first else 'second'}"
    return build


CASES = [(limit(op, False), limit(op, True), {"x": X}, [function(X, LIMIT)]) for op, function in (("Minimum", np.minimum), ("Maximum", np.maximum))]
