"""RNNCell, GRUCell and LSTMCell whose W, R or B is an input of the model: not compiled, because the runtime packs weights beforehand."""
import numpy as np

ROW = "CellsOfComputedWeights"
BATCH, INPUT, HIDDEN = 2, 3, 4
GATES = dict(RNN=1, GRU=3, LSTM=4)
RANDOM = np.random.default_rng(0)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


class Cell:
    """A cell, the places of W, R and B that are inputs of the model ("WRB": all), and what it computes."""

    def __init__(self, kind, computed, linear=False):
        self.kind, self.computed, self.linear = kind, computed, linear
        rows, activations = GATES[kind] * HIDDEN, dict(RNN="tanh", GRU="sigmoid,tanh", LSTM="sigmoid,tanh,tanh")[kind]
        self.version = dict(RNN=1, GRU=3, LSTM=4)[kind]
        self.attributes = dict(hidden_size=HIDDEN, activations=activations, activations_alpha="", activations_beta="", clip=0)
        if kind == "GRU":
            self.attributes["linear_before_reset"] = linear
        shapes = dict(x=(BATCH, INPUT), h=(BATCH, HIDDEN), c=(BATCH, HIDDEN), W=(rows, INPUT), R=(rows, HIDDEN), B=(rows + HIDDEN * linear,))
        self.numbers = {name: RANDOM.uniform(-1, 1, shape).astype(np.float32) for name, shape in shapes.items() if name != "c" or kind == "LSTM"}
        self.inputs = {name: numbers for name, numbers in self.numbers.items() if name not in "WRB" or name in computed}

    def read(self, g):
        return [g.parameter(name, "f32", numbers.shape) if name in self.inputs else g.constant(numbers) for name, numbers in self.numbers.items()]

    def expected(self):
        x, h, *c, w, r, b = self.numbers.values()
        if self.kind == "RNN":
            return [np.tanh(x @ w.T + h @ r.T + b)]
        if self.kind == "LSTM":
            forget, take, fresh, give = np.split(x @ w.T + h @ r.T + b, 4, axis=1)
            c = sigmoid(forget) * c[0] + sigmoid(take) * np.tanh(fresh)
            return [sigmoid(give) * np.tanh(c), c]
        (wz, wr, wn), (rz, rr, rn), b = np.split(w, 3), np.split(r, 3), np.split(b, 3 + self.linear)
        z, r = sigmoid(x @ wz.T + h @ rz.T + b[0]), sigmoid(x @ wr.T + h @ rr.T + b[1])
        n = np.tanh(x @ wn.T + (r * (h @ rn.T + b[3]) + b[2] if self.linear else (r * h) @ rn.T + b[2]))
        return [(1 - z) * n + z * h]

    def faulty(self, g):
        made = g.op(f"{self.kind}Cell", *self.read(g), version=self.version, outputs=[("f32", [BATCH, HIDDEN])] * len(self.expected()), **self.attributes)
        for output in made if isinstance(made, list) else [made]:
            g.result(output)

    def replacement(self, g):
        for output in written_out(g, self.kind, self.linear, *self.read(g)):
            g.result(output)


def written_out(g, kind, linear, x, h, *more):
    """The states after a step, by MatMul, Add and the functions."""
    *c, w, r, b = more

    def calculate(type, *operands):
        return g.op(type, *operands, auto_broadcast="numpy", outputs=[("f32", np.broadcast_shapes(*(t.shape for t in operands)))])

    def times(data, weights):
        return g.op("MatMul", data, weights, transpose_a=False, transpose_b=True, outputs=[("f32", [data.shape[0], weights.shape[0]])])

    def parts(data, axis, count):
        shape = [size // count if i == axis else size for i, size in enumerate(data.shape)]
        return g.op("Split", data, g.constant(np.int64(axis)), num_splits=count, outputs=[("f32", shape)] * count)

    if kind == "RNN":
        return [g.op("Tanh", calculate("Add", times(x, w), calculate("Add", times(h, r), b)))]
    if kind == "LSTM":
        gates = parts(calculate("Add", times(x, w), calculate("Add", times(h, r), b)), 1, 4)
        forget, take, give = (g.op("Sigmoid", gates[i]) for i in (0, 1, 3))
        c = calculate("Add", calculate("Multiply", forget, c[0]), calculate("Multiply", take, g.op("Tanh", gates[2])))
        return [calculate("Multiply", give, g.op("Tanh", c)), c]
    products, r, b = parts(times(x, w), 1, 3), parts(r, 0, 3), parts(b, 0, 3 + linear)
    z, reset = (g.op("Sigmoid", calculate("Add", products[i], calculate("Add", times(h, r[i]), b[i]))) for i in (0, 1))
    if linear:
        recurrence = calculate("Add", calculate("Multiply", reset, calculate("Add", times(h, r[2]), b[3])), b[2])
    else:
        recurrence = calculate("Add", times(calculate("Multiply", reset, h), r[2]), b[2])
    n = g.op("Tanh", calculate("Add", products[2], recurrence))
    rest = calculate("Subtract", g.constant(np.ones(1, np.float32)), z)
    return [calculate("Add", calculate("Multiply", rest, n), calculate("Multiply", z, h))]


CELLS = [Cell(kind, computed) for kind in GATES for computed in ("W", "R", "B", "WRB")] + [Cell("GRU", "WRB", linear=True)]
CASES = [(cell.faulty, cell.replacement, cell.inputs, cell.expected()) for cell in CELLS]
