"""Abs of a Concat of vectors: the runtime takes the Abs of the inputs instead, also for other readers of the Concat."""
import numpy as np

ROW = "AbsOfJoinedVectors"
X = np.array([1, -2, 3, -4])


def build(type, wide):
    def made(g):
        x, y = (g.parameter(name, type, (4,)) for name in "xy")
        joined = g.op("Concat", x, y, outputs=[(type, (8,))], axis=0)
        if wide:
            first = g.constant(np.array([0]))
            matrix = g.op("Abs", g.op("Unsqueeze", joined, first, outputs=[(type, (1, 8))]))
            g.result(g.op("Squeeze", matrix, first, outputs=[(type, (8,))]))
        else:
            g.result(g.op("Abs", joined))
        g.result(g.op("Negative", joined))
    made.__name__ = f"Abs of {type}{' in two dimensions' if wide else ''}"
    return made


def case(type, kind):
    x, y = X.astype(kind), X[::-1].astype(kind)
    joined = np.concatenate([x, y])
    return build(type, False), build(type, True), {"x": x, "y": y}, [np.abs(joined), -joined]


CASES = [case("f32", np.float32), case("i32", np.int32)]
