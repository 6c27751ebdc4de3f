"""Operands whose sizes the op fixes but the model does not tell: bounds of StridedSlice, columns of boxes."""
import numpy as np

ROW = "OperandsOfUnknownSizes"
V10 = False
DATA = np.arange(30, dtype=np.float32).reshape(5, 6)
IMAGE = np.random.default_rng(0).uniform(-1, 1, (1, 2, 8, 8)).astype(np.float32)


def reshaped(g, x, sizes):
    return g.op("Reshape", x, g.constant(np.array(sizes)), special_zero=False, outputs=[(x.type, sizes)]) if sizes else x


def strided_slice(count):
    def build(g):
        data = g.parameter("data", "f32", DATA.shape)
        bounds = [reshaped(g, g.parameter(name, "i64", [-1]), count) for name in ("begin", "end", "step")]
        masks = {name: [0, 0] for name in ("begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask")}
        g.result(g.op("StridedSlice", data, *bounds, outputs=[("f32", [-1, -1])], **masks))

    return build


def roi_pooling(columns):
    def build(g):
        boxes = reshaped(g, g.parameter("boxes", "f32", [-1, -1]), columns)
        image, pooled = g.parameter("image", "f32", IMAGE.shape), [("f32", [-1, 2, 1, 1])]
        g.result(g.op("ROIPooling", image, boxes, version=2, outputs=pooled, pooled_h=1, pooled_w=1, spatial_scale=1, method="max"))

    return build


def transpose(is_completed):
    def build(g):
        order = g.parameter("order", "i64", [-1])
        if is_completed:
            both = g.op("Concat", order, g.constant(np.array([1, 0])), axis=0, outputs=[("i64", [-1])])
            order = g.op("Gather", both, g.constant(np.array([0, 1])), g.constant(np.int64(0)), outputs=[("i64", [2])])
        g.result(g.op("Transpose", g.parameter("data", "f32", [-1, -1]), order))

    return build


BOUNDS = {"begin": np.array([1, 0]), "end": np.array([4, 6]), "step": np.array([2, 3])}
BOXES = np.array([[0, 1, 2, 3, 5]], np.float32)
CASES = [(strided_slice(None), strided_slice([2]), {"data": DATA, **BOUNDS}, [DATA[1:4:2, 0:6:3]]),
         (roi_pooling(None), roi_pooling([-1, 5]), {"image": IMAGE, "boxes": BOXES}, [IMAGE[:, :, 2:6, 1:4].max((2, 3), keepdims=True)]),
         (transpose(False), transpose(True), {"data": DATA, "order": np.zeros(0, np.int64)}, [DATA.T])]
