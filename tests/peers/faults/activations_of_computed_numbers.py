"""HardSigmoid and Selu whose numbers are computed: not compiled, the plugin wants constants."""
import numpy as np

ROW = "ActivationsOfComputedNumbers"
X, NUMBERS = np.array([-3, -0.5, 0, 0.25, 2, 5], np.float32), np.array([[0.3], [0.4]], np.float32)
A, B = NUMBERS.ravel()


def with_numbers(make):
    """The numbers are sums of vectors: 2023.3 loses inputs without dimensions, whatever reads them."""
    def build(g):
        x, numbers = g.parameter("x", "f32", X.shape), g.parameter("numbers", "f32", NUMBERS.shape)
        rows = g.op("Split", numbers, g.constant(np.int64(0)), num_splits=2, outputs=[("f32", [1, 1])] * 2)
        shape = g.constant(np.zeros(0, np.int64))
        g.result(make(g, x, *(g.op("Reshape", row, shape, special_zero=False, outputs=[("f32", ())]) for row in rows)))
    build.__name__ = make.__name__
    return build


def hard_sigmoid(g, x, a, b):
    return g.op("HardSigmoid", x, a, b)


def clamped(g, x, a, b):
    return g.op("Clamp", g.op("Add", g.op("Multiply", x, a, auto_broadcast="numpy"), b, auto_broadcast="numpy"), min=0, max=1)


def selu(g, x, a, b):
    return g.op("Selu", x, a, b)


def in_parts(g, x, a, b):
    below = g.op("Exp", g.op("Minimum", x, g.constant(np.float32(0)), auto_broadcast="numpy"))
    below = g.op("Multiply", g.op("Subtract", below, g.constant(np.float32(1)), auto_broadcast="numpy"), a, auto_broadcast="numpy")
    return g.op("Multiply", g.op("Add", g.op("Relu", x), below, auto_broadcast="numpy"), b, auto_broadcast="numpy")


INPUTS = {"x": X, "numbers": NUMBERS}
CASES = [(with_numbers(hard_sigmoid), with_numbers(clamped), INPUTS, [np.clip(X * A + B, 0, 1)]),
         (with_numbers(selu), with_numbers(in_parts), INPUTS, [B * np.where(X > 0, X, A * (np.exp(X) - 1))])]
