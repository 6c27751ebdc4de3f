"""Xor-0: not compiled, its operands have become bytes."""
import numpy as np

ROW = "FirstLogicalOperators"
A, B = np.array([[0, 1, 1], [1, 0, 1]], bool), np.array([[1], [0]], bool)


def exclusive(op):
    def build(g):
        g.result(g.op(op, g.parameter("a", "boolean", A.shape), g.parameter("b", "boolean", B.shape), auto_broadcast="numpy"))
    build.__name__ = op
    return build


CASES = [(exclusive("Xor"), exclusive("LogicalXor"), {"a": A, "b": B}, [A ^ B])]
