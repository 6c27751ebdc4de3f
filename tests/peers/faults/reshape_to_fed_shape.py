"""Reshape to one number that is an input: the runtime does not see that there is one possible result."""
import numpy as np

ROW = "ReshapeToFedShape"
X = np.arange(6, dtype=np.float32).reshape(2, 3)


def reshape(is_fed):
    def build(g):
        x, target = g.parameter("x", "f32", [2, 3]), g.parameter("n", "i64", [1])
        if is_fed:
            g.result(g.op("Reshape", x, target, outputs=[("f32", [6])], special_zero="false"))
        else:
            g.result(g.op("Reshape", x, g.constant(np.array([-1])), outputs=[("f32", [6])], special_zero="false"))
    build.__name__ = "Reshape to " + ("an input" if is_fed else "-1")
    return build


CASES = [(reshape(True), reshape(False), {"x": X, "n": np.array([6])}, [X.reshape(6)])]
