"""Resize and Upsample of ONNX, after their specification: one axis after the other."""
import math

import numpy as np

from formulas_ops import real

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
    if int(node.get("@opset", 1)) < 11:
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


FORMULAS = {"onnx::Resize": resize, "onnx::Upsample": upsample}
