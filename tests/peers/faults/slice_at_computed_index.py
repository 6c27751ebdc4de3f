"""x[i] with an index that is computed: a StridedSlice that drops the dimension."""
import numpy as np

ROW = "SliceAtComputedIndex"
B = dict(auto_broadcast="numpy")


def faulty(shape):
    def build(g):
        x, i = g.parameter("x", "f32", shape), g.parameter("i", "i64", [1])
        one = g.constant(np.array([1], np.int64))
        masks = dict(begin_mask="0", end_mask="0", new_axis_mask="0", shrink_axis_mask="1", ellipsis_mask="0")
        plus_one(g, g.op("StridedSlice", x, i, g.op("Add", i, one, **B), one, outputs=[("f32", shape[1:])], **masks))
    return build


def replacement(shape):
    def build(g):
        x, i = g.parameter("x", "f32", shape), g.parameter("i", "i64", [1])
        index = g.op("Squeeze", i, g.constant(np.array([0], np.int64)), outputs=[("i64", ())])
        negative = g.op("Less", index, g.constant(np.int64(0)), outputs=[("boolean", ())], **B)
        index = g.op("Select", negative, g.op("Add", index, g.constant(np.int64(shape[0])), **B), index, outputs=[("i64", ())], **B)
        plus_one(g, g.op("Gather", x, index, g.constant(np.int64(0)), outputs=[("f32", shape[1:])]))
    return build


def plus_one(g, x):
    g.result(g.op("Add", x, g.constant(np.float32(1)), **B))


def case(shape, i):
    x = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    return faulty(shape), replacement(shape), {"x": x, "i": np.array([i], np.int64)}, [x[i] + 1]


CASES = [case((5,), 2), case((4, 3), 2), case((4, 3), -1)]
