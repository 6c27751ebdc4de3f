"""Operators of ONNX and com.microsoft, after their specification."""
import math

import numpy as np

from formulas_ops import (UNARY, along, convolution, elu, gelu, hard_sigmoid, local_response, log_softmax, normalised, real, reduce_axes,
                          selu, sigmoid, softmax, softplus, transposed_convolution)


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


# -- recurrent networks --------------------------------------------------------------------------------------------------------------

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


# -- quantised numbers, classical machine learning ---------------------------------------------------------------------------------------


def shaped(parameter, x, axis):
    return real(parameter) if np.ndim(parameter) == 0 or np.size(parameter) == 1 else along(parameter, x.ndim, axis % x.ndim)


def quantised(x, scale, zero, kind, axis=1):
    info = np.iinfo(kind)
    return np.clip(np.rint(real(x) / shaped(scale, x, axis)) + shaped(zero, x, axis), info.min, info.max)


def quantize_linear(node, x, scale, zero=None):
    if np.ndim(scale) > 1 or node.get("block_size"):
        return None
    kinds = {2: np.uint8, 3: np.int8, 4: np.uint16, 5: np.int16}
    zero = kinds[int(node.get("output_dtype", 2))](0) if zero is None else zero
    return quantised(x, scale, zero, zero.dtype, int(node.get("axis", 1)))


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


# -- Resize: one axis after the other -----------------------------------------------------------------------------------------------------


def place_of(mode, i, before, after, exact, scale):
    """The coordinate in the input; `exact` is the length before it is rounded down."""
    if mode == "align_corners":
        return 0.0 if exact == 1 else i * (before - 1) / (exact - 1)
    if mode == "asymmetric":
        return i / scale
    if mode == "pytorch_half_pixel" and exact <= 1:
        return -0.5
    if mode == "half_pixel_symmetric":
        return before / 2 * (1 - after / exact) + (i + 0.5) / scale - 0.5
    return (i + 0.5) / scale - 0.5 if mode in ("half_pixel", "pytorch_half_pixel") else None


def cubic(distance, a):
    d = abs(distance)
    if d <= 1:
        return ((a + 2) * d - (a + 3)) * d * d + 1
    return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a if d < 2 else 0.0


NEAREST = {"round_prefer_floor": lambda v: math.ceil(v - 0.5), "round_prefer_ceil": lambda v: math.floor(v + 0.5), "floor": math.floor, "ceil": math.ceil}


def weights_along(node, before, after, scale, exact):
    mode = node.get("mode", "nearest")
    matrix = np.zeros((after, before))
    for i in range(after):
        at = place_of(node.get("coordinate_transformation_mode", "half_pixel"), i, before, after, exact, scale)
        if mode == "nearest":
            matrix[i, min(max(NEAREST[node.get("nearest_mode", "round_prefer_floor")](at), 0), before - 1)] = 1
            continue
        narrow = min(scale, 1.0) if node.get("antialias", 0) else 1.0
        reach, a = (1, 0) if mode == "linear" else (2, node.get("cubic_coeff_a", -0.75))
        base, total = math.floor(at), 0.0
        first = math.floor(-reach / narrow) + 1
        for k in range(first, 2 - first + (reach - 1 if narrow == 1.0 and reach == 1 else 0)):
            distance = (base + k - at) * narrow
            weight = max(1 - abs(distance), 0) if mode == "linear" else cubic(distance, a)
            if node.get("exclude_outside", 0) and not 0 <= base + k < before:
                continue
            matrix[i, min(max(base + k, 0), before - 1)] += weight
            total += weight
        if node.get("exclude_outside", 0) or node.get("antialias", 0):
            matrix[i] /= total
    return matrix


def resize(node, x, roi=None, scales=None, sizes=None):
    if version(node) < 11:
        scales, node = roi, type(node)(node.op, [], {"mode": node.get("mode", "nearest"), "coordinate_transformation_mode": "asymmetric",
                                                    "nearest_mode": "floor"}, node.outputs)
    if node.get("keep_aspect_ratio_policy", "stretch") != "stretch" or node.get("coordinate_transformation_mode") == "tf_crop_and_resize":
        return None
    if x.dtype.kind != "f" and node.get("mode", "nearest") != "nearest":
        return None  # how a mean is rounded is not said
    axes = [int(a) % x.ndim for a in node.get("axes", range(x.ndim))]
    made = real(x)
    for n, axis in enumerate(axes):
        before = x.shape[axis]
        if scales is not None and np.size(scales):
            scale = float(scales[n])
            exact = before * scale
            after = math.floor(exact + 1e-6)
        else:
            after = exact = int(sizes[n])
            scale = after / before
        if scale != 1:
            made = np.moveaxis(np.tensordot(weights_along(node, before, after, scale, exact), made, (1, axis)), 0, axis)
    return made


def upsample(node, x, scales=None):
    if scales is None:
        scales = node.get("scales", [1, 1, node.get("height_scale"), node.get("width_scale")])
    if node.get("mode", "nearest") != "nearest":
        return None
    for axis, scale in enumerate(scales):
        x = np.take(x, np.floor(np.arange(math.floor(x.shape[axis] * scale)) / scale).astype(int), axis)
    return x


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
    "Swish": lambda node, x: real(x) * sigmoid(node.get("alpha", 1.0) * real(x)),
    "RNN": recurrent(1, ["Tanh"], rnn_step), "GRU": recurrent(3, ["Sigmoid", "Tanh"], gru_step), "LSTM": recurrent(4, ["Sigmoid", "Tanh", "Tanh"], lstm_step),
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
ONNX.update({"MelWeightMatrix": mel_weights, "Resize": resize, "Upsample": upsample})
MICROSOFT.update({"FusedMatMul": fused_mat_mul, "Inverse": lambda node, x: np.linalg.inv(real(x))})
ML = {"LinearRegressor": linear_regressor, "Normalizer": normalizer, "Scaler": scaler}
FORMULAS = {**{"onnx::" + name: formula for name, formula in ONNX.items()}, **{"com.microsoft::" + name: formula for name, formula in MICROSOFT.items()},
            **{"ai.onnx.ml::" + name: formula for name, formula in ML.items()}}
