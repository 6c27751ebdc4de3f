"""NormalizeL2 over other axes than dimension 1: not compiled, or, over all dimensions but the first, eps is added to the norm instead of its square."""
import numpy as np

ROW = "NormalizationOfOtherAxes"
NUMPY = dict(auto_broadcast="numpy")


def normalize(x, axes, eps, mode):
    return lambda g: g.result(g.op("NormalizeL2", g.parameter("x", "f32", x.shape), g.constant(np.array(axes)), eps=eps, eps_mode=mode))


def by_norm(x, axes, eps, mode):
    kept = [("f32", [1 if d in axes else size for d, size in enumerate(x.shape)])]

    def made(g):
        data, over = g.parameter("x", "f32", x.shape), g.constant(np.array(axes))
        if mode == "max":
            length = g.op("ReduceL2", data, over, version=4, keep_dims=True, outputs=kept)
            norm = g.op("Maximum", length, g.constant(np.float32(np.sqrt(eps))), **NUMPY)
        else:
            squares = g.op("ReduceSum", g.op("Multiply", data, data, **NUMPY), over, keep_dims=True, outputs=kept)
            norm = g.op("Sqrt", g.op("Add", squares, g.constant(np.float32(eps)), **NUMPY))
        g.result(g.op("Divide", data, norm, m_pythondiv=True, **NUMPY))
    return made


def case(shape, axes, eps, mode):
    x = np.random.default_rng(0).normal(size=shape, scale=0.1).astype(np.float32)
    squares = (x**2).sum(axis=tuple(axes), keepdims=True)
    expected = x / np.sqrt(squares + eps if mode == "add" else np.maximum(squares, eps))
    return normalize(x, axes, eps, mode), by_norm(x, axes, eps, mode), {"x": x}, [expected]


CASES = [case(shape, axes, eps, mode) for mode in ("add", "max") for shape, axes, eps in (
    ((1, 3, 4), [1, 2], 0.25), ((2, 3, 4, 5), [1, 2, 3], 1), ((2, 3, 4), [2], 0.04), ((5,), [0], 0.04), ((2, 3), [0], 0.02), ((2, 3, 4, 5), [3], 0.04),
    ((2, 3, 2, 2, 2), [1], 0.03))]
