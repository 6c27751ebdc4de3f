"""Graphs of the Object Detection API as its releases export them: the same detector under the names, and in the order, of each generation.

What changed between them: where the scores of the background are cut off and scores converted, whether boxes are clipped before or after the
suppression, how many tensors the suppression carries, which loops there are, and, since version 2, loops over the images written out.
"""
import math

import detector_graphs
from detector_graphs import CHANNELS, CLASSES, CROP, OUTPUTS, PROPOSALS, SIZE, decoded, features, preprocessed, suppressed, taken
from tf_graph_text import FLOAT, INT32, UINT8, Graph

VARIANT = "DT_VARIANT"

SSD_LIMITS = (0.3, 0.6, 10, 10)
SSD_SCALES, SSD_RATIOS = [0.3, 0.7], [1.0, 2.0]
SSD_GRIDS = [4, 2]


def ssd_pipeline(classes=CLASSES, converter="SIGMOID", extra="", scale=1.0):
    return f"""model {{
  ssd {{
    num_classes: {classes}
    image_resizer {{ fixed_shape_resizer {{ height: {SIZE} width: {SIZE} }} }}
    box_coder {{ faster_rcnn_box_coder {{ y_scale: 10.0 x_scale: 10.0 height_scale: 5.0 width_scale: 5.0 }} }}
    anchor_generator {{
      ssd_anchor_generator {{
        num_layers: 2 {" ".join(f"scales: {s}" for s in SSD_SCALES)} {" ".join(f"aspect_ratios: {r}" for r in SSD_RATIOS)}
      }}
    }}
    post_processing {{
      batch_non_max_suppression {{ score_threshold: 0.3 iou_threshold: 0.6 max_detections_per_class: 10 max_total_detections: 10 }}
      score_converter: {converter} logit_scale: {scale}
    }}
    {extra}
  }}
}}
"""


def ssd_anchor_boxes():
    """MultipleGridAnchorGenerator: y1, x1, y2, x2 relative to the image, map by map, place by place."""
    boxes = []
    following = [*SSD_SCALES[1:], 1.0]
    for i, (grid, scale) in enumerate(zip(SSD_GRIDS, SSD_SCALES)):
        if i == 0:  # reduce_boxes_in_lowest_layer
            sizes = [(0.1, 0.1), (scale * math.sqrt(2), scale / math.sqrt(2)), (scale * math.sqrt(0.5), scale / math.sqrt(0.5))]
        else:
            sizes = [(scale * math.sqrt(r), scale / math.sqrt(r)) for r in SSD_RATIOS]
            middle = math.sqrt(scale * following[i])
            sizes.append((middle, middle))
        for row in range(grid):
            for column in range(grid):
                y, x = (row + 0.5) / grid, (column + 0.5) / grid
                boxes += [[y - h / 2, x - w / 2, y + h / 2, x + w / 2] for w, h in sizes]
    return boxes


class Generation:
    """What an export of an SSD looks like.

    order: of what happens to the scores, "slice" (the background goes), "scale", "convert"; sizes: the name of the cast that the true sizes of
    images go through, None: they are not used; clips_first: boxes are clipped before the suppression.
    """

    def __init__(self, order, sizes, clips_first, prefix="", preprocessing=1, config="", others=(), seed=11, scale=1.0,
                 converter="Sigmoid"):
        self.order, self.sizes, self.clips_first = order, sizes, clips_first
        self.prefix, self.preprocessing = prefix, preprocessing
        self.config, self.others, self.seed = config, others, seed
        self.scale, self.converter = scale, converter

    def pipeline(self):
        return ssd_pipeline(converter=self.converter.upper(), scale=self.scale)


