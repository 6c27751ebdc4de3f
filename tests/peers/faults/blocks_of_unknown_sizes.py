"""SpaceToBatch and BatchToSpace with lists that are inputs, and of unknown sizes in three dimensions."""
import numpy as np

from batch_blocks import blocks_in_batch, blocks_in_space, i64, kept

ROW = "BlocksOfUnknownSizes"
V10 = False


class Builder:
    """Vectors of numbers about dimensions, in a graph `g` where x has n of them."""

    def __init__(self, g, x, lists, is_computed):
        self.g, self.n = g, x.ndim
        self.x = g.parameter("x", "f32", [-1] * x.ndim)
        self.lists = [g.parameter(name, "i64", [x.ndim]) if is_computed else g.constant(i64(*numbers)) for name, numbers in zip("abc", lists)]

    def vector(self, type, *inputs, size, **attributes):
        return self.g.op(type, *inputs, outputs=[("i64", [size])], **attributes)

    def shape(self, x):
        return self.vector("ShapeOf", x, size=self.n, version=3, output_type="i64")

    def arithmetic(self, type, a, b, size):
        return self.vector(type, a, b, size=size, auto_broadcast="numpy")

    def elements(self, x, places):
        return self.vector("Gather", x, self.g.constant(i64(*places)), self.g.constant(np.int64(0)), size=len(places))

    def count(self):
        return self.vector("ReduceProd", self.lists[0], self.g.constant(i64(0)), size=1, keep_dims="true")

    def joined(self, a, b):
        return self.vector("Concat", a, b, size=a.shape[0] + b.shape[0], axis=0)

    def reshaped(self, x, sizes):
        return self.g.op("Reshape", x, sizes, special_zero="false", outputs=[("f32", [-1] * sizes.shape[0])])

    def moved(self, x, order):
        return self.g.op("Transpose", x, self.g.constant(i64(*order)))


def blocks_op(type, x, lists, is_computed):
    def faulty(g):
        b = Builder(g, x, lists, is_computed)
        g.result(g.op(type, b.x, *b.lists, version=2))

    return faulty


def space_to_batch(x, lists, is_computed):
    def replacement(g):
        b = Builder(g, x, lists, is_computed)
        n, (blocks, begins, ends) = b.n, b.lists
        padded = g.op("Pad", b.x, begins, ends, g.constant(np.float32(0)), pad_mode="constant")
        sizes = b.arithmetic("Divide", b.shape(padded), blocks, n)
        apart = b.reshaped(padded, b.elements(b.joined(sizes, blocks), [0] + [k for i in range(1, n) for k in (i, n + i)]))
        moved = b.moved(apart, [2 * i for i in range(1, n)] + [0] + [2 * i - 1 for i in range(1, n)])
        batch = b.arithmetic("Multiply", b.elements(sizes, [0]), b.count(), 1)
        g.result(b.reshaped(moved, b.joined(batch, b.elements(sizes, range(1, n)))))

    return replacement


def batch_to_space(x, lists, is_computed):
    def replacement(g):
        b = Builder(g, x, lists, is_computed)
        n, (blocks, begins, ends) = b.n, b.lists
        shape = b.shape(b.x)
        sizes = b.joined(b.arithmetic("Divide", b.elements(shape, [0]), b.count(), 1), b.elements(shape, range(1, n)))
        apart = b.reshaped(b.x, b.joined(b.elements(blocks, range(1, n)), sizes))
        whole = b.arithmetic("Multiply", sizes, blocks, n)
        moved = b.reshaped(b.moved(apart, [n - 1] + [k for i in range(1, n) for k in (n - 1 + i, i - 1)]), whole)
        masks = {f"{name}_mask": ",".join("0" * n) for name in ("begin", "end", "new_axis", "shrink_axis", "ellipsis")}
        g.result(g.op("StridedSlice", moved, begins, b.arithmetic("Subtract", whole, ends, n), g.constant(i64(*[1] * n)), **masks))

    return replacement


def cut_blocks_in_space(x, blocks, begins, ends):
    whole = blocks_in_space(x, blocks)
    return whole[kept(whole.shape, begins, ends)]


def case(type, shape, blocks, begins, ends, is_computed):
    x = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    replacement, definition = {"SpaceToBatch": (space_to_batch, blocks_in_batch), "BatchToSpace": (batch_to_space, cut_blocks_in_space)}[type]
    lists = (blocks, begins, ends)
    feed = {"x": x, **({name: i64(*numbers) for name, numbers in zip("abc", lists)} if is_computed else {})}
    return blocks_op(type, x, lists, is_computed), replacement(x, lists, is_computed), feed, [definition(x, *lists)]


CASES = [case("SpaceToBatch", [2, 3, 4, 5], [1, 1, 2, 2], [0, 0, 1, 0], [0, 0, 1, 1], True), case("SpaceToBatch", [2, 3, 4], [1, 3, 2], [0, 0, 1], [0, 0, 1], False),
         case("BatchToSpace", [4, 3, 2, 3], [1, 1, 2, 2], [0, 0, 1, 0], [0, 0, 0, 1], True), case("BatchToSpace", [6, 2, 3], [1, 3, 2], [0, 1, 0], [0, 0, 1], False)]
