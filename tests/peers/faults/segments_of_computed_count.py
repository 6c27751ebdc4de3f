"""EmbeddingSegmentsSum of a number of segments that is an input: empty segments in the middle and at the end."""
import numpy as np

ROW = "SegmentsOfComputedCount"
V10 = False  # no sizes that values decide
X = np.arange(15, dtype=np.float32).reshape(5, 3)
IDS = np.array([0, 0, 2, 2, 3], np.int32)
WEIGHTS = np.array([1, 2, 1, 3, 1], np.float32)


def build(as_bags, extra):
    """`extra`: a default index and weights."""
    def made(g):
        x, ids, n = g.parameter("x", "f32", X.shape), g.parameter("ids", "i32", IDS.shape), g.parameter("n", "i32", [1])
        scalar = g.op("Reshape", n, g.constant(np.array([], np.int64)), outputs=[("i32", [])], special_zero=False)
        indices, zero = g.constant(np.arange(5, dtype=np.int32)), g.constant(np.array([0], np.int32))
        default, weights = g.constant(np.int32(4)), g.constant(WEIGHTS)
        if not as_bags:
            more = [default, weights] if extra else []
            return g.result(g.op("EmbeddingSegmentsSum", x, indices, ids, scalar, *more, version=3, outputs=[("f32", [-1, 3])]))
        stop = g.op("Add", scalar, g.constant(np.int32(1)), auto_broadcast="numpy")
        bags = g.op("Range", g.constant(np.int32(0)), stop, g.constant(np.int32(1)), version=4, outputs=[("i32", [-1])], output_type="i32")
        offsets = g.op("Bucketize", bags, ids, version=3, outputs=[("i32", [-1])], output_type="i32", with_right_bound=True)
        more = [default, g.op("Concat", weights, g.constant(np.array([0], np.float32)), outputs=[("f32", [6])], axis=0)] if extra else []
        indices = g.op("Concat", indices, zero, outputs=[("i32", [6])], axis=0)
        sums = g.op("EmbeddingBagOffsetsSum", x, indices, offsets, *more, version=3, outputs=[("f32", [-1, 3])])
        bounds = [g.constant(np.array([bound])) for bound in (0, -1, 1)]
        return g.result(g.op("StridedSlice", sums, *bounds, outputs=[("f32", [-1, 3])], begin_mask=[0], end_mask=[0], new_axis_mask=[], shrink_axis_mask=[],
                             ellipsis_mask=[]))

    return made


def case(count, extra):
    rows = X * WEIGHTS[:, None] if extra else X
    expected = [rows[IDS == i].sum(axis=0) if (IDS == i).any() else X[4] * extra for i in range(count)]
    return build(False, extra), build(True, extra), {"x": X, "ids": IDS, "n": np.array([count], np.int32)}, [np.array(expected, np.float32)]


CASES = [case(4, False), case(6, False), case(6, True)]
