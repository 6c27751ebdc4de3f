"""ReduceSum without keep_dims and an Unsqueeze of its axis, in a division with a remainder: not compiled, the Unsqueeze is lost."""
import numpy as np

ROW = "ReducedAxesPutBack"
X = np.array([[0, 1], [0, 3], [4, 0], [8, 2]])
SIZES = np.array([6, 1])
SUM = X.sum(1, keepdims=True)


def build(kind, keeps):
    def made(g):
        x, axis, sizes = g.parameter("x", kind, [4, 2]), g.constant(np.array([1])), g.constant(SIZES.astype(TYPES[kind]))
        wide = [(kind, [4, 2])]
        total = g.op("ReduceSum", x, axis, outputs=[(kind, [4, 1] if keeps else [4])], keep_dims=keeps)
        if not keeps:
            total = g.op("Unsqueeze", total, axis, outputs=[(kind, [4, 1])])
        quotient = g.op("Divide", total, sizes, outputs=wide, auto_broadcast="numpy", m_pythondiv=False)
        product = g.op("Multiply", quotient, sizes, outputs=wide, auto_broadcast="numpy")
        g.result(g.op("Subtract", total, product, outputs=wide, auto_broadcast="numpy"))
        g.result(quotient)
    made.__name__ = f"{'keep_dims' if keeps else 'Unsqueeze'} of {kind}"
    return made


TYPES = {"i64": np.int64, "f32": np.float32}
QUOTIENT = (SUM / SIZES).astype(np.float32)
CASES = [(build("i64", False), build("i64", True), {"x": X}, [SUM % SIZES, SUM // SIZES]),
         (build("f32", False), build("f32", True), {"x": X.astype(np.float32)}, [np.zeros((4, 2), np.float32), QUOTIENT])]
