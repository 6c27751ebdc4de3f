"""Operators of org.openvinotoolkit, and those that old ONNX exporters wrote: after the definitions of the IR's ops, of ONNX 1.2, and of PyTorch."""
import numpy as np

from formulas_ops import along, normalised, real, sigmoid


def fake_quantize(node, x, low, high, out_low, out_high):
    steps = int(node.get("levels")) - 1
    x, low, high, out_low, out_high = (real(v) for v in (x, low, high, out_low, out_high))
    place = np.round((np.clip(x, np.minimum(low, high), np.maximum(low, high)) - low) / (high - low) * steps)
    return place / steps * (out_high - out_low) + out_low


def swish(node, x, beta=1.0):
    return real(x) * sigmoid(real(x) * real(beta).reshape(()))


def normalize(node, x, weights=None):
    axes = tuple(range(1, x.ndim)) if node.get("across_spatial") else (1,)
    y = real(x) / np.sqrt((real(x) ** 2).sum(axes, keepdims=True) + node.get("eps", 0))
    if weights is None:
        return y
    return y * (real(weights).reshape(()) if weights.size == 1 else along(weights.ravel(), x.ndim))


def group_norm(node, x, scale, bias):
    groups = int(node.get("num_groups", 1))
    rows = x.reshape(x.shape[0], groups, -1)
    y = normalised(rows, (2,), node.get("eps", 1e-6)).reshape(x.shape)
    return y * along(scale.ravel(), x.ndim) + along(bias.ravel(), x.ndim)


