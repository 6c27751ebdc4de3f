"""Concat of convolutions of parts of one Split: in another order, along another axis, of one part several times, and of some parts only."""
import numpy as np

ROW = "ConvolutionsOfSplitParts"
random = np.random.default_rng(0)
X = random.normal(size=(2, 4, 3)).astype(np.float32)
WINDOW = dict(strides="1", pads_begin="0", pads_end="0", dilations="1", auto_pad="explicit")


def case(parts, order, axis):
    size = 4 // parts
    filters = {part: random.normal(size=(2, size, 1)).astype(np.float32) for part in order}

    def form(is_replacement):
        def build(g):
            outputs = g.op("Split", g.parameter("x", "f32", X.shape), g.constant(np.int64(1)), num_splits=parts, outputs=[("f32", (2, size, 3))] * parts)
            made = {}
            for i, part in enumerate(order):
                if part not in made:
                    kind, weights = ("GroupConvolution", filters[part][None]) if is_replacement and i == 0 else ("Convolution", filters[part])
                    made[part] = g.op(kind, outputs[part], g.constant(weights), outputs=[("f32", (2, 2, 3))], **WINDOW)
            shape = [2, 2, 3]
            shape[axis] *= len(order)
            g.result(g.op("Concat", *(made[part] for part in order), axis=axis, outputs=[("f32", shape)]))
        build.__name__ = f"{'GroupConvolution and ' if is_replacement else ''}convolutions {order} of {parts} along {axis}"
        return build

    pieces = np.split(X, parts, 1)
    expected = np.concatenate([np.einsum("ncl,oc->nol", pieces[part], filters[part][:, :, 0]) for part in order], axis)
    return form(False), form(True), {"x": X}, [expected]


CASES = [case(2, [1, 0], 1), case(2, [0, 1], 0), case(2, [0, 1], 2), case(2, [0, 0], 1), case(2, [1, 1, 1], 0), case(4, [0, 2, 1, 3], 1), case(4, [0, 1], 1)]
