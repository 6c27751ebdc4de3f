"""Operators of ONNX and com.microsoft, after their specification."""
import math

import numpy as np

from formulas_ops import (UNARY, along, convolution, elu, gelu, hard_sigmoid, local_response, log_softmax, normalised, real, reduce_axes, selu,
                          sigmoid, softmax, transposed_convolution)


def version(node):
    return int(node.get("@opset", 1))


def soft(function):
    """Softmax, LogSoftmax: up to version 12 over all dimensions from `axis` on."""
    def formula(node, x):
        if version(node) >= 13:
            return function(x, int(node.get("axis", -1)))
        axis = int(node.get("axis", 1))
        axis += x.ndim if axis < 0 else 0
        rows = x.reshape(int(np.prod(x.shape[:axis])), -1)
        return function(rows, 1).reshape(x.shape)
    return formula


def hardmax(node, x):
    axis = int(node.get("axis", 1 if version(node) < 13 else -1))
    rows = x.reshape(int(np.prod(x.shape[:axis % max(x.ndim, 1)])), -1) if version(node) < 13 else np.moveaxis(x, axis, -1)
    made = np.zeros(rows.shape)
    np.put_along_axis(made, np.expand_dims(rows.argmax(-1), -1), 1, -1)
    return made.reshape(x.shape) if version(node) < 13 else np.moveaxis(made, -1, axis)


def batch_normalization(node, x, scale, bias, mean, variance):
    s, b, m, v = (along(p, x.ndim) for p in (scale, bias, mean, variance))
    if node.get("training_mode", 0) or (version(node) < 9 and not node.get("spatial", 1)) or len(node.outputs) > 1:
        return None
    if version(node) < 7 and "is_test" not in node.attributes:
        return None  # what a model means that does not say it is for the reader of the model to choose
    if version(node) < 7 and not node.get("is_test"):
        return normalised(x, (0, *range(2, x.ndim)), node.get("epsilon", 1e-5)) * s + b
    return (real(x) - m) / np.sqrt(v + node.get("epsilon", 1e-5)) * s + b


def instance_normalization(node, x, scale, bias):
    return normalised(x, tuple(range(2, x.ndim)), node.get("epsilon", 1e-5)) * along(scale, x.ndim) + along(bias, x.ndim)


def layer_normalization(node, x, scale, bias=None):
    axes = tuple(range(int(node.get("axis", -1)) % x.ndim, x.ndim))
    made = normalised(x, axes, node.get("epsilon", 1e-5)) * real(scale) + (0 if bias is None else real(bias))
    mean = real(x).mean(axes, keepdims=True)
    return [made, mean, 1 / np.sqrt(real(x).var(axes, keepdims=True) + node.get("epsilon", 1e-5))]


def root_mean_square(x, scale, axes, epsilon):
    return real(x) / np.sqrt((real(x) ** 2).mean(axes, keepdims=True) + epsilon) * real(scale)


def simplified_layer_normalization(node, x, scale):
    axes = tuple(range(int(node.get("axis", -1)) % x.ndim, x.ndim))
    made = root_mean_square(x, scale, axes, node.get("epsilon", 1e-5))
    return [made] if len(node.outputs) == 1 else None


def group_normalization(node, x, scale, bias):
    groups = int(node.get("num_groups"))
    made = normalised(x.reshape(x.shape[0], groups, -1), 2, node.get("epsilon", 1e-5))
    if version(node) < 21:  # one number for each group
        return (made * real(scale).reshape(1, -1, 1) + real(bias).reshape(1, -1, 1)).reshape(x.shape)
    return made.reshape(x.shape) * along(scale, x.ndim) + along(bias, x.ndim)


def lp_normalization(node, x):
    axis, p = int(node.get("axis", -1)), int(node.get("p", 2))
    size = np.abs(real(x)).sum(axis, keepdims=True) if p == 1 else np.sqrt((real(x) ** 2).sum(axis, keepdims=True))
    return np.where(size == 0, 0, real(x) / size)


