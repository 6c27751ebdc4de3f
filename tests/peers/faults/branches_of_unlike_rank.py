"""An If whose branches have different ranks."""
import numpy as np

ROW = "BranchesOfUnlikeRank"
V10 = False  # If came with opset 8
X = np.array([1, 2, 3], np.float32)


def conditional(unsqueezed):
    def build(g):
        x, c, n = g.parameter("x", "f32", [-1]), g.parameter("c", "boolean", [1]), g.parameter("n", "f32", [1])
        bodies, maps = [], []
        for scalar in (True, False):
            body = g.body()
            a = body.parameter("a", "f32", [1])
            made = body.op("ReduceMax", a, body.constant(np.array([0])), outputs=[("f32", [])], keep_dims=False) if scalar else body.op("Negative", a)
            if scalar and unsqueezed:
                made = body.op("Unsqueeze", made, body.constant(np.array([0])), outputs=[("f32", [1])])
            body.result(made)
            bodies.append(body)
            maps.append([(1, a)])
        taken = g.conditional(c, [n], bodies, maps, [("f32", [1])])
        taken = taken[0] if isinstance(taken, list) else taken
        g.result(g.op("Multiply", x, taken, auto_broadcast="numpy", outputs=[("f32", [-1])]))
    build.__name__ = f"If {'unsqueezed' if unsqueezed else ''}"
    return build


CASES = [(conditional(False), conditional(True), {"x": X, "c": np.array([c]), "n": np.array([2], np.float32)}, [X * (2 if c else -2)]) for c in (True, False)]
