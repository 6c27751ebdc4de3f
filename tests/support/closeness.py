"""The one comparison of arrays: what an engine or mo computed, and what is expected (in C++: core/comparison/closeness.hpp)."""
import numpy as np

RELATIVE, ABSOLUTE = 1e-4, 1e-6
LEAST_RELATIVE = {"f16": 1e-2, "bf16": 3e-2}  # for results of 16 bits: 10 and 7 bits after the point, and some steps
# What a relative tolerance is relative to: the element, that and the root mean square of all, or the largest element.
ELEMENT, ELEMENT_AND_RMS, LARGEST = "element", "element and rms", "largest"
NAMED = {"f16": 1e-2, "loose": 1e-3, "step": 1e-2}  # how the TensorFlow cases call them; a step of 8 bits of [-1, 1] is 8e-3


class Tolerance:
    """`relative` to `scale`, which counts as `least_scale` where it is smaller; `absolute` for noise of the reference; `least_relative`: what results of 16 bits
    are compared with at least; `rms`: root of the mean square error, relative to that of the expected, instead of all that."""

    def __init__(self, relative=RELATIVE, absolute=ABSOLUTE, rms=None, detections=False, *, scale=LARGEST, least_scale=0, least_relative=None):
        self.relative, self.absolute, self.rms, self.detections, self.scale, self.least_scale = relative, absolute, rms, detections, scale, least_scale
        self.least_relative = LEAST_RELATIVE if least_relative is None else least_relative

    def bound(self, size, kind):
        """Of each element, whose sizes (of those that are finite) are `size`."""
        relative = max(self.relative, self.least_relative.get(kind, 0))
        if self.scale == LARGEST:
            size = np.maximum(size, size[size < 1e20].max(initial=0))
        elif self.scale == ELEMENT_AND_RMS:
            size = size + root_mean_square(size)
        return relative * np.maximum(size, self.least_scale) + self.absolute


def exact_halves(relative, absolute=0, **how):
    """A tolerance that results of 16 bits have as all others."""
    return Tolerance(relative, absolute, least_relative={}, **how)


def root_mean_square(array):
    return np.sqrt(np.mean(array ** 2)) if array.size else 0


def place(bad):
    return tuple(int(indices[0]) for indices in np.nonzero(bad)) if bad.ndim else ()


def first(have, want, bad, what):
    at = place(bad)
    return f"{what}: {int(bad.sum())} of {bad.size} differ, {have[at]} instead of {want[at]} at {list(at)}"


def rows_of(detections):
    """Rows [image, label, score, x0, y0, x1, y1] up to the end mark (image < 0), those with a score, best first."""
    rows = detections.reshape(-1, 7)
    ends = np.flatnonzero(rows[:, 0] < 0)
    rows = rows[:ends[0]] if ends.size else rows
    rows = rows[rows[:, 2] > 0]
    return rows[np.argsort(-rows[:, 2], kind="stable")]


def compare_detections(have, want):
    """Detections are a set: as many (1 %), and 99 % have a partner of the same label, score (1e-3) and box (1e-2)."""
    have, want = rows_of(have), rows_of(want)
    if abs(len(have) - len(want)) > 0.01 * len(want):
        return f"{len(have)} detections, expected {len(want)}"
    used = np.zeros(len(have), bool)
    partners = 0
    for row in want:
        near = ~used & (have[:, 1] == row[1]) & (np.abs(have[:, 2] - row[2]) < 1e-3) & (np.abs(have[:, 3:] - row[3:]).max(axis=1, initial=0) < 1e-2)
        if near.any():
            used[np.argmax(near)] = True
            partners += 1
    return "" if partners >= 0.99 * len(want) else f"{partners} of {len(want)} detections have a partner"


def difference(have, want, tolerance, kind=None):
    """What differs, or an empty string. Integers, booleans, strings, shapes and the places of NaN and infinities must be equal.

    `kind`: the element type that the engine says; bfloat16 comes as float32.
    """
    have, want = np.asarray(have), np.asarray(want)
    if tolerance.detections:
        return compare_detections(have.astype(np.float64), want.astype(np.float64)) if have.size % 7 == 0 else f"shape {list(have.shape)}"
    if have.shape != want.shape:
        return f"shape {list(have.shape)}, expected {list(want.shape)}"
    if want.dtype.kind in "UOST":
        bad = have.astype(str) != want.astype(str)
        return first(have, want, bad, "strings") if bad.any() else ""
    if want.dtype.kind in "biu":
        bad = have != want
        return first(have, want, bad, "integers") if bad.any() else ""
    if 2 in (want.dtype.itemsize, have.dtype.itemsize):
        kind = "f16"
    have, want = have.astype(np.float64), want.astype(np.float64)
    for what, test in (("NaN", np.isnan), ("+inf", np.isposinf), ("-inf", np.isneginf)):
        bad = test(have) != test(want)
        if bad.any():
            return first(have, want, bad, what)
    finite = np.isfinite(want)
    error = np.abs(np.where(finite, have, 0) - np.where(finite, want, 0))
    if tolerance.rms is not None:
        root, allowed = root_mean_square(error), tolerance.rms * root_mean_square(np.where(finite, want, 0)) + tolerance.absolute
        return f"root mean square error {root:.3g}, allowed {allowed:.3g}" if root > allowed else ""
    bad = error > tolerance.bound(np.abs(np.where(finite, want, 0)), kind)
    return first(have, want, bad, f"numbers (worst {error.max():.3g})") if bad.any() else ""


def distance(have, want):
    """How far an array is from the expected one, as a part of the largest element or of 1; infinite where the shapes differ. For those who compare distances."""
    if have.shape != want.shape:
        return float("inf")
    have, want = have.astype(np.float64), want.astype(np.float64)
    return float(np.abs(have - want).max(initial=0)) / max(1.0, float(np.abs(want).max(initial=0)))
