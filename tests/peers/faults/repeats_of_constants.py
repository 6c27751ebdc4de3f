"""Tile of a constant with repeats of i32 that the runtime can compute when it loads the model: "read_vector type must match Tensor type"."""
import numpy as np

ROW = "RepeatsOfConstants"
X = np.arange(10, dtype=np.float32).reshape(2, 5)
ROWS = np.array([[1, 2, 3]], np.float32)


def build(widens):
    def made(g):
        x = g.parameter("x", "f32", [2, 5])
        shape = g.op("ShapeOf", x, version=3, outputs=[("i32", [2])], output_type="i32")
        count = g.op("Gather", shape, g.constant(np.array([0])), g.constant(np.int64(0)), outputs=[("i32", [1])])
        repeats = g.op("Concat", count, g.constant(np.array([1], np.int32)), outputs=[("i32", [2])], axis=0)
        if widens:
            repeats = g.op("Convert", repeats, outputs=[("i64", [2])], destination_type="i64")
        g.result(g.op("Concat", x, g.op("Tile", g.constant(ROWS), repeats, outputs=[("f32", [2, 3])]), outputs=[("f32", [2, 8])], axis=1))
    return made


CASES = [(build(False), build(True), {"x": X}, [np.concatenate([X, np.tile(ROWS, (2, 1))], 1)])]
