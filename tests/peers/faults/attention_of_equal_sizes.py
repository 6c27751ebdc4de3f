"""Attention with as many heads as queries: where the queries are transposed directly and the result is not, or the other way round, numbers are wrong."""
import numpy as np

ROW = "AttentionOfEqualSizes"
FEWER_WITHOUT = "avx512f"
HEADS_FIRST = [0, 2, 1, 3]


def case(batch, heads, keys, size, biased, back):
    """`biased`: an op between the Transpose of the queries and the product; `back`: the result is transposed."""
    random = np.random.default_rng(heads)
    shapes = {"q": (batch, heads, heads, size), "k": (batch, keys, heads, size), "v": (batch, keys, heads, size)}
    feeds = {name: random.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    bias = random.normal(size=size).astype(np.float32)
    queries, rows, columns = (feeds[name].transpose(HEADS_FIRST) for name in "qkv")
    scores = (queries + bias if biased else queries) @ rows.transpose(0, 1, 3, 2)
    exponents = np.exp(scores - scores.max(-1, keepdims=True))
    want = exponents / exponents.sum(-1, keepdims=True) @ columns
    want = want.transpose(HEADS_FIRST) if back else want

    def build(copies):
        def made(g):
            def transposed(x):
                shape = [x.shape[i] for i in HEADS_FIRST]
                return g.op("Transpose", x, g.constant(np.array(HEADS_FIRST)), outputs=[("f32", shape)])

            def split(name):
                flat = g.parameter(name, "f32", (*shapes[name][:2], heads * size))
                sizes = g.constant(np.array([0, 0, heads, size]))
                return transposed(g.op("Reshape", flat, sizes, special_zero=True, outputs=[("f32", shapes[name])]))

            q, k, v = (split(name) for name in "qkv")
            if biased:
                q = g.op("Add", q, g.constant(bias), auto_broadcast="numpy")
            s = g.op("MatMul", q, k, transpose_a=False, transpose_b=True, outputs=[("f32", scores.shape)])
            p = g.op("SoftMax", s, axis=3)
            p = g.op("Maximum", p, p, auto_broadcast="numpy") if copies else p
            y = g.op("MatMul", p, v, transpose_a=False, transpose_b=False, outputs=[("f32", (batch, heads, heads, size))])
            g.result(transposed(y) if back else y)
        made.__name__ = f"{'biased ' if biased else ''}queries, {'transposed back' if back else 'heads first'}"
        return made
    return build(False), build(True), {name: x.reshape(*x.shape[:2], -1) for name, x in feeds.items()}, [want]


CASES = [case(2, 4, 4, 8, False, False), case(1, 2, 3, 2, True, True), case(1, 12, 20, 64, True, True)]
