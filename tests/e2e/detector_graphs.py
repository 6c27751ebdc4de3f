"""Frozen TensorFlow graphs of the well-known detectors: a backbone of two convolutions, and the whole post-processing under its real names.

Written the way the sources of each family build their graphs: the Object Detection API (Faster R-CNN, R-FCN, Mask R-CNN: versions 1.6, 1.10 and 1.14),
the YOLO ports for TensorFlow, keras-retinanet.
"""
from tf_graph_text import BOOL, FLOAT, INT32, INT64, UINT8, Graph

SIZE, STRIDE, CHANNELS, CLASSES, PROPOSALS = 64, 16, 6, 2, 8
SCALES, RATIOS, BASE = [0.5, 1.0], [1.0, 2.0], 16.0
ANCHORS = len(SCALES) * len(RATIOS)
CROP, BINS = 4, 2

PIPELINE = f"""model {{
  faster_rcnn {{
    num_classes: {CLASSES}
    image_resizer {{ fixed_shape_resizer {{ height: {SIZE} width: {SIZE} }} }}
    first_stage_anchor_generator {{
      grid_anchor_generator {{
        height: {BASE:.0f} width: {BASE:.0f} height_stride: {STRIDE} width_stride: {STRIDE}
        {" ".join(f"scales: {s}" for s in SCALES)} {" ".join(f"aspect_ratios: {r}" for r in RATIOS)}
      }}
    }}
    first_stage_nms_score_threshold: 0.0
    first_stage_nms_iou_threshold: 0.7
    first_stage_max_proposals: {PROPOSALS}
    clip_anchors_to_image: true
    initial_crop_size: {CROP}
    second_stage_box_predictor {{
      rfcn_box_predictor {{ num_spatial_bins_height: {BINS} num_spatial_bins_width: {BINS} crop_height: {CROP} crop_width: {CROP} }}
    }}
    second_stage_post_processing {{
      batch_non_max_suppression {{ score_threshold: 0.3 iou_threshold: 0.6 max_detections_per_class: 5 max_total_detections: 5 }}
      score_converter: SOFTMAX
    }}
  }}
}}
"""


# -- Object Detection API, what all of its detectors have ---------------------------------------------------------------------------------


def preprocessed(g):
    """Preprocessor: a loop that resizes each image, then the means are subtracted. Gives the images and their true sizes."""
    image = g.placeholder("image_tensor", UINT8, [-1, -1, -1, 3])
    image = g.cast(image, FLOAT, "ToFloat")

    def resize(one):
        with g.scope("ResizeImage"):
            with g.scope("resize_images"):
                made = g.op("ResizeBilinear", [g.expand(one, 0), [SIZE, SIZE]], align_corners=False, half_pixel_centers=False)
                made = g.squeeze(made, [0])
            return made, g.const([SIZE, SIZE, 3], "stack")

    with g.scope("Preprocessor"):
        images, sizes = g.map_fn(resize, [image], [FLOAT, INT32])
        return g.sub(images, [[[123.68, 116.779, 103.939]]]), sizes


def features(g, images, depth=CHANNELS):
    with g.scope("FirstStageFeatureExtractor"):
        made = g.convolution(images, 3, 4, 4, 4, "Conv1", 0.01, "Relu6")
        return g.convolution(made, 4, depth, 4, 4, "Conv2", 0.5, "Relu6")


def grid_anchors(g, made_of):
    """GridAnchorGenerator: all sizes at each place of the grid, as corners in pixels."""
    with g.scope("GridAnchorGenerator"):
        shape = g.shape(made_of)
        rows, columns = g.element(shape, 1), g.element(shape, 2)
        scales = g.const([s for _ in RATIOS for s in SCALES], "Reshape_scales")
        roots = g.op("Sqrt", [g.const([r for r in RATIOS for _ in SCALES], "Reshape_ratios")])
        heights = g.mul(g.div(scales, roots), BASE)
        widths = g.mul(g.mul(scales, roots), BASE)
        centers = []
        for count in (rows, columns):
            centers.append(g.add(g.mul(g.cast(g.range(count), FLOAT, "ToFloat"), float(STRIDE)), 0.0))
        y, x = centers
        with g.scope("Meshgrid"):
            ones = g.op("Fill", [g.pack([rows, columns, ANCHORS]), 1.0], type=FLOAT, T=FLOAT, index_type=INT32)
            y = g.mul(g.reshape(y, [-1, 1, 1]), ones)
            x = g.mul(g.reshape(x, [1, -1, 1]), ones)
            h, w = g.mul(heights, ones), g.mul(widths, ones)
        middles = g.reshape(g.pack([y, x], 3), [-1, 2])
        sizes = g.reshape(g.pack([h, w], 3), [-1, 2])
        half = g.mul(0.5, sizes)
        corners = g.concat([g.sub(middles, half), g.add(middles, half)], 1)
        return g.identity(corners)


