"""Layers of Caffe (BVLC and its well-known branches), after the sources of their CPU implementations."""
import math

import numpy as np

from formulas_ops import (along, convolution, elu, local_response, real, sigmoid, softmax, transposed_convolution, windows)


def parameters(node, name):
    fields = node.get(name + "_param", {})
    return lambda key, default=None: fields[key][-1] if key in fields else default


def every(node, name, key):
    return node.get(name + "_param", {}).get(key, [])


def truth(value):
    return value in (True, "true", 1)


def sizes(node, name, key, short, rank, default):
    """kernel_size: 3, or 2 numbers, or kernel_h and kernel_w."""
    field = parameters(node, name)
    if field(short + "_h") is not None or field(short + "_w") is not None:
        return [field(short + "_h", default), field(short + "_w", default)]
    given = every(node, name, key)
    return [int(given[i if len(given) > 1 else 0]) if given else default for i in range(rank)]


def conv_numbers(node, x):
    rank = x.ndim - 2
    return (sizes(node, "convolution", "stride", "stride", rank, 1), sizes(node, "convolution", "dilation", "dilation", rank, 1),
            sizes(node, "convolution", "pad", "pad", rank, 0))


def conv(node, x):
    field = parameters(node, "convolution")
    if field("axis", 1) != 1:
        return None
    strides, dilations, pads = conv_numbers(node, x)
    groups = x.shape[1] if "Depthwise" in node.op else int(field("group", 1))
    w = node.blobs[0]
    w = w.reshape(w.shape[-x.ndim:])
    made = convolution(x, w, strides, dilations, pads, pads, groups)
    return made + along(node.blobs[1].ravel(), x.ndim) if truth(field("bias_term", True)) else made


def deconv(node, x):
    field = parameters(node, "convolution")
    strides, dilations, pads = conv_numbers(node, x)
    w = node.blobs[0]
    length = [(s - 1) * t + (k - 1) * d + 1 - 2 * p for s, t, k, d, p in zip(x.shape[2:], strides, w.shape[2:], dilations, pads)]
    made = transposed_convolution(x, w, strides, dilations, pads, length, int(field("group", 1)))
    return made + along(node.blobs[1].ravel(), x.ndim) if truth(field("bias_term", True)) else made


def inner_product(node, x):
    field = parameters(node, "inner_product")
    axis = int(field("axis", 1)) % x.ndim
    w = real(node.blobs[0])
    w = w.reshape(w.shape[-2:])
    w = w if truth(field("transpose", False)) else w.T
    made = real(x).reshape(*x.shape[:axis], -1) @ w
    return made + real(node.blobs[1]).ravel() if truth(field("bias_term", True)) else made


def batch_norm(node, x):
    field = parameters(node, "batch_norm")
    factor = float(node.blobs[2].ravel()[0])
    factor = 0 if factor == 0 else 1 / factor
    mean, variance = (along(real(b).ravel() * factor, x.ndim) for b in node.blobs[:2])
    if truth(field("use_global_stats", True)) is False:
        return None
    made = (real(x) - mean) / np.sqrt(variance + float(field("eps", 1e-5)))
    if truth(field("scale_bias", False)):
        made = made * along(node.blobs[3].ravel(), x.ndim) + along(node.blobs[4].ravel(), x.ndim)
    return made


def scale(node, x, factor=None):
    field = parameters(node, "scale")
    axis = int(field("axis", 1)) % x.ndim
    given = real(node.blobs[0] if factor is None else factor)
    if factor is None and given.ndim == 4 and given.shape[:3] == (1, 1, 1):
        given = given.ravel()
    shape = lambda v: v.reshape([*v.shape, *[1] * (x.ndim - axis - v.ndim)])
    made = real(x) * shape(given)
    if truth(field("bias_term", False)):
        bias = real(node.blobs[-1])
        made = made + shape(bias.reshape(given.shape))
    return made


def bias(node, x, other=None):
    axis = int(parameters(node, "bias")("axis", 1)) % x.ndim
    given = real(node.blobs[0] if other is None else other)
    return real(x) + given.reshape([*given.shape, *[1] * (x.ndim - axis - given.ndim)])


