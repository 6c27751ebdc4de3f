"""GRUCell without linear_before_reset: other numbers when the hidden size reaches the width of the processor's vectors, 16 numbers at most."""
import numpy as np

ROW = "GRUCellsThatResetFirst"
INPUT = 3
ATTRIBUTES = dict(activations="sigmoid,tanh", activations_alpha="", activations_beta="", clip=0, linear_before_reset=False)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


class Cell:
    """A cell of `hidden` units, at the top or in the body of a Loop."""

    def __init__(self, batch, hidden, in_body):
        random = np.random.default_rng(0)
        self.batch, self.hidden, self.in_body = batch, hidden, in_body
        self.x, self.h, self.w, self.r, self.b = (random.uniform(-1, 1, shape).astype(np.float32) for shape in (
            (batch, INPUT), (batch, hidden), (3 * hidden, INPUT), (3 * hidden, hidden), (3 * hidden,)))
        self.inputs = {"x": self.x, "h": self.h}

    def expected(self):
        (wz, wr, wn), (rz, rr, rn), (bz, br, bn) = np.split(self.w, 3), np.split(self.r, 3), np.split(self.b, 3)
        z, r = sigmoid(self.x @ wz.T + self.h @ rz.T + bz), sigmoid(self.x @ wr.T + self.h @ rr.T + br)
        return [(1 - z) * np.tanh(self.x @ wn.T + (r * self.h) @ rn.T + bn) + z * self.h]

    def model(self, g, step):
        x, h = g.parameter("x", "f32", self.x.shape), g.parameter("h", "f32", self.h.shape)
        if not self.in_body:
            g.result(step(g, x, h))
            return
        b = g.body()
        state, data = b.parameter("state", "f32", self.h.shape), b.parameter("data", "f32", self.x.shape)
        trips, condition = g.constant(np.int64(1)), g.constant(np.array(True))
        goes_on = b.result(b.constant(np.array(True)))
        last = b.result(step(b, data, state))
        g.result(g.iterate("Loop", b, [trips, condition, h, x], [(2, state, None), (3, data, None)], [(-1, goes_on, None), (0, last, None)], [(last, state)],
                           [("f32", self.h.shape)], 5)[0])

    def faulty(self, g):
        self.model(g, lambda g, x, h: g.op("GRUCell", x, h, *[g.constant(t) for t in (self.w, self.r, self.b)], version=3, hidden_size=self.hidden,
                                           outputs=[("f32", self.h.shape)], **ATTRIBUTES))

    def replacement(self, g):
        def step(g, x, h):
            axis = g.constant(np.array([1], np.int64))
            x, h = (g.op("Unsqueeze", t, axis, outputs=[("f32", [self.batch, 1, t.shape[1]])]) for t in (x, h))
            made = g.op("GRUSequence", x, h, g.constant(np.ones(self.batch, np.int64)), *[g.constant(t[None]) for t in (self.w, self.r, self.b)], version=5,
                        hidden_size=self.hidden, direction="forward", outputs=[("f32", [self.batch, 1, 1, self.hidden]), ("f32", h.shape)], **ATTRIBUTES)
            return g.op("Squeeze", made[0], g.constant(np.array([1, 2], np.int64)), outputs=[("f32", self.h.shape)])

        self.model(g, step)


CELLS = [Cell(*sizes) for sizes in ((1, 128, False), (4, 16, False), (3, 33, False), (2, 28, True), (1, 3, False))]
CASES = [(cell.faulty, cell.replacement, cell.inputs, cell.expected()) for cell in CELLS]
