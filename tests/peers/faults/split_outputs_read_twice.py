"""Elementwise ops that read two outputs of one Split at two places each (max(a, b) - min(a, b)): other numbers."""
import numpy as np

ROW = "SplitOutputsReadTwice"
FEWER_WITH = "avx512f"
X = np.random.default_rng(0).random((1, 6, 7, 4)).astype(np.float32)
PARTS = {"Split": [[0, 1], [2, 3]], "VariadicSplit": [[0], [1], [2, 3]]}  # of dimension 3


def build(split, gathers):
    def made(g):
        x, axis, parts = g.parameter("x", "f32", X.shape), g.constant(np.int64(3)), PARTS[split]
        outputs = [("f32", (1, 6, 7, len(part))) for part in parts]
        if gathers:
            a, b = (g.op("Gather", x, g.constant(np.array(part)), axis, outputs=[output]) for part, output in zip(parts[:2], outputs))
        elif split == "Split":
            a, b = g.op("Split", x, axis, outputs=outputs, num_splits=2)
        else:
            a, b, _ = g.op("VariadicSplit", x, axis, g.constant(np.array([1, 1, 2])), outputs=outputs)
        high, low = (g.op(op, a, b, auto_broadcast="numpy") for op in ("Maximum", "Minimum"))
        g.result(g.op("Subtract", high, low, auto_broadcast="numpy"))
    made.__name__ = f"Gathers instead of {split}" if gathers else split
    return made


def case(split):
    a, b = (X[..., part] for part in PARTS[split][:2])
    return (build(split, False), build(split, True), {"x": X}, [np.abs(a - b)])


CASES = [case("Split"), case("VariadicSplit")]