def decoded(g, codes, anchors):
    """FasterRcnnBoxCoder: [N, 4] relative to [N, 4]."""
    with g.scope("Decode"):
        with g.scope("get_center_coordinates_and_sizes"):
            y1, x1, y2, x2 = g.unpack(g.op("Transpose", [anchors, [1, 0]], "transpose", Tperm=INT32), 4)
            width, height = g.sub(x2, x1), g.sub(y2, y1)
            y, x = g.add(y1, g.div(height, 2.0)), g.add(x1, g.div(width, 2.0))
        ty, tx, th, tw = g.unpack(g.op("Transpose", [codes, [1, 0]], "transpose", Tperm=INT32), 4)
        ty, tx, th, tw = g.div(ty, 10.0), g.div(tx, 10.0), g.div(th, 5.0), g.div(tw, 5.0)
        w, h = g.mul(g.op("Exp", [tw]), width), g.mul(g.op("Exp", [th]), height)
        y, x = g.add(g.mul(ty, height), y), g.add(g.mul(tx, width), x)
        h, w = g.div(h, 2.0), g.div(w, 2.0)
        return g.op("Transpose", [g.pack([g.sub(y, h), g.sub(x, w), g.add(y, h), g.add(x, w)]), [1, 0]], "transpose", Tperm=INT32)


def batch_decoded(g, codes, anchors, classes, expansion="ExpandDims"):
    """_batch_decode_boxes: codes [images, boxes, classes, 4], anchors [images, boxes, 4]; the name of the expansion is the caller's."""
    shape = g.shape(codes)
    tiled = g.tile(g.expand(anchors, 2, expansion), [1, 1, classes, 1])
    made = decoded(g, g.reshape(codes, [-1, 4]), g.reshape(tiled, [-1, 4]))
    return g.reshape(made, g.pack([g.element(shape, 0), g.element(shape, 1), classes, 4]))


def padded(g, x, count, row):
    """pad_or_clip_tensor: the first `count` rows, padded with zeros when there are fewer."""
    with g.scope("PadOrClipBoxList"):
        have = g.element(g.shape(x), 0)
        kept = g.op("Minimum", [have, count])
        made = g.op("Slice", [x, [0] * (1 + len(row)), g.pack([kept, *row])], Index=INT32)
        return g.op("Pad", [made, g.pack([g.pack([0, g.sub(count, kept)]), *([[0, 0]] * len(row))])], Tpaddings=INT32)


def clipped(g, boxes, window):
    """ClipToWindow: the boxes, and which of them have an area."""
    y1, x1, y2, x2 = g.split(boxes, 4, 1)
    top, left, bottom, right = g.unpack(window, 4)
    clip = [g.op("Maximum", [g.op("Minimum", [v, high]), low])
            for v, low, high in ((y1, top, bottom), (x1, left, right), (y2, top, bottom), (x2, left, right))]
    area = g.squeeze(g.mul(g.sub(clip[2], clip[0]), g.sub(clip[3], clip[1])), [1])
    where = g.op("Where", [g.op("Greater", [area, 0.0], type=BOOL)], type=INT64, T=BOOL)
    return g.concat(clip, 1), g.cast(g.reshape(where, [-1]), INT32)


def suppressed(g, boxes, scores, window, classes, valid, limits, extra_fields, clips_first=True, written_out=False):
    """BatchMultiClassNonMaxSuppression: for each image a suppression of each class, joined, sorted and padded.

    boxes [images, N, classes, 4], scores [images, N, classes], window [images, 4], valid [images]; limits: score, IoU, of a class, in total.
    """
    least, overlap, most_of_class, most = limits

    def of_image(boxes, scores, masks, window, *rest):
        if extra_fields:
            rest = rest[1:]
        count = rest[0]
        boxes = g.reshape(g.op("Slice", [boxes, [0, 0, 0], g.pack([count, -1, -1])], Index=INT32), [-1, classes, 4])
        scores = g.reshape(g.op("Slice", [scores, [0, 0], g.pack([count, -1])], Index=INT32), [-1, classes])
        with g.scope("MultiClassNonMaxSuppression"):
            of_class = g.unpack(boxes, classes, 1)
            found = []
            for c in range(classes):
                points = g.reshape(g.op("Slice", [scores, [0, c], [-1, 1]], Index=INT32), [-1])
                with g.scope("FilterGreaterThan"):
                    where = g.op("Where", [g.op("Greater", [points, least], type=BOOL)], type=INT64, T=BOOL)
                    where = g.cast(g.squeeze(where, [1]), INT32)
                    kept, points = g.gather(of_class[c], where), g.gather(points, where)
                if clips_first:
                    with g.scope("ClipToWindow"):
                        kept, where = clipped(g, kept, window)
                        kept, points = g.gather(kept, where), g.gather(points, where)
                limit = g.op("Minimum", [g.element(g.shape(kept), 0), most_of_class])
                with g.scope("non_max_suppression"):
                    selected = g.op("NonMaxSuppressionV3", [kept, points, limit, overlap, least], type=INT32)
                with g.scope("Gather"):
                    points = g.gather(points, selected)
                    label = g.add(g.op("ZerosLike", [points], "zeros_like"), float(c))
                    found.append((g.gather(kept, selected), points, label))
            with g.scope("Concatenate"):
                if classes == 1:
                    joined = found[0]
                else:
                    joined = [g.concat([f[i] for f in found], 0) for i in range(3)]
            with g.scope("SortByField"):
                order = g.op("TopKV2", [joined[1], g.element(g.shape(joined[1]), 0)], sorted=True)
                order = g.output(order, 1, INT32)
                joined = [g.gather(x, order) for x in joined]
            if not clips_first:
                with g.scope("ClipToWindow"):
                    kept, where = clipped(g, joined[0], window)
                    joined = [g.gather(x, where) for x in (kept, *joined[1:])]
            with g.scope("ChangeCoordinateFrame"):
                top, left, bottom, right = g.unpack(window, 4)
                height, width = g.sub(bottom, top), g.sub(right, left)
                joined[0] = g.div(g.sub(joined[0], g.pack([top, left, top, left])), g.pack([height, width, height, width]))
        with g.scope("pad"):
            number = g.op("Minimum", [g.element(g.shape(joined[1]), 0), most])
            made = [padded(g, joined[0], most, [4]), padded(g, joined[1], most, []), padded(g, joined[2], most, []), padded(g, joined[0], most, [4])]
        return [*made, *([padded(g, joined[0], most, [4])] if extra_fields else []), number]

    masks = scores  # the API invents masks when there are none; freezing removes them again
    elements = [boxes, scores, masks, window, *([masks] if extra_fields else []), valid]
    types = [FLOAT] * (5 if extra_fields else 4) + [INT32]
    if written_out:  # version 2, for a batch of one image
        made = of_image(*(g.squeeze(x, [0]) for x in elements))
        return [g.pack([x], name=name) for x, name in zip((made[0], made[1], made[2], made[-1]), ("stack_6", "stack_7", "stack_8", "stack_10"))]
    made = g.map_fn(of_image, elements, types)
    return made[0], made[1], made[2], made[-1]


