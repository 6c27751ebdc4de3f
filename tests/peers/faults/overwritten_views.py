"""A view of what another op reads, too, in front of an op whose result takes its memory: the other op gets what was written there."""
import numpy as np

ROW = "OverwrittenViews"
X = np.random.default_rng(0).normal(size=(1, 4, 6)).astype(np.float32)
BIAS = np.random.default_rng(1).normal(size=(4, 6)).astype(np.float32)
SUMS = [X.sum(2)]


def squeezed(g, x):
    return g.op("Squeeze", x, g.constant(np.array([0])), outputs=[("f32", [4, 6])])


def transposed(g, x):
    return g.op("Transpose", x, g.constant(np.array([1, 0, 2])), outputs=[("f32", [4, 1, 6])])


def gathered(g, x):
    return g.op("Gather", x, g.constant(np.array(1)), g.constant(np.array(1)), outputs=[("f32", [1, 6])])


def added(g, x):
    return g.op("Add", x, g.constant(BIAS), auto_broadcast="numpy")


def limited(g, x):
    return g.op("Maximum", g.constant(np.float32(-0.2)), x, outputs=[("f32", x.shape)], auto_broadcast="numpy")


def normalized(g, x):
    return g.op("MVN", x, g.constant(np.array([len(x.shape) - 1])), version=6, eps=1e-9, eps_mode="inside_sqrt", normalize_variance=True)


def classified(g, x):
    return g.op("SoftMax", x, axis=1)


def build(view, op, is_copied, shows_shape=False):
    def made(g):
        x = g.parameter("x", "f32", X.shape)
        seen = view(g, x)
        if shows_shape:
            g.result(g.op("ShapeOf", seen, version=3, output_type="i64", outputs=[("i64", [2])]))
        if is_copied:
            seen = g.op("ShuffleChannels", seen, version=3, axis=0, group=1)
        g.result(op(g, seen))
        g.result(g.op("ReduceSum", x, g.constant(np.array([2])), outputs=[("f32", [1, 4])], keep_dims=False))
    return made


def normal(x):
    return (x - x.mean(-1, keepdims=True)) / x.std(-1, keepdims=True)


CASES = [(build(view, op, False), build(view, op, True), {"x": X}, [made] + SUMS)
         for view, op, made in [(squeezed, added, X[0] + BIAS), (transposed, limited, np.maximum(X, np.float32(-0.2)).reshape(4, 1, 6)),
                                (squeezed, normalized, normal(X[0])), (gathered, normalized, normal(X[:, 1])),
                                (gathered, classified, np.exp(X[:, 1]) / np.exp(X[:, 1]).sum())]]
CASES.append((build(squeezed, added, False, True), build(squeezed, added, True, True), {"x": X}, [np.array([4, 6]), X[0] + BIAS] + SUMS))
