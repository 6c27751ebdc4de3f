"""Product of 3 to 15 rows of 2 to 15 numbers with constant columns: what a register held is multiplied by zero and added, and integers before leave NaN there."""
import numpy as np

ROW = "ProductsOfShortRows"
NEEDS = "avx512f"
random = np.random.default_rng(0)
FILL = np.full((4, 4, 7), -1)  # the bits of small negative integers are those of NaN


def case(shape, columns, transpose_a=False, transpose_b=False, are_constant=True):
    x = random.normal(size=shape).astype(np.float32)
    w = random.normal(size=(shape[-1], columns)).astype(np.float32)
    size = 16 - shape[-1]

    def form(is_replacement):
        def build(g):
            numbers = g.parameter("fill", "i64", FILL.shape)
            given = np.swapaxes(x, -1, -2) if transpose_a else x
            rows, weights = g.parameter("x", "f32", given.shape), w.T if transpose_b else w
            filters = g.constant(weights) if are_constant else g.parameter("w", "f32", weights.shape)
            transposes_b = transpose_b
            if is_replacement and not are_constant:
                filters, transposes_b = g.op("Transpose", filters, g.constant(np.array([1, 0])), outputs=[("f32", w.shape)]), False
            elif is_replacement:
                filters = g.constant(np.pad(weights, ((0, 0), (0, size)) if transpose_b else ((0, size), (0, 0))))
                pads = [0] * len(shape)
                pads[-2 if transpose_a else -1] = size
                longer = list(given.shape)
                longer[-2 if transpose_a else -1] = 16
                rows = g.op("Pad", rows, g.constant(np.zeros(len(shape), np.int64)), g.constant(np.array(pads)), g.constant(np.float32(0)), outputs=[("f32", longer)], pad_mode="constant")
            g.result(g.op("ReduceMax", numbers, g.constant(np.array([0])), outputs=[("i64", FILL.shape[1:])], keep_dims=False))
            g.result(g.op("MatMul", rows, filters, version=1, outputs=[("f32", (*shape[:-1], columns))], transpose_a=transpose_a, transpose_b=transposes_b))
        build.__name__ = f"{'replacement of ' if is_replacement else ''}{shape} by {columns} columns"
        return build

    given = {"fill": FILL, "x": np.ascontiguousarray(np.swapaxes(x, -1, -2)) if transpose_a else x}
    if not are_constant:
        given["w"] = np.ascontiguousarray(w.T)
    return form(False), form(True), given, [FILL[0], x @ w]


CASES = [case((3, 5), 2), case((5, 2), 1, transpose_b=True), case((15, 15), 17, transpose_a=True), case((2, 3, 5), 2), case((2, 4, 3), 3, True, True),
         case((3, 5), 2, transpose_b=True, are_constant=False)]