def prior_box_clustered(node, features, image):
    (rows, columns), (height, width) = features.shape[2:], image.shape[2:]
    step_h = node.get("step_h", node.get("step", 0)) or height / rows
    step_w = node.get("step_w", node.get("step", 0)) or width / columns
    boxes = []
    for y in range(rows):
        for x in range(columns):
            for w, h in zip(node.get("width"), node.get("height")):
                cy, cx = (y + node.get("offset", 0)) * step_h, (x + node.get("offset", 0)) * step_w
                boxes += [(cx - w / 2) / width, (cy - h / 2) / height, (cx + w / 2) / width, (cy + h / 2) / height]
    boxes = np.clip(boxes, 0, 1) if node.get("clip", 0) else np.array(boxes)
    variance = node.get("variance", [0.1])
    return np.stack([boxes, np.tile(variance * (4 // len(variance)), boxes.size // 4)])[None]


def embedding_bag(node, table, indices, offsets=None, weights=None):
    if node.get("operator") != "embedding_bag":
        return None
    table, flat = real(table), indices.ravel()
    factors = np.ones(flat.size) if weights is None else real(weights).ravel()
    starts = list(range(0, flat.size, indices.shape[-1])) if offsets is None else [int(o) for o in offsets]
    if node.get("include_last_offset", 0):
        starts.pop()
    made = []
    for start, end in zip(starts, starts[1:] + [flat.size]):
        rows = table[flat[start:end]] * factors[start:end, None]
        made.append(rows.sum(0) / (max(end - start, 1) if node.get("mode", 1) == 1 else 1))
    return np.array(made)


def constant_fill(node, x=None):
    shape = node.get("shape") if x is None else list(x) if node.get("input_as_shape", 0) else list(x.shape)
    return np.full([int(d) for d in shape + node.get("extra_shape", [])], node.get("value", 0.0))


def dynamic_slice(node, x, starts, ends, axes=None):
    cut = [slice(None)] * x.ndim
    for start, end, axis in zip(starts, ends, range(len(starts)) if axes is None else axes):
        cut[int(axis)] = slice(int(start), int(end))
    return x[tuple(cut)]


def grid_sample(mode, padding, align, x, grid):
    """ONNX GridSample-20: point by point. Coordinates outside are reflected first, then elements outside are looked up, as its reference does."""
    sizes, axes = x.shape[2:], x.ndim - 2

    def reflected(v, low, high):
        while high > low and not low <= v <= high:
            v = 2 * low - v if v < low else 2 * high - v
        return v if high > low else low

    def element(image, index):
        place = []
        for i, size in zip(index, sizes):
            if padding == "border":
                i = min(max(i, 0), size - 1)
            elif padding == "reflection":
                i = int(round(reflected(i, 0, size - 1) if align else reflected(i, -0.5, size - 0.5)))
            elif not 0 <= i < size:
                return 0.0
            place.append(i)
        return float(image[tuple(place)])

    def cubic(d, a=-0.75):
        d = abs(d)
        return ((a + 2) * d - (a + 3)) * d * d + 1 if d <= 1 else ((a * d - 5 * a) * d + 8 * a) * d - 4 * a

    made = np.zeros((*x.shape[:2], *grid.shape[1:-1]))
    for n, c, *p in np.ndindex(*made.shape):
        at = [((v + 1) / 2 * (size - 1)) if align else ((v + 1) * size - 1) / 2 for v, size in zip(real(grid)[(n, *p)][::-1], sizes)]
        if mode == "nearest":
            made[(n, c, *p)] = element(x[n, c], [int(np.rint(v)) for v in at])
            continue
        low = [int(np.floor(v)) for v in at]
        for step in np.ndindex(*([2 if mode == "linear" else 4] * axes)):
            index = [b + s - (mode == "cubic") for b, s in zip(low, step)]
            weight = np.prod([max(0, 1 - abs(v - i)) if mode == "linear" else cubic(v - i) for v, i in zip(at, index)])
            made[(n, c, *p)] += weight * element(x[n, c], index)
    return made


def sample_of_onnx(node, x, grid):
    mode = {"bilinear": "linear", "bicubic": "cubic"}.get(node.get("mode", "linear"), node.get("mode", "linear"))
    return grid_sample(mode, node.get("padding_mode", "zeros"), bool(node.get("align_corners", 0)), x, grid)


def gather_block_quantized(node, data, indices, scales, zeros=None):
    """com.microsoft, data as bytes: two elements in each (low half first) unless there are 8 bits."""
    def elements(packed, count):
        return packed if bits == 8 else np.stack([packed & 15, packed >> 4], -1).reshape(*packed.shape[:-1], -1)[..., :count]

    if data.dtype != np.uint8:
        return None
    bits, block, axis = int(node.get("bits", 4)), int(node.get("block_size", 128)), int(node.get("quantize_axis", 1))
    whole = real(elements(data, data.shape[-1] * 2))
    zero = 2.0 ** (bits - 1) if zeros is None else real(elements(zeros, scales.shape[-1]))
    spread = [np.repeat(np.broadcast_to(v, scales.shape), block, axis).take(np.arange(whole.shape[axis]), axis) for v in (zero, real(scales))]
    return ((whole - spread[0]) * spread[1]).take(indices, int(node.get("gather_axis", 0)))


def deformable_convolution(node, x, offsets, filters, mask=None):
    """DeformableConvolution-8, element by element; a sample outside is 0, between data and padding only with bilinear_interpolation_pad not."""
    if str(node.get("auto_pad", "")).startswith("same"):
        return None
    strides, begins, dilations = (node.get(name) for name in ("strides", "pads_begin", "dilations"))
    groups, own_offsets, smooth = int(node.get("group", 1)), int(node.get("deformable_group", 1)), node.get("bilinear_interpolation_pad", False)
    height, width, (kh, kw) = *x.shape[2:], filters.shape[2:]
    made = np.zeros((x.shape[0], filters.shape[0], *offsets.shape[2:]))
    for n, o, oy, ox in np.ndindex(*made.shape):
        first = o // (filters.shape[0] // groups) * filters.shape[1]
        for i, ky, kx in np.ndindex(*filters.shape[1:]):
            place = (first + i) // (x.shape[1] // own_offsets) * kh * kw + ky * kw + kx
            y = oy * strides[0] - begins[0] + ky * dilations[0] + float(offsets[n, 2 * place, oy, ox])
            z = ox * strides[1] - begins[1] + kx * dilations[1] + float(offsets[n, 2 * place + 1, oy, ox])
            sample = 0.0
            if smooth or (0 <= y < height and 0 <= z < width):
                for dy, dz in np.ndindex(2, 2):
                    at_y, at_z = int(np.floor(y)) + dy, int(np.floor(z)) + dz
                    weight = (1 - abs(y - at_y)) * (1 - abs(z - at_z))
                    if not smooth:
                        at_y, at_z = min(at_y, height - 1), min(at_z, width - 1)
                    if 0 <= at_y < height and 0 <= at_z < width:
                        sample += weight * float(x[n, first + i, at_y, at_z])
            made[n, o, oy, ox] += float(filters[o, i, ky, kx]) * sample * (1 if mask is None else float(mask[n, place, oy, ox]))
    return made


def average_pool(node, x):
    """AvgPool of op set 16, window by window. ceil_torch: one more window where it begins in the data or the padding before it."""
    if node.get("rounding_type", "floor") == "ceil" or str(node.get("auto_pad", "explicit")) not in ("explicit", "notset"):
        return None
    kernel, strides, begins, ends = (node.get(name) for name in ("kernel", "strides", "pads_begin", "pads_end"))
    dilations, sizes = node.get("dilations", [1] * len(kernel)), x.shape[2:]
    out = []
    for k, s, d, b, e, size in zip(kernel, strides, dilations, begins, ends, sizes):
        room = size + b + e - d * (k - 1) - 1
        count = room // s + 1
        if node.get("rounding_type", "floor") == "ceil_torch" and room % s and count * s < size + b:
            count += 1
        out.append(count)
    made = np.zeros((*x.shape[:2], *out))
    for n, c, *at in np.ndindex(*made.shape):
        found, counted = 0.0, 0
        for step in np.ndindex(*kernel):
            place = [a * s - b + i * d for a, s, b, i, d in zip(at, strides, begins, step, dilations)]
            inside = all(0 <= p < size for p, size in zip(place, sizes))
            padded = all(-b <= p < size + e for p, size, b, e in zip(place, sizes, begins, ends))
            found += x[(n, c, *place)] if inside else 0
            counted += inside if node.get("exclude-pad", False) else padded
        made[(n, c, *at)] = found / counted
    return made


OPENVINO = {"FakeQuantize": fake_quantize, "Swish": swish, "Normalize": normalize, "GroupNorm": group_norm, "ExperimentalDetectronGroupNorm": group_norm,
            "PriorBoxClustered": prior_box_clustered}
OLD = {"ATen": embedding_bag, "ConstantFill": constant_fill, "DynamicSlice": dynamic_slice, "Scale": lambda node, x: real(x) * node.get("scale", 1.0)}
FORMULAS = {**{domain + "::" + name: formula for name, formula in OPENVINO.items() for domain in ("org.openvinotoolkit", "onnx")},
            **{"onnx::" + name: formula for name, formula in OLD.items()}, "org.pytorch.aten::ATen": embedding_bag}
FORMULAS["onnx::GridSample"] = FORMULAS["GridSample"] = sample_of_onnx
FORMULAS["com.microsoft::GatherBlockQuantized"] = gather_block_quantized
FORMULAS["DeformableConvolution.v8"] = deformable_convolution
FORMULAS["AvgPool.v16"] = average_pool
# From opset 24 on ONNX has a Swish of its own, whose factor is an attribute.
FORMULAS["onnx::Swish"] = lambda node, x, *beta: swish(node, x, *(beta if int(node.get("@opset")) < 24 else [node.get("alpha", 1.0)]))
