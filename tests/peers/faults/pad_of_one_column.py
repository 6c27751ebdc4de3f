"""Pad of an image or a volume with one channel and one column: the layout is taken for another one, and elements are wrong or have no value."""
import numpy as np

ROW = "PadOfOneColumn"


def padded(g, x, begins, ends, mode):
    value = [g.constant(np.float32(0.5))] if mode == "constant" else []
    shape = tuple(int(size + a + b) for size, a, b in zip(x.shape, begins, ends))
    return g.op("Pad", x, g.constant(np.array(begins)), g.constant(np.array(ends)), *value, outputs=[("f32", shape)], pad_mode=mode)


def parts(shape, begins, ends):
    """(axes that the inner Pad keeps, those that are squeezed)"""
    ones = [axis for axis in range(1, len(shape)) if shape[axis] == 1]
    room = 3 - (len(shape) - len(ones))
    squeezed = [axis for axis in ones if begins[axis] + ends[axis] == 0]
    squeezed += [axis for axis in ones if axis not in squeezed][room:]
    return [axis for axis in range(len(shape)) if axis not in squeezed], sorted(squeezed)


def case(shape, begins, ends, mode, is_convolved):
    x = np.arange(1, 1 + np.prod(shape), dtype=np.float32).reshape(shape)
    first, dropped = parts(shape, begins, ends)

    def source(g):
        data = g.parameter("x", "f32", shape)
        if not is_convolved:
            return data
        ones = [1] * (len(shape) - 2)
        zeros = [0] * len(ones)
        return g.op("Convolution", data, g.constant(np.ones((1, 1, *ones), np.float32)), strides=ones, pads_begin=zeros, pads_end=zeros, dilations=ones, auto_pad="explicit")

    def form(g):
        g.result(padded(g, source(g), begins, ends, mode))

    def squeezed(g):
        value = g.op("Squeeze", source(g), g.constant(np.array(dropped)), outputs=[("f32", [shape[axis] for axis in first])])
        value = padded(g, value, [begins[axis] for axis in first], [ends[axis] for axis in first], mode)
        full = [shape[axis] + (begins[axis] + ends[axis] if axis in first else 0) for axis in range(len(shape))]
        value = g.op("Unsqueeze", value, g.constant(np.array(dropped)), outputs=[("f32", full)])
        if any(begins[axis] + ends[axis] for axis in dropped):
            value = padded(g, value, *([pads[axis] if axis in dropped else 0 for axis in range(len(shape))] for pads in (begins, ends)), mode)
        g.result(value)

    more = {"constant_values": 0.5} if mode == "constant" else {}
    squeezed.__name__ = f"Pads of {shape} by {begins}, {ends}, {mode}"
    return form, squeezed, {"x": x}, [np.pad(x, list(zip(begins, ends)), mode=mode, **more)]


CASES = [case(shape, begins, ends, mode, is_convolved) for mode in ("constant", "edge", "symmetric") for is_convolved in (False, True) for shape, begins, ends in (
    ((1, 1, 1, 1), (0, 1, 0, 0), (0, 0, 0, 0)), ((3, 1, 1, 1), (0, 0, 1, 0), (0, 0, 0, 0)), ((2, 1, 1, 1), (1, 0, 0, 1), (1, 1, 0, 0)),
    ((2, 1, 1, 1), (1, 1, 1, 1), (0, 1, 1, 0)), ((1, 1, 1, 1, 1), (0, 1, 1, 0, 1), (0, 1, 0, 1, 1)), ((2, 1, 1, 1, 1), (0, 0, 0, 0, 1), (1, 0, 0, 0, 0)),
    ((2, 1, 3, 1), (0, 1, 0, 0), (0, 0, 0, 1)), ((2, 1, 3, 1), (0, 0, 0, 0), (0, 0, 1, 1)), ((2, 1, 3, 1, 1), (0, 1, 0, 1, 1), (0, 1, 0, 1, 0)),
    ((2, 1, 3, 2, 1), (0, 1, 0, 1, 1), (0, 1, 0, 1, 0)), ((2, 1, 3, 2, 1), (1, 0, 1, 1, 0), (0, 0, 0, 0, 0)))]