def mean_variance_normalization(node, x):
    axes = reduce_axes(node.get("axes", [0, 2, 3]), x.ndim)
    if version(node) < 9:  # the experimental form: one image at a time
        axes = tuple(range(1 if node.get("across_channels", 0) else 2, x.ndim))
    centred = real(x) - real(x).mean(axes, keepdims=True)
    if not node.get("normalize_variance", 1):
        return centred
    return centred / (np.sqrt(real(x).var(axes, keepdims=True)) + 1e-9)


def padding(node, x, kernel, strides, dilations):
    mode = node.get("auto_pad", "NOTSET")
    space = len(kernel)
    if mode in ("NOTSET", ""):
        pads = node.get("pads", [0] * 2 * space)
        return pads[:space], pads[space:]
    if mode == "VALID":
        return [0] * space, [0] * space
    begin, end = [], []
    for size, k, t, d in zip(x.shape[2:], kernel, strides, dilations):
        total = max((-(-size // t) - 1) * t + (k - 1) * d + 1 - size, 0)
        less, more = total // 2, total - total // 2
        begin.append(less if mode == "SAME_UPPER" else more)
        end.append(more if mode == "SAME_UPPER" else less)
    return begin, end


def conv(node, x, w, bias=None):
    space = x.ndim - 2
    strides, dilations = node.get("strides", [1] * space), node.get("dilations", [1] * space)
    made = convolution(x, w, strides, dilations, *padding(node, x, w.shape[2:], strides, dilations), int(node.get("group", 1)))
    return made if bias is None else made + along(bias, x.ndim)


def conv_transpose(node, x, w, bias=None):
    space = x.ndim - 2
    strides, dilations = node.get("strides", [1] * space), node.get("dilations", [1] * space)
    extra = node.get("output_padding", [0] * space)
    full = [(s - 1) * t + (k - 1) * d + 1 + e for s, t, k, d, e in zip(x.shape[2:], strides, w.shape[2:], dilations, extra)]
    mode, pads = node.get("auto_pad", "NOTSET"), node.get("pads", [0] * 2 * space)
    length = node.get("output_shape")
    if length is not None and len(length) == space + 2:
        length = length[2:]
    if length is None and mode.startswith("SAME"):
        length = [s * t for s, t in zip(x.shape[2:], strides)]
    if length is None:
        begin = [0] * space if mode == "VALID" else pads[:space]
        length = [f - (0 if mode == "VALID" else pads[i] + pads[space + i]) for i, f in enumerate(full)]
    else:
        begin = []
        for f, n in zip(full, length):
            total = max(f - n, 0)
            # SAME_UPPER puts the smaller half in front, everything else the larger; up to version 10 with output_shape it is the other way round.
            smaller_first = (mode == "SAME_UPPER") == (version(node) >= 11 or "output_shape" not in node.attributes)
            begin.append(total // 2 if smaller_first else total - total // 2)
    made = transposed_convolution(x, w, strides, dilations, begin, length, int(node.get("group", 1)))
    return made if bias is None else made + along(bias, x.ndim)


def gemm(node, a, b, c=None):
    a, b = (real(a).T if node.get("transA", 0) else real(a)), (real(b).T if node.get("transB", 0) else real(b))
    if version(node) < 7 and c is not None and not node.get("broadcast", 0) and c.ndim != 2:
        return None
    return node.get("alpha", 1.0) * (a @ b) + (0 if c is None else node.get("beta", 1.0) * real(c))


def celu(node, x):
    alpha = node.get("alpha", 1.0)
    return np.maximum(0, real(x)) + np.minimum(0, alpha * np.expm1(real(x) / alpha))


def shrink(node, x):
    lambd, bias = node.get("lambd", 0.5), node.get("bias", 0.0)
    return np.where(real(x) < -lambd, real(x) + bias, np.where(real(x) > lambd, real(x) - bias, 0))


def clip(node, x, low=None, high=None):
    low = node.get("min", -math.inf) if low is None else real(low)
    high = node.get("max", math.inf) if high is None else real(high)
    return np.minimum(np.maximum(real(x), low), high)


def p_relu(node, x, slope):
    return np.where(real(x) < 0, real(x) * real(slope), real(x)) if version(node) >= 7 else None


REDUCTIONS = {"ReduceSum": np.sum, "ReduceMean": np.mean, "ReduceMax": np.max, "ReduceMin": np.min, "ReduceProd": np.prod,
              "ReduceL1": lambda x, axis, keepdims: np.abs(x).sum(axis=axis, keepdims=keepdims),
              "ReduceL2": lambda x, axis, keepdims: np.sqrt((x ** 2).sum(axis=axis, keepdims=keepdims)),
              "ReduceLogSum": lambda x, axis, keepdims: np.log(x.sum(axis=axis, keepdims=keepdims)),
              "ReduceLogSumExp": lambda x, axis, keepdims: np.logaddexp.reduce(x, axis=axis, keepdims=keepdims) if np.size(axis) == 1 else None,
              "ReduceSumSquare": lambda x, axis, keepdims: (x ** 2).sum(axis=axis, keepdims=keepdims)}


def reduction(function):
    def formula(node, x, axes=None):
        axes = node.get("axes") if axes is None else axes
        if x.size == 0:
            return None
        if axes is None or np.size(axes) == 0:
            if node.get("noop_with_empty_axes", 0):
                return None
            axes = list(range(x.ndim))
        return function(real(x), axis=reduce_axes(axes, x.ndim), keepdims=bool(node.get("keepdims", 1)))
    return formula


# -- quantised numbers, classical machine learning ---------------------------------------------------------------------------------------


def shaped(parameter, x, axis):
    return real(parameter) if np.ndim(parameter) == 0 or np.size(parameter) == 1 else along(parameter, x.ndim, axis % x.ndim)


def quantised(x, scale, zero, kind, axis=1, precision=np.float64):
    info = np.iinfo(kind)
    quotient = np.asarray(x, precision) / np.asarray(shaped(scale, x, axis), precision)
    return np.clip(np.rint(real(quotient)) + shaped(zero, x, axis), info.min, info.max)


def quantize_linear(node, x, scale, zero=None):
    if np.ndim(scale) > 1 or node.get("block_size"):
        return None
    kinds = {2: np.uint8, 3: np.int8, 4: np.uint16, 5: np.int16}
    zero = kinds[int(node.get("output_dtype", 2))](0) if zero is None else zero
    precision = {0: np.float64, 1: np.float32, 10: np.float16}[int(node.get("precision", 0))]  # of the division
    return quantised(x, scale, zero, zero.dtype, int(node.get("axis", 1)), precision)


def dequantize_linear(node, x, scale, zero=None):
    if np.ndim(scale) > 1 or node.get("block_size"):
        return None
    axis = int(node.get("axis", 1))
    return (real(x) - (0 if zero is None else shaped(zero, x, axis))) * shaped(scale, x, axis)


def q_linear_binary(function):
    def formula(node, a, a_scale, a_zero, b, b_scale, b_zero, c_scale, c_zero=None):
        zeros = [0 if z is None else z for z in (a_zero, b_zero)]
        made = function((real(a) - real(zeros[0])) * real(a_scale), (real(b) - real(zeros[1])) * real(b_scale))
        return quantised(made, c_scale, 0 if c_zero is None else c_zero, a.dtype)
    return formula


def q_linear_mat_mul(node, a, a_scale, a_zero, b, b_scale, b_zero, y_scale, y_zero):
    if any(np.size(s) != 1 for s in (a_scale, b_scale, y_scale)):
        return None
    return quantised((real(a) - real(a_zero)) @ (real(b) - real(b_zero)) * real(a_scale) * real(b_scale), y_scale, y_zero, y_zero.dtype)


def mat_mul_integer(node, a, b, a_zero=None, b_zero=None):
    column = lambda z: 0 if z is None else real(z).reshape(-1, 1) if np.size(z) > 1 else real(z)
    return (real(a) - column(a_zero)) @ (real(b) - (0 if b_zero is None else real(b_zero)))


def normalizer(node, x):
    norm = node.get("norm", "MAX")
    size = {"MAX": np.max(real(x), -1, keepdims=True), "L1": np.abs(real(x)).sum(-1, keepdims=True),
            "L2": np.sqrt((real(x) ** 2).sum(-1, keepdims=True))}[norm]
    return real(x) / np.where(size == 0, 1, size)


def scaler(node, x):
    return (real(x) - np.array(node.get("offset"), np.float64)) * np.array(node.get("scale"), np.float64)


def skip_layer_normalization(node, x, skip, gamma, beta=None, bias=None):
    total = real(x) + real(skip) + (0 if bias is None else real(bias))
    return normalised(total, -1, node.get("epsilon", 1e-12)) * real(gamma) + (0 if beta is None else real(beta))


def fused_mat_mul(node, a, b):
    if node.get("transBatchA") or node.get("transBatchB"):
        return None
    a = np.swapaxes(real(a), -1, -2) if node.get("transA") else real(a)
    b = np.swapaxes(real(b), -1, -2) if node.get("transB") else real(b)
    return node.get("alpha", 1.0) * (a @ b)


def mel_weights(node, bins, length, rate, low, high):
    """Triangles with edges at whole places of the spectrum."""
    bins, length, rate = int(bins), int(length), int(rate)
    spectrum = length // 2 + 1
    mel = lambda hertz: 2595 * math.log10(1 + hertz / 700)
    # In steps of one part in bins + 2, as ONNX's own function has it: the last edge is not `high`.
    edges = mel(float(low)) + np.arange(bins + 2) * (mel(float(high)) - mel(float(low))) / (bins + 2)
    places = np.floor((length + 1) * (700 * (10 ** (edges / 2595) - 1)) / rate).astype(int)
    made = np.zeros((spectrum, bins))
    for i in range(bins):
        lower, centre, upper = places[i:i + 3]
        if centre == lower:
            made[centre, i] = 1
        for at in range(lower, centre + 1 if centre != lower else lower):
            made[at, i] = (at - lower) / (centre - lower)
        for at in range(centre, upper):
            made[at, i] = (upper - at) / (upper - centre)
    return made


def tree_ensemble(node, x):
    """TreeEnsemble-5, row by row and branch by branch."""
    sets, members = {}, list(node.get("membership_values", []))
    modes = [int(m) for m in node.get("nodes_modes")]
    for at, mode in enumerate(modes):
        if mode == 6:
            end = next(i for i, v in enumerate(members) if np.isnan(v))
            sets[at], members = members[:end], members[end + 1:]
    compare = [np.less_equal, np.less, np.greater_equal, np.greater, np.equal, np.not_equal]
    tracks = node.get("nodes_missing_value_tracks_true", [0] * len(modes))
    rows = []
    for row in real(x):
        found = [[] for _ in range(int(node.get("n_targets", 1)))]
        for at in node.get("tree_roots"):
            leaf = 0
            while not leaf:
                value, split = row[node.get("nodes_featureids")[at]], float(node.get("nodes_splits")[at])
                yes = value in sets[at] if modes[at] == 6 else bool(compare[modes[at]](value, split))
                branch = "true" if yes or (np.isnan(value) and tracks[at]) else "false"
                at, leaf = node.get(f"nodes_{branch}nodeids")[at], node.get(f"nodes_{branch}leafs")[at]
            found[node.get("leaf_targetids")[at]].append(float(node.get("leaf_weights")[at]))
        function = int(node.get("aggregate_function", 1))
        rows.append([(sum(f) / (len(node.get("tree_roots")) if function == 0 else 1)) if function < 2 else (min, max)[function - 2](f) for f in found])
    made = np.array(rows)
    return {0: made, 2: sigmoid(made)}.get(int(node.get("post_transform", 0)))


def linear_regressor(node, x):
    targets = int(node.get("targets", 1))
    w = np.array(node.get("coefficients"), np.float64).reshape(targets, -1)
    made = real(x).reshape(-1, w.shape[1]) @ w.T + np.array(node.get("intercepts", [0.0] * targets), np.float64)
    return made if node.get("post_transform", "NONE") == "NONE" else None


def unary(function):
    return lambda node, x: function(real(x)) if x.dtype.kind == "f" else None


UNARY_NAMES = {"Ceil": "Ceiling", "Neg": "Negative", "Relu": "ReLU", "Softplus": "SoftPlus", "Softsign": "SoftSign"}
ONNX = {
    **{UNARY_NAMES_BACK: unary(UNARY[name]) for name in UNARY for UNARY_NAMES_BACK in [{v: k for k, v in UNARY_NAMES.items()}.get(name, name)]
       if name not in ("HSwish", "HSigmoid")},
    **{name: reduction(function) for name, function in REDUCTIONS.items()},
    "Softmax": soft(softmax), "LogSoftmax": soft(log_softmax), "Hardmax": hardmax,
    "BatchNormalization": batch_normalization, "InstanceNormalization": instance_normalization, "LayerNormalization": layer_normalization,
    "SimplifiedLayerNormalization": simplified_layer_normalization, "GroupNormalization": group_normalization,
    "RMSNormalization": lambda node, x, scale: root_mean_square(x, scale, tuple(range(int(node.get("axis", -1)) % x.ndim, x.ndim)), node.get("epsilon", 1e-5)),
    "LRN": lambda node, x: local_response(x, int(node.get("size")), node.get("alpha", 1e-4) / node.get("size"), node.get("beta", 0.75), node.get("bias", 1.0)),
    "LpNormalization": lp_normalization, "MeanVarianceNormalization": mean_variance_normalization,
    "Conv": conv, "ConvTranspose": conv_transpose, "Gemm": gemm, "MatMul": lambda node, a, b: real(a) @ real(b),
    "Celu": celu, "Elu": lambda node, x: elu(x, node.get("alpha", 1.0)), "HardSigmoid": lambda node, x: hard_sigmoid(x, node.get("alpha", 0.2), node.get("beta", 0.5)),
    "HardSwish": lambda node, x: real(x) * hard_sigmoid(x, 1 / 6, 0.5), "LeakyRelu": lambda node, x: np.where(real(x) < 0, node.get("alpha", 0.01) * real(x), real(x)),
    "Selu": lambda node, x: selu(x, node.get("alpha", 1.6732 if version(node) < 6 else 1.67326319217681884765625),
                                 node.get("gamma", 1.0507 if version(node) < 6 else 1.05070102214813232421875)),
    "Shrink": shrink, "Clip": clip, "PRelu": p_relu, "ThresholdedRelu": lambda node, x: np.where(real(x) > node.get("alpha", 1.0), real(x), 0),
    "Gelu": lambda node, x: gelu(x, node.get("approximate", "none") == "tanh"), "Reciprocal": lambda node, x: 1 / real(x),
    "QuantizeLinear": quantize_linear, "DequantizeLinear": dequantize_linear, "QLinearMatMul": q_linear_mat_mul, "MatMulInteger": mat_mul_integer,
}
MICROSOFT = {
    "Gelu": lambda node, x: gelu(x), "QuickGelu": lambda node, x: real(x) * sigmoid(node.get("alpha", 1.702) * real(x)),
    "FastGelu": lambda node, x, bias=None: gelu(real(x) + (0 if bias is None else real(bias)), True), "BiasGelu": lambda node, x, bias: gelu(real(x) + real(bias)),
    "QLinearAdd": q_linear_binary(np.add), "QLinearMul": q_linear_binary(np.multiply), "SkipLayerNormalization": skip_layer_normalization,
    "QLinearSigmoid": lambda node, x, s, z, ys, yz=None: quantised(sigmoid((real(x) - (0 if z is None else real(z))) * real(s)), ys, 0 if yz is None else yz, x.dtype),
    "QLinearLeakyRelu": lambda node, x, s, z, ys, yz=None: quantised(
        (lambda v: np.where(v < 0, node.get("alpha", 0.01) * v, v))((real(x) - (0 if z is None else real(z))) * real(s)), ys, 0 if yz is None else yz, x.dtype),
}
ONNX["MelWeightMatrix"] = mel_weights
MICROSOFT.update({"FusedMatMul": fused_mat_mul, "Inverse": lambda node, x: np.linalg.inv(real(x))})
ML = {"TreeEnsemble": tree_ensemble, "LinearRegressor": linear_regressor, "Normalizer": normalizer, "Scaler": scaler}
FORMULAS = {**{"onnx::" + name: formula for name, formula in ONNX.items()}, **{"com.microsoft::" + name: formula for name, formula in MICROSOFT.items()},
            **{"ai.onnx.ml::" + name: formula for name, formula in ML.items()}}
