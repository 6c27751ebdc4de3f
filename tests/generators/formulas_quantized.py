"""Quantised layers of TensorFlow, after its documentation and kernels: integers with the range that all integers of their type stand for."""
import numpy as np

from formulas_tensorflow import of_space, same

TYPES = {"DT_QUINT8": np.uint8, "DT_QINT8": np.int8, "DT_QINT32": np.int32}


def rounded(x):
    """Halves away from 0."""
    return np.sign(x) * np.floor(np.abs(x) + 0.5)


def ends(dtype):
    return int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)


def step_of(dtype, low, high):
    lowest, highest = ends(dtype)
    return (float(high) - float(low)) / (highest - lowest)


def integers(x, dtype, low, high):
    """FloatToQuantized; None: of a type with limits that are not kept (the integer that stands for 0 may lie outside)."""
    lowest, highest = ends(dtype)
    step = step_of(dtype, low, high)
    return np.clip(rounded(np.asarray(x, float) / step) - rounded(float(low) / step) + lowest, lowest, highest)


def zero_of(dtype, low, high):
    return ends(dtype)[0] - rounded(float(low) / step_of(dtype, low, high))


def reals(q, low, high):
    """QuantizedToFloat."""
    step = step_of(q.dtype, low, high)
    return (rounded(float(low) / step) + q.astype(float) - ends(q.dtype)[0]) * step


def sums(whole, step):
    lowest, highest = ends(np.int32)
    return [whole.astype(np.int32), np.float64(step * lowest), np.float64(step * highest)]


def whole(q, low, high):
    return q.astype(np.int64) - int(zero_of(q.dtype, low, high))


