"""PReLU with a slope for each column of a product with a constant matrix: NaN for negative numbers, when the kernel of the product computes it as well."""
import numpy as np

ROW = "SlopesOfProducts"
FEWER_WITH = "avx512f"
RNG = np.random.default_rng(0)


def case(shape, slopes, op=None):
    x = RNG.normal(size=shape).astype(np.float32)
    matrix = RNG.normal(size=(shape[-1], 12)).astype(np.float32)
    slope = RNG.normal(size=slopes).astype(np.float32)
    product = x @ matrix
    y = np.tanh(product) if op == "Tanh" else product + np.float32(0.5) if op == "Add" else product

    def build(is_replacement):
        def made(g):
            def elementwise(kind, *inputs):
                return g.op(kind, *inputs, outputs=[("f32", y.shape)], auto_broadcast="numpy")
            data = g.op("MatMul", g.parameter("x", "f32", x.shape), g.constant(matrix), outputs=[("f32", y.shape)], transpose_a=False, transpose_b=False)
            if op == "Tanh":
                data = g.op("Tanh", data, outputs=[("f32", y.shape)])
            elif op == "Add":
                data = elementwise("Add", data, g.constant(np.float32(0.5)))
            if not is_replacement:
                g.result(g.op("PReLU", data, g.constant(slope), outputs=[("f32", y.shape)]))
                return
            zero = g.constant(np.float32(0))
            halves = elementwise("Maximum", data, zero), elementwise("Minimum", data, zero)
            g.result(elementwise("Add", halves[0], elementwise("Multiply", halves[1], g.constant(slope))))
        made.__name__ = f"a product of {shape}, slopes of {slopes}, {op or 'nothing'} in between"
        return made
    return build(False), build(True), {"x": x}, [np.where(y < 0, y * slope, y)]


CASES = [case((1, 3), (1, 12)), case((5, 4), (12,), "Add"), case((2, 4, 5), (12,), "Tanh")]
