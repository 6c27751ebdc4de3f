"""Concat along axis 1 with a batch of 1, whose first input is a constant (the class token of vision transformers): its elements are what was in memory."""
import numpy as np

ROW = "ConstantsFirstInConcat"
RNG = np.random.default_rng(0)


def case(shape):
    token, x = (RNG.normal(size=(1, n, *shape)).astype(np.float32) for n in (1, 5))

    def faulty(g):
        g.result(g.op("Concat", g.constant(token), g.parameter("x", "f32", x.shape), outputs=[("f32", (1, 6, *shape))], axis=1))

    def replacement(g):
        x_ = g.op("Reshape", g.parameter("x", "f32", x.shape), g.constant(np.array([-1, *shape])), outputs=[("f32", (5, *shape))], special_zero=False)
        joined = g.op("Concat", g.constant(token[0]), x_, outputs=[("f32", (6, *shape))], axis=0)
        g.result(g.op("Reshape", joined, g.constant(np.array([1, -1, *shape])), outputs=[("f32", (1, 6, *shape))], special_zero=False))

    return faulty, replacement, {"x": x}, [np.concatenate([token, x], 1)]


CASES = [case(shape) for shape in ((), (4,), (4, 4), (2, 4, 4))]
