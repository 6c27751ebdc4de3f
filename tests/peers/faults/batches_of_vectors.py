"""MatMul with a constant of several matrices of one row or one column each: taken for one matrix."""
import numpy as np

ROW = "BatchesOfVectors"


def case(data, weights, transpose_a=False, transpose_b=False):
    x = np.arange(np.prod(data), dtype=np.float32).reshape(data) % 7
    w = np.arange(1, 1 + np.prod(weights), dtype=np.float32).reshape(weights) % 5
    want = (np.swapaxes(x, -1, -2) if transpose_a else x) @ (np.swapaxes(w, -1, -2) if transpose_b else w)
    turned = np.swapaxes(want, -1, -2).shape
    order = [*range(want.ndim - 2), want.ndim - 1, want.ndim - 2]

    def faulty(g):
        g.result(g.op("MatMul", g.parameter("x", "f32", x.shape), g.constant(w), transpose_a=transpose_a, transpose_b=transpose_b, outputs=[("f32", want.shape)]))

    def replacement(g):
        product = g.op("MatMul", g.constant(w), g.parameter("x", "f32", x.shape), transpose_a=not transpose_b, transpose_b=not transpose_a, outputs=[("f32", turned)])
        g.result(g.op("Transpose", product, g.constant(np.array(order)), outputs=[("f32", want.shape)]))

    return faulty, replacement, {"x": x}, [want]


CASES = [case([3, 5, 3], [3, 3, 1]), case([2, 2, 5], [2, 1, 2], True, True), case([4, 1], [3, 1, 6]), case([2, 3, 1, 4], [1, 3, 4, 1])]