# The configuration that fits best, and others that must find the same boxes.
SSD = {
    "ssd_2017": Generation(("slice", "convert"), None, True, config="ssd_support.json"),
    "ssd_v1_6": Generation(("slice", "scale", "convert"), None, True, config="ssd_support.json", others=("ssd_v2_support.json",)),
    "ssd_zoo_2018": Generation(("scale", "convert", "slice"), "ToFloat", True, config="ssd_v2_support.json", others=("ssd_support.json",)),
    "ssd_v1_7": Generation(("scale", "convert", "slice"), "ToFloat", False, config="ssd_v2_support.json", others=("ssd_support.json",)),
    "ssd_v1_14": Generation(("scale", "convert", "slice"), "Cast", False, config="ssd_support_api_v1.14.json", others=("ssd_v2_support.json",)),
    "ssd_v1_15": Generation(("scale", "convert", "slice"), "Cast_1", False, config="ssd_support_api_v1.15.json", others=("ssd_v2_support.json",)),
    "ssd_scaled": Generation(("scale", "convert", "slice"), "ToFloat", False, config="ssd_v2_support.json", scale=3.0),
    "ssd_softmax": Generation(("scale", "convert", "slice"), "ToFloat", False, config="ssd_v2_support.json", others=("ssd_support.json",),
                              converter="Softmax"),
    "ssd_softmax_of_objects": Generation(("slice", "scale", "convert"), None, True, config="ssd_support.json", others=("ssd_v2_support.json",),
                                         converter="Softmax"),
    "ssd_v2_0": Generation(("scale", "convert", "slice"), "Cast_1", False, "StatefulPartitionedCall/", 20, "ssd_support_api_v2.0.json",
                           ("efficient_det_support_api_v2.0.json",)),
    "ssd_v2_4": Generation(("scale", "convert", "slice"), "Cast_1", False, "StatefulPartitionedCall/", 24, "ssd_support_api_v2.4.json",
                           ("efficient_det_support_api_v2.4.json",)),
    "efficient_det_v2_0": Generation(("scale", "convert", "slice"), "Cast_1", False, "StatefulPartitionedCall/", 20,
                                     "efficient_det_support_api_v2.0.json", ("ssd_support_api_v2.0.json",)),
    "efficient_det_v2_4": Generation(("scale", "convert", "slice"), "Cast_1", False, "StatefulPartitionedCall/", 24,
                                     "efficient_det_support_api_v2.4.json", ("ssd_support_api_v2.4.json",)),
}


def preprocessed_2(g, version):
    """Version 2, for one image: its resizing written out (2.0), or by way of lists of tensors (2.4). Gives the images and their true sizes."""
    image = g.placeholder("input_tensor", UINT8, [1, -1, -1, 3])
    with g.scope("StatefulPartitionedCall"):
        pass

    def resized(one):
        with g.scope("ResizeImage"):
            made = g.op("ResizeBilinear", [g.expand(one, 0), [SIZE, SIZE]], "resize/ResizeBilinear", align_corners=False,
                        half_pixel_centers=True)
            return g.squeeze(made, [0], "resize/Squeeze"), g.const([SIZE, SIZE, 3], "stack_1")

    with g.within("StatefulPartitionedCall/"):
        image = g.cast(image, FLOAT)
        if version < 24:
            with g.scope("Preprocessor"):
                one, = g.unpack(g.sub(g.mul(image, 2.0 / 255.0), 1.0), 1)
                one, size = resized(one)
                return g.pack([one]), g.pack([size])
        with g.scope("map"):
            listed = g.op("TensorListFromTensor", [image, [-1, -1, 3]], "TensorArrayUnstack/TensorListFromTensor", VARIANT, T=None,
                          element_dtype=FLOAT, shape_type=INT32)
            written = [g.op("TensorListReserve", [-1, 1], name, VARIANT, T=None, element_dtype=kind, shape_type=INT32)
                       for kind, name in ((FLOAT, "TensorArrayV2_1"), (INT32, "TensorArrayV2_2"))]
            loop = g.op("While", [0, 1, *written, listed], "while", T=Text("list { type: DT_INT32 type: DT_INT32 " + "type: DT_VARIANT " * 3 + "}"),
                        cond=Text('func { name: "map_cond" }'), body=Text('func { name: "map_body" }'), parallel_iterations=1)
            return [g.op("TensorListStack", [g.output(loop, i, VARIANT), shape], name + "/TensorListStack", kind, T=None, element_dtype=kind,
                         num_elements=1)
                    for i, shape, kind, name in ((2, [SIZE, SIZE, 3], FLOAT, "TensorArrayV2Stack"), (3, [3], INT32, "TensorArrayV2Stack_1"))]


