"""Gather of columns of compressed weights in blocks: rows are taken."""
import numpy as np

ROW = "ColumnsOfCompressedWeights"
WEIGHTS = np.array([[[205, 192], [92, 166]], [[137, 82], [210, 117]]], np.uint8)
ZEROS = np.array([[[128, 100]], [[3, 255]]], np.uint8)
SCALES = np.array([[[0.5, 2]], [[1, 4]]], np.float32)
PLACES = np.array([1, 0, 1])


def build(is_copied):
    def made(g):
        def real(array):
            return g.op("Convert", g.constant(array), outputs=[("f32", array.shape)], destination_type="f32")

        places = g.parameter("i", "i64", PLACES.shape)
        numbers = g.op("Subtract", real(WEIGHTS), real(ZEROS), auto_broadcast="numpy")
        scaled = g.op("Multiply", numbers, g.constant(SCALES), auto_broadcast="numpy")
        flat = g.op("Reshape", scaled, g.constant(np.array([4, 2])), outputs=[("f32", [4, 2])], special_zero=False)
        flat = g.op("Maximum", flat, flat, auto_broadcast="numpy") if is_copied else flat
        g.result(g.op("Gather", flat, places, g.constant(np.int64(1)), version=8, batch_dims=0, outputs=[("f32", [4, 3])]))
    return made


def expected():
    return ((WEIGHTS.astype(np.float32) - ZEROS) * SCALES).reshape(4, 2)[:, PLACES]


OLDEST = "2022.1"
CASES = [(build(False), build(True), {"i": PLACES}, [expected()])]
