"""Broadcast in both directions: of booleans to unknown sizes, and of numbers with a dimension of 0..1 to a larger one."""
import numpy as np

ROW = "TwoWayBroadcast"
V10 = False
X = np.array([[True, False, True]])


def build(is_or):
    def made(g):
        x, shape = g.parameter("x", "boolean", [-1, -1]), g.constant(np.array([2, 1], np.int64))
        if is_or:
            falses = g.op("Broadcast", g.constant(np.array(False)), shape, version=3, outputs=[("boolean", [2, 1])], mode="numpy")
            g.result(g.op("LogicalOr", x, falses, outputs=[("boolean", [2, -1])], auto_broadcast="numpy"))
        else:
            g.result(g.op("Broadcast", x, shape, version=3, outputs=[("boolean", [2, -1])], mode="bidirectional"))
    return made


def row(is_product):
    """The runtime knows of a slice from 1 to 2 that it has at most one element."""
    def made(g):
        x, shape, one, two, first = g.parameter("x", "f32", [-1, -1]), g.constant(np.array([2, 1])), *[g.constant(np.array([n])) for n in (1, 2, 0)]
        x = g.op("Slice", x, one, two, one, first, version=8, outputs=[("f32", [1, -1])])
        if is_product:
            ones = g.op("Broadcast", g.constant(np.float32(1)), shape, version=3, outputs=[("f32", [2, 1])], mode="numpy")
            g.result(g.op("Multiply", x, ones, outputs=[("f32", [2, -1])], auto_broadcast="numpy"))
        else:
            g.result(g.op("Broadcast", x, shape, version=3, outputs=[("f32", [2, -1])], mode="bidirectional"))
    return made


NUMBERS = np.arange(12, dtype=np.float32).reshape(4, 3)
CASES = [(build(False), build(True), {"x": X}, [np.broadcast_to(X, (2, 3))]),
         (row(False), row(True), {"x": NUMBERS}, [np.broadcast_to(NUMBERS[1:2], (2, 3))])]
