"""x[:, :, 1] * a + b."""
import numpy as np

ROW = "ArithmeticOfOneSlice"
X = np.arange(12, dtype=np.float32).reshape(1, 3, 4)
FACTOR, TERM = np.array([2, 3, 4], np.float32), np.array([1, 0, 5], np.float32)


def build(gathers):
    def made(g):
        x = g.parameter("x", "f32", X.shape)
        if gathers:
            part = g.op("Gather", x, g.constant(np.int64(1)), g.constant(np.int64(2)), outputs=[("f32", [1, 3])])
        else:
            bounds = [g.constant(np.array(bound)) for bound in ([0, 0, 1], [0, 0, 2], [1, 1, 1])]
            part = g.op("StridedSlice", x, *bounds, outputs=[("f32", [1, 3])], begin_mask=[1, 1, 0], end_mask=[1, 1, 0], new_axis_mask=[0, 0, 0],
                        shrink_axis_mask=[0, 0, 1], ellipsis_mask=[0, 0, 0])
        scaled = g.op("Multiply", part, g.constant(FACTOR), auto_broadcast="numpy")
        g.result(g.op("Add", scaled, g.constant(TERM), auto_broadcast="numpy"))

    return made


CASES = [(build(False), build(True), {"x": X}, [X[:, :, 1] * FACTOR + TERM])]
