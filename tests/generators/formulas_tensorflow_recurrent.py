"""CudnnRNN of TensorFlow: networks of recurrent layers whose parameters are packed as cuDNN has them."""
import numpy as np


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def cell(mode, x, h, c, w, r, bw, br):
    """One step; w and r hold the gates one after the other: i, f, c, o of an LSTM, r, z, h of a GRU."""
    a, b = np.split(x @ w.T + bw, len(w) // h.shape[1], 1), np.split(h @ r.T + br, len(w) // h.shape[1], 1)
    if mode == "lstm":
        i, f, fresh, o = (p + q for p, q in zip(a, b))
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(fresh)
        return sigmoid(o) * np.tanh(c), c
    if mode == "gru":
        reset, update = sigmoid(a[0] + b[0]), sigmoid(a[1] + b[1])
        return (1 - update) * np.tanh(a[2] + reset * b[2]) + update * h, c
    return (np.tanh if mode == "rnn_tanh" else lambda v: np.maximum(v, 0))(a[0] + b[0]), c


def network(node, x, h, c, params, lengths=None):
    mode, two = node.get("rnn_mode", "lstm"), node.get("direction", "unidirectional") == "bidirectional"
    first = node.get("time_major", True)
    x, h, c = (np.asarray(v, float) if first or v.ndim < 3 else np.swapaxes(np.asarray(v, float), 0, 1) for v in (x, h, c))
    rest, size, count = np.asarray(params, float), h.shape[2], h.shape[0]
    rows = size * {"lstm": 4, "gru": 3}.get(mode, 1)
    lengths = np.full(x.shape[1], len(x)) if lengths is None else lengths

    def take(*shape):
        nonlocal rest
        made, rest = rest[:np.prod(shape)].reshape(shape), rest[np.prod(shape):]
        return made

    weights = [(take(rows, x.shape[2] if k < 1 + two else size * (1 + two)), take(rows, size)) for k in range(count)]
    biases = [(take(rows), take(rows)) for _ in range(count)]
    last, last_cells = [], []
    for layer in range(count // (1 + two)):
        parts = []
        for direction in range(1 + two):
            k = layer * (1 + two) + direction
            made = np.zeros((len(x), x.shape[1], size))
            state, inner = h[k].copy(), c[k].copy() if mode == "lstm" else None
            for t in reversed(range(len(x))) if direction else range(len(x)):
                new, new_inner = cell(mode, x[t], state, inner, *weights[k], *biases[k])
                there = (t < lengths)[:, None]
                state, made[t] = np.where(there, new, state), np.where(there, new, 0)
                inner = np.where(there, new_inner, inner) if mode == "lstm" else None
            parts.append(made)
            last.append(state)
            last_cells.append(inner)
        x = np.concatenate(parts, 2)
    made = [x, np.stack(last)] + ([np.stack(last_cells)] if mode == "lstm" else [])
    return made if first else [np.swapaxes(m, 0, 1) for m in made]


FORMULAS = {"tf::CudnnRNN": network, "tf::CudnnRNNV2": network, "tf::CudnnRNNV3": network}
