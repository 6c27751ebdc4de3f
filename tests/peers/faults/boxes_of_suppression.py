"""NonMaxSuppression of unknown output size: the list of boxes has as many rows as there may be, those after the last are -1."""
import numpy as np

ROW = "BoxesOfSuppression"
V10 = False
BOXES = np.array([[0, 0, 1, 1], [0, .1, 1, 1.1], [0, -.1, 1, .9], [0, 10, 1, 11], [0, 10.1, 1, 11.1], [0, 100, 1, 101]], np.float32)[None]
SCORES = np.array([.9, .75, .6, .95, .5, .3], np.float32)[None, None]


def build(cuts):
    def made(g):
        boxes, scores = g.parameter("boxes", "f32", [1, 6, 4]), g.parameter("scores", "f32", [1, 1, 6])
        limits = g.constant(np.int64(4)), g.constant(np.float32(.5)), g.constant(np.float32(0))
        outputs = [("i32", [-1, 3]), ("f32", [-1, 3]), ("i32", [1])]
        chosen, _, count = g.op("NonMaxSuppression", boxes, scores, *limits, version=5, outputs=outputs, box_encoding="corner",
                                sort_result_descending=False, output_type="i32")
        if cuts:
            bounds = g.constant(np.array([0], np.int32)), count, g.constant(np.array([1], np.int32))
            chosen = g.op("StridedSlice", chosen, *bounds, outputs=[("i32", [-1, 3])], begin_mask=[0], end_mask=[0], new_axis_mask=[],
                          shrink_axis_mask=[], ellipsis_mask=[])
        g.result(g.op("Gather", chosen, g.constant(np.int64(2)), g.constant(np.int64(1)), outputs=[("i32", [-1])]))
    return made


CASES = [(build(False), build(True), {"boxes": BOXES, "scores": SCORES}, [np.array([3, 0, 5], np.int32)])]
