"""Elementwise op of converted integers that is broadcast, and meets itself again after a view: not compiled."""
import numpy as np

ROW = "BroadcastNumbersOfIntegers"
FEWER_WITH = "avx512f"
RNG = np.random.default_rng(0)


def case(shape, constant, operator, other):
    numbers = np.full(shape, 2, np.int64)
    factors = RNG.normal(size=constant).astype(np.float32)
    added = RNG.normal(size=other).astype(np.float32)
    steps = np.sqrt(numbers.astype(np.float32)) if operator == "Sqrt" else np.float32(3) / numbers.astype(np.float32)
    larger = factors * steps
    column = larger.reshape(*larger.shape, 1)
    expected = (column + added) * np.minimum(np.float32(1), steps)

    def build(is_replacement):
        def made(g):
            def elementwise(kind, shape, *inputs):
                return g.op(kind, *inputs, outputs=[("f32", shape)], auto_broadcast="numpy")
            step = g.op("Convert", g.parameter("p", "i64", shape), outputs=[("f32", shape)], destination_type="f32")
            step = g.op("Sqrt", step, outputs=[("f32", shape)]) if operator == "Sqrt" else elementwise("Divide", shape, g.constant(np.float32(3)), step)
            if is_replacement:
                step = g.op("ShuffleChannels", step, outputs=[("f32", shape)], axis=0, group=1)
            x = elementwise("Multiply", larger.shape, g.constant(factors), step)
            x = g.op("Unsqueeze", x, g.constant(np.array([len(shape)])), outputs=[("f32", column.shape)])
            x = elementwise("Add", np.broadcast_shapes(column.shape, other), x, g.parameter("a", "f32", other))
            g.result(elementwise("Multiply", expected.shape, x, elementwise("Minimum", shape, g.constant(np.float32(1)), step)))
        made.__name__ = f"{operator} of {shape} and a constant of {constant}"
        return made
    return build(False), build(True), {"p": numbers, "a": added}, [expected]


CASES = [case((1,), (3,), "Divide", (5,)), case((1,), (8,), "Sqrt", (1,)), case((1, 1), (2, 3), "Divide", (5,)), case((1, 3), (2, 3), "Sqrt", (2, 3, 3))]
