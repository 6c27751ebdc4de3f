"""BatchToSpace whose crops leave fewer elements of a dimension than its block has."""
import numpy as np

from batch_blocks import blocks_in_space, i64, kept

ROW = "BlocksCutAway"
TIMES = 20  # what is in memory decides whether the process ends


def case(shape, blocks, begins, ends):
    x = np.arange(1, 1 + np.prod(shape), dtype=np.float32).reshape(shape)
    whole = blocks_in_space(x, blocks)
    part = kept(whole.shape, begins, ends)
    n = len(shape)

    def batch_to_space(g, begins, ends, shape):
        return g.op("BatchToSpace", g.parameter("x", "f32", x.shape), *[g.constant(i64(*numbers)) for numbers in (blocks, begins, ends)], version=2, outputs=[("f32", shape)])

    def faulty(g):
        g.result(batch_to_space(g, begins, ends, whole[part].shape))

    def replacement(g):
        masks = {"begin_mask": ",".join("0" * n), "end_mask": ",".join("01"[end == 0] for end in ends), **{f"{name}_mask": "" for name in ("new_axis", "shrink_axis", "ellipsis")}}
        g.result(g.op("StridedSlice", batch_to_space(g, [0] * n, [0] * n, whole.shape), g.constant(i64(*begins)), g.constant(-i64(*ends)), g.constant(i64(*[1] * n)),
                      outputs=[("f32", whole[part].shape)], **masks))

    return faulty, replacement, {"x": x}, [whole[part]]


CASES = [case([4, 1, 1, 1], [1, 1, 2, 2], [0, 0, 0, 1], [0, 0, 1, 0]), case([4, 1, 2, 2], [1, 1, 2, 2], [0, 0, 0, 3], [0, 0, 3, 0]),
         case([6, 2, 2, 1, 1], [1, 1, 3, 2, 1], [0, 0, 4, 0, 0], [0, 0, 0, 1, 0])]
