"""A comparison of bf16 constants, which the runtime computes while it compiles: its types do not fit."""
import numpy as np

ROW = "ComparisonOfBfloat16"
X = np.array([1, 2, 3], np.float32)
A, B = np.array([1, 2, np.inf], np.float32), np.array([2, 2, 1], np.float32)


def network(op, kind):
    def build(g):
        a, b = (g.op("Convert", g.constant(numbers), outputs=[("bf16", [3])], destination_type="bf16") for numbers in (A, B))
        if kind == "f32":
            a, b = (g.op("Convert", number, outputs=[("f32", [3])], destination_type="f32") for number in (a, b))
        mask = g.op(op, a, b, outputs=[("boolean", [3])], auto_broadcast="numpy")
        zero = g.constant(np.zeros(3, np.float32))
        g.result(g.op("Select", mask, g.parameter("x", "f32", [3]), zero, outputs=[("f32", [3])], auto_broadcast="numpy"))
    build.__name__ = f"{op} of {kind}"
    return build


FUNCTIONS = {"Equal": np.equal, "NotEqual": np.not_equal, "Less": np.less, "LessEqual": np.less_equal, "Greater": np.greater, "GreaterEqual": np.greater_equal}
CASES = [(network(op, "bf16"), network(op, "f32"), {"x": X}, [np.where(function(A, B), X, 0).astype(np.float32)]) for op, function in FUNCTIONS.items()]
