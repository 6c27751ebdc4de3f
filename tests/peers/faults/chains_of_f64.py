"""Sums and products of f64 with two constants: a pass joins both ops, and computes what it does not have for f64."""
import numpy as np

ROW = "ChainsOfF64"
X = np.array([3, -4, 5], np.float32)


def network(first, second, kind):
    def build(g):
        def convert(x, wanted):
            return g.op("Convert", x, outputs=[(wanted, [3])], destination_type=wanted)

        def op(name, *inputs):
            return g.op(name, *inputs) if len(inputs) == 1 else g.op(name, *inputs, auto_broadcast="numpy")

        def number(value, wanted):
            return g.constant(np.array(value, np.float64 if wanted == "f64" else np.float32))
        x = convert(g.parameter("x", "f32", [3]), "f64")
        y = op(first, x, number(3, "f64"))
        if kind == "f32":
            y = convert(y, kind)
        if second == "Negative":
            y = op(second, y)
        elif second == "Subtract":
            y = op(second, convert(x, kind) if kind == "f32" else x, y)
        else:
            y = op(second, y, number(2, kind))
        g.result(y if kind == "f32" else convert(y, "f32"))
    build.__name__ = f"{first}, {second} of {kind}"
    return build


def case(first, second, expected):
    return network(first, second, "f64"), network(first, second, "f32"), {"x": X}, [expected]


CASES = [case("Add", "Multiply", (X + 3) * 2), case("Add", "Add", X + 5), case("Multiply", "Multiply", X * 6), case("Multiply", "Negative", X * -3),
         case("Multiply", "Subtract", X * -2)]
