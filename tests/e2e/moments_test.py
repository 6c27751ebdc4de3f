#!/usr/bin/env python3
"""Converts normalisations by moments that the graph computes (tf.nn.moments and FusedBatchNorm, or its arithmetic): each becomes an MVN, and its numbers
are those of numpy. A height or a width that equals the number of channels must not move the statistics to another axis.

usage: moments_test.py BIN       BIN: folder of mo and mo_run
"""
import itertools
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import numpy_python  # noqa: E402,F401

import numpy as np  # noqa: E402

from closeness import ELEMENT, Tolerance, difference  # noqa: E402
from quantised_network import converted, run  # noqa: E402
from tf_graph_text import FLOAT, Graph  # noqa: E402

EPSILON = 0.25
GAMMA, BETA = [1.5, -2.0, 0.5, 3.0], [0.5, 1.0, -1.0, 0.25]
CHANNELS = len(GAMMA)


class Case:
    """A batch of one, whose image is normalised, or statistics of the whole batch; `stop`: tf.nn.moments puts StopGradient after the mean."""

    def __init__(self, spelling, layout, size, batch, stop):
        self.spelling, self.layout, self.stop = spelling, layout, stop
        self.shape = [batch, *size, CHANNELS] if layout == "NHWC" else [batch, CHANNELS, *size]
        self.spatial = [1, 2] if layout == "NHWC" else [2, 3]
        self.axes = self.spatial if batch == 1 else [0, *self.spatial]
        self.name = f"{spelling} {layout} {'x'.join(map(str, self.shape))}{' with StopGradient' if stop else ''}"

    def graph(self):
        g = Graph()
        x = g.placeholder("x", FLOAT, self.shape)
        with g.scope("moments"):
            mean = g.op("Mean", [x, self.axes], "mean", keep_dims=True, Tidx="DT_INT32")
            centre = g.op("StopGradient", [mean]) if self.stop else mean
            variance = g.op("Mean", [g.binary("SquaredDifference", x, centre), self.axes], "variance", keep_dims=True, Tidx="DT_INT32")
            vectors = [g.squeeze(v, [0, *self.spatial]) for v in (mean, variance)]
        y = self.fused(g, x, *vectors) if self.spelling.startswith("FusedBatchNorm") else self.arithmetic(g, x, *vectors)
        return g.frozen([g.op("Relu", [y], "y")])

    def fused(self, g, x, mean, variance):
        types = {} if self.spelling == "FusedBatchNorm" else {"U": FLOAT}
        return g.op(self.spelling, [x, GAMMA, BETA, mean, variance], epsilon=EPSILON, is_training=False, data_format=self.layout, **types)

    def arithmetic(self, g, x, mean, variance):
        """tf.nn.batch_normalization of vectors, which has the channels at the end."""
        factor = g.mul(g.op("Rsqrt", [g.add(variance, EPSILON)]), GAMMA)
        return g.add(g.mul(x, factor), g.sub(BETA, g.mul(mean, factor)))

    def wanted(self, x):
        x = x.astype(np.float64)
        place = [1, 1, 1, -1] if self.layout == "NHWC" else [1, -1, 1, 1]
        mean, variance = (f(x, axis=tuple(self.axes), keepdims=True) for f in (np.mean, np.var))
        return np.maximum((x - mean) / np.sqrt(variance + EPSILON) * np.reshape(GAMMA, place) + np.reshape(BETA, place), 0)

    def problems(self, bins, folder, version):
        model = folder / "net.pbtxt"
        model.write_text(self.graph(), encoding="utf-8")
        xml = converted(bins, model, folder, version)
        kinds = [layer.get("type") for layer in ElementTree.parse(xml).iter("layer")]
        if kinds.count("MVN") != 1 or {"SquaredDifference", "ReduceMean"} & set(kinds):
            yield f"{self.name}: the IR has {', '.join(kinds)}"
        x = np.random.default_rng(3).uniform(-4, 4, self.shape).astype(np.float32)
        got = run(bins, xml, x, folder)["y:0"]
        if why := difference(got, self.wanted(x), Tolerance(1e-5, 1e-5, scale=ELEMENT)):
            yield f"{self.name}: {why}"


def cases():
    sizes = [(3, 5), (3, CHANNELS), (CHANNELS, 3), (CHANNELS, CHANNELS)]
    for layout, size, batch, stop in itertools.product(("NHWC", "NCHW"), sizes, (1, 2), (True, False)):
        yield Case("FusedBatchNormV3", layout, size, batch, stop)
    for spelling, size in itertools.product(("FusedBatchNorm", "FusedBatchNormV2", "batch_normalization"), sizes):
        yield Case(spelling, "NHWC", size, 1, True)


def main():
    bins = Path(sys.argv[1])
    count, problems = 0, []
    with tempfile.TemporaryDirectory() as folder:
        for case, version in itertools.product(cases(), (11, 10)):
            count += 1
            problems += [f"IR version {version}: {problem}" for problem in case.problems(bins, Path(folder), version)]
    print("\n".join(problems) or f"{count} IRs have the numbers of numpy")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
