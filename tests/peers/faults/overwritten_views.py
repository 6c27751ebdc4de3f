"""A view of what another op reads, too, before an op whose result takes its memory: the other op gets what was written there."""
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


def of_scalar(is_copied):
    """A scalar has no channels to copy."""
    def made(g):
        x = g.parameter("x", "f32", [1])
        y = g.op("ShuffleChannels", x, version=3, axis=0, group=1) if is_copied else x
        y = g.op("Squeeze", y, g.constant(np.array([0])), outputs=[("f32", [])])
        g.result(g.op("Subtract", y, y, auto_broadcast="numpy"))
        g.result(g.op("Power", x, g.constant(np.float32(-0.5)), auto_broadcast="numpy"))
    return made


def only_place(is_copied):
    """Gather of the one place that a dimension after the first has."""
    def made(g):
        x = g.parameter("x", "f32", PLACES.shape)
        y = g.op("Gather", x, g.constant(np.int64(0)), g.constant(np.int64(1)), outputs=[("f32", [2, 3])])
        if is_copied:
            y = g.op("ShuffleChannels", y, version=3, axis=0, group=1)
        g.result(g.op("Multiply", y, g.constant(np.float32(0)), auto_broadcast="numpy"))
        for _ in range(2):
            x = g.op("AvgPool", x, outputs=[("f32", [2, 1, 1])], kernel=[1 if x.shape[2] == 1 else 2], strides=[2], pads_begin=[0], pads_end=[0],
                     rounding_type="floor", auto_pad="explicit", **{"exclude-pad": False})
        g.result(x)
    return made


def multiplied(is_copied):
    """The MatMul reads what the Reshape is of."""
    def made(g):
        y = g.op("Reshape", g.parameter("x", "f32", IMAGE.shape), g.constant(np.array([2, 12])), outputs=[("f32", [2, 12])], special_zero=False)
        if is_copied:
            y = g.op("ShuffleChannels", y, version=3, axis=0, group=1)
        g.result(g.op("Tanh", y))
        g.result(g.op("MatMul", y, g.constant(MATRIX), outputs=[("f32", [2, 5])], transpose_a=False, transpose_b=False))
    return made


NUMBER = np.float32([4])
PLACES = np.random.default_rng(2).normal(size=(2, 1, 3)).astype(np.float32)
IMAGE = np.random.default_rng(3).normal(size=(2, 3, 2, 2)).astype(np.float32)
MATRIX = np.random.default_rng(4).normal(size=(12, 5)).astype(np.float32)
FLAT = IMAGE.reshape(2, 12)
CASES = [(build(view, op, False), build(view, op, True), {"x": X}, [made] + SUMS)
         for view, op, made in [(squeezed, added, X[0] + BIAS), (transposed, limited, np.maximum(X, np.float32(-0.2)).reshape(4, 1, 6)),
                                (squeezed, normalized, normal(X[0])), (gathered, normalized, normal(X[:, 1])),
                                (gathered, classified, np.exp(X[:, 1]) / np.exp(X[:, 1]).sum())]] + [
    (of_scalar(False), of_scalar(True), {"x": NUMBER}, [np.float32(0), NUMBER ** -0.5]),
    (only_place(False), only_place(True), {"x": PLACES}, [PLACES[:, 0] * 0, PLACES[..., :2].mean(-1, keepdims=True)]),
    (multiplied(False), multiplied(True), {"x": IMAGE}, [np.tanh(FLAT), FLAT @ MATRIX])]
CASES.append((build(squeezed, added, False, True), build(squeezed, added, True, True), {"x": X}, [np.array([4, 6]), X[0] + BIAS] + SUMS))
