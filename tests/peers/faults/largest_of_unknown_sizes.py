"""TopK of one element along the last axis, where the sizes of the data, or k, are not known; the axis has four elements or more."""
import numpy as np

ROW = "LargestOfUnknownSizes"
V10 = False  # static shapes only
X = np.random.RandomState(0).rand(4, 8, 4).astype(np.float32)


def build(shape, computed, unsqueezes):
    def made(g):
        x, n = g.parameter("x", "f32", shape), g.parameter("n", "i64", [1])
        k = g.op("Reshape", n, g.constant(np.array([], np.int64)), outputs=[("i64", [])], special_zero=False) if computed else g.constant(np.int64(1))
        last = [*shape[:-1], -1 if computed else 1]
        axis = g.constant(np.array([3]))
        if unsqueezes:
            x, last = g.op("Unsqueeze", x, axis, outputs=[("f32", [*shape, 1])]), [*last, 1]
        outputs = g.op("TopK", x, k, version=3, outputs=[("f32", last), ("i32", last)], axis=2, mode="max", sort="value", index_element_type="i32")
        for output in outputs:
            g.result(g.op("Squeeze", output, axis, outputs=[(output.type, last[:-1])]) if unsqueezes else output)
        g.result(g.op("Add", n, g.constant(np.int64(0)), auto_broadcast="numpy"))

    return made


EXPECTED = [np.max(X, 2, keepdims=True), np.argmax(X, 2)[..., None].astype(np.int32), np.array([1])]
# The faulty form takes seconds for each row until a worker's time is over: one case of it is enough.
CASES = [(build(shape, computed, is_harmless), build(shape, computed, True), {"x": X, "n": np.array([1])}, EXPECTED)
         for shape, computed, is_harmless in (([-1, 8, 4], False, False), ([4, 8, -1], False, True), ([4, 8, 4], True, True))]
