"""DFT and IDFT of an unknown number of signals."""
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


CASES = [(op("DFT"), product("DFT"), {"x": X}, [expected(np.fft.fft)]), (op("IDFT"), product("IDFT"), {"x": X}, [expected(np.fft.ifft)])]
