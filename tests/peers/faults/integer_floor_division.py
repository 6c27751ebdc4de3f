"""Divide of integers with m_pythondiv rounds down by definition (opset1); the CPU plugins truncate."""
import numpy as np

ROW = "IntegerFloorDivision"
A, B = np.array([-9, 9, -9, 9, -8, 7], np.int32), np.array([4, -4, -4, 4, 4, -7], np.int32)


def faulty(g):
    g.result(g.op("Divide", g.parameter("a", "i32", [6]), g.parameter("b", "i32", [6]), auto_broadcast="numpy", m_pythondiv=True))


def replacement(g):
    a, b = g.parameter("a", "i32", [6]), g.parameter("b", "i32", [6])
    zero, one = g.constant(np.int32(0)), g.constant(np.int32(1))
    boolean = [("boolean", [6])]
    quotient = g.op("Divide", a, b, auto_broadcast="numpy", m_pythondiv=False)
    remainder = g.op("Subtract", a, g.op("Multiply", quotient, b, auto_broadcast="numpy"), auto_broadcast="numpy")
    below = g.op("Less", remainder, zero, outputs=boolean, auto_broadcast="numpy")
    other = g.op("NotEqual", below, g.op("Less", b, zero, outputs=boolean, auto_broadcast="numpy"), outputs=boolean, auto_broadcast="numpy")
    up = g.op("LogicalAnd", g.op("NotEqual", remainder, zero, outputs=boolean, auto_broadcast="numpy"), other, outputs=boolean, auto_broadcast="numpy")
    g.result(g.op("Select", up, g.op("Subtract", quotient, one, auto_broadcast="numpy"), quotient, outputs=[("i32", [6])], auto_broadcast="numpy"))


CASES = [(faulty, replacement, {"a": A, "b": B}, [A // B])]
