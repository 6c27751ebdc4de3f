"""Concat of a part of a Split along a later axis: the part, whose rows lie apart from one another, is read as if it were one block."""
import numpy as np

ROW = "PartsJoinedAlongEarlierAxis"
X = np.random.default_rng(0).normal(size=(2, 3, 6)).astype(np.float32)


def build(is_copied):
    def made(g):
        x = g.parameter("x", "f32", X.shape)
        first, second = g.op("Split", x, g.constant(np.array(2)), num_splits=2, outputs=[("f32", [2, 3, 3])] * 2)
        joined = g.op("Maximum", second, second, auto_broadcast="numpy") if is_copied else second
        g.result(g.op("Concat", joined, joined, outputs=[("f32", [2, 6, 3])], axis=1))
        g.result(g.op("Tanh", first))
    return made


CASES = [(build(False), build(True), {"x": X}, [np.concatenate([X[..., 3:]] * 2, 1), np.tanh(X[..., :3])])]
