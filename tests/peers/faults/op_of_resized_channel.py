"""Elementwise ops of an Interpolate of one channel, which several ops read: some get what the Interpolate has made."""
import numpy as np

ROW = "OpOfResizedChannel"
NEEDS = "avx512f"
RNG = np.random.default_rng(0)
OPS = {"Power": lambda x: x ** 3, "Maximum": lambda x: np.maximum(x, 1), "Exp": np.exp,
       "MVN": lambda x: (x - x.mean((2, 3), keepdims=True)) / x.std((2, 3), keepdims=True)}


def applied(g, op, x):
    if op == "Exp":
        return g.op(op, x)
    if op == "MVN":
        return g.op(op, x, g.constant(np.array([2, 3])), version=6, eps=1e-9, eps_mode="inside_sqrt", normalize_variance=True)
    return g.op(op, x, g.constant(np.float32(3 if op == "Power" else 1)), auto_broadcast="numpy")


def case(op, is_rectified, x):
    resized = np.repeat(x, 2, 2)

    def build(is_copied):
        def made(g):
            settings = {"mode": "nearest", "shape_calculation_mode": "scales", "coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor",
                        "pads_begin": [0] * 4, "pads_end": [0] * 4, "antialias": False, "cube_coeff": -0.75}
            y = g.op("Interpolate", g.parameter("x", "f32", x.shape), g.constant(np.array([resized.shape[2]])), g.constant(np.float32([2])),
                     g.constant(np.array([2])), version=4, outputs=[("f32", resized.shape)], **settings)
            y = applied(g, op, g.op("ReLU", y) if is_rectified else y)
            y = g.op("Maximum", y, y, auto_broadcast="numpy") if is_copied else y
            g.result(y)
            g.result(g.op("ReduceMean", y, g.constant(np.array([0])), outputs=[("f32", (1, *resized.shape[1:]))], keep_dims=True))
        made.__name__ = f"{op}{' of ReLU' if is_rectified else ''} of {x.shape}"
        return made
    y = OPS[op](resized).astype(np.float32)
    return build(False), build(True), {"x": x}, [y, y.mean(0, keepdims=True)]


CASES = [case(op, is_rectified, RNG.uniform(0.3, 2, (3, 1, 7, 4)).astype(np.float32)) for op in OPS for is_rectified in (False, True)]
