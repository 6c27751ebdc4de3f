"""Broadcast of booleans in both directions, to unknown sizes."""
import numpy as np

ROW = "TwoWayBroadcastOfBooleans"
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


CASES = [(build(False), build(True), {"x": X}, [np.broadcast_to(X, (2, 3))])]
