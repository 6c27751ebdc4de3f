"""A TensorIterator whose state begins with a constant, with a chain of elementwise ops in its body: it is not compiled."""
import numpy as np

ROW = "ConstantFirstStates"
X = np.array([[[1, -5]], [[2, 1]], [[0, 3]]], np.float32)
FIRST = np.array([[0, 1]], np.float32)


def build(is_computed):
    def made(g):
        x, first = g.parameter("x", "f32", X.shape), g.constant(FIRST)
        if is_computed:
            flat = g.op("Reshape", x, g.constant(np.array([-1])), outputs=[("f32", [X.size])], special_zero=False)
            element = g.op("Gather", flat, g.constant(np.int64(0)), g.constant(np.int64(0)), outputs=[("f32", [])])
            number = g.op("Convert", element, outputs=[("i32", [])], destination_type="i32")
            zero = g.op("Less", number, number, outputs=[("boolean", [])], auto_broadcast="numpy")
            first = g.op("Add", first, g.op("Convert", zero, outputs=[("f32", [])], destination_type="f32"), auto_broadcast="numpy")
        x = g.op("MatMul", x, g.constant(np.eye(2, dtype=np.float32)), transpose_a=False, transpose_b=False)
        b = g.body()
        s, p = b.parameter("s", "f32", [1, 1, 2]), b.parameter("p", "f32", [1, 2])
        slice = b.op("Squeeze", s, b.constant(np.array([0])), outputs=[("f32", [1, 2])])
        r = b.result(b.op("Relu", b.op("Add", p, slice, auto_broadcast="numpy")))
        for out in g.iterate("TensorIterator", b, [x, first], [(0, s, 0), (1, p, None)], [(0, r, None)], [(r, p)], [("f32", [1, 2])], 1):
            g.result(out)
    return made


CASES = [(build(False), build(True), {"x": X}, [np.array([[3, 4]], np.float32)])]
