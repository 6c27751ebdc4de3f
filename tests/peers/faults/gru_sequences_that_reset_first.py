"""GRUSequence without linear_before_reset whose sequences may end early: the runtime makes a loop over cells of it (gru_cells_that_reset_first)."""
import numpy as np

ROW = "GRUSequencesThatResetFirst"
BATCH, STEPS, INPUT, HIDDEN = 2, 5, 3, 33
RANDOM = np.random.default_rng(0)
X, H, W, R, B = (RANDOM.uniform(-1, 1, shape).astype(np.float32) for shape in (
    (BATCH, STEPS, INPUT), (BATCH, 1, HIDDEN), (3 * HIDDEN, INPUT), (3 * HIDDEN, HIDDEN), (3 * HIDDEN,)))
LENGTHS = np.array([5, 3])
GRU = dict(hidden_size=HIDDEN, direction="forward", activations="sigmoid,tanh", activations_alpha="", activations_beta="", clip=0, linear_before_reset=False)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def step_of(x, h):
    (wz, wr, wn), (rz, rr, rn), (bz, br, bn) = np.split(W, 3), np.split(R, 3), np.split(B, 3)
    z, r = sigmoid(x @ wz.T + h @ rz.T + bz), sigmoid(x @ wr.T + h @ rr.T + br)
    return (1 - z) * np.tanh(x @ wn.T + (r * h) @ rn.T + bn) + z * h


def expected(direction):
    """All states, and the last one."""
    outputs, last = np.zeros((BATCH, 1, STEPS, HIDDEN), np.float32), H.copy()
    for i, length in enumerate(LENGTHS):
        for step in range(length)[::-1 if direction == "reverse" else 1]:
            last[i, 0] = outputs[i, 0, step] = step_of(X[i, step], last[i, 0])
    return [outputs, last]


def inputs(g):
    return g.parameter("x", "f32", X.shape), g.parameter("h", "f32", H.shape), g.parameter("lengths", "i64", [BATCH])


def sequence(g, x, h, lengths, steps, direction):
    return g.op("GRUSequence", x, h, lengths, *[g.constant(t[None]) for t in (W, R, B)], version=5,
                outputs=[("f32", [BATCH, 1, steps, HIDDEN]), ("f32", H.shape)], **{**GRU, "direction": direction})


def faulty(direction):
    def build(g):
        for output in sequence(g, *inputs(g), STEPS, direction):
            g.result(output)

    return build


def replacement(direction):
    """A TensorIterator that counts the steps, with a sequence of one step for the cell."""
    backwards = direction == "reverse"
    along = (1,) if backwards else 1

    def build(g):
        x, h, lengths = inputs(g)
        axis = g.constant(np.array([1], np.int64))
        b = g.body()
        slice, state = b.parameter("slice", "f32", [BATCH, 1, INPUT]), b.parameter("state", "f32", [BATCH, HIDDEN])
        all_lengths, count = b.parameter("lengths", "i64", [BATCH]), b.parameter("count", "i64", [1])
        one = b.constant(np.array([1], np.int64))
        before = b.op("Unsqueeze", state, one, outputs=[("f32", H.shape)])
        made = sequence(b, slice, before, b.constant(np.ones(BATCH, np.int64)), 1, "forward")[0]
        made = b.op("Squeeze", made, b.constant(np.array([1, 2], np.int64)), outputs=[("f32", [BATCH, HIDDEN])])
        is_out = b.op("Less", all_lengths, count, auto_broadcast="numpy", outputs=[("boolean", [BATCH])])
        is_out = b.op("Unsqueeze", is_out, one, outputs=[("boolean", [BATCH, 1])])
        shown, kept = (b.op("Select", is_out, early, made, auto_broadcast="numpy", outputs=[("f32", [BATCH, HIDDEN])])
                       for early in (b.constant(np.float32(0)), state))
        shown, kept = b.result(b.op("Unsqueeze", shown, one, outputs=[("f32", [BATCH, 1, HIDDEN])])), b.result(kept)
        after = b.result(b.op("Add", count, b.constant(np.array(-1 if backwards else 1, np.int64)), auto_broadcast="numpy", outputs=[("i64", [1])]))
        first = g.constant(np.array([STEPS if backwards else 1], np.int64))
        h = g.op("Squeeze", h, axis, outputs=[("f32", [BATCH, HIDDEN])])
        for output in g.iterate("TensorIterator", b, [x, h, lengths, first], [(0, slice, along), (1, state, None), (2, all_lengths, None), (3, count, None)],
                                [(0, shown, along), (1, kept, None)], [(kept, state), (after, count)],
                                [("f32", [BATCH, STEPS, HIDDEN]), ("f32", [BATCH, HIDDEN])], 1):
            g.result(g.op("Unsqueeze", output, axis, outputs=[("f32", [BATCH, 1, *output.shape[1:]])]))

    return build


CASES = [(faulty(direction), replacement(direction), {"x": X, "h": H, "lengths": LENGTHS}, expected(direction)) for direction in ("forward", "reverse")]
