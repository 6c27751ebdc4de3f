"""Col2Im of columns of known sizes, whose image or block has sizes that are inputs."""
import numpy as np

ROW = "ColumnsOfComputedImages"
V10 = False
SINCE = OLDEST = "2024.6"
IMAGE, BLOCK = (5, 4), (2, 2)
COLUMNS = np.random.default_rng(0).uniform(-3, 3, (1, 12, 12)).astype(np.float32)


def folded():
    columns = COLUMNS.reshape(1, 3, 2, 2, 4, 3)
    image = np.zeros((1, 3, *IMAGE), np.float32)
    for i in range(2):
        for j in range(2):
            image[:, :, i:i + 4, j:j + 3] += columns[:, :, i, j]
    return image


def col2im(shape, computed, is_hidden):
    def build(g):
        def sizes(name, numbers):
            return g.parameter(name, "i64", [2]) if name in computed else g.constant(np.array(numbers))
        columns, image, block = g.parameter("columns", "f32", shape), sizes("image", IMAGE), sizes("block", BLOCK)
        if is_hidden:
            as_they_are = g.op("Minimum", image if "image" in computed else block, g.constant(np.array([0])), auto_broadcast="numpy")
            if len(shape) == 3:
                as_they_are = g.op("Concat", g.constant(np.array([0])), as_they_are, axis=0, outputs=[("i64", [3])])
            columns = g.op("Reshape", columns, as_they_are, special_zero="true", outputs=[("f32", [-1] * len(shape))])
        g.result(g.op("Col2Im", columns, image, block, version=15, outputs=[("f32", [-1] * (len(shape) + 1))], strides="1,1", dilations="1,1", pads_begin="0,0",
                      pads_end="0,0"))

    return build


def case(shape, *computed):
    feed = {"columns": COLUMNS.reshape(shape), **{name: np.array(IMAGE if name == "image" else BLOCK) for name in computed}}
    return col2im(shape, computed, False), col2im(shape, computed, True), feed, [folded() if len(shape) == 3 else folded()[0]]


CASES = [case(COLUMNS.shape, "image"), case(COLUMNS.shape, "block"), case(COLUMNS.shape[1:], "image", "block")]
