"""An If whose branch takes an input that it does not read, here the condition: If-8 lets a body ignore a Parameter."""
import numpy as np

ROW = "UnreadBranchInputs"
V10 = False
X = np.array([1.5, -2, 3], np.float32)


def build(takes_condition):
    def made(g):
        x, n = g.parameter("x", "f32", [3]), g.parameter("n", "f32", [1])
        sum = g.op("ReduceSum", x, g.constant(np.array([0], np.int64)), outputs=[("f32", [])], keep_dims=False)
        condition = g.op("Less", sum, g.op("Squeeze", n, g.constant(np.array([0], np.int64)), outputs=[("f32", [])]), outputs=[("boolean", [])], auto_broadcast="numpy")
        yes, no = g.body(), g.body()
        unread = [(0, yes.parameter("unread", "boolean", []))] if takes_condition else []
        p, q = yes.parameter("p", "f32", [3]), no.parameter("q", "f32", [3])
        yes.result(yes.op("Exp", p))
        no.result(no.op("Negative", q))
        g.result(g.conditional(condition, [x], [yes, no], [unread + [(1, p)], [(1, q)]], [("f32", [3])])[0])

    return made


CASES = [(build(True), build(False), {"x": X, "n": np.array([n], np.float32)}, [w]) for n, w in ((9, np.exp(X)), (-9, -X))]
