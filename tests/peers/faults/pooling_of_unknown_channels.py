"""MaxPool and AvgPool of an unknown number of channels, and of images that are one line."""
import numpy as np

ROW = "PoolingOfUnknownChannels"
NEEDS = "avx512f"
V10 = False
X = np.random.default_rng(0).uniform(-2, 2, (2, 3, 4, 6)).astype(np.float32)
WINDOW = dict(kernel=[2, 3], strides=[2, 3], pads_begin=[0, 0], pads_end=[0, 0], rounding_type="floor", auto_pad="explicit")


def pool(g, type, x):
    more = {"exclude-pad": True} if type == "AvgPool" else {}
    return g.op(type, x, outputs=[("f32", [-1, x.shape[1], -1, -1])], **WINDOW, **more)


def faulty(type):
    def build(g):
        g.result(pool(g, type, g.parameter("x", "f32", [-1] * 4)))

    return build


def replacement(type):
    def build(g):
        x = g.parameter("x", "f32", [-1] * 4)

        def sizes(of, places):
            shape = g.op("ShapeOf", of, version=3, output_type="i64", outputs=[("i64", [4])])
            return g.op("Gather", shape, g.constant(np.array(places)), g.constant(np.int64(0)), outputs=[("i64", [2])])
        merged = g.op("Reshape", x, g.constant(np.array([-1, 1, 0, 0])), special_zero=True, outputs=[("f32", [-1, 1, -1, -1])])
        pooled = pool(g, type, merged)
        target = g.op("Concat", sizes(x, [0, 1]), sizes(pooled, [2, 3]), axis=0, outputs=[("i64", [4])])
        g.result(g.op("Reshape", pooled, target, special_zero=False, outputs=[("f32", [-1] * 4)]))

    return build


def of_line(in_batch):
    def build(g):
        x = g.parameter("x", "f32", [2, 3, -1, 6])
        if in_batch:
            x = g.op("Reshape", x, g.constant(np.array([-1, 1, 0, 0])), special_zero=True, outputs=[("f32", [6, 1, -1, 6])])
        y = g.op("MaxPool", x, outputs=[("f32", [*x.shape[:3], 2])], **{**WINDOW, "kernel": [1, 3], "strides": [1, 3]})
        g.result(g.op("Reshape", y, g.constant(np.array([2, 3, 1, 2])), special_zero=False, outputs=[("f32", [2, 3, 1, 2])]) if in_batch else y)

    return build


WINDOWS = X.reshape(2, 3, 2, 2, 2, 3)
CASES = [(faulty("MaxPool"), replacement("MaxPool"), {"x": X}, [WINDOWS.max((3, 5))]),
         (faulty("AvgPool"), replacement("AvgPool"), {"x": X}, [WINDOWS.mean((3, 5))]),
         (of_line(False), of_line(True), {"x": X[:, :, :1]}, [X[:, :, :1].reshape(2, 3, 1, 2, 3).max(4)])]
