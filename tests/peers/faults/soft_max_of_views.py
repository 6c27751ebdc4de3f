"""SoftMax of a Transpose of a Reshape: it overwrites the input of the Reshape, which another op reads later."""
import numpy as np

ROW = "SoftMaxOfViews"
X = np.array([0.38, -1.01], np.float32)


def unsqueeze(g, x):
    return g.op("Transpose", g.op("Unsqueeze", x, g.constant(np.array([0])), outputs=[("f32", (1, 2))]), g.constant(np.array([1, 0])), outputs=[("f32", (2, 1))])


def reshape(g, x):
    row = g.op("Reshape", x, g.constant(np.array([1, -1])), outputs=[("f32", (1, 2))], special_zero=False)
    return g.op("Transpose", row, g.constant(np.array([1, 0])), outputs=[("f32", (2, 1))])


def transpose_first(g, x):
    row = g.op("Unsqueeze", x, g.constant(np.array([0])), outputs=[("f32", (1, 2))])
    return one_reshape(g, g.op("Transpose", row, g.constant(np.array([1, 0])), outputs=[("f32", (2, 1))]), (2, 1, 1))


def reduction(g, x):
    column = g.op("Unsqueeze", x, g.constant(np.array([1])), outputs=[("f32", (2, 1))])
    return one_reshape(g, g.op("ReduceMax", column, g.constant(np.array([1])), outputs=[("f32", (2, 1))], keep_dims=True), (2,))


def one_reshape(g, x, shape=(2, 1)):
    return g.op("Reshape", x, g.constant(np.array(shape)), outputs=[("f32", shape)], special_zero=False)


def build(views, is_input):
    def made(g):
        x = g.parameter("x", "f32", X.shape)
        source = x if is_input else g.op("Exp", x)
        g.result(g.op("SoftMax", views(g, source), axis=0))
        g.result(g.op("Tanh", source))
    made.__name__ = f"{views.__name__} of {'an input' if is_input else 'Exp'}"
    return made


def soft_max(x):
    return np.exp(x) / np.exp(x).sum()


def case(views, is_input):
    x = X if is_input else np.exp(X)
    shape = {transpose_first: (2, 1, 1), reduction: (2,)}.get(views, (2, 1))

    def single(g, source):
        return one_reshape(g, source, shape)
    return build(views, is_input), build(single, is_input), {"x": X}, [soft_max(x).reshape(shape), np.tanh(x)]


CASES = [case(views, is_input) for views in (unsqueeze, reshape, transpose_first, reduction) for is_input in (True, False)]
