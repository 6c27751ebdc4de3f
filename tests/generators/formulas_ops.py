"""Ops of the IR and what all frameworks share, after the IR specification."""
import math

import numpy as np

erf = np.vectorize(math.erf, otypes=[np.float64])


def real(x):
    return np.asarray(x, np.float64)


def sigmoid(x):
    return 1 / (1 + np.exp(-real(x)))


def softplus(x):
    return np.logaddexp(0, real(x))


def softmax(x, axis):
    e = np.exp(real(x) - np.max(real(x), axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def log_softmax(x, axis):
    shifted = real(x) - np.max(real(x), axis=axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))


def selu(x, alpha=1.6732632423543772, gamma=1.0507009873554805):
    return gamma * np.where(real(x) > 0, real(x), alpha * np.expm1(real(x)))


def elu(x, alpha=1.0):
    return np.where(real(x) > 0, real(x), alpha * np.expm1(real(x)))


def gelu(x, tanh=False):
    x = real(x)
    return 0.5 * x * (1 + (np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)) if tanh else erf(x / math.sqrt(2))))


def hard_sigmoid(x, alpha=0.2, beta=0.5):
    return np.clip(alpha * real(x) + beta, 0, 1)


def hard_swish(x):
    return real(x) * np.clip(real(x) + 3, 0, 6) / 6


def round_away(x):
    return np.sign(x) * np.floor(np.abs(x) + 0.5)


UNARY = {"Abs": np.abs, "Acos": np.arccos, "Acosh": np.arccosh, "Asin": np.arcsin, "Asinh": np.arcsinh, "Atan": np.arctan, "Atanh": np.arctanh,
         "Ceiling": np.ceil, "Cos": np.cos, "Cosh": np.cosh, "Erf": erf, "Exp": np.exp, "Floor": np.floor, "Log": np.log, "Negative": np.negative,
         "Sign": np.sign, "Sin": np.sin, "Sinh": np.sinh, "Sqrt": np.sqrt, "Tan": np.tan, "Tanh": np.tanh, "Sigmoid": sigmoid,
         "ReLU": lambda x: np.maximum(x, 0), "SoftPlus": softplus, "SoftSign": lambda x: x / (1 + np.abs(x)), "Mish": lambda x: x * np.tanh(softplus(x)),
         "HSwish": hard_swish, "HSigmoid": lambda x: np.clip(x + 3, 0, 6) / 6}


def kept_kind(function):
    """Integers stay integers where the function gives them, reals are computed in double precision."""
    def formula(node, x):
        if x.dtype.kind in "iu" and function in (np.abs, np.negative, np.sign):
            return function(x)
        return function(real(x)) if x.dtype.kind == "f" else None
    return formula


def real_unary(name, function):
    def formula(node, x):
        return function(real(x)) if x.dtype.kind == "f" else None
    return {name: formula}


def reduce_axes(axes, rank):
    return tuple(int(a) % rank for a in np.atleast_1d(axes))


