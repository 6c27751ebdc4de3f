"""Gather with batch dimensions that are all 1 and few indices."""
import numpy as np

ROW = "GatherOfOneBatch"
TIMES = 60
RARE = ("2022.1",)


def gather(shape, indices, axis, batch, flat):
    def build(g):
        data, places = g.parameter("d", "f32", shape), g.parameter("i", "i64", indices)
        out = [("f32", (*shape[:axis], *indices[batch:], *shape[axis + 1:]))]
        if flat:
            places = g.op("Squeeze", places, g.constant(np.arange(batch)), outputs=[("i64", indices[batch:])])
            return g.result(g.op("Gather", data, places, g.constant(np.int64(axis)), outputs=out))
        return g.result(g.op("Gather", data, places, g.constant(np.int64(axis)), version=7, batch_dims=batch, outputs=out))
    build.__name__ = "without batch_dims" if flat else "with batch_dims"
    return build


def case(shape, places, axis, batch):
    places = np.array(places, np.int64)
    data = np.arange(1, 1 + np.prod(shape), dtype=np.float32).reshape(shape)
    expected = np.take(data, places.reshape(places.shape[batch:]), axis)
    return (gather(shape, places.shape, axis, batch, False), gather(shape, places.shape, axis, batch, True), {"d": data, "i": places}, [expected])


CASES = [case((1, 1, 6), [[4, 2]], 2, 1), case((1, 6), [[4]], 1, 1), case((1, 6, 2), [[4, 2, 0]], 1, 1), case((1, 1, 6), [[[5, 1]]], 2, 2), case((1, 6), [[[5, 1]]], 1, 1),
         case((1, 6, 2), [[1, 5, 2, 1, 4, 1, 2, 3, 3, 0]], 1, 1)]  # in 2022.1 one time in 12 to 300
