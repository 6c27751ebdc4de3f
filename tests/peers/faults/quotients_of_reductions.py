"""Divide by a constant of integers that nothing else reads, a reduction: one operation in floating point, rounded to the nearest number."""
import numpy as np

ROW = "QuotientsOfReductions"
X = np.array([[1, 2, 5], [7, 8, -20]], np.int32)


def build(op, floors, exact):
    def made(g):
        x, three = g.parameter("x", "i32", [2, 3]), g.constant(np.int32(3))
        reduced = g.op(op, x, g.constant(np.array([1], np.int64)), outputs=[("i32", [2])], keep_dims=False)
        if exact:
            rest = g.op("FloorMod" if floors else "Mod", reduced, three, auto_broadcast="numpy")
            reduced = g.op("Subtract", reduced, rest, auto_broadcast="numpy")
        g.result(g.op("Divide", reduced, three, auto_broadcast="numpy", m_pythondiv=floors and not exact))
    made.__name__ = f"{op}, {'FloorMod' if floors else 'Mod'}" if exact else op
    return made


def case(op, function, floors):
    x = np.abs(X) if floors else X  # rounding down is another fault (IntegerFloorDivision)
    return build(op, floors, False), build(op, floors, True), {"x": x}, [np.trunc(function(x, axis=1) / 3).astype(np.int32)]


CASES = [case(op, function, floors) for op, function in (("ReduceSum", np.sum), ("ReduceMax", np.max), ("ReduceMin", np.min)) for floors in (False, True)]
