"""A state that gets what another Parameter of the body held: Loop-5 and TensorIterator-1 compute all states of a step from those of the step before."""
import numpy as np

ROW = "TakenOverLoopStates"
STEPS = 4
X, Y = np.array([[1, 2, 3], [4, 5, 6]], np.float32), np.array([[0.5, -1, 2], [0, 1, -2]], np.float32)
SLICES = np.arange(12, dtype=np.float32).reshape(STEPS, 3) + 1


def copy(b, x):
    """What is written instead."""
    return b.op("LogicalOr" if x.type == "boolean" else "Maximum", x, x, auto_broadcast="numpy")


def view(b, x):
    return x


def reshaped(b, x, shape):
    return b.op("Reshape", x, b.constant(np.array(shape, np.int64)), outputs=[(x.type, shape)], special_zero=False)


def fibonacci(take):
    """a, b = a * 1.5 + b, a"""

    def build(g):
        x, y = g.parameter("x", "f32", X.shape), g.parameter("y", "f32", X.shape)
        b = g.body()
        p, q = b.parameter("p", "f32", X.shape), b.parameter("q", "f32", X.shape)
        sum = b.op("Add", b.op("Multiply", p, b.constant(np.float32(1.5)), auto_broadcast="numpy"), q, auto_broadcast="numpy")
        go, r, s = b.result(b.constant(np.array(True))), b.result(sum), b.result(take(b, p))
        for out in g.iterate("Loop", b, [g.constant(np.int64(STEPS)), g.constant(np.array(True)), x, y], [(2, p, None), (3, q, None)],
                             [(-1, go, None), (0, r, None), (1, s, None)], [(r, p), (s, q)], [("f32", X.shape)] * 2, 5):
            g.result(g.op("Relu", out))

    return build


def swap(take):
    """a, b = reshape(b), reshape(a)"""

    def build(g):
        x, y = g.parameter("x", "f32", [2, 3]), g.parameter("y", "f32", [3, 2])
        b = g.body()
        p, q = b.parameter("p", "f32", [2, 3]), b.parameter("q", "f32", [3, 2])
        go, r, s = b.result(b.constant(np.array(True))), b.result(take(b, reshaped(b, q, [2, 3]))), b.result(take(b, reshaped(b, p, [3, 2])))
        for out in g.iterate("Loop", b, [g.constant(np.int64(3)), g.constant(np.array(True)), x, y], [(2, p, None), (3, q, None)],
                             [(-1, go, None), (0, r, None), (1, s, None)], [(r, p), (s, q)], [("f32", [2, 3]), ("f32", [3, 2])], 5):
            g.result(g.op("Relu", out))

    return build


def flags(take):
    """a, b = b, a of booleans"""

    def build(g):
        x, y = g.parameter("x", "boolean", [3]), g.parameter("y", "boolean", [3])
        b = g.body()
        p, q = b.parameter("p", "boolean", [3]), b.parameter("q", "boolean", [3])
        go, r, s = b.result(b.constant(np.array(True))), b.result(take(b, q)), b.result(take(b, p))
        for out in g.iterate("Loop", b, [g.constant(np.int64(3)), g.constant(np.array(True)), x, y], [(2, p, None), (3, q, None)],
                             [(-1, go, None), (0, r, None), (1, s, None)], [(r, p), (s, q)], [("boolean", [3])] * 2, 5):
            g.result(g.op("LogicalNot", out))

    return build


def last_slice(take):
    """acc, before = acc + before, slice"""

    def build(g):
        x, y, z = g.parameter("x", "f32", SLICES.shape), g.parameter("y", "f32", [1, 3]), g.parameter("z", "f32", [1, 3])
        b = g.body()
        p, acc, before = b.parameter("p", "f32", [1, 3]), b.parameter("acc", "f32", [1, 3]), b.parameter("before", "f32", [1, 3])
        r, s = b.result(b.op("Add", acc, before, auto_broadcast="numpy")), b.result(take(b, p))
        for out in g.iterate("TensorIterator", b, [x, y, z], [(0, p, 0), (1, acc, None), (2, before, None)], [(0, r, None), (1, s, None)],
                             [(r, acc), (s, before)], [("f32", [1, 3])] * 2, 1):
            g.result(g.op("Relu", out))

    return build


def cell(take):
    """h = elu(slice + h * R)"""

    def build(g):
        x, h = g.parameter("x", "f32", (STEPS, 1, 3)), g.parameter("h", "f32", [1, 3])
        b = g.body()
        p, q = b.parameter("p", "f32", [1, 1, 3]), b.parameter("q", "f32", [1, 3])
        slice = b.op("Squeeze", p, b.constant(np.array([0])), outputs=[("f32", [1, 3])])
        product = b.op("MatMul", q, b.constant(R), transpose_a=False, transpose_b=False)
        r = b.result(take(b, b.op("Elu", b.op("Add", slice, product, auto_broadcast="numpy"), alpha=1)))
        for out in g.iterate("TensorIterator", b, [x, h], [(0, p, 0), (1, q, None)], [(0, r, None)], [(r, q)], [("f32", [1, 3])], 1):
            g.result(g.op("Relu", out))

    return build


def expected_cell():
    state = ZERO
    for x in SLICES / 10:
        total = x + state @ R
        state = np.where(total > 0, total, np.expm1(total)).astype(np.float32)
    return [np.maximum(state, 0)]


def expected_fibonacci():
    a, b = X, Y
    for _ in range(STEPS):
        a, b = a * np.float32(1.5) + b, a
    return [np.maximum(a, 0), np.maximum(b, 0)]


F, G = np.array([True, False, True]), np.array([False, False, True])
W = np.array([[9, -8], [7, 6], [-5, 4]], np.float32)
ZERO = np.zeros((1, 3), np.float32)
R = np.array([[0.3, 0.7, 0.1], [0.2, -0.4, 0.5], [-0.1, 0.6, 0.2]], np.float32)
CASES = [(fibonacci(view), fibonacci(copy), {"x": X, "y": Y}, expected_fibonacci()),
         (swap(view), swap(copy), {"x": X, "y": W}, [np.maximum(W.reshape(2, 3), 0), np.maximum(X.reshape(3, 2), 0)]),
         (flags(view), flags(copy), {"x": F, "y": G}, [~G, ~F]),
         (cell(view), cell(copy), {"x": (SLICES / 10)[:, None], "h": ZERO}, expected_cell()),
         (last_slice(view), last_slice(copy), {"x": SLICES, "y": ZERO, "z": ZERO}, [SLICES[:-1].sum(0, keepdims=True), SLICES[-1:]])]
