"""A division of integers and the addition after it become one operation in floating point, rounded once."""
import numpy as np

ROW = "RoundingOfQuotients"
A = np.array([1, 7, 8, 9, 17], np.int32)


def chain(g, quotient):
    before = g.op("Subtract", g.parameter("a", "i32", [5]), g.constant(np.int32(1)), auto_broadcast="numpy")
    g.result(g.op("Add", quotient(before, g.constant(np.int32(8))), g.constant(np.int32(1)), auto_broadcast="numpy"))


def mod_first(quotient):
    """The remainder is computed with the division."""
    def build(g):
        rest = g.op("Mod", g.parameter("a", "i32", [5]), g.constant(np.int32(20)), auto_broadcast="numpy")
        g.result(quotient(g, rest, g.constant(np.int32(2))))
    return build


def divided(g, a, b):
    return g.op("Divide", a, b, auto_broadcast="numpy", m_pythondiv=False)


def exactly_divided(g, a, b):
    rest = g.op("Mod", a, b, auto_broadcast="numpy")
    return divided(g, g.op("Subtract", a, rest, auto_broadcast="numpy"), b)


def faulty(g):
    chain(g, lambda a, b: g.op("Divide", a, b, auto_broadcast="numpy", m_pythondiv=True))


def replacement(g):
    def quotient(a, b):
        rest = g.op("FloorMod", a, b, auto_broadcast="numpy")
        return g.op("Divide", g.op("Subtract", a, rest, auto_broadcast="numpy"), b, auto_broadcast="numpy", m_pythondiv=False)

    chain(g, quotient)


def moved(quotient):
    """The elements of the dividend are moved between the multiplication and the division."""
    def build(g):
        product = g.op("Multiply", g.parameter("a", "i32", [5]), g.constant(np.full((2, 1), 5, np.int32)), outputs=[("i32", [2, 5])], auto_broadcast="numpy")
        turned = g.op("Transpose", product, g.constant(np.array([1, 0])), outputs=[("i32", [5, 2])])
        g.result(quotient(g, turned, g.constant(np.int32(3))))
    return build


CASES = [(faulty, replacement, {"a": A}, [1 + (A - 1) // 8]), (mod_first(divided), mod_first(exactly_divided), {"a": A}, [A // 2]),
         (moved(divided), moved(exactly_divided), {"a": A}, [np.stack([A * 5 // 3] * 2, 1)])]