class Text:
    """An attribute as it is written."""

    def __init__(self, text):
        self.written = text

    def text(self):
        return self.written


def constant(name, kind, values, shape=""):
    key = {FLOAT: "float_val", INT32: "int_val"}[kind]
    content = "".join(f" {key}: {v}" for v in values)
    return (f'node_def {{ name: "{name}" op: "Const" attr {{ key: "dtype" value {{ type: {kind} }} }} '
            f'attr {{ key: "value" value {{ tensor {{ dtype: {kind} tensor_shape {{ {shape} }}{content} }} }} }} }}\n')


def node(name, kind, inputs, **attributes):
    lines = "".join(f' input: "{x}"' for x in inputs) + "".join(f' attr {{ key: "{k}" value {{ {v} }} }}' for k, v in attributes.items())
    return f'node_def {{ name: "{name}" op: "{kind}"{lines} }}\n'


def map_library():
    """Condition and body of the loop over the images of version 2.4: each is resized, then scaled to -1 … 1."""
    kinds = [INT32, INT32, "DT_VARIANT", "DT_VARIANT", "DT_VARIANT"]
    arguments = "".join(f' input_arg {{ name: "a{i}" type: {kind} }}' for i, kind in enumerate(kinds))
    condition = (f'function {{ signature {{ name: "map_cond"{arguments} output_arg {{ name: "more" type: DT_BOOL }} }}\n'
                 + node("Less", "Less", ["a0", "a1"], T=f"type: {INT32}") + 'ret { key: "more" value: "Less:z:0" } }\n')
    results = "".join(f' output_arg {{ name: "r{i}" type: {kind} }}' for i, kind in enumerate(kinds))
    f, n = f"type: {FLOAT}", f"type: {INT32}"
    at = "map/while/Preprocessor/"
    body = [f'function {{ signature {{ name: "map_body"{arguments}{results} }}\n',
            constant("shape", INT32, [-1, -1, 3], "dim { size: 3 }"), constant("one", INT32, [1]), constant("zero", INT32, [0]),
            constant("size", INT32, [SIZE, SIZE], "dim { size: 2 }"), constant("true", INT32, [SIZE, SIZE, 3], "dim { size: 3 }"),
            constant("scale", FLOAT, [2.0 / 255.0]), constant("middle", FLOAT, [1.0]),
            node("item", "TensorListGetItem", ["a4", "a0", "shape:output:0"], element_dtype=f),
            node("batch", "ExpandDims", ["item:item:0", "zero:output:0"], T=f, Tdim=n),
            node(at + "mul", "Mul", ["batch:output:0", "scale:output:0"], T=f),
            node(at + "sub", "Sub", [at + "mul:z:0", "middle:output:0"], T=f),
            node(at + "unstack", "Unpack", [at + "sub:z:0"], T=f, num="i: 1", axis="i: 0"),
            node("single", "ExpandDims", [at + "unstack:output:0", "zero:output:0"], T=f, Tdim=n),
            node("resized", "ResizeBilinear", ["single:output:0", "size:output:0"], T=f, align_corners="b: false", half_pixel_centers="b: true"),
            node("flat", "Squeeze", ["resized:resized_images:0"], T=f, squeeze_dims="list { i: 0 }"),
            node(at + "stack", "Pack", ["flat:output:0"], T=f, N="i: 1", axis="i: 0"),
            node("image", "Squeeze", [at + "stack:output:0"], T=f, squeeze_dims="list { i: 0 }"),
            node("set", "TensorListSetItem", ["a2", "a0", "image:output:0"], element_dtype=f),
            node("set_1", "TensorListSetItem", ["a3", "a0", "true:output:0"], element_dtype=n),
            node("next", "AddV2", ["a0", "one:output:0"], T=n)]
    for key, value in zip(("r0", "r1", "r2", "r3", "r4"), ("next:z:0", "a1", "set:output_handle:0", "set_1:output_handle:0", "a4")):
        body.append(f'ret {{ key: "{key}" value: "{value}" }}\n')
    return "library {\n" + condition + "".join(body) + "}\n}\n"


