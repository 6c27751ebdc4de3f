"""Gather whose axis is an input: with and without batch dimensions, and from the back."""
import numpy as np

ROW = "GatherAtComputedAxis"
V10 = False
DATA = np.arange(24, dtype=np.float32).reshape(2, 3, 4)


def faulty(version, batch, shape, indices, size):
    def build(g):
        data, places, axis = g.parameter("d", "f32", shape), g.parameter("i", "i64", indices), g.parameter("a", "i64", size)
        rank = len(shape) + len(indices) - batch - 1
        attributes = {} if version == 1 else {"batch_dims": batch}
        g.result(g.op("Gather", data, places, axis, version=version, outputs=[("f32", [-1] * rank)], **attributes))

    return build


def replacement(version, batch, shape, indices, size):
    def build(g):
        data, places, given = g.parameter("d", "f32", shape), g.parameter("i", "i64", indices), g.parameter("a", "i64", size)
        rank, count = len(shape), len(indices) - batch

        def constant(*numbers):
            return g.constant(np.array(numbers, np.int64))

        def op(type, a, b, kind="i64"):
            return g.op(type, a, b, auto_broadcast="numpy", outputs=[(kind, a.shape if len(b.shape) == 0 or len(a.shape) and a.shape[0] > 1 else b.shape)])

        def choose(condition, a, b):
            return g.op("Select", condition, a, b, auto_broadcast="numpy", outputs=[("i64", condition.shape)])

        def order(*parts):
            parts = ([constant(*range(batch))] if batch else []) + list(parts)
            return parts[0] if len(parts) == 1 else g.op("Concat", *parts, axis=0, outputs=[("i64", [sum(part.shape[0] for part in parts)])])

        given = g.op("Reshape", given, constant(1), special_zero=False, outputs=[("i64", [1])])
        axis = choose(op("Less", given, g.constant(np.int64(0)), "boolean"), op("Add", given, g.constant(np.int64(rank))), given)
        low, high = constant(*range(batch, rank - 1)), constant(*range(batch + 1, rank))
        others = choose(op("Less", low, axis, "boolean"), low, high)
        moved = g.op("Transpose", data, order(axis, others), outputs=[("f32", [-1] * rank)])
        attributes = {} if version == 1 else {"batch_dims": batch}
        gathered = g.op("Gather", moved, places, g.constant(np.int64(batch)), version=version, outputs=[("f32", [-1] * (rank - 1 + count))], **attributes)
        if count == 0:
            return g.result(gathered)
        all_places = constant(*range(batch, rank - 1 + count))
        of_indices = op("Add", op("Subtract", all_places, axis), g.constant(np.int64(batch)))
        is_behind = op("Less", op("Add", axis, g.constant(np.int64(count - 1))), all_places, "boolean")
        from_axis = choose(is_behind, all_places, of_indices)
        back = choose(op("Less", all_places, axis, "boolean"), constant(*range(batch + count, rank - 1 + 2 * count)), from_axis)
        g.result(g.op("Transpose", gathered, order(back), outputs=[("f32", [-1] * (rank - 1 + count))]))

    return build


def case(version, batch, indices, axis, unknown=False):
    indices, axis = np.array(indices, np.int64), np.array(axis, np.int64)
    at = int(axis.reshape(-1)[0])
    if batch:
        expected = np.stack([np.take(d, i, at - batch if at > 0 else at) for d, i in zip(DATA, indices)])
    else:
        expected = np.take(DATA, indices, at)
    form = (version, batch, [-1] * 3 if unknown else DATA.shape, indices.shape, axis.shape)
    return faulty(*form), replacement(*form), {"d": DATA, "i": indices, "a": axis}, [expected]


CASES = [case(1, 0, [[0, 1], [1, 1]], [1]), case(7, 0, [1, 0, 1], [2]), case(7, 1, [[0, 2], [1, 1]], [-1]), case(7, 0, [[0, 1]], [0], True)]
