"""SpaceToBatch and BatchToSpace in three dimensions with an unknown number of blocks."""
import numpy as np

ROW = "BlocksOfUnknownNumber"
OLDEST = "2023.3"  # older releases do not compute blocks that are inputs: BlocksOfUnknownSizes
LISTS = {"blocks": np.array([1, 1, 2]), "begins": np.array([0, 0, 1]), "ends": np.array([0, 0, 0])}
X = np.array([[[1, 2, 3]]], np.float32)
PARTS = np.array([[[0, 2]], [[1, 3]]], np.float32)


def blocks_op(type, is_told):
    def build(g):
        x, lists = g.parameter("x", "f32", [-1, -1, -1]), [g.parameter(name, "i64", [-1]) for name in LISTS]
        if is_told:
            lists = [g.op("Reshape", given, g.constant(np.array([3])), special_zero=False, outputs=[("i64", [3])]) for given in lists]
        g.result(g.op(type, x, *lists, version=2))

    return build


def case(type, x, expected):
    return blocks_op(type, False), blocks_op(type, True), {"x": x, **LISTS}, [expected]


CASES = [case("SpaceToBatch", X, PARTS), case("BatchToSpace", PARTS, X)]