def window_of_all(g, shape):
    """The whole image, in pixels, from the shape of the images."""
    rows = g.pack([0, 0, g.element(shape, 1), g.element(shape, 2)])
    return g.tile(g.expand(g.cast(rows, FLOAT, "ToFloat"), 0), g.pack([g.element(shape, 0), 1]))


def window_of_each(g, sizes, name):
    """The same from the true size of each image, as the preprocessing tells them."""
    heights, widths, _ = g.unpack(sizes, 3, 1)
    nothing = g.op("ZerosLike", [heights], "zeros_like")
    return g.cast(g.pack([nothing, nothing, heights, widths], 1), FLOAT, name)


def taken(g, name):
    """A name that was reserved inside of this scope."""
    g.release(g.prefix + name)
    return name


def first_stage(g, images, sizes, extracted, version):
    """Proposals: relative to the image (what the second stage crops) and in pixels, and how many there are of each image."""
    extra = version >= 14
    shape = g.shape(images)
    with g.scope("FirstStageBoxPredictor"):
        boxes = g.convolution(extracted, CHANNELS, 4 * ANCHORS, 1, 1, "BoxEncodingPredictor", 0.3)
        places = g.shape(boxes)
        boxes = g.reshape(boxes, g.pack([g.element(places, 0), -1, 1, 4]), "Reshape")
        points = g.convolution(extracted, CHANNELS, 2 * ANCHORS, 1, 1, "ClassPredictor", 1.0, bias=1.0)
        points = g.reshape(points, g.pack([g.element(places, 0), -1, 2]), "Reshape")
    if version >= 7:  # of all feature maps: there is one
        name = "concat" if version < 15 else "concat/concat"
        boxes, points = g.identity(boxes, name), g.identity(points, "concat" if version < 15 else "concat_1/concat")
    boxes = g.squeeze(boxes, [2])
    anchors = grid_anchors(g, extracted)
    with g.scope("ClipToWindow"):  # clip_anchors_to_image
        anchors = g.op("Minimum", [g.op("Maximum", [anchors, 0.0]), float(SIZE)])
    codes = g.expand(boxes, 2)
    tiled = g.tile(g.expand(anchors, 0), g.pack([g.element(g.shape(codes), 0), 1, 1]))
    proposals = batch_decoded(g, codes, tiled, 1)
    chance = g.expand(g.column(g.op("Softmax", [points]), 1, 3), 2)
    if version >= 20:
        heights, widths, _ = g.unpack(sizes, 3, 1)
        heights, widths = g.cast(heights, FLOAT, taken(g, "Cast_1")), g.cast(widths, FLOAT, taken(g, "Cast_2"))
        nothing = g.op("ZerosLike", [heights], "zeros_like")
        window = g.pack([nothing, nothing, heights, widths], 1)
    else:
        window = window_of_all(g, shape) if version < 7 else window_of_each(g, sizes, "Cast")
    valid = g.tile(g.expand(g.element(g.shape(codes), 1), 0), g.pack([g.element(shape, 0)]))
    with g.scope("BatchMultiClassNonMaxSuppression"):
        found, _, _, count = suppressed(g, proposals, chance, window, 1, valid, (0.0, 0.7, PROPOSALS, PROPOSALS), extra, version < 10, version >= 20)
    if version >= 20:
        relative = g.pack([g.squeeze(found, [0])], name=taken(g, "stack_3"))
        return relative, g.mul(relative, [float(SIZE)] * 4), count
    # The suppression has made them relative to the window; the API divides here, and multiplies for the second stage.
    relative, = g.map_fn(lambda x: g.identity(x), [found], [FLOAT])
    if version >= 13:
        g.map_fn(lambda x: g.identity(x, "unused"), [found], [FLOAT])

    def to_pixels(one):
        height, width = g.cast(g.element(shape, 1), FLOAT), g.cast(g.element(shape, 2), FLOAT)
        with g.scope("ToAbsoluteCoordinates"):
            return g.mul(one, g.pack([height, width, height, width]))

    absolute, = g.map_fn(to_pixels, [relative], [FLOAT])
    return relative, absolute, count


