"""Divide of bytes: not rounded at all in 2021.4, rounded to the nearest number in 2022.1 and 2022.3, in later releases once an op follows."""
import numpy as np

ROW = "DivisionOfBytes"
A, B = np.array([6, 7, 11, 12, 100], np.int8), np.array([8, 8, 8, 8, 3], np.int8)


def faulty(g):
    g.result(g.op("Divide", g.parameter("a", "i8", [5]), g.parameter("b", "i8", [5]), auto_broadcast="numpy", m_pythondiv=False))


def faulty_with_unknown_sizes(g):
    g.result(g.op("Divide", g.parameter("a", "i8", [-1]), g.parameter("b", "i8", [-1]), auto_broadcast="numpy", m_pythondiv=False))


def divide(g, shape):
    a, b = (g.op("Convert", g.parameter(name, "i8", shape), outputs=[("i32", shape)], destination_type="i32") for name in "ab")
    rest = g.op("Mod", a, b, auto_broadcast="numpy")
    quotient = g.op("Divide", g.op("Subtract", a, rest, auto_broadcast="numpy"), b, auto_broadcast="numpy", m_pythondiv=False)
    g.result(g.op("Convert", quotient, outputs=[("i8", shape)], destination_type="i8"))


def replacement(g):
    divide(g, [5])


def replacement_with_unknown_sizes(g):
    divide(g, [-1])


V10 = False
CASES = [(faulty, replacement, {"a": A, "b": B}, [A // B]), (faulty_with_unknown_sizes, replacement_with_unknown_sizes, {"a": A, "b": B}, [A // B])]
