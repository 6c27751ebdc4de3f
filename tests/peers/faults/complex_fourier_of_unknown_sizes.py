"""DFT and IDFT of an unknown number of signals, of a signal of unknown length, and along a computed axis."""
import fourier_products as fourier
import numpy as np

ROW = "ComplexFourierOfUnknownSizes"
V10 = False
N = 6
X = np.random.default_rng(1).normal(size=(3, N, 2)).astype(np.float32)


def op(name):
    def build(g):
        g.result(g.op(name, g.parameter("x", "f32", [-1, N, 2]), g.constant(np.array([1])), version=7))
    build.__name__ = name
    return build


def product(name):
    def build(g):
        angles = (-1 if name == "DFT" else 1) * 2 * np.pi * np.outer(np.arange(N), np.arange(N)) / N
        cosine, sine = np.cos(angles), np.sin(angles)
        matrix = np.stack([np.stack([cosine, sine], -1), np.stack([-sine, cosine], -1)], 1).reshape(2 * N, 2 * N) / (1 if name == "DFT" else N)
        flat = g.op("Reshape", g.parameter("x", "f32", [-1, N, 2]), g.constant(np.array([0, 2 * N])), special_zero="true", outputs=[("f32", [-1, 2 * N])])
        y = g.op("MatMul", flat, g.constant(matrix.astype(np.float32)), transpose_a="false", transpose_b="false")
        g.result(g.op("Reshape", y, g.constant(np.array([0, N, 2])), special_zero="true", outputs=[("f32", [-1, N, 2])]))
    build.__name__ = f"MatMul for {name}"
    return build


def expected(function):
    y = function(X[..., 0] + 1j * X[..., 1])
    return np.stack([y.real, y.imag], -1).astype(np.float32)


def of_unknown_length(g):
    g.result(g.op("DFT", g.parameter("x", "f32", [-1, 2]), g.constant(np.array([0])), version=7))


def computed_product(g):
    x = g.parameter("x", "f32", [-1, 2])
    size = fourier.size(g, x, 0)
    made = fourier.product(g, fourier.reshaped(g, x, [-1], [-1]), fourier.matrix(g, size, size, size, (2, 2)), [-1])
    g.result(fourier.reshaped(g, made, [-1, 2], [-1, 2]))


def along_computed_axis(g):
    g.result(g.op("IDFT", g.parameter("x", "f32", X.shape), g.parameter("axis", "i64", [1]), version=7))


def products_with_choices(g):
    x, axis = g.parameter("x", "f32", X.shape), g.parameter("axis", "i64", [1])
    for d, size in enumerate(X.shape[:2]):
        is_axis = g.op("ReduceLogicalOr", fourier.binary(g, "Equal", axis, g.constant(np.int64(d)), "boolean"), g.constant(np.array([0])), keep_dims="false",
                       outputs=[("boolean", [])])
        count, other = g.constant(np.int64(size)), X.shape[1 - d]
        order = [1, 0, 2] if d == 0 else [0, 1, 2]
        x = g.op("Transpose", x, g.constant(np.array(order)), outputs=[("f32", [other, size, 2])])
        x = fourier.reshaped(g, x, [other, 2 * size], [other, 2 * size])
        x = fourier.product(g, x, fourier.matrix(g, count, count, count, (2, 2), True, is_axis), [other, 2 * size])
        x = g.op("Transpose", fourier.reshaped(g, x, [other, size, 2], [other, size, 2]), g.constant(np.array(order)), outputs=[("f32", X.shape)])
    g.result(x)


CASES = [(op("DFT"), product("DFT"), {"x": X}, [expected(np.fft.fft)]), (op("IDFT"), product("IDFT"), {"x": X}, [expected(np.fft.ifft)]),
         (of_unknown_length, computed_product, {"x": X[0]}, [expected(np.fft.fft)[0]]),
         (along_computed_axis, products_with_choices, {"x": X, "axis": np.array([1])}, [expected(np.fft.ifft)])]
