"""MatMul that transposes one of several outputs of an op, with a constant matrix."""
import numpy as np

ROW = "TransposedPartsInProducts"
X = np.arange(12, dtype=np.float32).reshape(2, 6)
W = np.array([[1, 2], [3, 4]], np.float32)


def build(form, transpose_b, is_replacement):
    def made(g):
        part = form(g, g.parameter("x", "f32", X.shape))
        if is_replacement:
            part = g.op("Transpose", part, g.constant(np.array([1, 0])), outputs=[("f32", (3, 2))])
        weights = g.constant(W.T if transpose_b else W)
        g.result(g.op("MatMul", part, weights, outputs=[("f32", (3, 2))], transpose_a=not is_replacement, transpose_b=transpose_b))
    made.__name__ = f"{'Transpose of ' if is_replacement else ''}{form.__name__}"
    return made


def split(g, x):
    return g.op("Split", x, g.constant(np.int64(1)), outputs=[("f32", (2, 3))] * 2, num_splits=2)[0]


def largest(g, x):
    return g.op("TopK", x, g.constant(np.int64(3)), version=3, outputs=[("f32", (2, 3)), ("i32", (2, 3))], axis=1, mode="min", sort="value", index_element_type="i32")[0]


CASES = [(build(form, transpose_b, False), build(form, transpose_b, True), {"x": X}, [X[:, :3].T @ W]) for form in (split, largest) for transpose_b in (False, True)]
