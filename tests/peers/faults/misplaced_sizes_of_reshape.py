"""2022.1 takes a size of the data for the one at its own place, where it has counted the sizes of another tensor before it as one."""
import numpy as np

ROW = "MisplacedSizesOfReshape"
V10 = False  # version 10 has static shapes


def reshaped(shape, sizes, hidden):
    """Reshape of x to the first of the sizes of y, then `sizes` of x."""
    def build(g):
        x, y = g.parameter("x", "f32", [-1] * len(shape)), g.parameter("y", "f32", [-1, -1, -1])
        of_x, of_y = shape_of(g, x, "i32" if hidden else "i64"), shape_of(g, y, "i64")
        if hidden:
            of_x = g.op("Convert", of_x, outputs=[("i64", of_x.shape)], destination_type="i64")
        parts = [size(g, of_y, 0), size(g, of_y, 1)] + [size(g, of_x, i) for i in sizes]
        target = g.op("Concat", *parts, axis=0, outputs=[("i64", [len(parts)])])
        g.result(g.op("Reshape", x, target, outputs=[("f32", [-1] * len(parts))], special_zero=True))
    build.__name__ = f"Reshape of {shape} {'hidden' if hidden else ''}"
    return build


def shape_of(g, x, type):
    return g.op("ShapeOf", x, version=3, outputs=[(type, [len(x.shape)])], output_type=type)


def size(g, shape, i):
    return g.op("Gather", shape, g.constant(np.array([i])), g.constant(np.int64(0)), outputs=[("i64", [1])])


def case(shape, sizes):
    x, y = np.arange(np.prod(shape), dtype=np.float32).reshape(shape), np.zeros((2, 3, 1), np.float32)
    return reshaped(shape, sizes, False), reshaped(shape, sizes, True), {"x": x, "y": y}, [x.reshape((2, 3) + tuple(shape[i] for i in sizes))]


CASES = [case((6, 4), (1,)), case((6, 2, 5), (1, 2))]
