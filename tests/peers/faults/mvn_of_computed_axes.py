"""MVN whose axes are an input."""
import numpy as np

ROW = "MVNOfComputedAxes"
X = np.random.default_rng(1).normal(size=(2, 3, 4)).astype(np.float32)
NUMPY = dict(auto_broadcast="numpy")
EPS = 1e-5


def mvn(g):
    g.result(g.op("MVN", g.parameter("x", "f32", X.shape), g.parameter("axes", "i64", [2]), version=6, eps=EPS, eps_mode="inside_sqrt", normalize_variance="true"))


def means(g):
    x, axes = g.parameter("x", "f32", X.shape), g.parameter("axes", "i64", [2])
    is_negative = g.op("Less", axes, g.constant(np.int64(0)), outputs=[("boolean", [2])], **NUMPY)
    axes = g.op("Select", is_negative, g.op("Add", axes, g.constant(np.int64(X.ndim)), **NUMPY), axes, outputs=[("i64", [2])], **NUMPY)
    is_axis = [g.op("ReduceLogicalOr", g.op("Equal", axes, g.constant(np.int64(d)), outputs=[("boolean", [2])], **NUMPY), g.constant(np.array([0])),
                    keep_dims="false", outputs=[("boolean", [])]) for d in range(X.ndim)]

    def mean(y):
        for d, condition in enumerate(is_axis):
            kept = g.op("ReduceMean", y, g.constant(np.array([d])), keep_dims="true", outputs=[("f32", [1 if i == d else n for i, n in enumerate(X.shape)])])
            y = g.op("Select", condition, kept, y, outputs=[("f32", X.shape)], **NUMPY)
        return y

    centred = g.op("Subtract", x, mean(x), **NUMPY)
    variance = mean(g.op("Multiply", centred, centred, **NUMPY))
    deviation = g.op("Sqrt", g.op("Add", variance, g.constant(np.float32(EPS)), **NUMPY))
    g.result(g.op("Divide", centred, deviation, m_pythondiv="true", **NUMPY))


def case(*axes):
    centred = X - X.mean(axes, keepdims=True)
    return mvn, means, {"x": X, "axes": np.array(axes)}, [centred / np.sqrt((centred**2).mean(axes, keepdims=True) + EPS)]


CASES = [case(1, 2), case(-1, 0)]
