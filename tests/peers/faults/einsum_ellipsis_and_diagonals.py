"""Einsum with an ellipsis, or with a label twice in one operand: not compiled."""
import numpy as np

ROW = "EinsumEllipsisAndDiagonals"
RNG = np.random.default_rng(0)
A, B, C, D, M = (RNG.normal(size=shape).astype(np.float32) for shape in ((2, 3, 4), (2, 4, 5), (1, 4, 5), (4, 5), (3, 3)))


def product(equation, shape, squeezes=False):
    def build(g):
        b = g.parameter("b", "f32", shape)
        if squeezes:
            b = g.op("Squeeze", b, g.constant(np.array([0])), outputs=[("f32", shape[1:])])
        g.result(g.op("Einsum", g.parameter("a", "f32", [2, 3, 4]), b, version=7, outputs=[("f32", [2, 3, 5])], equation=equation))
    build.__name__ = f"{equation} of {shape}"
    return build


def diagonal(g):
    g.result(g.op("Einsum", g.parameter("m", "f32", [3, 3]), version=7, outputs=[("f32", [3])], equation="ii->i"))


def gathered_diagonal(g):
    flat = g.op("Reshape", g.parameter("m", "f32", [3, 3]), g.constant(np.array([9])), outputs=[("f32", [9])], special_zero=False)
    g.result(g.op("Gather", flat, g.constant(np.array([0, 4, 8])), g.constant(np.int64(0)), outputs=[("f32", [3])]))


ELLIPSIS = "...ij,...jk->...ik"
CASES = [(product(ELLIPSIS, B.shape), product("aij,ajk->aik", B.shape), {"a": A, "b": B}, [A @ B]),
         (product(ELLIPSIS, C.shape), product("aij,jk->aik", C.shape, squeezes=True), {"a": A, "b": C}, [A @ C]),
         (product(ELLIPSIS, D.shape), product("aij,jk->aik", D.shape), {"a": A, "b": D}, [A @ D]),
         (diagonal, gathered_diagonal, {"m": M}, [np.diag(M)])]
