"""Pad of [N, 1, 1, 1] or [N, 1, 1, 1, 1]: the dimensions are taken for other ones, and elements are wrong or have no value."""
import numpy as np

ROW = "PadOfOnePixel"


def padded(g, x, begins, ends, mode):
    value = [g.constant(np.float32(0.5))] if mode == "constant" else []
    shape = tuple(int(size + a + b) for size, a, b in zip(x.shape, begins, ends))
    return g.op("Pad", x, g.constant(np.array(begins)), g.constant(np.array(ends)), *value, outputs=[("f32", shape)], pad_mode=mode)


def case(shape, begins, ends, mode):
    x = np.arange(1, 1 + np.prod(shape), dtype=np.float32).reshape(shape)
    axes = [axis for axis in range(1, len(shape)) if begins[axis] + ends[axis] > 0]
    first, others = [0] + axes[:2], axes[2:]

    def form(g):
        g.result(padded(g, g.parameter("x", "f32", shape), begins, ends, mode))

    def squeezed(g):
        dropped = [axis for axis in range(len(shape)) if axis not in first]
        value = g.op("Squeeze", g.parameter("x", "f32", shape), g.constant(np.array(dropped)), outputs=[("f32", [shape[axis] for axis in first])])
        value = padded(g, value, [begins[axis] for axis in first], [ends[axis] for axis in first], mode)
        full = [shape[axis] + (begins[axis] + ends[axis] if axis in first else 0) for axis in range(len(shape))]
        value = g.op("Unsqueeze", value, g.constant(np.array(dropped)), outputs=[("f32", full)])
        if others:
            value = padded(g, value, *([pads[axis] if axis in others else 0 for axis in range(len(shape))] for pads in (begins, ends)), mode)
        g.result(value)

    more = {"constant_values": 0.5} if mode == "constant" else {}
    squeezed.__name__ = f"Pads of {shape} by {begins}, {ends}, {mode}"
    return form, squeezed, {"x": x}, [np.pad(x, list(zip(begins, ends)), mode=mode, **more)]


CASES = [case(shape, begins, ends, mode) for mode in ("constant", "edge", "symmetric") for shape, begins, ends in (
    ((1, 1, 1, 1), (0, 1, 0, 0), (0, 0, 0, 0)), ((3, 1, 1, 1), (0, 0, 1, 0), (0, 0, 0, 0)), ((2, 1, 1, 1), (1, 0, 0, 1), (1, 1, 0, 0)),
    ((2, 1, 1, 1), (1, 1, 1, 1), (0, 1, 1, 0)), ((1, 1, 1, 1, 1), (0, 1, 1, 0, 1), (0, 1, 0, 1, 1)), ((2, 1, 1, 1, 1), (0, 0, 0, 0, 1), (1, 0, 0, 0, 0)))]
