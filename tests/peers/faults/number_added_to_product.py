"""Add of one constant number to a MatMul with a constant matrix, where dimension 1 of four or more is 1: not compiled."""
import numpy as np

ROW = "NumberAddedToProduct"
RNG = np.random.default_rng(0)
MATRIX = RNG.normal(size=(2, 3)).astype(np.float32)
NUMBER = np.float32(0.25)


def case(shape, number):
    x = RNG.normal(size=(*shape, 2)).astype(np.float32)

    def build(is_row):
        def made(g):
            y = g.op("MatMul", g.parameter("x", "f32", x.shape), g.constant(MATRIX), outputs=[("f32", [*shape, 3])], transpose_a=False, transpose_b=False)
            bias = g.constant(np.full(3, NUMBER) if is_row else np.full(number, NUMBER))
            g.result(g.op("Add", y, bias, auto_broadcast="numpy"))
        made.__name__ = f"a product of {shape} and a number of {number}"
        return made
    return build(False), build(True), {"x": x}, [x @ MATRIX + NUMBER]


CASES = [case(shape, number) for shape in ((2, 1, 5), (1, 1, 1), (2, 1, 3, 4)) for number in ((), (1,), (1, 1, 1, 1))]
