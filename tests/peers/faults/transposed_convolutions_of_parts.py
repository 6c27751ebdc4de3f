"""Transposed convolution of a part of a Split along the batch or the channels: it reads the part as if its elements were next to each other."""
import numpy as np

ROW = "TransposedConvolutionsOfParts"
random = np.random.default_rng(0)
WINDOW = dict(strides="1", pads_begin="0", pads_end="0", dilations="1", auto_pad="explicit")


def transposed(x, filters):
    """Of one dimension, without strides; filters[group, input, output, place]."""
    groups, inputs, outputs, size = filters.shape
    made = np.zeros((len(x), groups, outputs, x.shape[2] + size - 1), np.float32)
    for k in range(size):
        made[:, :, :, k:k + x.shape[2]] += np.einsum("ngil,gio->ngol", x.reshape(len(x), groups, inputs, -1), filters[:, :, :, k])
    return made.reshape(len(x), groups * outputs, -1)


def case(groups, axis, lengths):
    shape = [2, 4, 5]
    shape[axis] = sum(lengths)
    x = random.normal(size=shape).astype(np.float32)
    parts = np.split(x, [lengths[0]], axis)
    channels = parts[1].shape[1]
    filters = random.normal(size=(groups, channels // groups, 2, 3)).astype(np.float32)
    weights = filters if groups > 1 else filters[0]

    def form(is_replacement):
        def build(g):
            data, number = g.parameter("x", "f32", x.shape), g.constant(np.int64(axis))
            outputs = [("f32", part.shape) for part in parts]
            if is_replacement:
                part = g.op("Gather", data, g.constant(np.arange(lengths[0], sum(lengths))), number, outputs=outputs[1:])
            else:
                part = g.op("VariadicSplit", data, number, g.constant(np.array(lengths)), outputs=outputs)[1]
            kind = "GroupConvolutionBackpropData" if groups > 1 else "ConvolutionBackpropData"
            g.result(g.op(kind, part, g.constant(weights), outputs=[("f32", (len(parts[1]), 2 * groups, 7))], output_padding="0", **WINDOW))
        build.__name__ = f"{'Gather' if is_replacement else 'VariadicSplit'} along {axis}, {groups} groups"
        return build

    return form(False), form(True), {"x": x}, [transposed(parts[1], filters)]


CASES = [case(1, 1, [1, 3]), case(1, 1, [2, 2]), case(1, 0, [1, 1]), case(3, 1, [1, 3]), case(2, 1, [2, 2]), case(2, 0, [1, 2])]
