"""What the nodes of random graphs share: conditions on tensors, choices of axes."""
import numpy as np

MARGIN = 1e-3  # how far arguments of step functions stay away from the steps


class Unfit(Exception):
    """The node does not fit here."""


def require(condition):
    if not condition:
        raise Unfit


def is_float(array):
    return array.dtype == np.float32


def is_integer(array):
    return array.dtype in (np.int64, np.int32)


def is_number(array):
    return is_float(array) or is_integer(array)


def of_rank(least, most=9):
    return lambda array: is_float(array) and least <= array.ndim <= most


def off_steps(array, step=1.0):
    """No element near a multiple of `step`."""
    require(np.abs(array / step - np.round(array / step)).min() * step > MARGIN)


def distinct(array, axis):
    gaps = np.diff(np.sort(array.astype(np.float64), axis=axis), axis=axis)
    require(gaps.size == 0 or gaps.min() > MARGIN)


def axis_of(g, array):
    axis = int(g.random.integers(array.ndim))
    return axis - array.ndim if g.random.random() < 0.4 else axis


def axes_of(g, array):
    count = int(g.random.integers(1, array.ndim + 1))
    return [int(axis) - (array.ndim if g.random.random() < 0.3 else 0) for axis in sorted(g.random.choice(array.ndim, count, replace=False))]


def ints(g, values):
    return g.constant(np.array(values, np.int64))


def chance(g, p=0.5):
    return bool(g.random.random() < p)
