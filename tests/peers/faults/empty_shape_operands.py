"""Shape operands without elements: nothing is repeated, stretched, moved, padded or inserted."""
import numpy as np

ROW = "EmptyShapeOperands"
NONE = np.zeros(0, np.int64)
X = np.array([1, -2, 3], np.float32)
IMAGE = np.arange(4, dtype=np.float32).reshape(1, 1, 2, 2)


def plus_one(g, x):
    g.result(g.op("Add", x, g.constant(np.float32(1)), auto_broadcast="numpy"))


def faulty(op, operands, data, version=1, **attributes):
    def build(g):
        x = g.parameter("x", "f32", data.shape)
        plus_one(g, g.op(op, x, *[g.constant(o) for o in operands], version=version, **attributes))
    build.__name__ = op
    return build, replacement(data), {"x": data}, [data + 1]


def replacement(data):
    return lambda g: plus_one(g, g.parameter("x", "f32", data.shape))


def scalar(op, operands, version=1, **attributes):
    """The scalar is the sum of a vector: 2023.3 loses inputs without dimensions, whatever reads them."""
    def build(with_op):
        def made(g):
            x = g.op("ReduceSum", g.parameter("x", "f32", [3]), g.constant(np.array([0], np.int64)), outputs=[("f32", ())], keep_dims=False)
            plus_one(g, g.op(op, x, *[g.constant(o) for o in operands], version=version, **attributes) if with_op else x)
        return made
    return build(True), build(False), {"x": X}, [X.sum() + 1]


def copies(op):
    def build(g):
        x = g.parameter("x", "f32", [3])
        out = [("f32", (2, 3))]
        if op == "Broadcast":
            return g.result(g.op("Broadcast", x, g.constant(np.array([2, 3], np.int64)), version=3, mode="numpy", outputs=out))
        return g.result(g.op("GatherND", x, g.constant(np.zeros((2, 0), np.int64)), version=5, batch_dims=0, outputs=out))
    return build


RESIZE = dict(mode="nearest", shape_calculation_mode="sizes", coordinate_transformation_mode="half_pixel", nearest_mode="round_prefer_floor", antialias=False,
              pads_begin=[0, 0, 0, 0], pads_end=[0, 0, 0, 0], cube_coeff=-0.75)
CASES = [
    faulty("Tile", [NONE], X),
    faulty("Transpose", [NONE], X),
    faulty("Unsqueeze", [NONE], X),
    faulty("Roll", [NONE, NONE], X, version=7),
    faulty("Interpolate", [NONE, np.zeros(0, np.float32), NONE], IMAGE, version=4, **RESIZE),
    scalar("Tile", [NONE]),
    scalar("Broadcast", [NONE], version=3, mode="numpy"),
    scalar("Pad", [NONE, NONE], pad_mode="constant"),
    (copies("GatherND"), copies("Broadcast"), {"x": X}, [np.stack([X, X])]),
]