def cropped(g, extracted, relative, name="CropAndResize", size=CROP):
    """Crops of all proposals, joined: [images * proposals, size, size, C]."""
    places = g.shape(relative)
    owners = g.mul(g.op("Fill", [g.pack([g.element(places, 0), g.element(places, 1)]), 1], type=INT32, T=INT32, index_type=INT32),
                   g.expand(g.range(g.element(places, 0)), 1))
    return g.op("CropAndResize", [extracted, g.reshape(relative, [-1, 4]), g.reshape(owners, [-1]), [size, size]], name, FLOAT,
                method="bilinear", extrapolation_value=0.0)


def class_scores(g, points):
    points = g.op("Softmax", [points])
    return g.reshape(g.op("Slice", [points, [0, 0, 1], [-1, -1, -1]], Index=INT32), [-1, PROPOSALS, CLASSES])


OUTPUTS = ["detection_boxes", "detection_scores", "detection_classes", "num_detections"]
SEEDS = {"faster_rcnn": 5, "rfcn": 5, "mask_rcnn": 5, "yolo_v1": 1, "yolo_v2": 2, "yolo_v3": 3, "retinanet": 4}
LIMITS = (0.3, 0.6, 5, 5)


def second_stage(g, sizes, boxes, points, absolute, count, version):
    """SecondStagePostprocessor and the outputs of the model."""
    with g.scope("SecondStagePostprocessor"):
        codes = g.reshape(boxes, [-1, PROPOSALS, CLASSES, 4])
        points = g.reshape(points, [-1, PROPOSALS, CLASSES + 1])
        found = batch_decoded(g, codes, absolute, CLASSES)
        window = window_of_each(g, sizes, "ToFloat")
        with g.scope("BatchMultiClassNonMaxSuppression"):
            made = suppressed(g, found, class_scores(g, points), window, CLASSES, count, LIMITS, False, version < 10, version >= 20)
        if version >= 20:
            return (*made[:3], g.cast(made[3], FLOAT, "Cast_3"))
    outputs(g, *made)
    return None


def outputs(g, boxes, scores, labels, count):
    g.identity(boxes, "detection_boxes")
    g.identity(scores, "detection_scores")
    g.identity(g.add(labels, 1.0), "detection_classes")
    g.identity(g.cast(count, FLOAT, "ToFloat"), "num_detections")


def pooled(g, crops):
    return g.op("MaxPool", [crops], "MaxPool2D/MaxPool", ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="VALID", data_format="NHWC")


def second_heads(g, crops):
    """Features of the crops, then what they predict: boxes [crops, 1, classes, 4] and classes [crops, 1, classes + 1]."""
    with g.scope("SecondStageFeatureExtractor"):
        crops = g.convolution(crops, CHANNELS, CHANNELS, 1, 1, "Conv", 0.5, "Relu")
    with g.scope("SecondStageBoxPredictor"):
        flat = g.op("Mean", [crops, [1, 2]], "AvgPool", Tidx=INT32, keep_dims=True)
        with g.scope("Flatten"):
            flat = g.reshape(flat, [-1, CHANNELS])
        boxes = g.reshape(g.dense(flat, CHANNELS, 4 * CLASSES, "BoxEncodingPredictor", 0.5), [-1, 1, CLASSES, 4])
        points = g.reshape(g.dense(flat, CHANNELS, CLASSES + 1, "ClassPredictor", 1.0), [-1, 1, CLASSES + 1])
    return boxes, points, crops


def faster_rcnn(version=6):
    """faster_rcnn_support.json and those of versions 1.7 to 1.15."""
    g = Graph(SEEDS["faster_rcnn"])
    images, sizes = preprocessed(g)
    extracted = features(g, images)
    relative, absolute, count = first_stage(g, images, sizes, extracted, version)
    boxes, points, _ = second_heads(g, pooled(g, cropped(g, extracted, relative)))
    second_stage(g, sizes, g.squeeze(boxes, [1]), points, absolute, count, version)
    return g.frozen(OUTPUTS)


