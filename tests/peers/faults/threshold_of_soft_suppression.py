"""Soft NonMaxSuppression: boxes that overlap by more than iou_threshold lose score, and are not dropped."""
import numpy as np

ROW = "ThresholdOfSoftSuppression"
V10 = False
BOXES = np.array([[0, 0, 1, 1], [0, .1, 1, 1.1], [0, 10, 1, 11]], np.float32)[None]
SCORES = np.array([.9, .75, .95], np.float32)[None, None]
SIGMA = .5


def build(threshold):
    def made(g):
        boxes, scores = g.parameter("boxes", "f32", [1, 3, 4]), g.parameter("scores", "f32", [1, 1, 3])
        limits = [g.constant(np.int64(3))] + [g.constant(np.float32(limit)) for limit in (threshold, .1, SIGMA)]
        _, chosen, count = g.op("NonMaxSuppression", boxes, scores, *limits, version=5, outputs=[("i64", [-1, 3]), ("f32", [-1, 3]), ("i64", [1])],
                                box_encoding="corner", sort_result_descending=False, output_type="i64")
        bounds = g.constant(np.array([0])), count, g.constant(np.array([1]))
        rows = g.op("StridedSlice", chosen, *bounds, outputs=[("f32", [-1, 3])], begin_mask=[0], end_mask=[0], new_axis_mask=[], shrink_axis_mask=[],
                    ellipsis_mask=[])
        g.result(g.op("Gather", rows, g.constant(np.int64(2)), g.constant(np.int64(1)), outputs=[("f32", [-1])]))

    return made


OVERLAP = .9 / 1.1
CASES = [(build(.5), build(2), {"boxes": BOXES, "scores": SCORES}, [np.array([.95, .9, .75 * np.exp(-.5 / SIGMA * OVERLAP ** 2)], np.float32)])]
