"""Two GroupNormalizations of the same data: the runtime computes MVN of a view in the place of the data."""
import numpy as np

ROW = "OverwrittenViews"
OLDEST = "2023.3"
X = np.array([1, 2, 4, 8, -1, 0, 3, 0.5], np.float32).reshape(1, 4, 1, 2)
FACTORS = np.array([1, 2, 3, 4], np.float32)


def build(is_copied):
    def made(g):
        x = g.parameter("x", "f32", X.shape)
        for groups in (2, 1):
            data = g.op("ShuffleChannels", x, version=3, axis=0, group=1) if is_copied else x
            g.result(g.op("GroupNormalization", data, g.constant(FACTORS), g.constant(FACTORS), version=12, num_groups=groups, epsilon=0.5))
    return made


def groups_of(count):
    parts = X.reshape(1, count, -1)
    normalized = (parts - parts.mean(-1, keepdims=True)) / np.sqrt(parts.var(-1, keepdims=True) + np.float32(0.5))
    return normalized.reshape(X.shape) * FACTORS.reshape(1, 4, 1, 1) + FACTORS.reshape(1, 4, 1, 1)


CASES = [(build(False), build(True), {"x": X}, [groups_of(2), groups_of(1)])]
