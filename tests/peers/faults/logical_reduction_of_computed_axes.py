"""No CPU plugin has ReduceLogicalOr or ReduceLogicalAnd with axes that are not constant."""
import numpy as np

ROW = "LogicalReductionOfComputedAxes"
V10 = False  # the shape would be dynamic
X, AXES = np.array([[True, False], [False, False], [True, True]]), np.array([1], np.int64)


def faulty(g):
    g.result(g.op("ReduceLogicalOr", g.parameter("x", "boolean", [3, 2]), g.parameter("axes", "i64", [1]), outputs=[("boolean", [-1, -1])], keep_dims=True))


def faulty_and(g):
    g.result(g.op("ReduceLogicalAnd", g.parameter("x", "boolean", [3, 2]), g.parameter("axes", "i64", [1]), outputs=[("boolean", [-1, -1])], keep_dims=True))


def counted(g, x, compare):
    numbers = g.op("Convert", x, outputs=[("i32", [3, 2])], destination_type="i32")
    count = g.op("ReduceSum", numbers, g.parameter("axes", "i64", [1]), outputs=[("i32", [-1, -1])], keep_dims=True)
    g.result(g.op(compare, count, g.constant(np.int32(0)), outputs=[("boolean", [-1, -1])], auto_broadcast="numpy"))


def replacement(g):
    counted(g, g.parameter("x", "boolean", [3, 2]), "Greater")


def replacement_of_and(g):
    counted(g, g.op("LogicalNot", g.parameter("x", "boolean", [3, 2])), "Equal")


CASES = [(faulty, replacement, {"x": X, "axes": AXES}, [X.any(1, keepdims=True)]), (faulty_and, replacement_of_and, {"x": X, "axes": AXES}, [X.all(1, keepdims=True)])]
