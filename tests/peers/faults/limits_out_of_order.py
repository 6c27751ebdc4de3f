"""Maximum of a Minimum with a lower constant, and the other way round: the runtime makes a Clamp of both."""
import numpy as np

ROW = "LimitsOutOfOrder"
X = np.arange(12, dtype=np.float32).reshape(3, 4) / 10


def build(outer, inner, outer_limit, inner_limit):
    def made(g):
        x = g.op(inner, g.parameter("x", "f32", X.shape), g.constant(np.float32(inner_limit)), outputs=[("f32", X.shape)], auto_broadcast="numpy")
        g.result(g.op(outer, x, g.constant(np.float32(outer_limit)), outputs=[("f32", X.shape)], auto_broadcast="numpy"))
    return made


CASES = [(build(outer, inner, at, wrong), build(outer, inner, at, at), {"x": X}, [np.full_like(X, at)])
         for outer, inner, at, wrong in (("Maximum", "Minimum", 0.5, 0.4), ("Minimum", "Maximum", 0.4, 0.5))]
