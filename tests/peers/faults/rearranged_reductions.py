"""Transpose of dimensions of size 1, or Reshape to as many dimensions, of a reduction without keep_dims: the result has the shape of the reduction."""
import numpy as np

ROW = "RearrangedReductions"
RNG = np.random.default_rng(0)


def case(op, shape, axes, order, target=None):
    x = RNG.normal(size=shape).astype(np.float32)
    reduced = {"ReduceSum": np.sum, "ReduceMax": np.max}[op](x, axes)

    def build(squeezes):
        def made(g):
            numbers, output = g.constant(np.array(axes)), ("f32", reduced.shape)
            kept = [("f32", [1 if i in axes else size for i, size in enumerate(shape)])]
            y = g.op(op, g.parameter("x", "f32", shape), numbers, outputs=kept if squeezes else [output], keep_dims=squeezes)
            if squeezes:
                y = g.op("Squeeze", y, numbers, outputs=[output])
            outputs = [("f32", expected.shape)]
            if target:
                g.result(g.op("Reshape", y, g.constant(np.array(target)), outputs=outputs, special_zero=False))
            else:
                g.result(g.op("Transpose", y, g.constant(np.array(order)), outputs=outputs))
        made.__name__ = f"{op} of {list(shape)} over {axes}, {order or target}"
        return made
    expected = reduced.reshape(target) if target else reduced.transpose(order)
    return build(False), build(True), {"x": x}, [expected]


CASES = [case("ReduceSum", (2, 3, 1, 1), (0, 2), (1, 0)), case("ReduceMax", (2, 3, 4, 1), (1,), (0, 2, 1)), case("ReduceSum", (1, 3, 4, 1), (1,), (1, 0, 2)),
         case("ReduceSum", (2, 5, 3, 4), (0, 3), None, (1, -1)), case("ReduceMax", (2, 5, 3, 4), (0, 1), None, (-1, 1)),
         case("ReduceSum", (2, 3, 4), (1,), None, (8, 1)), case("ReduceSum", (2, 3, 2, 2, 2), (0, 1), None, (1, 1, -1))]