def ssd(generation):
    g = Graph(generation.seed)
    classes = CLASSES
    if generation.preprocessing == 1:
        images, sizes = preprocessed(g)
        body(g, generation, images, sizes, classes)
    else:
        images, sizes = preprocessed_2(g, generation.preprocessing)
        with g.within(generation.prefix):
            made = body(g, generation, images, sizes, classes)
            return made + map_library() if generation.preprocessing == 24 else made
    return g.frozen(OUTPUTS)


def body(g, generation, images, sizes, classes):
    slots = classes + 1
    maps = [features(g, images)]
    maps.append(g.convolution(maps[0], 6, 6, 3, 2, "bifpn/node" if "efficient" in generation.config else "Extra", 0.6, "Relu6"))
    boxes, points = [], []
    for i, x in enumerate(maps):
        with g.scope(f"BoxPredictor_{i}"):
            shape = g.shape(x)
            made = g.convolution(x, 6, 3 * 4, 1, 1, "BoxEncodingPredictor", 0.4)
            boxes.append(g.reshape(made, g.pack([g.element(shape, 0), -1, 1, 4])))
            made = g.convolution(x, 6, 3 * slots, 1, 1, "ClassPredictor", 1.0, bias=1.0)
            points.append(g.reshape(made, g.pack([g.element(shape, 0), -1, slots])))
    boxes = g.squeeze(g.concat(boxes, 1), [2])
    points = g.concat(points, 1, "concat_1")
    anchors = g.const(ssd_anchor_boxes(), "Concatenate/concat")
    with g.scope("Postprocessor"):
        made = postprocessed(g, generation, boxes, points, anchors, sizes, classes)
    return outputs_of(g, generation, *made)


def outputs_of(g, generation, boxes, scores, labels, count):
    labels = g.add(labels, 1.0)
    if generation.preprocessing == 1:
        for x, name in zip((boxes, scores, labels, count), OUTPUTS):
            g.identity(x, name)
        return None
    raw = [boxes, scores, labels, count] * 2
    names = [g.identity(x, "Identity") for x in raw]
    del names[4:]
    return g.frozen([*names, *(f"StatefulPartitionedCall/Identity_{i}" for i in range(4, 8))])


