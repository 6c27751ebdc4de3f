"""RNN, GRU and LSTM of ONNX, after their specification."""
import numpy as np

from formulas_ops import elu, hard_sigmoid, real, sigmoid, softplus

ACTIVATIONS = {"Sigmoid": sigmoid, "Tanh": np.tanh, "Relu": lambda v: np.maximum(v, 0), "Softsign": lambda v: v / (1 + np.abs(v)), "Softplus": softplus,
               "HardSigmoid": hard_sigmoid, "Elu": elu, "LeakyRelu": lambda v, alpha=0.01: np.where(v < 0, alpha * v, v),
               "ThresholdedRelu": lambda v, alpha=1.0: np.where(v >= alpha, v, 0), "ScaledTanh": lambda v, alpha=1.0, beta=1.0: alpha * np.tanh(beta * v),
               "Affine": lambda v, alpha=1.0, beta=0.0: alpha * v + beta}


def activations(node, names, directions):
    """Functions of all directions, with alpha and beta where the function takes them."""
    wanted = node.get("activations") or names * directions
    alphas, betas = list(node.get("activation_alpha", [])), list(node.get("activation_beta", []))
    made = []
    for name in wanted:
        canonical = next((n for n in ACTIVATIONS if n.lower() == str(name).lower()), None)
        function, more = ACTIVATIONS[canonical], {}
        if canonical in ("HardSigmoid", "ScaledTanh", "Affine", "Elu", "LeakyRelu", "ThresholdedRelu") and alphas:
            more["alpha"] = alphas.pop(0)
        if canonical in ("HardSigmoid", "ScaledTanh", "Affine") and betas:
            more["beta"] = betas.pop(0)
        made.append(lambda v, f=function, m=more: f(v, **m))
    return made


def recurrent(gates, names, step):
    def formula(node, x, w, r, b=None, lengths=None, h0=None, c0=None, peepholes=None):
        directions = w.shape[0]
        if node.get("layout", 0):
            x = np.swapaxes(x, 0, 1)
            h0 = None if h0 is None else np.swapaxes(h0, 0, 1)
            c0 = None if c0 is None else np.swapaxes(c0, 0, 1)
        length, batch, hidden = x.shape[0], x.shape[1], r.shape[2]
        functions = activations(node, names, directions)
        clip_at = node.get("clip")
        outputs, last_h, last_c = np.zeros((length, directions, batch, hidden)), [], []
        for d in range(directions):
            backwards = node.get("direction", "forward") == "reverse" or d == 1
            wb = np.zeros(gates * hidden) if b is None else real(b)[d, :gates * hidden]
            rb = np.zeros(gates * hidden) if b is None else real(b)[d, gates * hidden:]
            own = functions[d * len(names):(d + 1) * len(names)]
            hs, cs = np.zeros((batch, hidden)), np.zeros((batch, hidden))
            for n in range(batch):
                steps = length if lengths is None else int(lengths[n])
                h = np.zeros(hidden) if h0 is None else real(h0)[d, n]
                c = np.zeros(hidden) if c0 is None else real(c0)[d, n]
                for t in (range(steps - 1, -1, -1) if backwards else range(steps)):
                    p = None if peepholes is None else np.split(real(peepholes)[d], 3)
                    bound = (lambda v: v) if clip_at is None else (lambda v: np.clip(v, -clip_at, clip_at))
                    h, c = step(node, real(x)[t, n], h, c, np.split(real(w)[d], gates), np.split(real(r)[d], gates), np.split(wb, gates),
                                np.split(rb, gates), own, bound, p)
                    outputs[t, d, n] = h
                hs[n], cs[n] = h, c
            last_h.append(hs)
            last_c.append(cs)
        made = [outputs, np.stack(last_h), np.stack(last_c)]
        if node.get("layout", 0):
            made = [np.transpose(outputs, (2, 0, 1, 3)), np.swapaxes(made[1], 0, 1), np.swapaxes(made[2], 0, 1)]
        return made
    return formula


def rnn_step(node, x, h, c, w, r, wb, rb, f, bound, p):
    return f[0](bound(w[0] @ x + r[0] @ h + wb[0] + rb[0])), c


def gru_step(node, x, h, c, w, r, wb, rb, f, bound, p):
    z = f[0](bound(w[0] @ x + r[0] @ h + wb[0] + rb[0]))
    reset = f[0](bound(w[1] @ x + r[1] @ h + wb[1] + rb[1]))
    inner = reset * (r[2] @ h + rb[2]) if node.get("linear_before_reset", 0) else r[2] @ (reset * h) + rb[2]
    return (1 - z) * f[1](bound(w[2] @ x + inner + wb[2])) + z * h, c


def lstm_step(node, x, h, c, w, r, wb, rb, f, bound, p):
    pi, po, pf = p if p is not None else (0, 0, 0)
    i = f[0](bound(w[0] @ x + r[0] @ h + wb[0] + rb[0] + pi * c))
    forget = 1 - i if node.get("input_forget", 0) else f[0](bound(w[2] @ x + r[2] @ h + wb[2] + rb[2] + pf * c))
    cell = forget * c + i * f[1](bound(w[3] @ x + r[3] @ h + wb[3] + rb[3]))
    o = f[0](bound(w[1] @ x + r[1] @ h + wb[1] + rb[1] + po * cell))
    return o * f[2](cell), cell


FORMULAS = {"onnx::RNN": recurrent(1, ["Tanh"], rnn_step), "onnx::GRU": recurrent(3, ["Sigmoid", "Tanh"], gru_step),
            "onnx::LSTM": recurrent(4, ["Sigmoid", "Tanh", "Tanh"], lstm_step)}