def lrn(node, x):
    field = parameters(node, "lrn")
    size, alpha, beta, k = int(field("local_size", 5)), float(field("alpha", 1)), float(field("beta", 0.75)), float(field("k", 1))
    if field("norm_region", "ACROSS_CHANNELS") in ("ACROSS_CHANNELS", 0):
        return local_response(x, size, alpha / size, beta, k)
    # A window of pixels: the mean of squares counts the zeros of the border.
    half = (size - 1) // 2
    seen = windows(real(x) ** 2, [size] * 2, [1, 1], [1, 1], [half, half], [half, half])
    return real(x) / (1 + alpha * seen.sum((-1, -2)) / size ** 2) ** beta


def mvn(node, x):
    field = parameters(node, "mvn")
    axes = tuple(range(1 if truth(field("across_channels", False)) else 2, x.ndim))
    centred = real(x) - real(x).mean(axes, keepdims=True)
    if not truth(field("normalize_variance", True)):
        return centred
    return centred / (np.sqrt((centred ** 2).mean(axes, keepdims=True)) + float(field("eps", 1e-9)))


def normalize(node, x):
    """Of SSD's branch: by the length across channels, or of the whole image."""
    field = parameters(node, "norm")
    axes = 1 if not truth(field("across_spatial", True)) else tuple(range(1, x.ndim))
    made = real(x) / np.sqrt((real(x) ** 2).sum(axes, keepdims=True) + float(field("eps", 1e-10)))
    factors = real(node.blobs[0]).ravel()
    return made * (factors[0] if factors.size == 1 else along(factors, x.ndim))


def power(node, x):
    field = parameters(node, "power")
    return (float(field("shift", 0)) + float(field("scale", 1)) * real(x)) ** float(field("power", 1))


def exponential(node, x):
    field = parameters(node, "exp")
    base = float(field("base", -1))
    made = np.exp((float(field("scale", 1)) * real(x) + float(field("shift", 0))) * (1 if base < 0 else math.log(base)))
    return made


def logarithm(node, x):
    field = parameters(node, "log")
    base = float(field("base", -1))
    return np.log(float(field("scale", 1)) * real(x) + float(field("shift", 0))) / (1 if base < 0 else math.log(base))


def relu(node, x):
    return np.where(real(x) > 0, real(x), float(parameters(node, "relu")("negative_slope", 0)) * real(x))


def prelu(node, x):
    slope = real(node.blobs[0]).ravel()
    return np.where(real(x) > 0, real(x), real(x) * (slope[0] if slope.size == 1 else along(slope, x.ndim)))


def soft_max(node, x):
    return softmax(x, int(parameters(node, "softmax")("axis", 1)))


def eltwise(node, *inputs):
    field = parameters(node, "eltwise")
    kind = field("operation", "SUM")
    coefficients = [float(c) for c in every(node, "eltwise", "coeff")] or [1] * len(inputs)
    if kind in ("PROD", 0):
        return np.prod([real(x) for x in inputs], 0)
    if kind in ("MAX", 2):
        return np.max([real(x) for x in inputs], 0)
    return sum(c * real(x) for c, x in zip(coefficients, inputs))


def pooling(node, x):
    """Caffe rounds sizes up, and removes a last window that begins after the image and its pads."""
    field = parameters(node, "pooling")
    rank = x.ndim - 2
    kind = field("pool", "MAX")
    if field("round_mode") is not None or field("ceil_mode") is not None or kind not in ("MAX", "AVE", 0, 1):
        return None
    kernel, strides, pads = (sizes(node, "pooling", *names, rank, default) for names, default in (
        (("kernel_size", "kernel"), 0), (("stride", "stride"), 1), (("pad", "pad"), 0)))
    if truth(field("global_pooling", False)):
        kernel, strides, pads = list(x.shape[2:]), [1] * rank, [0] * rank
    out = []
    for size, k, t, p in zip(x.shape[2:], kernel, strides, pads):
        count = math.ceil((size + 2 * p - k) / t) + 1
        out.append(count - 1 if p and (count - 1) * t >= size + p else count)
    made = np.empty((*x.shape[:2], *out))
    for place in np.ndindex(*out):
        begin = [i * t - p for i, t, p in zip(place, strides, pads)]
        end = [min(b + k, size + p) for b, k, size, p in zip(begin, kernel, x.shape[2:], pads)]
        part = real(x)[(slice(None), slice(None), *(slice(max(b, 0), max(e, 0)) for b, e in zip(begin, end)))]
        axes = tuple(range(2, x.ndim))
        made[(slice(None), slice(None), *place)] = part.max(axes) if kind in ("MAX", 0) else part.sum(axes) / np.prod([e - b for b, e in zip(begin, end)])
    return made