def postprocessed(g, generation, boxes, points, anchors, sizes, classes):
    if generation.preprocessing == 1:
        shape = g.shape(boxes)
        batch, count = g.element(shape, 0), g.element(shape, 1)
    else:  # shapes are static
        batch, count = g.const(1), g.const(len(ssd_anchor_boxes()))
    expanded = g.expand(anchors, 0)
    tiled = g.tile(expanded, g.pack([batch, 1, 1]))
    flat = g.reshape(tiled, [-1, 4])
    codes = g.reshape(boxes, [-1, 4])
    made = g.reshape(decoded(g, codes, flat), g.pack([batch, count, 4]))
    made = g.expand(made, 2)
    for step in generation.order:
        if step == "slice":
            points = g.op("Slice", [points, [0, 0, 1], [-1, -1, -1]], Index=INT32)
        elif step == "scale":
            points = g.div(points, generation.scale, "scale_logits")
        else:
            points = g.op(generation.converter, [points], "convert_scores" if "scale" in generation.order else "Sigmoid")
            points = g.identity(points, "raw_box_scores")
    if generation.sizes is None:
        window = g.tile(g.const([[0.0, 0.0, 1.0, 1.0]]), g.pack([batch, 1]))
    else:
        if generation.sizes == "Cast_1":
            g.cast(g.tile(g.const([1], "ones"), [1], "Tile_1"), FLOAT)
        true = g.cast(sizes, FLOAT, "ToFloat" if generation.sizes == "ToFloat" else "Cast")
        heights, widths, _ = g.unpack(true, 3, 1)
        nothing = g.op("ZerosLike", [heights], "zeros_like")
        window = g.pack([nothing, nothing, g.div(heights, float(SIZE)), g.div(widths, float(SIZE))], 1)
    valid = g.tile(g.expand(count, 0), g.pack([batch]))
    tiled_boxes = g.tile(made, [1, 1, classes, 1], "tiled_boxes")
    with g.scope("BatchMultiClassNonMaxSuppression"):
        found = suppressed(g, tiled_boxes, points, window, classes, valid, SSD_LIMITS, False, generation.clips_first,
                           generation.preprocessing != 1)
    count = g.cast(found[-1], FLOAT, "ToFloat" if generation.sizes is None else "num")
    return (*found[:3], count)


# -- two stages: the configuration that fits each version best ----------------------------------------------------------------------------

TWO_STAGES = {
    "faster_rcnn": {6: "faster_rcnn_support.json", **{v: f"faster_rcnn_support_api_v1.{v}.json" for v in (7, 10, 13, 14, 15)},
                    20: "faster_rcnn_support_api_v2.0.json", 24: "faster_rcnn_support_api_v2.4.json"},
    "mask_rcnn": {6: "mask_rcnn_support.json", **{v: f"mask_rcnn_support_api_v1.{v}.json" for v in (7, 11, 13, 14, 15)},
                  20: "mask_rcnn_support_api_v2.0.json", 24: "mask_rcnn_support_api_v2.4.json"},
    "rfcn": {6: "rfcn_support.json", **{v: f"rfcn_support_api_v1.{v}.json" for v in (10, 13, 14)}},
}


def two_stages(family, version):
    return two_stages_2(family, version) if version >= 20 else getattr(detector_graphs, family)(version)


def two_stages_2(family, version):
    """Version 2 of Faster and Mask R-CNN, for a batch of one image."""
    g = Graph(detector_graphs.SEEDS[family])
    at = "StatefulPartitionedCall/"
    for name in ("Cast_1", "Cast_2", "stack_3", "Cast_5", "ExpandDims_6", "Reshape_4", "Reshape_5", "Reshape_10", "Reshape_13"):
        g.reserve(at + name)
    images, sizes = preprocessed_2(g, version)
    with g.within(at):
        extracted = features(g, images)
        relative, absolute, count = detector_graphs.first_stage(g, images, sizes, extracted, version)
        crops = detector_graphs.cropped(g, extracted, relative, "CropAndResize/CropAndResize")
        boxes, points, _ = detector_graphs.second_heads(g, detector_graphs.pooled(g, crops))
        boxes = g.squeeze(boxes, [1])
        if family == "faster_rcnn":
            made = detector_graphs.second_stage(g, sizes, boxes, points, absolute, count, version)
            text = version_2_outputs(g, *made)
        else:
            text = masks_2(g, sizes, extracted, boxes, points, absolute, count)
    return text + map_library() if version == 24 else text


