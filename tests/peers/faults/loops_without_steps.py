"""A Loop that takes no step: its outputs are the first values of its states."""
import numpy as np

ROW = "LoopsWithoutSteps"
X = np.array([[1, 2, 3], [4, 5, 6]], np.float32)


def build(by_count, selects):
    def made(g):
        x, n = g.parameter("x", "f32", X.shape), g.parameter("n", "i32", [1])
        scalar = g.op("Reshape", n, g.constant(np.array([], np.int64)), outputs=[("i32", [])], special_zero=False)
        steps, condition = g.constant(np.int64(2)), g.constant(np.array(True))
        if by_count:
            steps = g.op("Convert", scalar, outputs=[("i64", [])], destination_type="i64")
            takes_step = g.op("NotEqual", steps, g.constant(np.int64(0)), outputs=[("boolean", [])], auto_broadcast="numpy")
        else:
            less = g.op("Less", g.constant(np.int32(0)), scalar, outputs=[("boolean", [])], auto_broadcast="numpy")
            condition = takes_step = g.op("Reshape", less, g.constant(np.array([1], np.int64)), outputs=[("boolean", [1])], special_zero=False)
        b = g.body()
        p = b.parameter("p", "f32", X.shape)
        go, r = b.result(b.constant(np.array(True))), b.result(b.op("Multiply", p, b.constant(np.float32(3)), auto_broadcast="numpy"))
        out = g.iterate("Loop", b, [steps, condition, x], [(2, p, None)], [(-1, go, None), (0, r, None)], [(r, p)], [("f32", X.shape)], 5)[0]
        if selects:
            out = g.op("Select", takes_step, out, x, outputs=[("f32", X.shape)], auto_broadcast="numpy")
        g.result(g.op("Relu", out))

    return made


CASES = [(build(by_count, False), build(by_count, True), {"x": X, "n": np.array([n], np.int32)}, [X * factor])
         for by_count in (True, False) for n, factor in ((0, 1), (2, 9))]
