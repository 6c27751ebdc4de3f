"""Transpose that only moves dimensions of size 1, of a reduction without keep_dims: the result has the shape of the reduction."""
import numpy as np

ROW = "TransposeOfReducedTensor"
RNG = np.random.default_rng(0)


def case(op, shape, axes, order):
    x = RNG.normal(size=shape).astype(np.float32)
    reduced = {"ReduceSum": np.sum, "ReduceMax": np.max}[op](x, axes)

    def build(squeezes):
        def made(g):
            numbers, output = g.constant(np.array(axes)), ("f32", reduced.shape)
            kept = [("f32", [1 if i in axes else size for i, size in enumerate(shape)])]
            y = g.op(op, g.parameter("x", "f32", shape), numbers, outputs=kept if squeezes else [output], keep_dims=squeezes)
            if squeezes:
                y = g.op("Squeeze", y, numbers, outputs=[output])
            g.result(g.op("Transpose", y, g.constant(np.array(order)), outputs=[("f32", reduced.transpose(order).shape)]))
        made.__name__ = f"{op} of {list(shape)} over {axes} in the order {order}"
        return made
    return build(False), build(True), {"x": x}, [reduced.transpose(order)]


CASES = [case("ReduceSum", (2, 3, 1, 1), (0, 2), (1, 0)), case("ReduceMax", (2, 3, 4, 1), (1,), (0, 2, 1)), case("ReduceSum", (1, 3, 4, 1), (1,), (1, 0, 2))]
