"""An op with several outputs, one of which no one reads, in the body of a Loop."""
import numpy as np

ROW = "UnreadBodyOutputs"
X, ROWS = np.array([[3, 1, 2], [4, 6, 5]], np.float32), 2


def build(reads_all):
    def made(g):
        x, y = g.parameter("x", "f32", [2, 3]), g.parameter("y", "f32", [2, 1])
        b = g.body()
        p, q = b.parameter("p", "f32", [2, 3]), b.parameter("q", "f32", [2, 1])
        values, places = b.op("TopK", p, b.constant(np.int64(1)), version=3, outputs=[("f32", [2, 1]), ("i32", [2, 1])], axis=1, mode="max", sort="value",
                              index_element_type="i32")
        step = b.op("Convert", places, outputs=[("f32", [2, 1])], destination_type="f32")
        go, r = b.result(b.constant(np.array(True))), b.result(b.op("Multiply", p, b.constant(np.float32(-1)), auto_broadcast="numpy"))
        s = b.result(b.op("Add", q, step, auto_broadcast="numpy"))
        if reads_all:
            b.result(values)
        outs = g.iterate("Loop", b, [g.constant(np.int64(2)), g.constant(np.array(True)), x, y], [(2, p, None), (3, q, None)],
                         [(-1, go, None), (0, s, None)], [(r, p), (s, q)], [("f32", [2, 1])], 5)
        g.result(g.op("Relu", outs[0]))

    return made


CASES = [(build(False), build(True), {"x": X, "y": np.zeros((2, 1), np.float32)},
          [(np.argmax(X, 1) + np.argmin(X, 1)).astype(np.float32).reshape(2, 1)])]
