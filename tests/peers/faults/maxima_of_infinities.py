"""Is everything along an axis infinite? The extreme of infinities is the largest finite number."""
import numpy as np

ROW = "MaximaOfInfinities"
INF = np.float32(np.inf)


def faulty(op, limit):
    def build(g):
        extreme = g.op(op, g.parameter("x", "f32", [2, 3]), g.constant(np.array([1])), outputs=[("f32", [2, 1])], keep_dims=True)
        g.result(g.op("Equal", extreme, g.constant(limit), outputs=[("boolean", [2, 1])], auto_broadcast="numpy"))
    build.__name__ = op
    return build


def replacement(limit):
    def build(g):
        equal = g.op("Equal", g.parameter("x", "f32", [2, 3]), g.constant(limit), outputs=[("boolean", [2, 3])], auto_broadcast="numpy")
        g.result(g.op("ReduceLogicalAnd", equal, g.constant(np.array([1])), outputs=[("boolean", [2, 1])], keep_dims=True))
    build.__name__ = f"all are {limit}"
    return build


CASES = [(faulty(op, limit), replacement(limit), {"x": np.array([[limit] * 3, [limit, 1, limit]], np.float32)}, [np.array([[True], [False]])])
         for op, limit in (("ReduceMax", -INF), ("ReduceMin", INF))]
