"""ReduceSum of integers: 2021.4 multiplies their mean by their number and truncates the product."""
import numpy as np

ROW = "SumsOfIntegers"
ROWS = np.random.default_rng(0).integers(-9, 9, (200, 12, 9))
COUNTS = np.concatenate([np.ones((1, 29)), np.zeros((1, 79))], 1).reshape(1, 12, 9)


def faulty(kind, shape):
    def build(g):
        g.result(g.op("ReduceSum", g.parameter("x", kind, shape), g.constant(np.array([1, 2])), outputs=[(kind, shape[:1])], keep_dims=False))
    return build


def replacement(kind, shape):
    def build(g):
        x = g.op("Convert", g.parameter("x", kind, shape), outputs=[("f32", shape)], destination_type="f32")
        total = g.op("ReduceSum", x, g.constant(np.array([1, 2])), outputs=[("f32", shape[:1])], keep_dims=False)
        total = g.op("Round", total, version=5, mode="half_to_even")
        g.result(g.op("Convert", total, outputs=[(kind, shape[:1])], destination_type=kind))
    return build


CASES = [(faulty(kind, x.shape), replacement(kind, x.shape), {"x": x.astype(dtype)}, [x.sum((1, 2)).astype(dtype)])
         for kind, dtype in (("i32", np.int32), ("i64", np.int64)) for x in (ROWS, COUNTS)]
