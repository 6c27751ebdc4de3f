"""SpaceToBatch and BatchToSpace by their definitions, for probes of faults."""
import numpy as np


def i64(*numbers):
    return np.array(numbers, np.int64)


def blocks_in_batch(x, blocks, begins, ends):
    """What SpaceToBatch computes: x filled up by zeros, its blocks moved to the batch."""
    x = np.pad(x, list(zip(begins, ends)))
    n, sizes = x.ndim, [size // block for size, block in zip(x.shape, blocks)]
    apart = x.reshape([k for pair in zip(sizes, blocks) for k in pair])
    return apart.transpose([2 * i + 1 for i in range(n)] + [2 * i for i in range(n)]).reshape([-1] + sizes[1:])


def blocks_in_space(x, blocks):
    """What BatchToSpace computes before it cuts off."""
    n, sizes = x.ndim, [x.shape[0] // int(np.prod(blocks)), *x.shape[1:]]
    return x.reshape(list(blocks) + sizes).transpose([k for i in range(n) for k in (n + i, i)]).reshape([s * b for s, b in zip(sizes, blocks)])


def kept(shape, begins, ends):
    """Where the elements are that BatchToSpace does not cut off."""
    return tuple(slice(begin, size - end) for begin, end, size in zip(begins, ends, shape))
