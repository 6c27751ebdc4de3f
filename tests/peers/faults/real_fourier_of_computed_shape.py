"""RDFT and IRDFT of known sizes, along an axis or of a length that is an input."""
import fourier_products as fourier
import numpy as np

ROW = "RealFourierOfComputedShape"
V10 = False
SINCE = "2022.3"
N = 6
X = np.random.default_rng(1).normal(size=N).astype(np.float32)
SPECTRUM = np.fft.rfft(X)
PAIRS = np.stack([SPECTRUM.real, SPECTRUM.imag], -1).astype(np.float32)


def forward(g):
    g.result(g.op("RDFT", g.parameter("x", "f32", [N]), g.parameter("axis", "i64", [1]), version=9, outputs=[("f32", [-1, 2])]))


def backward(g):
    g.result(g.op("IRDFT", g.parameter("x", "f32", [N // 2 + 1, 2]), g.parameter("axis", "i64", [1]), version=9, outputs=[("f32", [-1])]))


def choice(g, condition, yes, no, kind="i64", shape=()):
    return g.op("Select", condition, yes, no, outputs=[(kind, list(shape))], **fourier.NUMPY)


def conditions(g, axis):
    """Is dimension 0 one of the axes, and the last one?"""
    is_here = fourier.binary(g, "Equal", axis, g.constant(np.int64(0)), "boolean")
    is_axis = g.op("ReduceLogicalOr", is_here, g.constant(np.array([0])), keep_dims="false", outputs=[("boolean", [])])
    bounds = (g.constant(np.array([n])) for n in (-1, 0, 1))
    last = g.op("StridedSlice", axis, *bounds, begin_mask="0", end_mask="1", outputs=[("i64", [1])])
    last = g.op("Reshape", last, g.constant(np.zeros(0, np.int64)), special_zero="false", outputs=[("i64", [])])
    return is_axis, fourier.binary(g, "Equal", last, g.constant(np.int64(0)), "boolean")


def forward_product(g):
    x, axis = g.parameter("x", "f32", [N]), g.parameter("axis", "i64", [1])
    is_axis, is_last = conditions(g, axis)
    size, half = g.constant(np.int64(N)), g.constant(np.int64(N // 2 + 1))
    count = choice(g, is_axis, choice(g, is_last, half, size), size)
    made = fourier.product(g, x, fourier.matrix(g, size, size, count, (1, 2), False, is_axis), [-1])
    g.result(fourier.reshaped(g, made, [-1, 2], [-1, 2]))


def backward_product(g):
    half = N // 2 + 1
    x, axis = g.parameter("x", "f32", [half, 2]), g.parameter("axis", "i64", [1])
    is_axis, is_last = conditions(g, axis)
    size = g.constant(np.int64(half))
    length = choice(g, is_last, g.constant(np.int64(N)), size)
    made = fourier.matrix(g, size, length, choice(g, is_axis, length, size), (2, 1), True, is_axis)
    mirrored = g.constant(np.repeat([1] + [2] * (half - 2) + [1], 2).astype(np.float32)[:, None])
    factors = choice(g, is_last, mirrored, g.constant(np.ones((1, 1), np.float32)), "f32", [2 * half, 1])
    made = g.op("Multiply", made, factors, **fourier.NUMPY)
    g.result(fourier.product(g, fourier.reshaped(g, x, [2 * half], [2 * half]), made, [-1]))


def of_length(g):
    g.result(g.op("RDFT", g.parameter("x", "f32", [N]), g.constant(np.array([0])), g.parameter("n", "i64", [1]), version=9, outputs=[("f32", [-1, 2])]))


def product_of_length(g):
    """A shorter signal."""
    x, n = g.parameter("x", "f32", [N]), g.parameter("n", "i64", [1])
    length = g.op("Gather", n, g.constant(np.int64(0)), g.constant(np.int64(0)), outputs=[("i64", [])])
    half = g.op("Convert", length, destination_type="f32", outputs=[("f32", [])])
    half = g.op("Convert", g.op("Floor", fourier.binary(g, "Multiply", half, fourier.number(g, 0.5))), destination_type="i64", outputs=[("i64", [])])
    count = fourier.binary(g, "Add", half, g.constant(np.int64(1)))
    rows = fourier.Side(g, g.constant(np.int64(N)), 1, 1).element
    limit = g.op("Convert", length, destination_type="f32", outputs=[("f32", [])])
    counts = g.op("Convert", fourier.binary(g, "Less", rows, limit, "boolean"), destination_type="f32", outputs=[("f32", [N, 1])])
    made = fourier.binary(g, "Multiply", fourier.matrix(g, g.constant(np.int64(N)), length, count, (1, 2)), counts)
    g.result(fourier.reshaped(g, fourier.product(g, x, made, [-1]), [-1, 2], [-1, 2]))


AXIS = np.array([0])
SHORT = np.fft.rfft(X, 4)
CASES = [(of_length, product_of_length, {"x": X, "n": np.array([4])}, [np.stack([SHORT.real, SHORT.imag], -1).astype(np.float32)]),
         (forward, forward_product, {"x": X, "axis": AXIS}, [PAIRS]),
         (backward, backward_product, {"x": PAIRS, "axis": AXIS}, [X])]