def flatten(node, x):
    field = parameters(node, "flatten")
    axis, end = int(field("axis", 1)) % x.ndim, int(field("end_axis", -1)) % x.ndim
    return x.reshape(*x.shape[:axis], -1, *x.shape[end + 1:])


def interp(node, x, like=None):
    """Of DeepLab: bilinear with aligned corners, pads that take away or add, sizes by factors, numbers or another blob."""
    field = parameters(node, "interp")
    begin, end = int(field("pad_beg", 0)), int(field("pad_end", 0))
    x = real(x)
    before = [s + begin + end for s in x.shape[2:]]
    if like is not None:
        after = list(like.shape[2:])
    elif field("height") is not None and field("width") is not None:
        after = [int(field("height")), int(field("width"))]
    else:
        after = before
        if field("shrink_factor") is not None:
            after = [(s - 1) // int(field("shrink_factor")) + 1 for s in after]
        if field("zoom_factor") is not None:
            after = [s + (s - 1) * (int(field("zoom_factor")) - 1) for s in after]
    if begin > 0 or end > 0:
        return None
    x = x[:, :, -begin:x.shape[2] + end, -begin:x.shape[3] + end]
    for axis, (old, new) in zip((2, 3), zip(before, after)):
        place = np.arange(new) * ((old - 1) / (new - 1) if new > 1 else 0)
        low = np.floor(place).astype(int)
        weight = (place - low).reshape([-1 if i == axis else 1 for i in range(4)])
        x = np.take(x, low, axis) * (1 - weight) + np.take(x, np.minimum(low + 1, old - 1), axis) * weight
    return x


def lstm(node, x, cont, static=None):
    """Gates input, forget, output, cell; the state is 0 where cont is 0."""
    if static is not None or len(node.outputs) > 1:
        return None
    wx, b, wh = (real(blob) for blob in node.blobs[:3])
    hidden = wh.shape[1]
    rows = real(x).reshape(x.shape[0], x.shape[1], -1)
    h, c, made = np.zeros((x.shape[1], hidden)), np.zeros((x.shape[1], hidden)), []
    for t in range(x.shape[0]):
        going_on = real(cont)[t][:, None]
        i, f, o, g = np.split(rows[t] @ wx.T + b.ravel() + (going_on * h) @ wh.T, 4, 1)
        c = sigmoid(f) * going_on * c + sigmoid(i) * np.tanh(g)
        h = sigmoid(o) * np.tanh(c)
        made.append(h)
    return np.stack(made)


def dropout(node, x):
    field = parameters(node, "dropout")
    return real(x) * (1 if truth(field("scale_train", True)) else 1 - float(field("dropout_ratio", 0.5)))


def bnll(node, x):
    return np.logaddexp(0, real(x))


FORMULAS = {"caffe::" + name: formula for name, formula in {
    "Convolution": conv, "ConvolutionDepthwise": conv, "DepthwiseConvolution": conv, "Deconvolution": deconv, "InnerProduct": inner_product,
    "BatchNorm": batch_norm, "Scale": scale, "Bias": bias, "LRN": lrn, "MVN": mvn, "Normalize": normalize, "Power": power, "Exp": exponential,
    "Log": logarithm, "ReLU": relu, "PReLU": prelu, "Softmax": soft_max, "Eltwise": eltwise, "Pooling": pooling, "Flatten": flatten, "BNLL": bnll,
    "AbsVal": lambda node, x: np.abs(x), "TanH": lambda node, x: np.tanh(real(x)), "Sigmoid": lambda node, x: sigmoid(x),
    "ELU": lambda node, x: elu(x, float(parameters(node, "elu")("alpha", 1))), "Swish": lambda node, x: real(x) * sigmoid(float(parameters(node, "swish")("beta", 1)) * real(x)),
    "Threshold": lambda node, x: (real(x) > float(parameters(node, "threshold")("threshold", 0))).astype(float),
    "Clip": lambda node, x: np.clip(real(x), float(parameters(node, "clip")("min")), float(parameters(node, "clip")("max"))),
    "Interp": interp, "LSTM": lstm, "Dropout": dropout, "Split": lambda node, x: [x] * len(node.outputs),
    "Concat": lambda node, *inputs: np.concatenate(inputs, int(parameters(node, "concat")("axis", parameters(node, "concat")("concat_dim", 1)))),
}.items()}
