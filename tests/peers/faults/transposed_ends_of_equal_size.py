"""Transpose that swaps a first and a last dimension of equal size."""
import numpy as np

ROW = "TransposedEndsOfEqualSize"
FEWER_WITH = "avx512f"


def case(shape, order, kind="f32"):
    x = np.random.default_rng(0).integers(0, 100, size=shape).astype(np.float32 if kind == "f32" else np.int32)

    def build(is_in_two):
        def made(g):
            def transpose(data, by):
                return g.op("Transpose", data, g.constant(np.array(by)), outputs=[(kind, [data.shape[i] for i in by])])
            data, rest = g.parameter("x", kind, shape), list(order)
            if is_in_two:
                first = [1, 0, *range(2, len(shape))]
                data = transpose(data, first)
                data = g.op("Maximum", data, data, outputs=[(kind, data.shape)], auto_broadcast="numpy")
                rest = [first.index(i) for i in order]
            g.result(transpose(data, rest))
        made.__name__ = f"{shape} in the order {order}{', in two steps' if is_in_two else ''}"
        return made
    return build(False), build(True), {"x": x}, [x.transpose(order)]


CASES = [case((2, 8, 2), (2, 1, 0)), case((4, 5, 8, 4), (1, 3, 2, 0)), case((2, 7, 9, 2), (3, 1, 2, 0)), case((9, 3, 16, 9), (1, 3, 2, 0), "i32"),
         case((16, 9, 16, 1), (2, 3, 1, 0))]