def windows(x, kernel, strides, padding, fill):
    """[N, H, W, C] -> [N, rows, columns, kernel rows, kernel columns, C]; numbers beside the data are `fill`."""
    pads = [same(x.shape[i + 1], kernel[i], strides[i], 1) if padding == "SAME" else (0, 0) for i in (0, 1)]
    x = np.pad(x.astype(float), ((0, 0), *pads, (0, 0)), constant_values=fill)
    rows, columns = ((x.shape[i + 1] - kernel[i]) // strides[i] + 1 for i in (0, 1))
    return np.stack([np.stack([x[:, r * strides[0]:r * strides[0] + kernel[0], c * strides[1]:c * strides[1] + kernel[1]] for c in range(columns)], 1)
                     for r in range(rows)], 1)


def conv(node, x, w, x_low, x_high, w_low, w_high):
    strides = of_space(node, node.get("strides"), 2)
    parts = windows(whole(x, x_low, x_high), w.shape[:2], strides, node.get("padding"), 0)
    made = np.einsum("nrcijk,ijko->nrco", parts, whole(w, w_low, w_high).astype(float))
    return sums(made, step_of(x.dtype, x_low, x_high) * step_of(w.dtype, w_low, w_high))


def mat_mul(node, a, b, a_low, a_high, b_low, b_high):
    left, right = whole(a, a_low, a_high), whole(b, b_low, b_high)
    made = (left.T if node.get("transpose_a", False) else left) @ (right.T if node.get("transpose_b", False) else right)
    return sums(made, step_of(a.dtype, a_low, a_high) * step_of(b.dtype, b_low, b_high))


def mul(node, a, b, a_low, a_high, b_low, b_high):
    return sums(whole(a, a_low, a_high) * whole(b, b_low, b_high), step_of(a.dtype, a_low, a_high) * step_of(b.dtype, b_low, b_high))


def add(node, a, b, a_low, a_high, b_low, b_high):
    end = max(float(a_high), -float(a_low), float(b_high), -float(b_low)) * 2**17
    step = end / 2**31
    return [(rounded(reals(a, a_low, a_high) / step) + rounded(reals(b, b_low, b_high) / step)).astype(np.int32), -end, end]


def requantize(node, x, low, high, wanted_low, wanted_high):
    dtype = TYPES[node.get("out_type", "DT_QUINT8")]
    return [integers(reals(x, low, high), dtype, wanted_low, wanted_high).astype(dtype), wanted_low, wanted_high]


def quantize(node, x, low, high):
    """QuantizeV2 into unsigned bytes, of a range that holds 0 and is wide enough."""
    if node.get("mode") != "MIN_FIRST" or node.get("T") != "DT_QUINT8" or float(low) > 0 or float(high) < 0.01 * max(1.0, -float(low), float(high)):
        return None
    return [integers(x, np.uint8, low, high).astype(np.uint8), low, high]


def dequantize(node, x, low, high):
    return reals(x, low, high) if node.get("mode") == "MIN_FIRST" and np.ndim(low) == 0 else None


def used_range(node, x, low, high):
    values = reals(x, low, high)
    return [min(0.0, values.min()), values.max()]


def shrink(node, x, low, high):
    return requantize(node, x, low, high, *used_range(node, x, low, high))


def relu(highest):
    def formula(node, x, *ends_of_range):
        top = highest if highest is not None or len(ends_of_range) < 3 else float(ends_of_range[0])
        low, high = ends_of_range[-2:]
        made = np.maximum(x, integers(0, x.dtype, low, high))
        return [(made if top is None else np.minimum(made, integers(top, x.dtype, low, high))).astype(x.dtype), low, high]
    return formula


def pool(function, fill):
    def formula(node, x, low, high):
        parts = windows(x, of_space(node, node.get("ksize"), 2), of_space(node, node.get("strides"), 2), node.get("padding"), fill)
        return [function(parts).astype(x.dtype), low, high]
    return formula


def average(parts):
    """Of integers, as C divides them."""
    there = ~np.isnan(parts)
    return np.trunc(np.where(there, parts, 0).sum((3, 4)) / there.sum((3, 4)) + 0.0)


def concat(first):
    def formula(node, *inputs):
        count = (len(inputs) - 1) // 3
        axis = int(inputs[0] if first else inputs[count])
        pieces = inputs[1:count + 1] if first else inputs[:count]
        lows, highs = inputs[count + 1:2 * count + 1], inputs[2 * count + 1:]
        low, high = min(0.0, *map(float, lows)), max(map(float, highs))
        dtype = pieces[0].dtype
        if dtype.kind == "i":
            high = max(-low, high)
            low = -high
        made = [integers(reals(p, lows[i], highs[i]), dtype, low, high).astype(dtype) for i, p in enumerate(pieces)]
        return [np.concatenate(made, axis), low, high]
    return formula


FORMULAS = {"tf::" + name: formula for name, formula in {
    "QuantizeV2": quantize, "Dequantize": dequantize, "QuantizedConv2D": conv, "QuantizedMatMul": mat_mul, "QuantizedMul": mul, "QuantizedAdd": add, "QuantizedBiasAdd": add, "Requantize": requantize,
    "RequantizationRange": used_range, "QuantizeDownAndShrinkRange": shrink, "QuantizedRelu": relu(None), "QuantizedRelu6": relu(6.0),
    "QuantizedReluX": relu(None), "QuantizedMaxPool": pool(lambda parts: np.nanmax(parts, (3, 4)), -np.inf),
    "QuantizedAvgPool": pool(average, np.nan), "QuantizedReshape": lambda node, x, shape, low, high: [x.reshape(shape), low, high],
    "QuantizedConcat": concat(True), "QuantizedConcatV2": concat(False)}.items()}


# -- the forms of oneDNN: integers around 0, the larger end of a range is the highest integer -------------------------------------------------

def scale_of(dtype, low, high):
    return np.maximum(np.abs(np.float64(low)), np.abs(np.float64(high))) / ends(dtype)[1]


def tail(node, made, step, bias=None, wanted=None, summand=None):
    relu_too, name = "Relu" in node.op, node.op
    if bias is not None:
        made = made + (bias if bias.dtype == np.int32 else rounded(bias.astype(float) / step))
    if name.endswith("Dequantize"):
        return made * step
    if wanted is None:
        made = np.maximum(made, 0) if relu_too else made
        return [made.astype(np.int32), step * -2.0**31, step * (2.0**31 - 1)]
    dtype = TYPES[node.get("out_type", node.get("Toutput"))]
    made = made * step
    if summand is not None:
        made = made + summand[0] * scale_of(summand[0].dtype, *summand[1:])
    made = np.rint((np.maximum(made, 0) if relu_too else made) / scale_of(dtype, *wanted))
    return [np.clip(made, *ends(dtype)).astype(dtype), *wanted]


def fused_conv(node, x, w, *more):
    bias, more = (more[0], more[1:]) if "WithBias" in node.op else (None, more)
    x_low, x_high, w_low, w_high, *more = more
    parts = windows(x, w.shape[:2], of_space(node, node.get("strides"), 2), node.get("padding"), 0)
    if "Depthwise" in node.op:
        made = np.einsum("nrcijk,ijkm->nrckm", parts, w.astype(float))
        made = made.reshape(*made.shape[:3], -1)
    else:
        made = np.einsum("nrcijk,ijko->nrco", parts, w.astype(float))
    wanted = tuple(more[:2]) if "Requantize" in node.op else None
    return tail(node, made, scale_of(x.dtype, x_low, x_high) * scale_of(w.dtype, w_low, w_high), bias, wanted, tuple(more[2:]) or None)


def fused_mat_mul(node, a, b, bias, a_low, a_high, b_low, b_high, *wanted):
    if node.get("input_quant_mode", "MIN_FIRST") == "SCALED":
        left, step = a.astype(float), scale_of(a.dtype, a_low, a_high)
    else:
        left, step = whole(a, a_low, a_high), step_of(a.dtype, a_low, a_high)
    return tail(node, left @ b.astype(float), step * scale_of(b.dtype, b_low, b_high), bias, wanted if "Requantize" in node.op else None)


FORMULAS |= {"tf::Quantized" + name + end: formula for names, formula in (
    (("Conv2D", "Conv2DWithBias", "Conv2DWithBiasSum", "Conv2DWithBiasSignedSum", "Conv2DPerChannel", "DepthwiseConv2D", "DepthwiseConv2DWithBias"), fused_conv), (("MatMulWithBias",), fused_mat_mul))
    for name in names for end in ("", "AndRelu", "AndRequantize", "AndReluAndRequantize", "AndDequantize") if (name, end) != ("Conv2D", "")}
