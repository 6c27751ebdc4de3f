"""Compares an array that an engine computed with the expected one."""
import numpy as np

RELATIVE, ABSOLUTE = 1e-4, 1e-6
LEAST_RELATIVE = {"f16": 1e-2, "bf16": 3e-2}  # for results of 16 bits: 10 and 7 bits behind the point, and some steps
NAMED = {"f16": 1e-2, "loose": 1e-3, "step": 1e-2}  # how the TensorFlow cases call them; a step of 8 bits of [-1, 1] is 8e-3


class Tolerance:
    """`relative` to the largest expected number; `absolute` for noise of the reference; `rms`: root of the mean square error, relative to that of the expected."""

    def __init__(self, relative=RELATIVE, absolute=ABSOLUTE, rms=None, detections=False):
        self.relative, self.absolute, self.rms, self.detections = relative, absolute, rms, detections


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
        root = np.sqrt(np.mean(error ** 2)) if error.size else 0
        allowed = tolerance.rms * np.sqrt(np.mean(np.where(finite, want, 0) ** 2)) + tolerance.absolute if error.size else 0
        return f"root mean square error {root:.3g}, allowed {allowed:.3g}" if root > allowed else ""
    relative = max(tolerance.relative, LEAST_RELATIVE.get(kind, 0))
    size = np.abs(np.where(finite, want, 0))
    bound = relative * np.maximum(size, size[size < 1e20].max(initial=0)) + tolerance.absolute
    bad = error > bound
    return first(have, want, bad, f"numbers (worst {error.max():.3g})") if bad.any() else ""