def rfcn(version=10):
    """rfcn_support.json and those of versions 1.10 to 1.14. Each bin of a region has channels of its own."""
    g = Graph(SEEDS["rfcn"])
    images, sizes = preprocessed(g)
    extracted = features(g, images)
    relative, absolute, count = first_stage(g, images, sizes, extracted, version)
    with g.scope("SecondStageFeatureExtractor"):
        refined = g.convolution(extracted, CHANNELS, CHANNELS, 1, 1, "Conv", 0.5, "Relu")

    def position_sensitive(one, boxes):
        """position_sensitive_crop_regions: crops of each bin from its channels, their mean."""
        y1, x1, y2, x2 = g.unpack(boxes, 4, 1)
        step_y, step_x = g.div(g.sub(y2, y1), float(BINS)), g.div(g.sub(x2, x1), float(BINS))
        parts = g.split(one, BINS * BINS, 2)
        owners = g.op("Fill", [g.expand(g.element(g.shape(boxes), 0), 0), 0], "zeros", INT32, T=INT32, index_type=INT32)
        crops = []
        for row in range(BINS):
            for column in range(BINS):
                corner_y, corner_x = g.add(y1, g.mul(float(row), step_y)), g.add(x1, g.mul(float(column), step_x))
                cell = g.pack([corner_y, corner_x, g.add(y1, g.mul(float(row + 1), step_y)), g.add(x1, g.mul(float(column + 1), step_x))], 1)
                crops.append(g.op("CropAndResize", [g.expand(parts[row * BINS + column], 0), cell, owners, [CROP // BINS, CROP // BINS]],
                                  type=FLOAT, method="bilinear", extrapolation_value=0.0))
        total = g.op("AddN", crops, N=len(crops))
        return g.op("Mean", [g.div(total, float(BINS * BINS)), [1, 2]], Tidx=INT32, keep_dims=True)

    with g.scope("SecondStageBoxPredictor"):
        places = g.convolution(refined, CHANNELS, BINS * BINS * CLASSES * 4, 1, 1, "refined_locations", 0.5)
        classes = g.convolution(refined, CHANNELS, BINS * BINS * (CLASSES + 1), 1, 1, "class_predictions", 1.0)
        boxes, = g.map_fn(position_sensitive, [places, relative], [FLOAT])
        boxes = g.reshape(g.squeeze(boxes, [2, 3]), [-1, 1, CLASSES, 4])
        points, = g.map_fn(position_sensitive, [classes, relative], [FLOAT])
        points = g.reshape(g.squeeze(points, [2, 3]), [-1, 1, CLASSES + 1])
    second_stage(g, sizes, g.squeeze(boxes, [1]), points, absolute, count, version)
    return g.frozen(OUTPUTS)


# Names of the places that configurations name, in versions of Mask R-CNN: the expansion of proposals, the cast of the true sizes, the end of the
# second crop.
MASK_NAMES = {6: ("ExpandDims_7", "ToFloat_6", None), 7: ("ExpandDims_7", "ToFloat_6", None), 11: ("ExpandDims_6", "ToFloat_6", "Reshape_10"),
              13: ("ExpandDims_6", "ToFloat_3", "Reshape_15"), 14: ("ExpandDims_6", "Cast_5", "Reshape_10"),
              15: ("ExpandDims_6", "Cast_5", "Reshape_10")}


def mask_rcnn(version=14):
    """mask_rcnn_support.json and those of versions 1.7 to 1.15. A second crop, at the detections, and a head that predicts masks."""
    g = Graph(SEEDS["mask_rcnn"])
    names = [name for name in MASK_NAMES[version] if name]
    for name in names:
        g.reserve(name)
    images, sizes = preprocessed(g)
    extracted = features(g, images)
    relative, absolute, count = first_stage(g, images, sizes, extracted, version)
    crop = "CropAndResize{}" + ("/CropAndResize" if version > 7 else "")
    crops = cropped(g, extracted, relative, crop.format(""))
    boxes, points, _ = second_heads(g, pooled(g, crops))
    codes = g.reshape(g.squeeze(boxes, [1]), [-1, PROPOSALS, CLASSES, 4])
    found = batch_decoded(g, codes, absolute, CLASSES, g.release(names[0]))
    points = g.reshape(points, [-1, PROPOSALS, CLASSES + 1])
    window = window_of_each(g, sizes, g.release(names[1]))
    with g.scope("BatchMultiClassNonMaxSuppression"):
        boxes, scores, labels, count = suppressed(g, found, class_scores(g, points), window, CLASSES, count, LIMITS, version >= 14,
                                                  version < 10)
    crops = cropped(g, extracted, boxes, crop.format("_1"))
    if version > 7:
        with g.within("CropAndResize_1/"):
            first = g.element(g.shape(boxes, "Shape_1"), 0) if version == 13 else -1
            crops = g.reshape(crops, g.pack([first, LIMITS[3], CROP, CROP, CHANNELS]))
        crops = g.reshape(crops, [-1, CROP, CROP, CHANNELS], g.release(names[2]))
    with g.scope("SecondStageBoxPredictor"):
        made = g.convolution(pooled(g, crops), CHANNELS, CHANNELS, 3, 1, "Conv", 0.5, "Relu")
        made = g.op("ResizeBilinear", [made, [CROP, CROP]], "ResizeBilinear", align_corners=False, half_pixel_centers=False)
        made = g.convolution(made, CHANNELS, CLASSES, 1, 1, "Conv_3", 1.0)
    masks = g.op("Sigmoid", [g.op("Transpose", [made, [0, 3, 1, 2]], "transpose", Tperm=INT32)])
    outputs(g, boxes, scores, labels, count)
    g.identity(masks, "detection_masks")
    return g.frozen([*OUTPUTS, "detection_masks"])


# -- YOLO ---------------------------------------------------------------------------------------------------------------------------------

V2_ANCHORS = [0.57273, 0.677385, 1.87446, 2.06253, 3.33843, 5.47434, 7.88282, 3.52778, 9.77052, 9.16828]
V3_ANCHORS = [10, 13, 16, 30, 33, 23, 30, 61, 62, 45, 59, 119, 116, 90, 156, 198, 373, 326]
TINY_ANCHORS = [10, 14, 23, 27, 37, 58, 81, 82, 135, 169, 344, 319]
TINY_MASKS = [[3, 4, 5], [0, 1, 2]]
V3_MASKS = [[6, 7, 8], [3, 4, 5], [0, 1, 2]]


def darkflow_layer(g, x, index, depth, channels, kernel, stride, batch_norm=True):
    """Padding, convolution, normalisation and the leaky ReLU of darkflow; without normalisation a bias only."""
    side = kernel // 2
    x = g.op("Pad", [x, [[0, 0], [side, side], [side, side], [0, 0]]], Tpaddings=INT32)
    x = g.op("Conv2D", [x, g.noise([kernel, kernel, depth, channels], 0.4, f"{index}-convolutional/kernel")], "convolutional",
             strides=[1, stride, stride, 1], padding="VALID", data_format="NHWC", dilations=[1, 1, 1, 1], use_cudnn_on_gpu=True)
    if batch_norm:
        x = g.sub(x, g.noise([channels], 0.1, f"{index}-convolutional/moving_mean"))
        x = g.div(x, g.noise([channels], 0.2, f"{index}-convolutional/moving_variance", 1.0))
        x = g.mul(x, g.noise([channels], 0.2, f"{index}-convolutional/gamma", 1.0))
    x = g.op("BiasAdd", [x, g.noise([channels], 0.1, f"{index}-convolutional/biases")], data_format="NHWC")
    return g.op("Maximum", [g.mul(0.1, x), x]) if batch_norm else x


def darkflow_backbone(g):
    image = g.placeholder("input", FLOAT, [-1, 32, 32, 3])
    x = darkflow_layer(g, image, 0, 3, 4, 3, 2)
    x = g.op("MaxPool", [x], "maxpool", ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME", data_format="NHWC")
    return darkflow_layer(g, x, 2, 4, 6, 3, 2)


def yolo_v1():
    """The first version ends with a connected layer: its regions are not a feature map."""
    g = Graph(SEEDS["yolo_v1"])
    x = darkflow_backbone(g)
    x = g.reshape(g.op("Transpose", [x, [0, 3, 1, 2]], "transpose", Tperm=INT32), [-1, 6 * 16], "flatten")
    x = g.op("MatMul", [x, g.noise([6 * 16, 2 * 2 * (20 + 3 * 5)], 0.3, "4-connected/weights")], "connected", transpose_a=False,
             transpose_b=False)
    x = g.op("BiasAdd", [x, g.noise([2 * 2 * (20 + 3 * 5)], 0.1, "4-connected/biases")], data_format="NHWC")
    g.identity(x, "output")
    return g.frozen(["output"])


def yolo_v1_convolutional(regions=3):
    """The variants of the first version that end with a convolution: regions of 4 coordinates, a confidence and 20 classes."""
    g = Graph(SEEDS["yolo_v1"])
    x = darkflow_layer(g, darkflow_backbone(g), 3, 6, regions * (20 + 5), 1, 1, False)
    g.identity(x, "output")
    return g.frozen(["output"])


def yolo_v2(classes=80, tiny=False):
    """darkflow: yolo_v2.json. The feature map before goes past the last convolutions (reorg), but not in the tiny networks."""
    g = Graph(SEEDS["yolo_v2"])
    early = darkflow_backbone(g)
    x = g.op("MaxPool", [early], "maxpool", ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME", data_format="NHWC")
    x = darkflow_layer(g, x, 4, 6, 6, 3, 1)
    if not tiny:
        past = g.op("ExtractImagePatches", [early], "ExtractImagePatches", ksizes=[1, 2, 2, 1], strides=[1, 2, 2, 1], rates=[1, 1, 1, 1],
                    padding="VALID")
        x = g.concat([past, x], 3)
    x = darkflow_layer(g, x, 7, 6 if tiny else 30, 5 * (classes + 5), 1, 1, False)
    g.identity(x, "output")
    return g.frozen(["output"])


def yolo_v3(classes=80, tiny=False):
    """tensorflow-yolo-v3: yolo_v3.json. Three scales, whose detections are decoded and joined."""
    g = Graph(SEEDS["yolo_v3"])
    all_anchors, masks = (TINY_ANCHORS, TINY_MASKS) if tiny else (V3_ANCHORS, V3_MASKS)
    image = g.placeholder("inputs", FLOAT, [-1, 64, 64, 3])

    def layer(x, depth, channels, kernel, stride):
        with g.scope("Conv"):
            x = g.op("Conv2D", [x, g.noise([kernel, kernel, depth, channels], 0.4, "weights")], strides=[1, stride, stride, 1],
                     padding="SAME", data_format="NHWC", dilations=[1, 1, 1, 1], use_cudnn_on_gpu=True)
            with g.scope("BatchNorm"):
                x = g.op("FusedBatchNorm", [x, g.noise([channels], 0.2, "gamma", 1.0), g.noise([channels], 0.1, "beta"),
                                            g.noise([channels], 0.1, "moving_mean"), g.noise([channels], 0.2, "moving_variance", 1.0)],
                         epsilon=1e-5, is_training=False, data_format="NHWC")
        return g.op("LeakyRelu", [x], alpha=0.1)

    def detections(x, depth, mask, size):
        """_detection_layer: 255 channels (of 80 classes) -> [N, boxes, 85], boxes as centre and size in pixels."""
        x = g.convolution(x, depth, 3 * (classes + 5), 1, 1, "Conv", 0.5)
        x = g.reshape(x, [-1, 3 * size * size, classes + 5])
        stride = 64 // size
        anchors = [[all_anchors[2 * i] / stride, all_anchors[2 * i + 1] / stride] for i in mask]
        parts = g.op("SplitV", [x, [2, 2, 1, classes], -1], "split", T=FLOAT, Tlen=INT32, num_split=4)
        centers, sizes, trust, scores = [parts, *(g.output(parts, i) for i in (1, 2, 3))]
        centers, trust = g.op("Sigmoid", [centers]), g.op("Sigmoid", [trust])
        steps = g.cast(g.range(g.const(size, "range/limit")), FLOAT)
        with g.scope("meshgrid"):
            ones = g.op("Fill", [[size, size], 1.0], "ones", FLOAT, T=FLOAT, index_type=INT32)
            columns, rows = g.mul(g.reshape(steps, [1, -1]), ones), g.mul(g.reshape(steps, [-1, 1]), ones)
        offset = g.concat([g.reshape(columns, [-1, 1]), g.reshape(rows, [-1, 1])], -1)
        offset = g.reshape(g.tile(offset, [1, 3]), [1, -1, 2])
        centers = g.mul(g.add(centers, offset), float(stride))
        sizes = g.mul(g.mul(g.op("Exp", [sizes]), g.tile(g.const(anchors), [size * size, 1])), float(stride))
        return g.concat([g.concat([centers, sizes, trust], -1), g.op("Sigmoid", [scores])], -1)

    with g.scope("detector"):
        with g.scope("darknet-53"):
            early = layer(layer(image, 3, 4, 3, 4), 4, 6, 3, 2)
            middle = layer(early, 6, 6, 3, 2)
            late = layer(middle, 6, 6, 3, 2)
        with g.scope("yolo-v3-tiny" if tiny else "yolo-v3"):
            found = [detections(late, 6, masks[0], 2)]
            for before, mask, size in list(zip((middle, early), masks[1:], (4, 8))):
                up = g.op("ResizeNearestNeighbor", [layer(late, 6, 3, 1, 1), [size, size]], align_corners=False, half_pixel_centers=False)
                late = layer(g.concat([up, before], 3), 9, 6, 3, 1)
                found.append(detections(late, 6, mask, size))
            made = g.concat(found, 1, "detections")
    return g.frozen([made])


# -- RetinaNet ----------------------------------------------------------------------------------------------------------------------------


def retinanet(height=32, width=64, classes=2):
    """keras-retinanet: retinanet.json. Two levels of a pyramid; boxes x first, in pixels."""
    g = Graph(SEEDS["retinanet"])
    image = g.placeholder("input_1", FLOAT, [-1, height, width, 3])
    base = g.convolution(image, 3, 6, 4, 4, "conv1", 0.3, "Relu")
    levels = [g.convolution(base, 6, 6, 3, 2, "P3", 0.3, "Relu")]
    levels.append(g.convolution(levels[0], 6, 6, 3, 2, "P4", 0.3, "Relu"))
    sizes = 2

    def head(name, channels, depth, scale, bias, activation=None):
        """One sub-model for all levels: its weights are shared."""
        with g.scope(name):
            kernel = g.noise([3, 3, 6, channels * depth], scale, "kernel")
            biases = g.noise([channels * depth], bias, "bias")
            made = []
            for x in levels:
                x = g.op("Conv2D", [x, kernel], "convolution", strides=[1, 1, 1, 1], padding="SAME", data_format="NHWC",
                         dilations=[1, 1, 1, 1], use_cudnn_on_gpu=True)
                x = g.op("BiasAdd", [x, biases], data_format="NHWC")
                shape = g.shape(x)
                x = g.reshape(x, g.pack([g.element(shape, 0), -1, depth]))
                made.append(g.op(activation, [x]) if activation else x)
        return made

    deltas = g.concat(head("regression_submodel", sizes, 4, 0.2, 0.2), 1, "regression/concat")
    scores = g.concat(head("classification_submodel", sizes, classes, 0.5, 0.5, "Sigmoid"), 1, "classification/concat")
    anchors = []
    for i, level in enumerate(levels):
        with g.scope(f"anchors_{i}"):
            stride = 8 * 2 ** i
            shape = g.shape(level)
            shifts = [g.mul(g.add(g.cast(g.range(g.element(shape, k)), FLOAT), 0.5), float(stride)) for k in (2, 1)]
            ones = g.op("Fill", [g.pack([g.element(shape, 1), g.element(shape, 2)]), 1.0], "ones", FLOAT, T=FLOAT, index_type=INT32)
            x, y = g.mul(g.reshape(shifts[0], [1, -1]), ones), g.mul(g.reshape(shifts[1], [-1, 1]), ones)
            x, y = g.reshape(x, [-1]), g.reshape(y, [-1])
            shift = g.op("Transpose", [g.pack([x, y, x, y]), [1, 0]], "transpose", Tperm=INT32)
            half = [float(stride), stride * 1.5]
            own = g.const([[-half[0], -half[0], half[0], half[0]], [-half[1], -half[0], half[1], half[0]]], "anchors")
            made = g.reshape(g.add(g.expand(own, 0), g.expand(shift, 1)), [-1, 4])
            anchors.append(g.tile(g.expand(made, 0), g.pack([g.element(shape, 0), 1, 1])))
    anchors = g.concat(anchors, 1, "anchors/concat")
    with g.scope("boxes"):
        x1, y1, x2, y2 = (g.column(anchors, i, 3) for i in range(4))
        w, h = g.sub(x2, x1), g.sub(y2, y1)
        delta = [g.mul(g.add(g.mul(g.column(deltas, i, 3), 0.2), 0.0), w if i % 2 == 0 else h) for i in range(4)]
        boxes = g.pack([g.add(a, d) for a, d in zip((x1, y1, x2, y2), delta)], 2)
    with g.scope("clipped_boxes"):
        shape = g.cast(g.shape(image), FLOAT)
        most = [g.element(shape, 2), g.element(shape, 1)] * 2
        boxes = g.pack([g.op("Minimum", [g.op("Maximum", [g.column(boxes, i, 3), 0.0], "clip_by_value/Maximum"), most[i]], "clip_by_value")
                        for i in range(4)], 2)

    def detections(boxes, scores):
        """filter_detections: for each class what is above the threshold and left by the suppression; the best 300, padded with -1."""
        found = []
        for c in range(classes):
            of_class = g.column(scores, c, 2)
            where = g.op("Where", [g.op("Greater", [of_class, 0.05], type=BOOL)], type=INT64, T=BOOL)
            rows = g.op("GatherNd", [boxes, where], Tparams=FLOAT, Tindices=INT64, T=None)
            points = g.op("GatherNd", [of_class, where], Tparams=FLOAT, Tindices=INT64, T=None)
            with g.scope("non_max_suppression"):
                kept = g.op("NonMaxSuppressionV2", [rows, points, 300, 0.5], type=INT32)
            where = g.cast(g.gather(g.squeeze(where, [1]), kept), INT32)
            label = g.mul(g.op("OnesLike", [where], "ones_like"), c)
            found.append(g.pack([where, label], 1))
        found = g.concat(found, 0)
        where, labels = g.column(found, 0, 2), g.column(found, 1, 2)
        points = g.op("GatherNd", [scores, found], type=FLOAT, Tparams=FLOAT, Tindices=INT32, T=None)
        count = g.op("Minimum", [300, g.element(g.shape(points), 0)])
        best = g.op("TopKV2", [points, count], sorted=True)
        order = g.output(best, 1, INT32)
        rows, labels = g.gather(boxes, g.gather(where, order)), g.gather(labels, order)
        missing = g.op("Maximum", [0, g.sub(300, count)])
        pads = g.pack([0, missing])
        one = g.expand(pads, 0)
        rows = g.op("PadV2", [rows, g.pack([pads, [0, 0]]), -1.0], Tpaddings=INT32)
        return (rows, g.op("PadV2", [best, one, -1.0], Tpaddings=INT32),
                g.op("PadV2", [labels, one, -1], Tpaddings=INT32))

    with g.scope("filtered_detections"):
        g.map_fn(detections, [boxes, scores], [FLOAT, FLOAT, INT32])
    return g.frozen(["filtered_detections/map/TensorArrayStack" + s + "/TensorArrayGatherV3" for s in ("", "_1", "_2")])
