"""Operators of TensorFlow, after its API documentation and the definitions that its kernels implement."""
import math

import numpy as np

from formulas_ops import (UNARY, along, convolution, elu, erf, gelu, local_response, log_softmax, real, selu, sigmoid, softmax, transposed_convolution)


def channels(node):
    """The axis of the channels."""
    return 1 if str(node.get("data_format", "NHWC")).startswith("NC") else -1


def to_first(node, x):
    return np.moveaxis(real(x), channels(node), 1)


def from_first(node, x):
    return np.moveaxis(x, 1, channels(node))


def of_space(node, numbers, count):
    numbers = list(numbers or [1] * (count + 2))
    return numbers[2:] if channels(node) == 1 else numbers[1:-1]


def same(size, kernel, stride, dilation):
    total = max((-(-size // stride) - 1) * stride + (kernel - 1) * dilation + 1 - size, 0)
    return total // 2, total - total // 2


def pads_of(node, sizes, kernel, strides, dilations):
    if node.get("padding") == "SAME":
        pairs = [same(*numbers) for numbers in zip(sizes, kernel, strides, dilations)]
    elif node.get("padding") == "EXPLICIT":
        flat = list(node.get("explicit_paddings"))
        pairs = list(zip(flat[::2], flat[1::2]))
        pairs = pairs[2:] if channels(node) == 1 else pairs[1:-1]
    else:
        pairs = [(0, 0)] * len(kernel)
    return [p[0] for p in pairs], [p[1] for p in pairs]


def weights_first(w):
    """[*kernel, in, out] -> [out, in, *kernel]"""
    return np.moveaxis(real(w), [-1, -2], [0, 1])


def conv(node, x, w):
    space = w.ndim - 2
    x, strides, dilations = to_first(node, x), of_space(node, node.get("strides"), space), of_space(node, node.get("dilations"), space)
    begin, end = pads_of(node, x.shape[2:], w.shape[:space], strides, dilations)
    return from_first(node, convolution(x, weights_first(w), strides, dilations, begin, end, x.shape[1] // w.shape[-2]))


def depthwise(node, x, w):
    height, width, count, multiplier = w.shape
    x, strides, dilations = to_first(node, x), of_space(node, node.get("strides"), 2), of_space(node, node.get("dilations"), 2)
    begin, end = pads_of(node, x.shape[2:], (height, width), strides, dilations)
    weights = np.transpose(real(w), (2, 3, 0, 1)).reshape(count * multiplier, 1, height, width)
    return from_first(node, convolution(x, weights, strides, dilations, begin, end, count))


def conv_backprop(node, sizes, w, y):
    space = w.ndim - 2
    if np.size(sizes) != space + 2:
        return None
    y, strides, dilations = to_first(node, y), of_space(node, node.get("strides"), space), of_space(node, node.get("dilations"), space)
    length = [int(s) for s in of_space(node, sizes.tolist(), space)]
    begin, _ = pads_of(node, length, w.shape[:space], strides, dilations)
    groups = (int(sizes[channels(node)]) // w.shape[-2])
    # Of the convolution that is taken back: its outputs are our channels in.
    return from_first(node, transposed_convolution(y, weights_first(w), strides, dilations, begin, length, groups))


def fused_batch_norm(node, x, scale, offset, mean, variance):
    if node.get("is_training", True) or x.ndim != 4:
        return None
    x = to_first(node, x)
    s, b, m, v = (along(p, x.ndim) for p in (scale, offset, mean, variance))
    return [from_first(node, (x - m) / np.sqrt(v + node.get("epsilon", 1e-4)) * s + b)]


def fused_conv(plain):
    """_FusedConv2D: a bias or a batch normalisation, then an activation."""
    def formula(node, x, w, *more):
        made = plain(node, x, w)
        for name in node.get("fused_ops"):
            if name == "BiasAdd":
                made = made + along(more[0], made.ndim, channels(node) % made.ndim)
            elif name == "FusedBatchNorm":
                s, b, m, v = (along(p, made.ndim, channels(node) % made.ndim) for p in more[:4])
                made = (made - m) / np.sqrt(v + node.get("epsilon", 1e-4)) * s + b
            elif name == "LeakyRelu":
                made = np.where(made < 0, node.get("leakyrelu_alpha", 0.2) * made, made)
            elif name in ACTIVATIONS:
                made = ACTIVATIONS[name](made)
            else:
                return None
        return made
    return formula


ACTIVATIONS = {"Relu": lambda v: np.maximum(v, 0), "Relu6": lambda v: np.clip(v, 0, 6), "Elu": elu, "Tanh": np.tanh, "Sigmoid": sigmoid}


def crop_and_resize(node, image, boxes, owners, size):
    height, width = (int(s) for s in size)
    outside = node.get("extrapolation_value", 0.0)
    made = np.full((len(boxes), height, width, image.shape[-1]), outside, np.float64)
    for n, (y0, x0, y1, x1) in enumerate(real(boxes)):
        for i in range(height):
            for j in range(width):
                y = y0 * (image.shape[1] - 1) + i * (y1 - y0) * (image.shape[1] - 1) / (height - 1) if height > 1 else (y0 + y1) / 2 * (image.shape[1] - 1)
                x = x0 * (image.shape[2] - 1) + j * (x1 - x0) * (image.shape[2] - 1) / (width - 1) if width > 1 else (x0 + x1) / 2 * (image.shape[2] - 1)
                if not (0 <= y <= image.shape[1] - 1 and 0 <= x <= image.shape[2] - 1):
                    continue
                own = real(image)[int(owners[n])]
                if node.get("method", "bilinear") == "nearest":
                    made[n, i, j] = own[int(math.floor(y + 0.5)), int(math.floor(x + 0.5))]
                    continue
                top, left = math.floor(y), math.floor(x)
                bottom, right = math.ceil(y), math.ceil(x)
                upper = own[top, left] + (own[top, right] - own[top, left]) * (x - left)
                lower = own[bottom, left] + (own[bottom, right] - own[bottom, left]) * (x - left)
                made[n, i, j] = upper + (lower - upper) * (y - top)
    return made


def batch_norm_with_global(node, x, mean, variance, beta, gamma):
    made = (real(x) - real(mean)) / np.sqrt(real(variance) + node.get("variance_epsilon"))
    return made * (real(gamma) if node.get("scale_after_normalization") else 1) + real(beta)


def lrn(node, x):
    radius = int(node.get("depth_radius", 5))
    return local_response(x, 2 * radius + 1, node.get("alpha", 1.0), node.get("beta", 0.5), node.get("bias", 1.0), -1)


# -- complex numbers and Fourier transforms --------------------------------------------------------------------------------------------------
# Results of complex type are compared as a last dimension of 2.


class Complex:
    def __init__(self, value):
        self.value = value

    def __array__(self, dtype=None):
        return np.stack([self.value.real, self.value.imag], -1)


def complex_unary(function):
    return lambda node, z: function(z.value)


def numbers(x):
    return x.value if isinstance(x, Complex) else real(x)


def wrapped(made):
    return Complex(made) if np.iscomplexobj(made) else made


def complex_numbers(x):
    """What a node with a complex type attribute reads; a placeholder of reals has pairs of them."""
    return x.value if isinstance(x, Complex) else real(x)[..., 0] + 1j * real(x)[..., 1]


def complex_too(function):
    """An operator of two tensors, real or complex."""
    def formula(node, a, b):
        if not is_complex(node, a, b):
            return None if a.dtype.kind != "f" else function(real(a), real(b))
        return wrapped(function(complex_numbers(a), complex_numbers(b)))
    return formula


def complex_only(function):
    """An operator of one tensor of complex numbers."""
    return lambda node, z, *others: Complex(function(node, complex_numbers(z), *others)) if is_complex(node, z) else None


def complex_of_two(function):
    """An operator of two tensors of complex numbers."""
    return lambda node, a, b: Complex(function(complex_numbers(a), complex_numbers(b))) if is_complex(node, a, b) else None


def cast(node, x):
    made = complex_numbers(x) if node.get("SrcT").startswith("DT_COMPLEX") else numbers(x)
    if node.get("DstT").startswith("DT_COMPLEX"):
        return Complex(made.astype(np.complex128))
    return made.real if np.iscomplexobj(made) and node.get("DstT") == "DT_FLOAT" else None


def axes_of(axes):
    return tuple(int(a) for a in np.atleast_1d(axes))


def fourier(function, rank, sized=False):
    def formula(node, z, lengths=None):
        value = numbers(z)
        axes = tuple(range(-rank, 0))
        if not sized:
            return Complex(function(value, axes=axes))
        made = function(value, s=[int(n) for n in np.atleast_1d(lengths)], axes=axes)
        return wrapped(made)
    return formula


# -- images --------------------------------------------------------------------------------------------------------------------------------


def scale_of(node, before, after):
    return (before - 1) / (after - 1) if node.get("align_corners", False) and after > 1 else before / after


def bilinear(node, x, size):
    rows = x = real(x)
    for axis, after in zip((1, 2), (int(s) for s in size)):
        before, scale = x.shape[axis], scale_of(node, x.shape[axis], after)
        place = np.arange(after) * scale
        if node.get("half_pixel_centers", False):
            place = (np.arange(after) + 0.5) * scale - 0.5
        low = np.floor(place)
        weight = place - low
        shape = [-1 if i == axis else 1 for i in range(4)]
        first = np.take(rows, np.clip(low, 0, before - 1).astype(int), axis)
        second = np.take(rows, np.clip(np.ceil(place), 0, before - 1).astype(int), axis)
        rows = first + (second - first) * weight.reshape(shape)
    return rows


def nearest(node, x, size):
    made = x
    for axis, after in zip((1, 2), (int(s) for s in size)):
        scale = np.float32(scale_of(node, x.shape[axis], after))
        place = np.arange(after, dtype=np.float32) * scale
        if node.get("half_pixel_centers", False):
            place = np.floor((np.arange(after, dtype=np.float32) + np.float32(0.5)) * scale)
        elif node.get("align_corners", False):
            place = np.floor(place + np.float32(0.5))
        made = np.take(made, np.clip(np.floor(place), 0, x.shape[axis] - 1).astype(int), axis)
    return made


def cubic_weight(distance, a):
    d = abs(distance)
    if d <= 1:
        return ((a + 2) * d - (a + 3)) * d * d + 1
    return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a if d < 2 else 0.0


def bicubic(node, x, size):
    """Keys' cubic with A = -0.5, normalised weights inside of the image and fractions in steps of 1/1024 for half_pixel_centers; else A = -0.75 with
    repeated edges. (There TensorFlow's kernel takes its weights from a table of 1024 steps as well; here is the function that the table stands for.)"""
    half = node.get("half_pixel_centers", False)
    made = real(x)
    for axis, after in zip((1, 2), (int(s) for s in size)):
        before, scale = x.shape[axis], scale_of(node, x.shape[axis], after)
        matrix = np.zeros((after, before))
        for i in range(after):
            place = (i + 0.5) * scale - 0.5 if half else i * scale
            base = math.floor(place)
            fraction = round((place - base) * 1024) / 1024 if half else place - base
            for k in range(-1, 3):
                weight = cubic_weight(k - fraction, -0.5 if half else -0.75)
                at = base + k
                if half and not 0 <= at < before:
                    continue
                matrix[i, min(max(at, 0), before - 1)] += weight
            if half:
                matrix[i] /= matrix[i].sum()
        made = np.moveaxis(np.tensordot(matrix, made, (1, axis)), 0, axis)
    return made


def area(node, x, size):
    made = real(x)
    for axis, after in zip((1, 2), (int(s) for s in size)):
        before, scale = x.shape[axis], scale_of(node, x.shape[axis], after)
        matrix = np.zeros((after, before))
        for i in range(after):
            low, high = i * scale, (i + 1) * scale
            for at in range(math.floor(low), math.ceil(high)):
                matrix[i, min(max(at, 0), before - 1)] += min(at + 1, high) - max(at, low)
            matrix[i] /= scale
        made = np.moveaxis(np.tensordot(matrix, made, (1, axis)), 0, axis)
    return made


def rgb_to_hsv(node, x):
    x = real(x)
    value, span = x.max(-1), x.max(-1) - x.min(-1)
    r, g, b = np.moveaxis(x, -1, 0)
    unit = 1 / (6 * np.where(span > 0, span, 1))
    hue = np.where(r == value, unit * (g - b), np.where(g == value, unit * (b - r) + 2 / 6, unit * (r - g) + 4 / 6))
    hue = np.where(span > 0, hue, 0)
    return np.stack([np.where(hue < 0, hue + 1, hue), np.where(value > 0, span / np.where(value > 0, value, 1), 0), value], -1)


def hsv_to_rgb(node, x):
    h, s, v = np.moveaxis(real(x), -1, 0)
    return np.stack([(1 - s + s * np.clip(f, 0, 1)) * v for f in (abs(h * 6 - 3) - 1, 2 - abs(h * 6 - 2), 2 - abs(h * 6 - 4))], -1)


def adjust_saturation(node, x, factor):
    hsv = rgb_to_hsv(node, x)
    hsv[..., 1] = np.clip(hsv[..., 1] * real(factor), 0, 1)
    return hsv_to_rgb(node, hsv)


def adjust_hue(node, x, delta):
    hsv = rgb_to_hsv(node, x)
    hsv[..., 0] = (hsv[..., 0] + real(delta)) % 1.0
    return hsv_to_rgb(node, hsv)


# -- sums -----------------------------------------------------------------------------------------------------------------------------------


def cumulative(function, start):
    def formula(node, x, axis):
        axis = int(axis) % x.ndim
        rows = np.moveaxis(real(x), axis, 0)
        rows = rows[::-1] if node.get("reverse", False) else rows
        made = function(rows)
        if node.get("exclusive", False):
            made = np.concatenate([np.full_like(made[:1], start), made[:-1]])
        return np.moveaxis(made[::-1] if node.get("reverse", False) else made, 0, axis)
    return formula


def segments(function, empty):
    def formula(node, x, ids, count=None):
        if ids.ndim != 1 or (x.dtype.kind != "f" and function is np.mean):
            return None
        total = int(ids.max()) + 1 if count is None else int(count)
        rows = [real(x)[ids == i] for i in range(total)]
        return np.stack([function(r, 0) if len(r) else np.full(x.shape[1:], empty(x)) for r in rows])
    return formula


def lowest(x):
    return np.finfo(x.dtype).min if x.dtype.kind == "f" else np.iinfo(x.dtype).min


def highest(x):
    return np.finfo(x.dtype).max if x.dtype.kind == "f" else np.iinfo(x.dtype).max


def sparse_segments(function):
    def formula(node, x, places, ids, count=None):
        total = (int(ids.max()) + 1 if ids.size else 0) if count is None else int(count)
        rows = [real(x)[places[ids == i]] for i in range(total)]
        return np.stack([function(r) if len(r) else np.zeros(x.shape[1:]) for r in rows])
    return formula


def mat_mul(node, a, b):
    a = np.swapaxes(real(a), -1, -2) if node.get("transpose_a", node.get("adj_x", False)) else real(a)
    b = np.swapaxes(real(b), -1, -2) if node.get("transpose_b", node.get("adj_y", False)) else real(b)
    return a @ b


def matrix_inverse(node, x):
    made = np.linalg.inv(real(x))
    return np.swapaxes(made, -1, -2) if node.get("adjoint", False) else made


def fake_quant(node, x, low=None, high=None):
    low, high = (real(node.get("min", -6.0)), real(node.get("max", 6.0))) if low is None else (real(low), real(high))
    least, most = (1 if node.get("narrow_range", False) else 0), 2 ** int(node.get("num_bits", 8)) - 1
    if np.any(low == high):
        return None
    step = (high - low) / (most - least)
    # The range moves so that 0 is one of its numbers: in single precision, which decides at halves.
    single = np.float32(low) / (np.float32(high - low) / np.float32(most - least))
    zero = np.clip(np.floor(np.float32(least) - single + np.float32(0.5)), least, most)
    low, high = (least - zero) * step, (most - zero) * step
    return np.floor((np.clip(real(x), low, high) - low) / step + 0.5) * step + low


def is_complex(node, *inputs):
    return any(isinstance(x, Complex) for x in inputs) or str(node.get("T")).startswith("DT_COMPLEX")


def const(node):
    return wrapped(node.get("value"))


def unary(function):
    return lambda node, x: None if is_complex(node, x) or x.dtype.kind != "f" else function(real(x))


def binary(function):
    return lambda node, a, b: None if is_complex(node, a, b) or a.dtype.kind != "f" else function(real(a), real(b))


NAMES = {"Ceil": "Ceiling", "Neg": "Negative", "Relu": "ReLU", "Softplus": "SoftPlus", "Softsign": "SoftSign"}
ONE = {**{next((tf for tf, own in NAMES.items() if own == name), name): unary(function) for name, function in UNARY.items() if name not in ("HSwish", "HSigmoid")},
       "Square": unary(np.square), "Rsqrt": unary(lambda v: 1 / np.sqrt(v)), "Reciprocal": unary(lambda v: 1 / v), "Inv": unary(lambda v: 1 / v),
       "Expm1": unary(np.expm1), "Log1p": unary(np.log1p), "Erfc": unary(lambda v: 1 - erf(v)), "Rint": unary(np.rint), "Round": unary(np.rint),
       "Relu6": unary(lambda v: np.clip(v, 0, 6)), "Elu": unary(elu), "Selu": unary(selu),
       "Softmax": lambda node, x: softmax(x, -1), "LogSoftmax": lambda node, x: log_softmax(x, -1),
       "LeakyRelu": lambda node, x: np.where(real(x) < 0, node.get("alpha", 0.2) * real(x), real(x)),
       "Gelu": lambda node, x: gelu(x, node.get("approximate", True)), "Identity": lambda node, x: x, "Snapshot": lambda node, x: x,
       "Lgamma": unary(np.vectorize(math.lgamma, otypes=[float])),
       "MatrixInverse": matrix_inverse, "BatchMatrixInverse": matrix_inverse,
       "IsNan": lambda node, x: np.isnan(x), "IsInf": lambda node, x: np.isinf(x), "IsFinite": lambda node, x: np.isfinite(x)}
COMPLEX_TOO = {"AddV2": np.add, "Add": np.add, "Sub": np.subtract, "Mul": np.multiply, "RealDiv": np.divide}
TWO = {"Maximum": np.maximum, "Minimum": np.minimum,
       "SquaredDifference": lambda a, b: (a - b) ** 2, "Atan2": np.arctan2, "Pow": np.power, "Xdivy": lambda a, b: np.where(a == 0, 0, a / np.where(a == 0, 1, b)),
       "Xlogy": lambda a, b: np.where(a == 0, 0, a * np.log(np.where(a == 0, 1, b))),
       "Xlog1py": lambda a, b: np.where(a == 0, 0, a * np.log1p(np.where(a == 0, 1, b)))}
OTHERS = {
    "Const": const, "_FusedConv2D": fused_conv(conv), "_FusedDepthwiseConv2dNative": fused_conv(depthwise), "CropAndResize": crop_and_resize, "Conv2D": conv, "Conv3D": conv, "DepthwiseConv2dNative": depthwise, "Conv2DBackpropInput": conv_backprop,
    "Conv3DBackpropInputV2": conv_backprop, "FusedBatchNorm": fused_batch_norm, "FusedBatchNormV2": fused_batch_norm, "FusedBatchNormV3": fused_batch_norm,
    "BatchNormWithGlobalNormalization": batch_norm_with_global, "LRN": lrn,
    "Complex": lambda node, re, im: Complex(real(re) + 1j * real(im)), "Real": complex_unary(np.real), "Imag": complex_unary(np.imag),
    "ComplexAbs": complex_unary(np.abs), "Angle": complex_unary(np.angle), "Conj": lambda node, z: Complex(np.conj(z.value)),
    "ResizeBilinear": bilinear, "ResizeNearestNeighbor": nearest, "ResizeBicubic": bicubic, "ResizeArea": area, "RGBToHSV": rgb_to_hsv,
    "HSVToRGB": hsv_to_rgb, "AdjustSaturation": adjust_saturation, "AdjustHue": adjust_hue,
    "AdjustContrastv2": lambda node, x, factor: (real(x) - real(x).mean((-3, -2), keepdims=True)) * real(factor) + real(x).mean((-3, -2), keepdims=True),
    "Cumsum": cumulative(lambda r: np.cumsum(r, 0), 0), "Cumprod": cumulative(lambda r: np.cumprod(r, 0), 1),
    "SegmentSum": segments(np.sum, lambda x: 0), "SegmentMean": segments(np.mean, lambda x: 0), "SegmentProd": segments(np.prod, lambda x: 1),
    "SegmentMax": segments(np.max, lambda x: 0), "SegmentMin": segments(np.min, lambda x: 0), "UnsortedSegmentSum": segments(np.sum, lambda x: 0),
    "UnsortedSegmentProd": segments(np.prod, lambda x: 1), "UnsortedSegmentMax": segments(np.max, lowest), "UnsortedSegmentMin": segments(np.min, highest),
    "MatMul": mat_mul, "BatchMatMul": mat_mul, "BatchMatMulV2": mat_mul, "BatchMatMulV3": mat_mul, "SparseMatMul": lambda node, a, b: mat_mul(node, a, b),
    "BiasAdd": lambda node, x, bias: real(x) + along(bias, x.ndim, channels(node) % x.ndim),
    "FakeQuantWithMinMaxVars": fake_quant, "FakeQuantWithMinMaxArgs": fake_quant, "FakeQuantWithMinMaxVarsPerChannel": fake_quant,
    "ClipByValue": lambda node, x, low, high: np.minimum(np.maximum(real(x), real(low)), real(high)),
    "Cross": lambda node, a, b: np.cross(real(a), real(b)), "L2Loss": lambda node, x: (real(x) ** 2).sum() / 2,
    **{f"{prefix}{name}{suffix}": fourier(function, rank, sized) for name, function, sized in (
        ("FFT", np.fft.fftn, False), ("IFFT", np.fft.ifftn, False), ("RFFT", np.fft.rfftn, True), ("IRFFT", np.fft.irfftn, True))
       for rank, suffix in ((1, ""), (2, "2D"), (3, "3D")) for prefix in ("", "Batch")},
    **{f"SparseSegment{name}{more}": sparse_segments(function) for name, function in (
        ("Sum", lambda r: r.sum(0)), ("Mean", lambda r: r.mean(0)), ("SqrtN", lambda r: r.sum(0) / math.sqrt(len(r)))) for more in ("", "WithNumSegments")},
}
# Of complex numbers only: what these do with real ones is compared elsewhere.
COMPLEX = {
    "Exp": lambda node, z: Complex(np.exp(complex_numbers(z))) if is_complex(node, z) else unary(np.exp)(node, z),
    "Neg": lambda node, z: Complex(-complex_numbers(z)) if is_complex(node, z) else unary(np.negative)(node, z),
    "Reciprocal": lambda node, z: Complex(1 / complex_numbers(z)) if is_complex(node, z) else unary(lambda v: 1 / v)(node, z),
    "DivNoNan": complex_of_two(lambda a, b: np.where(b == 0, 0, a / np.where(b == 0, 1, b))),
    "Sum": complex_only(lambda node, z, axes: z.sum(axes_of(axes), keepdims=node.get("keep_dims", False))),
    "Mean": complex_only(lambda node, z, axes: z.mean(axes_of(axes), keepdims=node.get("keep_dims", False))),
    "Reshape": complex_only(lambda node, z, shape: z.reshape(axes_of(shape))), "Transpose": complex_only(lambda node, z, order: z.transpose(axes_of(order))),
    "ExpandDims": complex_only(lambda node, z, axis: np.expand_dims(z, int(axis))),
    "Pad": complex_only(lambda node, z, pads: np.pad(z, pads)),
    "PadV2": complex_only(lambda node, z, pads, value: np.pad(z, pads, constant_values=complex_numbers(value))),
    "Roll": complex_only(lambda node, z, shift, axis: np.roll(z, axes_of(shift), axes_of(axis))),
    "Pack": lambda node, *z: Complex(np.stack([complex_numbers(v) for v in z], node.get("axis", 0))) if is_complex(node, *z) else None,
    "ConcatV2": lambda node, *z: Complex(np.concatenate([complex_numbers(v) for v in z[:-1]], int(z[-1]))) if is_complex(node, *z) else None,
    "Cast": cast,
}
FORMULAS = {**{"tf::" + name: formula for name, formula in ONE.items()}, **{"tf::" + name: binary(function) for name, function in TWO.items()},
            **{"tf::" + name: complex_too(function) for name, function in COMPLEX_TOO.items()},
            **{"tf::" + name: formula for name, formula in OTHERS.items()}, **{"tf::" + name: formula for name, formula in COMPLEX.items()}}
