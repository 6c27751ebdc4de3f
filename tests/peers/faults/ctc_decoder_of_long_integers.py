"""CTCGreedyDecoderSeqLen with i64 outputs, one of which is joined with a size."""
import numpy as np

ROW = "CtcDecoderOfLongIntegers"
X = np.array([[[.1, .9, 0], [.2, .1, .7], [.6, .1, .3]], [[.1, .2, .7], [0, .8, .2], [0, .7, .3]]], np.float32)
LENGTHS = np.array([3, 2], np.int32)


def build(converts):
    def made(g):
        x, lengths = g.parameter("x", "f32", X.shape), g.parameter("lengths", "i32", LENGTHS.shape)
        type = "i32" if converts else "i64"
        classes, count = g.op("CTCGreedyDecoderSeqLen", x, lengths, version=6, outputs=[(type, [2, 3]), (type, [2])], merge_repeated=False,
                              classes_index_type=type, sequence_length_type=type)
        if converts:
            classes = g.op("Convert", classes, outputs=[("i64", [2, 3])], destination_type="i64")
            count = g.op("Convert", count, outputs=[("i64", [2])], destination_type="i64")
        shape = g.op("ShapeOf", x, version=3, outputs=[("i64", [3])], output_type="i64")
        size = g.op("Gather", shape, g.constant(np.array([1])), g.constant(np.int64(0)), outputs=[("i64", [1])])
        g.result(classes)
        g.result(g.op("Concat", size, count, outputs=[("i64", [3])], axis=0))

    return made


CASES = [(build(False), build(True), {"x": X, "lengths": LENGTHS}, [np.array([[1, 0, -1], [1, -1, -1]]), np.array([3, 2, 1])])]