def windows(x, kernel, strides, dilations, begin, end, value=0.0):
    """[n, c, *out, *kernel] of a tensor [n, c, *space]."""
    x = np.pad(real(x), [(0, 0), (0, 0), *zip(begin, end)], constant_values=value)
    out = [(s - (k - 1) * d - 1) // t + 1 for s, k, d, t in zip(x.shape[2:], kernel, dilations, strides)]
    made = np.empty((*x.shape[:2], *out, *kernel))
    for place in np.ndindex(*out):
        at = tuple(slice(p * t, p * t + (k - 1) * d + 1, d) for p, t, k, d in zip(place, strides, kernel, dilations))
        made[(slice(None), slice(None), *place)] = x[(slice(None), slice(None), *at)]
    return made


def convolution(x, w, strides, dilations, begin, end, groups=1):
    """x [n, c, *space], w [m, c / groups, *kernel]."""
    space = w.ndim - 2
    parts = []
    for part, weights in zip(np.split(real(x), groups, 1), np.split(real(w), groups, 0)):
        seen = windows(part, w.shape[2:], strides, dilations, begin, end)
        axes = [1, *range(2 + space, 2 + 2 * space)]
        parts.append(np.moveaxis(np.tensordot(seen, weights, (axes, list(range(1, w.ndim)))), -1, 1))
    return np.concatenate(parts, 1)


def transposed_convolution(x, w, strides, dilations, begin, length, groups=1):
    """x [n, c, *space], w [c, m / groups, *kernel]; `length` of the result along each dimension of space."""
    parts = []
    for part, weights in zip(np.split(real(x), groups, 1), np.split(real(w), groups, 0)):
        kernel = w.shape[2:]
        whole = [max((s - 1) * t + (k - 1) * d + 1, b + n) for s, t, k, d, b, n in zip(x.shape[2:], strides, kernel, dilations, begin, length)]
        made = np.zeros((x.shape[0], w.shape[1], *whole))
        for place in np.ndindex(*x.shape[2:]):
            at = tuple(slice(p * t, p * t + (k - 1) * d + 1, d) for p, t, k, d in zip(place, strides, kernel, dilations))
            made[(slice(None), slice(None), *at)] += np.tensordot(part[(slice(None), slice(None), *place)], weights, (1, 0))
        parts.append(made[(slice(None), slice(None), *(slice(b, b + n) for b, n in zip(begin, length)))])
    return np.concatenate(parts, 1)


def normalised(x, axes, epsilon):
    x = real(x)
    return (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + epsilon)


def along(vector, rank, axis=1):
    """A vector of one number for each channel, in the shape that broadcasts."""
    return real(vector).reshape([-1 if i == axis else 1 for i in range(rank)])


def local_response(x, size, alpha, beta, bias, axis=1):
    """x / (bias + alpha * sum of squares over `size` channels) ** beta; the middle of an even window is left of its half."""
    x = np.moveaxis(real(x), axis, 0)
    total = np.zeros_like(x)
    for c in range(x.shape[0]):
        low, high = c - (size - 1) // 2, c + size // 2
        total[c] = (x[max(low, 0):high + 1] ** 2).sum(0)
    return np.moveaxis(x / (bias + alpha * total) ** beta, 0, axis)


def mvn(node, x, axes):
    axes = reduce_axes(axes, x.ndim)
    centred = real(x) - real(x).mean(axes, keepdims=True)
    if not node.get("normalize_variance", True):
        return centred
    eps, variance = node.get("eps", 1e-5), real(x).var(axes, keepdims=True)
    outside = node.get("eps_mode", "inside_sqrt") == "outside_sqrt"
    return centred / (np.sqrt(variance) + eps if outside else np.sqrt(variance + eps))


def normalize_l2(node, x, axes):
    total = (real(x) ** 2).sum(reduce_axes(axes, x.ndim), keepdims=True) if np.size(axes) else real(x) ** 2
    eps = node.get("eps", 1e-6)
    return real(x) / np.sqrt(np.maximum(total, eps) if node.get("eps_mode") == "max" else total + eps)


def batch_norm_inference(node, x, gamma, beta, mean, variance):
    if x.ndim < 2 or node.get("layout"):
        return None
    g, b, m, v = (along(p, x.ndim) for p in (gamma, beta, mean, variance))
    return (real(x) - m) / np.sqrt(v + node.get("epsilon", 1e-5)) * g + b


def group_normalization(node, x, scale, bias):
    groups = int(node.get("num_groups"))
    made = normalised(x.reshape(x.shape[0], groups, -1), 2, node.get("epsilon", 1e-5)).reshape(x.shape)
    return made * along(scale, x.ndim) + along(bias, x.ndim)


def grn(node, x):
    return real(x) / np.sqrt((real(x) ** 2).sum(1, keepdims=True) + node.get("bias", 1e-6))


REDUCTIONS = {"ReduceSum": np.sum, "ReduceMean": np.mean, "ReduceMax": np.max, "ReduceMin": np.min, "ReduceProd": np.prod,
              "ReduceL1": lambda x, axis, keepdims: np.abs(x).sum(axis=axis, keepdims=keepdims),
              "ReduceL2": lambda x, axis, keepdims: np.sqrt((x ** 2).sum(axis=axis, keepdims=keepdims))}


def reduction(function):
    def formula(node, x, axes):
        if x.dtype.kind != "f" or x.size == 0:
            return None
        if np.size(axes) == 0:
            return real(x)
        return function(real(x), axis=reduce_axes(axes, x.ndim), keepdims=bool(node.get("keep_dims", False)))
    return formula


BINARY = {"Add": np.add, "Subtract": np.subtract, "Multiply": np.multiply, "Maximum": np.maximum, "Minimum": np.minimum}


def binary(function):
    def formula(node, a, b):
        return None if node.get("auto_broadcast") or a.dtype.kind != "f" else function(real(a), real(b))
    return formula


def bucket(node, x, values):
    """SearchSorted: the place of each value in its sorted row."""
    side = "right" if node.get("right_mode", False) else "left"
    rows, wanted = x.reshape(-1, x.shape[-1]), values.reshape(-1, values.shape[-1]) if values.ndim else values.reshape(1, 1)
    if x.ndim == 1:
        return np.searchsorted(x, values, side)
    if x.shape[:-1] != values.shape[:-1]:
        return None
    return np.stack([np.searchsorted(row, ask, side) for row, ask in zip(rows, wanted)]).reshape(values.shape)


def compressed_weights(node, x, scale, zero=None):
    return (real(x) - (0 if zero is None else real(zero))) * real(scale)


def plain_convolution(node, x, w):
    if node.get("auto_pad", "explicit") != "explicit" or node.get("layout"):
        return None
    space = x.ndim - 2
    return convolution(x, w, node.get("strides", [1] * space), node.get("dilations", [1] * space), node.get("pads_begin", [0] * space),
                       node.get("pads_end", [0] * space))


FORMULAS = {
    "Convolution": plain_convolution,
    **{name: kept_kind(function) for name, function in UNARY.items()},
    **{name: reduction(function) for name, function in REDUCTIONS.items()},
    **{name: binary(function) for name, function in BINARY.items()},
    "Clamp": lambda node, x: np.clip(real(x), node.get("min"), node.get("max")) if x.dtype.kind == "f" else None,
    "Elu": lambda node, x: elu(x, node.get("alpha", 1.0)),
    "Gelu": lambda node, x: gelu(x, node.get("approximation_mode", "erf").lower() == "tanh"),
    "Gelu.v7": lambda node, x: gelu(x, node.get("approximation_mode", "erf").lower() == "tanh"),
    "Selu": lambda node, x, alpha, gamma: selu(x, real(alpha), real(gamma)),
    "HardSigmoid": lambda node, x, alpha, beta: hard_sigmoid(x, real(alpha), real(beta)),
    "Swish": lambda node, x, beta=1.0: real(x) * sigmoid(real(x) * real(beta)),
    "PReLU": lambda node, x, slope: np.where(real(x) < 0, real(x) * (along(slope, x.ndim) if slope.ndim == 1 and x.ndim > 1 and slope.size != 1 else real(slope)),
                                             real(x)) if slope.ndim in (0, 1, x.ndim) else None,
    "SoftMax": lambda node, x: softmax(x, int(node.get("axis", 1))),
    "SoftMax.v1": lambda node, x: softmax(x, int(node.get("axis", 1))),
    "SoftMax.v8": lambda node, x: softmax(x, int(node.get("axis", 1))),
    "LogSoftmax": lambda node, x: log_softmax(x, int(node.get("axis", -1))),
    "LRN": lambda node, x, axes: local_response(x, int(node.get("size")), node.get("alpha") / node.get("size"), node.get("beta"), node.get("bias"),
                                                int(axes[0])) if np.size(axes) == 1 else None,
    "MVN": mvn,
    "NormalizeL2": normalize_l2,
    "BatchNormInference": batch_norm_inference,
    "GroupNormalization": group_normalization,
    "GRN": grn,
    "SearchSorted": bucket,
    "CompressedWeights": compressed_weights,
}
