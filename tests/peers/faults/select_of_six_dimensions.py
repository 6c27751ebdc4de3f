"""Select of six or more dimensions: 2021.4 dies while it compiles, 2022 writes outside of its memory."""
import numpy as np

ROW = "SelectOfSixDimensions"
SHAPE = (8, 8, 8, 8, 8, 8)
X = np.random.default_rng(0).normal(size=SHAPE).astype(np.float32)
MASK = (np.arange(64) % 3 == 0).reshape(8, 8)


def build(flat):
    def made(g):
        x = g.parameter("x", "f32", SHAPE)
        if flat:
            x = g.op("Reshape", x, g.constant(np.array([4096, 64])), outputs=[("f32", (4096, 64))], special_zero=False)
        x = g.op("Select", g.constant(MASK.reshape(64) if flat else MASK), g.constant(np.float32(0)), x, outputs=[("f32", x.shape)], auto_broadcast="numpy")
        if flat:
            x = g.op("Reshape", x, g.constant(np.array(SHAPE)), outputs=[("f32", SHAPE)], special_zero=False)
        g.result(x)
    return made


CASES = [(build(False), build(True), {"x": X}, [np.where(MASK, 0, X).astype(np.float32)])]
