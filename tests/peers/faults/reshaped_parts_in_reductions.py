"""Reshape of one of several outputs of an op, of known shapes, which a reduction reads: the runtime asks the op for the shape of its only output."""
import numpy as np

ROW = "ReshapedPartsInReductions"
X = np.random.default_rng(0).uniform(-1, 1, (3, 1, 6, 2)).astype(np.float32)


def split(g, x):
    return g.op("Split", x, g.constant(np.int64(2)), num_splits=2, outputs=[(x.type, (3, 1, 3, 2))] * 2)[1]


def largest(g, x):
    return g.op("TopK", x, g.constant(np.int64(3)), version=3, axis=2, mode="max", sort="value", index_element_type="i32",
                outputs=[(x.type, (3, 1, 3, 2)), ("i32", (3, 1, 3, 2))])[0]


def build(data, part, op, version, is_copied, is_constant):
    copy = "LogicalOr" if data.dtype == bool else "Maximum"

    def made(g):
        x = g.constant(data) if is_constant else g.parameter("x", "boolean" if data.dtype == bool else "f32", data.shape)
        taken = part(g, x)
        taken = g.op(copy, taken, taken, auto_broadcast="numpy") if is_copied else taken
        shaped = g.op("Reshape", taken, g.constant(np.array([3, 6])), outputs=[(x.type, (3, 6))], special_zero=False)
        reduced = g.op(op, shaped, g.constant(np.array([1])), version=version, outputs=[(x.type, (3,))], keep_dims=False)
        g.result(reduced)
        if is_constant:  # a model has an input
            g.result(g.op("Abs", g.parameter("x", "f32", (2,))))
    made.__name__ = f"{op}{' of a constant' if is_constant else ''}{', copied' if is_copied else ''}"
    return made


def case(data, part, op, version, expected, is_constant=False):
    forms = [build(data, part, op, version, is_copied, is_constant) for is_copied in (False, True)]
    one, two = np.float32([1, -2]), np.float32([1, 2])
    return (*forms, {"x": one if is_constant else data}, [expected, two] if is_constant else [expected])


SECOND, LARGEST = X[:, :, 3:].reshape(3, 6), -np.sort(-X, 2)[:, :, :3].reshape(3, 6)
CASES = [case(X, split, "ReduceSum", 1, SECOND.sum(1)), case(X, split, "ReduceL1", 4, np.abs(SECOND).sum(1)), case(X, largest, "ReduceMean", 1, LARGEST.mean(1)),
         case(X > 0.4, split, "ReduceLogicalOr", 1, (SECOND > 0.4).any(1)), case(X, split, "ReduceMax", 1, SECOND.max(1), is_constant=True)]
