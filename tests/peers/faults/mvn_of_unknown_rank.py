"""MVN of opset2 across channels, when the shape is told after the model is read: the axes are those of the spatial dimensions."""
import numpy as np

ROW = "MVNOfUnknownRank"
V10 = False
RESHAPE = True
X = np.random.default_rng(0).normal(2, 3, (2, 3, 2, 2)).astype(np.float32)
EPS = 1e-5
MEAN, VARIANCE = X.mean((1, 2, 3), keepdims=True), X.var((1, 2, 3), keepdims=True)


def unranked(g):
    """A Parameter of unknown rank; its port has no sizes."""
    return g.op("Parameter", outputs=[("f32", ())], name="x", shape="...", element_type="f32")


def faulty(normalize):
    def build(g):
        g.result(g.op("MVN", unranked(g), version=2, eps=EPS, across_channels=True, normalize_variance=normalize))

    return build


def replacement(normalize):
    def build(g):
        x = unranked(g)
        shape = g.op("ShapeOf", x, version=3, output_type="i64", outputs=[("i64", [-1])])
        rank = g.op("ShapeOf", shape, version=3, output_type="i64", outputs=[("i64", [1])])
        rank = g.op("Squeeze", rank, g.constant(np.array([0])), outputs=[("i64", ())])
        axes = g.op("Range", g.constant(np.int64(1)), rank, g.constant(np.int64(1)), version=4, output_type="i64", outputs=[("i64", [-1])])
        g.result(g.op("MVN", x, axes, version=6, eps=EPS, eps_mode="inside_sqrt", normalize_variance=normalize))

    return build


CASES = [(faulty(True), replacement(True), {"x": X}, [(X - MEAN) / np.sqrt(VARIANCE + EPS)]), (faulty(False), replacement(False), {"x": X}, [X - MEAN])]
