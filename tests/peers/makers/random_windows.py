"""Nodes of random graphs that slide a window or normalise."""
import numpy as np
from random_tools import chance, of_rank, require


def window(g, array, largest=3):
    """kernel, strides, pads, dilations of a sliding window over the spatial dimensions."""
    spatial = array.shape[2:]
    kernel = [int(g.random.integers(1, min(largest, dim) + 1)) for dim in spatial]
    strides = [int(g.random.integers(1, 3)) for _ in spatial]
    dilations = [1 if k == 1 or (k - 1) * 2 >= dim or chance(g, 0.7) else 2 for k, dim in zip(kernel, spatial)]
    pads = [int(g.random.integers(0, k)) for k in kernel + kernel]
    return kernel, strides, pads, dilations


def conv(g):
    x = g.pick(of_rank(3, 5))
    channels = g.values[x].shape[1]
    groups = int(g.random.choice([n for n in (1, 1, 2, 3, channels) if channels % n == 0]))
    kernel, strides, pads, dilations = window(g, g.values[x])
    weights = g.random.standard_normal([groups * int(g.random.integers(1, 4)), channels // groups, *kernel]).astype(np.float32)
    bias = [g.constant(g.random.standard_normal(len(weights)).astype(np.float32))] if chance(g) else []
    extra = {"auto_pad": str(g.random.choice(["SAME_UPPER", "SAME_LOWER", "VALID"]))} if chance(g, 0.3) and max(dilations) == 1 else {"pads": pads}
    g.add("Conv", [x, g.constant(weights)] + bias, strides=strides, dilations=dilations, group=groups, **extra)


def conv_transpose(g):
    x = g.pick(of_rank(3, 5))
    channels = g.values[x].shape[1]
    kernel, strides, pads, _ = window(g, g.values[x])
    groups = channels if chance(g, 0.3) else 1
    weights = g.random.standard_normal([channels, int(g.random.integers(1, 4)), *kernel]).astype(np.float32)
    g.add("ConvTranspose", [x, g.constant(weights)], strides=strides, pads=pads, group=groups, output_padding=[int(g.random.integers(0, s)) for s in strides])


def pool(g):
    x = g.pick(of_rank(3, 5))
    kernel, strides, pads, dilations = window(g, g.values[x])
    ceil = int(chance(g, 0.3))
    if chance(g):
        g.add("MaxPool", [x], kernel_shape=kernel, strides=strides, pads=pads, dilations=dilations, ceil_mode=ceil)
    else:
        g.add("AveragePool", [x], kernel_shape=kernel, strides=strides, pads=pads, ceil_mode=ceil, count_include_pad=int(chance(g)))


def global_pool(g):
    g.add(str(g.random.choice(["GlobalAveragePool", "GlobalMaxPool"])), [g.pick(of_rank(3, 5))])


def normalisation(g):
    x = g.pick(of_rank(3, 5))
    count = g.values[x].shape[1]
    scale, bias, mean = (g.constant(g.random.standard_normal(count).astype(np.float32)) for _ in range(3))
    kind = g.random.random()
    if kind < 0.4:
        g.add("BatchNormalization", [x, scale, bias, mean, g.constant(g.random.uniform(0.5, 2, count).astype(np.float32))])
    elif kind < 0.7:
        require(np.prod(g.values[x].shape[2:]) > 3)
        g.add("InstanceNormalization", [x, scale, bias])
    else:
        g.add("LRN", [x], size=3, alpha=0.1, beta=0.75, bias=1.0)


def layer_norm(g):
    require(g.op_set >= 17)
    x = g.pick(of_rank(2))
    size = g.values[x].shape[-1]
    require(size > 2)
    g.add("LayerNormalization", [x, g.constant(g.random.standard_normal(size).astype(np.float32))], axis=-1)
