"""Greater and GreaterEqual are computed as the opposite of Less and LessEqual, which is not so for NaN."""
import numpy as np

ROW = "ComparisonWithNan"
NEEDS = "avx512f"
A, B = np.array([1, np.nan, 2, 1, 3], np.float32), np.array([np.nan, 1, 1, 2, 3], np.float32)


def compare(op, order):
    def build(g):
        inputs = {name: g.parameter(name, "f32", [5]) for name in "ab"}
        g.result(g.op(op, *(inputs[name] for name in order), outputs=[("boolean", [5])], auto_broadcast="numpy"))
    build.__name__ = f"{op} of {order}"
    return build


CASES = [(compare("Greater", "ab"), compare("Less", "ba"), {"a": A, "b": B}, [A > B]), (compare("GreaterEqual", "ab"), compare("LessEqual", "ba"), {"a": A, "b": B}, [A >= B])]
