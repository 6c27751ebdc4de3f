"""What mo writes instead of Fourier transforms whose sizes or axes are computed: products with computed matrices."""
import math

import numpy as np

NUMPY = dict(auto_broadcast="numpy")


def number(g, value, kind=np.float32):
    return g.constant(kind(value))


def binary(g, op, a, b, kind=None):
    shape = max(a.shape, b.shape, key=len)
    if len(a.shape) == len(b.shape):
        shape = [-1 if -1 in sizes else max(sizes) for sizes in zip(a.shape, b.shape)]
    return g.op(op, a, b, outputs=[(kind or a.type, shape)], **NUMPY)


class Side:
    """Numbers the rows (axis 1 is added) or the columns of a matrix: element, part, and 2 * element + part."""

    def __init__(self, g, count, parts, axis):
        shape = [1, 1]
        shape[1 - axis] = -1
        places = g.op("Range", number(g, 0, np.int64), binary(g, "Multiply", count, number(g, parts, np.int64)), number(g, 1, np.int64), version=4,
                      output_type="i64", outputs=[("i64", [-1])])
        places = g.op("Convert", places, destination_type="f32", outputs=[("f32", [-1])])
        places = g.op("Unsqueeze", places, g.constant(np.array([axis])), outputs=[("f32", shape)])
        if parts == 1:
            self.element, self.part, self.place = places, None, binary(g, "Multiply", places, number(g, 2))
            return
        self.element = g.op("Floor", binary(g, "Multiply", places, number(g, 0.5)))
        self.part, self.place = binary(g, "Subtract", places, binary(g, "Multiply", self.element, number(g, 2))), places


def matrix(g, inputs, length, outputs, parts, is_inverse=False, is_transformed=None):
    """`inputs`, `length`, `outputs`: i64 scalars; `parts`: of inputs and outputs; `is_transformed`: a boolean scalar, always when none."""
    rows, columns = Side(g, inputs, parts[0], 1), Side(g, outputs, parts[1], 0)
    length = g.op("Convert", length, destination_type="f32", outputs=[("f32", [])])
    turns = binary(g, "Multiply", binary(g, "FloorMod", binary(g, "Multiply", rows.element, columns.element), length), number(g, 4))
    quarter = binary(g, "Multiply", length, number(g, -1 if is_inverse else 1))
    if columns.part:
        turns = binary(g, "Add", turns, binary(g, "Multiply", columns.part, quarter))
    if rows.part:
        turns = binary(g, "Subtract", turns, binary(g, "Multiply", rows.part, quarter))
    turns = binary(g, "FloorMod", turns, binary(g, "Multiply", length, number(g, 4)))
    turns = g.op("Abs", binary(g, "Subtract", turns, binary(g, "Multiply", length, number(g, 2))))
    turns = binary(g, "Divide", binary(g, "Subtract", turns, length), length)
    made = g.op("Sin", binary(g, "Multiply", turns, number(g, math.pi / 2)))
    if is_inverse:
        made = binary(g, "Divide", made, length)
    if is_transformed:
        is_same = binary(g, "Equal", rows.place, columns.place, "boolean")
        same = g.op("Select", is_same, number(g, 1), number(g, 0), outputs=[("f32", made.shape)], **NUMPY)
        made = g.op("Select", is_transformed, made, same, outputs=[("f32", made.shape)], **NUMPY)
    return made


def size(g, x, axis):
    shape = g.op("ShapeOf", x, version=3, output_type="i64", outputs=[("i64", [len(x.shape)])])
    return g.op("Gather", shape, number(g, axis, np.int64), number(g, 0, np.int64), outputs=[("i64", [])])


def reshaped(g, x, target, shape):
    return g.op("Reshape", x, g.constant(np.array(target, np.int64)), special_zero="true", outputs=[("f32", shape)])


def product(g, x, with_matrix, shape):
    return g.op("MatMul", x, with_matrix, transpose_a="false", transpose_b="false", outputs=[("f32", shape)])
