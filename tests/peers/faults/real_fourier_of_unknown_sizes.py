"""RDFT and IRDFT of an unknown number of signals."""
import numpy as np

ROW = "RealFourierOfUnknownSizes"
V10 = False
SINCE = "2022.3"
N = 8
X = np.random.default_rng(1).normal(size=(3, N)).astype(np.float32)
ANGLES = 2 * np.pi * np.outer(np.arange(N), np.arange(N // 2 + 1)) / N
FORWARD = np.stack([np.cos(ANGLES), -np.sin(ANGLES)], -1).reshape(N, -1).astype(np.float32)
MIRRORED = np.array([1] + [2] * (N // 2 - 1) + [1])[:, None, None]
BACKWARD = (MIRRORED * np.stack([np.cos(ANGLES.T), -np.sin(ANGLES.T)], 1) / N).reshape(-1, N).astype(np.float32)
SPECTRUM = np.fft.rfft(X)
PAIRS = np.stack([SPECTRUM.real, SPECTRUM.imag], -1).astype(np.float32)


def op(name):
    def build(g):
        shape, result = ([-1, N], [-1, N // 2 + 1, 2]) if name == "RDFT" else ([-1, N // 2 + 1, 2], [-1, N])
        g.result(g.op(name, g.parameter("x", "f32", shape), g.constant(np.array([1])), version=9, outputs=[("f32", result)]))
    build.__name__ = name
    return build


def product(is_forward):
    def build(g):
        x = g.parameter("x", "f32", [-1, N] if is_forward else [-1, N // 2 + 1, 2])
        if not is_forward:
            x = g.op("Reshape", x, g.constant(np.array([0, N + 2])), special_zero="true", outputs=[("f32", [-1, N + 2])])
        matrix = FORWARD if is_forward else BACKWARD
        y = g.op("MatMul", x, g.constant(matrix), outputs=[("f32", [-1, matrix.shape[1]])], transpose_a="false", transpose_b="false")
        if is_forward:
            y = g.op("Reshape", y, g.constant(np.array([0, N // 2 + 1, 2])), special_zero="true", outputs=[("f32", [-1, N // 2 + 1, 2])])
        g.result(y)
    build.__name__ = "MatMul " + ("forward" if is_forward else "backward")
    return build


CASES = [(op("RDFT"), product(True), {"x": X}, [PAIRS]), (op("IRDFT"), product(False), {"x": PAIRS}, [X])]
