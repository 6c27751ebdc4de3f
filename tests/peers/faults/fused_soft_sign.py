"""SoftSign of a sum or of a Select: one kernel computes both, and gives 1 for each number."""
import numpy as np

ROW = "FusedSoftSign"
V10 = False
OLDEST = "2022.3"  # the op is newer than all before
X = np.random.default_rng(0).normal(size=(5, 7)).astype(np.float32)
SHAPE, ADDEND = [-1, 7], np.arange(7, dtype=np.float32)


def build(is_quotient):
    def made(g):
        x = g.parameter("x", "f32", SHAPE)
        x = g.op("Add", x, g.constant(ADDEND), outputs=[("f32", SHAPE)], auto_broadcast="numpy")
        if is_quotient:
            g.result(g.op("Divide", x, g.op("Add", g.op("Abs", x), g.constant(np.float32(1)), auto_broadcast="numpy"), auto_broadcast="numpy"))
        else:
            g.result(g.op("SoftSign", x, version=9))
    return made


CASES = [(build(False), build(True), {"x": X}, [(X + ADDEND) / (1 + abs(X + ADDEND))])]
