"""A Loop whose state becomes larger: a list of rows, which starts with one row, or with none."""
import numpy as np

ROW = "GrowingLoopStates"
V10 = False  # 2021.4 has no loops over tensors of computed sizes
X = np.array([[1, 2, 3], [4, 5, 6], [7, 8, 9]], np.float32)


def zero_of(g, x):
    """e < e for the first element of x."""
    flat = g.op("Reshape", x, g.constant(np.array([-1])), outputs=[("f32", [-1])], special_zero=True)
    element = g.op("Gather", flat, g.constant(np.int64(0)), g.constant(np.int64(0)), outputs=[("f32", [])])
    number = g.op("Convert", element, outputs=[("i32", [])], destination_type="i32")
    less = g.op("Less", number, number, outputs=[("boolean", [])], auto_broadcast="numpy")
    return g.op("Convert", less, outputs=[("i64", [])], destination_type="i64")


def build(first, gathers, writes, bound=None):
    """`first`: rows of the first value. `writes`: a row of zeros is added, and then written. `bound`: the first value has up to so many rows."""
    def made(g):
        x = g.parameter("x", "f32", X.shape)
        state = start = g.constant(np.zeros((first, 3), np.float32))
        size = g.constant(np.int64(first))
        if bound:
            begin, step = g.constant(np.array([0])), g.constant(np.array([1]))
            end = g.op("Add", g.constant(np.array([bound])), zero_of(g, x), outputs=[("i64", [1])], auto_broadcast="numpy")
            state = g.op("StridedSlice", start, begin, end, step, outputs=[("f32", [-1, 3])], begin_mask=[0], end_mask=[0], new_axis_mask=[],
                         shrink_axis_mask=[], ellipsis_mask=[])
            shape = g.op("ShapeOf", state, version=3, outputs=[("i64", [2])], output_type="i64")
            size = g.op("Gather", shape, g.constant(np.int64(0)), g.constant(np.int64(0)), outputs=[("i64", [])])
        if gathers:
            zero, axis, one = zero_of(g, x), g.constant(np.int64(0)), g.constant(np.int64(1))
            stop = g.op("Add", size, zero, outputs=[("i64", [])], auto_broadcast="numpy")
            indices = g.op("Range", axis, stop, one, version=4, outputs=[("i64", [-1])], output_type="i64")
            state = g.op("Gather", state, indices, axis, outputs=[("f32", [-1, 3])])
        b = g.body()
        i, s, rows = b.parameter("i", "i64", [1]), b.parameter("s", "f32", [-1, 3]), b.parameter("rows", "f32", X.shape)
        axis, one = b.constant(np.int64(0)), b.constant(np.array([1]))
        row = b.op("Gather", rows, i, axis, outputs=[("f32", [1, 3])])
        after = b.op("Add", i, one, auto_broadcast="numpy")
        if writes:
            # The zeros are as many rows as there are too few, which is one.
            length = b.op("Gather", b.op("ShapeOf", s, version=3, outputs=[("i64", [2])], output_type="i64"), b.constant(np.array([0])), axis,
                          outputs=[("i64", [1])])
            missing = b.op("Subtract", after, length, auto_broadcast="numpy")
            sizes = b.op("Concat", missing, b.constant(np.array([3])), outputs=[("i64", [2])], axis=0)
            zeros = b.op("Broadcast", b.constant(np.float32(0)), sizes, version=3, outputs=[("f32", [-1, 3])], mode="numpy")
            longer = b.op("Concat", s, zeros, outputs=[("f32", [-1, 3])], axis=0)
            longer = b.op("ScatterUpdate", longer, i, row, axis, version=3, outputs=[("f32", [-1, 3])])
        else:
            longer = b.op("Concat", s, row, outputs=[("f32", [-1, 3])], axis=0)
        results = b.result(b.constant(np.array(True))), b.result(after), b.result(longer)
        inputs = [g.constant(np.int64(3)), g.constant(np.array(True)), g.constant(np.array([0])), state, x]
        out = g.iterate("Loop", b, inputs, [(2, i, None), (3, s, None), (4, rows, None)], [(-1, results[0], None), (0, results[2], None)],
                        [(results[1], i), (results[2], s)], [("f32", [-1, 3])], 5)[0]
        g.result(g.op("Relu", out))

    return made


def case(first, writes, bound=None):
    expected = np.concatenate([np.zeros((first, 3), np.float32), X])
    return build(first, False, writes, bound), build(first, True, writes, bound), {"x": X}, [expected]


CASES = [case(0, False), case(1, False), case(2, False), case(0, True), case(2, False, bound=2)]