def masks_2(g, sizes, extracted, boxes, points, absolute, count):
    at = g.prefix
    codes = g.reshape(boxes, [-1, PROPOSALS, CLASSES, 4], taken(g, "Reshape_4"))
    points = g.reshape(points, [-1, PROPOSALS, CLASSES + 1], taken(g, "Reshape_5"))
    found = detector_graphs.batch_decoded(g, codes, absolute, CLASSES, taken(g, "ExpandDims_6"))
    window = detector_graphs.window_of_each(g, sizes, taken(g, "Cast_5"))
    with g.scope("BatchMultiClassNonMaxSuppression"):
        boxes, scores, labels, count = suppressed(g, found, detector_graphs.class_scores(g, points), window, CLASSES, count,
                                                  detector_graphs.LIMITS, False, False, True)
    crops = detector_graphs.cropped(g, extracted, boxes, "CropAndResize_1/CropAndResize")
    with g.within(at + "CropAndResize_1/"):
        crops = g.reshape(crops, [-1, detector_graphs.LIMITS[3], CROP, CROP, CHANNELS])
    crops = g.reshape(crops, [-1, CROP, CROP, CHANNELS], taken(g, "Reshape_10"))
    with g.scope("mask_rcnn_keras_box_predictor"):
        with g.scope("mask_rcnn_mask_head"):
            made = g.convolution(detector_graphs.pooled(g, crops), CHANNELS, CHANNELS, 3, 1, "Conv", 0.5, "Relu")
            made = g.op("ResizeBilinear", [made, [CROP, CROP]], "ResizeBilinear", align_corners=False, half_pixel_centers=False)
            made = g.convolution(made, CHANNELS, CLASSES, 1, 1, "MaskPredictor_last_conv2d", 1.0)
    masks = g.op("Sigmoid", [g.op("Transpose", [made, [0, 3, 1, 2]], "transpose", Tperm=INT32)])
    boxes = g.reshape(boxes, [1, -1, 4], taken(g, "Reshape_13"))
    return version_2_outputs(g, boxes, scores, labels, g.cast(count, FLOAT), masks)


def version_2_outputs(g, boxes, scores, labels, count, *others):
    labels = g.add(labels, 1.0)
    return g.frozen([g.identity(x, "Identity") for x in (boxes, scores, labels, count, *others)])


# -- the Training Toolbox: boxes, scores and priors as outputs ----------------------------------------------------------------------------


def toolbox(multihead):
    """An SSD that gives its predictions: boxes relative to priors, converted scores, priors with their variances."""
    g = Graph(17)
    classes = 3
    image = g.placeholder("input", FLOAT, [1, 16, 16, 3])
    boxes = [y for i in range(2) for x in range(4) for y in ((x + 0.1) / 4, (i + 0.2) / 2, (x + 0.9) / 4, (i + 0.8) / 2)]
    priors = [[boxes, [0.1, 0.1, 0.2, 0.2] * 8]]

    def prior_boxes(name):  # depend on the image, as they do where the size of feature maps is computed
        nothing = g.mul(g.reshape(g.op("Slice", [image, [0, 0, 0, 0], [1, 1, 1, 1]], Index=INT32), [1, 1, 1]), 0.0)
        g.add(g.const(priors), nothing, name)

    with g.scope("SSD"):
        x = g.convolution(image, 3, 6, 4, 4, "conv", 0.4, "Relu")
        x = g.op("MaxPool", [x], "pool", ksize=[1, 2, 1, 1], strides=[1, 2, 1, 1], padding="VALID", data_format="NHWC")
        x = g.op("Slice", [x, [0, 0, 0, 0], [1, 2, 4, 6]], "fc7", Index=INT32)
        loc = g.convolution(x, 6, 4, 1, 1, "loc", 0.5)
        conf = g.convolution(x, 6, classes, 1, 1, "conf", 1.5)
        with g.scope("concat_reshape_softmax"):
            g.reshape(loc, [1, 4 * 8], "mbox_loc_final")
            g.reshape(g.op("Softmax", [g.reshape(conf, [1, 8, classes], "mbox_conf")]), [1, classes * 8], "mbox_conf_final")
            if multihead:
                prior_boxes("mbox_priorbox")
        if not multihead:
            prior_boxes("fc7_priorbox")
    return g.frozen(["SSD/concat_reshape_softmax/mbox_loc_final", "SSD/concat_reshape_softmax/mbox_conf_final",
                     "SSD/concat_reshape_softmax/mbox_priorbox" if multihead else "SSD/fc7_priorbox"])
