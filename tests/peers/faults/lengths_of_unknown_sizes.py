"""RNNSequence (GRU and LSTM as well) of an unknown batch or number of steps: the lengths of the sequences are not read, every sequence has all steps."""
import numpy as np

ROW = "LengthsOfUnknownSizes"
BATCH, STEPS, INPUT, HIDDEN = 2, 5, 3, 4
RANDOM = np.random.default_rng(0)
X, H, W, R, B = (RANDOM.uniform(-1, 1, shape).astype(np.float32)
                 for shape in ((BATCH, STEPS, INPUT), (BATCH, 1, HIDDEN), (HIDDEN, INPUT), (HIDDEN, HIDDEN), (HIDDEN,)))
LENGTHS = np.array([5, 3])
CELL = dict(hidden_size=HIDDEN, activations="tanh", activations_alpha="", activations_beta="", clip=0)


def expected(direction):
    """All states, and the last one."""
    outputs, last = np.zeros((BATCH, 1, STEPS, HIDDEN), np.float32), H.copy()
    for i, length in enumerate(LENGTHS):
        for step in range(length)[::-1 if direction == "reverse" else 1]:
            last[i, 0] = outputs[i, 0, step] = np.tanh(X[i, step] @ W.T + last[i, 0] @ R.T + B)
    return [outputs, last]


def inputs(g, sizes, type):
    batch, steps = sizes
    return g.parameter("x", "f32", [batch, steps, INPUT]), g.parameter("h", "f32", [batch, 1, HIDDEN]), g.parameter("lengths", type, [batch])


def faulty(sizes, type, direction):
    def build(g):
        batch, steps = sizes
        made = g.op("RNNSequence", *inputs(g, sizes, type), *[g.constant(t[None]) for t in (W, R, B)], version=5, direction=direction,
                    outputs=[("f32", [batch, 1, steps, HIDDEN]), ("f32", [batch, 1, HIDDEN])], **CELL)
        for output in made:
            g.result(output)

    return build


def replacement(sizes, type, direction):
    """A TensorIterator that counts the steps: where the sequence has ended, or, backwards, has not begun, the state is kept and 0 comes out."""
    number = dict(i32=np.int32, i64=np.int64)[type]
    backwards = direction == "reverse"
    along = (1,) if backwards else 1

    def build(g):
        batch, steps = sizes
        x, h, lengths = inputs(g, sizes, type)
        axis = g.constant(np.array([1], np.int64))
        first = g.constant(np.array([1], number))
        if backwards:
            shape = g.op("ShapeOf", x, version=3, output_type=type, outputs=[(type, [3])])
            first = g.op("Gather", shape, axis, g.constant(np.int64(0)), outputs=[(type, [1])])
        b = g.body()
        slice, state = b.parameter("slice", "f32", [batch, 1, INPUT]), b.parameter("state", "f32", [batch, HIDDEN])
        all_lengths, count = b.parameter("lengths", type, [batch]), b.parameter("count", type, [1])
        one = b.constant(np.array([1], np.int64))
        if batch > 0:  # 2022.1 forgets the shape of the slice
            step = b.op("Reshape", slice, b.constant(np.array([batch, INPUT], np.int64)), special_zero=False, outputs=[("f32", [batch, INPUT])])
        else:
            step = b.op("Squeeze", slice, one, outputs=[("f32", [batch, INPUT])])
        made = b.op("RNNCell", step, state, *[b.constant(t) for t in (W, R, B)], outputs=[("f32", [batch, HIDDEN])], **CELL)
        is_out = b.op("Less", all_lengths, count, auto_broadcast="numpy", outputs=[("boolean", [batch])])
        is_out = b.op("Unsqueeze", is_out, one, outputs=[("boolean", [batch, 1])])
        shown = b.op("Select", is_out, b.constant(np.float32(0)), made, auto_broadcast="numpy", outputs=[("f32", [batch, HIDDEN])])
        shown = b.result(b.op("Unsqueeze", shown, one, outputs=[("f32", [batch, 1, HIDDEN])]))
        kept = b.result(b.op("Select", is_out, state, made, auto_broadcast="numpy", outputs=[("f32", [batch, HIDDEN])]))
        after = b.result(b.op("Add", count, b.constant(number(-1 if backwards else 1)), auto_broadcast="numpy", outputs=[(type, [1])]))
        h = g.op("Squeeze", h, axis, outputs=[("f32", [batch, HIDDEN])])
        for output in g.iterate("TensorIterator", b, [x, h, lengths, first], [(0, slice, along), (1, state, None), (2, all_lengths, None), (3, count, None)],
                                [(0, shown, along), (1, kept, None)], [(kept, state), (after, count)],
                                [("f32", [batch, steps, HIDDEN]), ("f32", [batch, HIDDEN])], 1):
            g.result(g.op("Unsqueeze", output, axis, outputs=[("f32", [batch, 1, *output.shape[1:]])]))

    return build


V10 = False
FORMS = [(sizes, type, direction) for direction in ("forward", "reverse") for sizes, type in (((-1, -1), "i64"), ((-1, STEPS), "i32"), ((BATCH, -1), "i64"))]
CASES = [(faulty(*form), replacement(*form), {"x": X, "h": H, "lengths": LENGTHS.astype(f"int{form[1][1:]}")}, expected(form[2])) for form in FORMS]
