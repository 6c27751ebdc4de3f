"""RNNSequence (GRU and LSTM as well) whose W, R or B is an input of the model: not compiled, because the runtime packs weights beforehand."""
import numpy as np

ROW = "SequencesOfComputedWeights"
BATCH, STEPS, INPUT, HIDDEN = 2, 5, 3, 4
RANDOM = np.random.default_rng(0)
CELL = dict(hidden_size=HIDDEN, activations="tanh", activations_alpha="", activations_beta="", clip=0)


class Sequence:
    """`computed`: which of W, R and B are inputs of the model; `lengths`: constants, or None for an input."""

    def __init__(self, direction, computed, lengths):
        self.direction, self.computed, self.lengths = direction, computed, lengths
        self.both = direction == "bidirectional"
        d = 2 if self.both else 1
        shapes = dict(x=(BATCH, STEPS, INPUT), h=(BATCH, d, HIDDEN), W=(d, HIDDEN, INPUT), R=(d, HIDDEN, HIDDEN), B=(d, HIDDEN))
        self.numbers = {name: RANDOM.uniform(-1, 1, shape).astype(np.float32) for name, shape in shapes.items()}
        self.inputs = {name: numbers for name, numbers in self.numbers.items() if name not in "WRB" or name in computed}
        if lengths is None:
            self.inputs["lengths"] = np.array([5, 3], np.int64)

    def expected(self):
        """All states, and the last one."""
        x, last, w, r, b = self.numbers.values()
        last = last.copy()
        all = np.zeros((*last.shape[:2], STEPS, HIDDEN), np.float32)
        for i, length in enumerate(self.lengths or self.inputs["lengths"]):
            for d in range(last.shape[1]):
                for step in range(length)[::-1 if d == 1 or self.direction == "reverse" else 1]:
                    last[i, d] = all[i, d, step] = np.tanh(x[i, step] @ w[d].T + last[i, d] @ r[d].T + b[d])
        return [all, last]

    def read(self, g):
        """By name."""
        tensors = {name: g.parameter(name, "f32", numbers.shape) if name in self.inputs else g.constant(numbers) for name, numbers in self.numbers.items()}
        return tensors | {"lengths": g.parameter("lengths", "i64", [BATCH]) if self.lengths is None else g.constant(np.array(self.lengths))}

    def faulty(self, g):
        tensors = self.read(g)
        shape = [BATCH, 2 if self.both else 1]
        for output in g.op("RNNSequence", *[tensors[name] for name in ("x", "h", "lengths", "W", "R", "B")], version=5, direction=self.direction,
                           outputs=[("f32", [*shape, STEPS, HIDDEN]), ("f32", [*shape, HIDDEN])], **CELL):
            g.result(output)

    def replacement(self, g):
        tensors = self.read(g)
        axis = g.constant(np.array([1], np.int64))
        loops = [self.loop(g, tensors, d, d == 1 or self.direction == "reverse") for d in range(2 if self.both else 1)]
        for parts in zip(*loops):
            parts = [g.op("Unsqueeze", part, axis, outputs=[("f32", [BATCH, 1, *part.shape[1:]])]) for part in parts]
            shape = [BATCH, len(parts), *parts[0].shape[2:]]
            g.result(g.op("Concat", *parts, axis=1, outputs=[("f32", shape)]) if self.both else parts[0])

    def loop(self, g, tensors, direction, backwards):
        """A TensorIterator over what a cell computes. Where the lengths are an input it counts the steps: after the end the state is kept and the output is 0."""
        along = (1,) if backwards else 1

        def one_way(name, axis):
            shape = [size for i, size in enumerate(tensors[name].shape) if i != axis]
            if self.both:
                return g.op("Gather", tensors[name], g.constant(np.int64(direction)), g.constant(np.int64(axis)), outputs=[("f32", shape)])
            return g.op("Squeeze", tensors[name], g.constant(np.array([axis], np.int64)), outputs=[("f32", shape)])

        b = g.body()
        slice, state = b.parameter("slice", "f32", [BATCH, 1, INPUT]), b.parameter("state", "f32", [BATCH, HIDDEN])
        outer, maps = [tensors["x"], one_way("h", 1)], [(0, slice, along), (1, state, None)]

        def argument(name, value, type="f32"):
            outer.append(value)
            maps.append((len(maps), b.parameter(name, type, value.shape), None))
            return maps[-1][1]

        def calculate(type, *operands):
            return b.op(type, *operands, auto_broadcast="numpy", outputs=[("f32", [BATCH, HIDDEN])])

        def times(data, weights):
            return b.op("MatMul", data, weights, transpose_a=False, transpose_b=True, outputs=[("f32", [BATCH, HIDDEN])])

        if self.lengths is None:
            lengths = argument("lengths", tensors["lengths"], "i64")
            count = argument("count", g.constant(np.array([STEPS if backwards else 1], np.int64)), "i64")
        w, r, bias = (argument(name, one_way(name, 0)) if name in self.computed else b.constant(self.numbers[name][direction]) for name in "WRB")
        one = b.constant(np.array([1], np.int64))
        x = b.op("Reshape", slice, b.constant(np.array([BATCH, INPUT], np.int64)), special_zero=False, outputs=[("f32", [BATCH, INPUT])])
        shown = kept = b.op("Tanh", calculate("Add", times(x, w), calculate("Add", times(state, r), bias)))
        if self.lengths is None:
            is_out = b.op("Less", lengths, count, auto_broadcast="numpy", outputs=[("boolean", [BATCH])])
            is_out = b.op("Unsqueeze", is_out, one, outputs=[("boolean", [BATCH, 1])])
            shown, kept = (calculate("Select", is_out, early, kept) for early in (b.constant(np.float32(0)), state))
        shown, kept = b.result(b.op("Unsqueeze", shown, one, outputs=[("f32", [BATCH, 1, HIDDEN])])), b.result(kept)
        edges = [(kept, state)]
        if self.lengths is None:
            after = b.op("Add", count, b.constant(np.array(-1 if backwards else 1, np.int64)), auto_broadcast="numpy", outputs=[("i64", [1])])
            edges.append((b.result(after), count))
        outputs = [("f32", [BATCH, STEPS, HIDDEN]), ("f32", [BATCH, HIDDEN])]
        return g.iterate("TensorIterator", b, outer, maps, [(0, shown, along), (1, kept, None)], edges, outputs, 1)


SEQUENCES = [Sequence(direction, computed, lengths) for direction in ("forward", "reverse", "bidirectional") for computed, lengths in (
    ("W", [STEPS] * BATCH), ("R", [STEPS] * BATCH), ("B", [STEPS] * BATCH), ("WRB", [STEPS] * BATCH), ("WRB", None))]
CASES = [(sequence.faulty, sequence.replacement, sequence.inputs, sequence.expected()) for sequence in SEQUENCES]
