"""A reduction over an empty list of axes is the identity by definition, whatever keep_dims says."""
import numpy as np

ROW = "ReductionOverNoAxes"
X = np.array([[1, -2, 3], [4, -5, 0.5]], np.float32)




def replacement(g):
    g.result(g.op("Add", g.parameter("x", "f32", [2, 3]), g.constant(np.float32(1)), auto_broadcast="numpy"))


def following(op, version):
    """The data goes to what reads the reduction."""
    def build(g):
        reduced = g.op(op, g.parameter("x", "f32", [2, 3]), g.constant(np.zeros(0, np.int64)), version=version, keep_dims=False)
        g.result(g.op("Add", reduced, g.constant(np.float32(1)), auto_broadcast="numpy"))
    return build


OPS = [("ReduceSum", 1), ("ReduceMean", 1), ("ReduceMax", 1), ("ReduceMin", 1), ("ReduceProd", 1), ("ReduceL1", 4), ("ReduceL2", 4)]
CASES = [(following(*op), replacement, {"x": X}, [X + 1]) for op in OPS]
