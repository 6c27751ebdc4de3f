"""Detectors as their exporters write them, small: Mask R-CNN, Faster R-CNN and a cascade in ONNX, with the numbers for names that the configurations
have; EfficientDet of google/automl in TensorFlow. Boxes are spread so that no decision hangs on the last digit of a number.
"""
import random

from tf_graph_text import FLOAT, INT32, UINT8, Graph

CHANNELS, CLASSES = 2, 81  # the configurations are for COCO
IMAGE = 512
STRIDES = (4, 8, 16, 32)


class OnnxGraph:
    """An ONNX model as text. Tensors and the nodes that make them have the same name."""

    def __init__(self, seed, image):
        self.random, self.lines, self.count, self.results = random.Random(seed), [], 0, []
        self.inputs = f"input {{ name: 'image' type {{ {self.tensor_type(image)} }} }} "

    @staticmethod
    def tensor_type(dims):
        return "tensor_type { elem_type: 1 shape { " + "".join(f"dim {{ dim_value: {d} }} " for d in dims) + "} }"

    def node(self, op, inputs, name=None, outputs=1, **attributes):
        if name is None:
            self.count += 1
            name = f"t{self.count}"
        names = [name] + [f"{name}.{i}" for i in range(1, outputs)]
        self.lines.append(f"node {{ op_type: '{op}' name: '{name}' " + "".join(f"input: '{x}' " for x in inputs) +
                          "".join(f"output: '{x}' " for x in names) + "".join(self.attribute(k, v) for k, v in attributes.items()) + "}")
        return names if outputs > 1 else name

    @staticmethod
    def attribute(name, value):
        if isinstance(value, list):
            return f"attribute {{ name: '{name}' type: INTS " + "".join(f"ints: {v} " for v in value) + "} "
        if isinstance(value, str):
            return f"attribute {{ name: '{name}' type: STRING s: '{value}' }} "
        kind, key = ("FLOAT", "f") if isinstance(value, float) else ("INT", "i")
        return f"attribute {{ name: '{name}' type: {kind} {key}: {value} }} "

    def constant(self, shape, numbers):
        self.count += 1
        kind, key = (1, "float_data") if isinstance(numbers[0], float) else (7, "int64_data")
        dims = "".join(f"dims: {d} " for d in shape)
        self.lines.append(f"initializer {{ name: 't{self.count}' data_type: {kind} {dims}" + "".join(f"{key}: {v} " for v in numbers) + "}")
        return f"t{self.count}"

    def noise(self, shape, scale):
        count = 1
        for d in shape:
            count *= d
        return self.constant(shape, [round(self.random.uniform(-scale, scale), 3) + 0.0 for _ in range(count)])

    def number(self, value):
        return self.constant([], [value])

    def numbers(self, values):
        return self.constant([len(values)], values)

    def text(self):
        outputs = "".join(f"output {{ name: '{name}' }} " for name in self.results)
        return "ir_version: 6 opset_import { version: 11 } graph { name: 'detector' " + self.inputs + "\n".join(self.lines) + outputs + "}"


def pyramid(g, names):
    """Feature maps of the image, finest first."""
    x, depth, maps = "image", 3, []
    for name, kernel in zip(names, (4, 2, 2, 2)):
        x = g.node("Conv", [x, g.noise([CHANNELS, depth, kernel, kernel], 0.5)], name, kernel_shape=[kernel, kernel], strides=[kernel, kernel])
        depth = CHANNELS
        maps.append(x)
    return maps


def proposals(g, features, name, count):
    """Regions of all sizes, which features move a little."""
    boxes = []
    for i in range(count):
        size = (60, 150, 260, 460)[i % 4]
        x, y = (g.random.uniform(0, IMAGE - size) for _ in range(2))
        boxes += [x, y, x + size * g.random.uniform(0.8, 1), y + size * g.random.uniform(0.8, 1)]
    mean = g.node("Mul", [g.node("Reshape", [g.node("ReduceMean", [features], axes=[1, 2, 3], keepdims=0), g.numbers([1, 1])]), g.number(0.01)])
    return g.node("Add", [g.constant([count, 4], [round(v, 2) for v in boxes]), mean], name)


def column(g, x, i):
    return g.node("Gather", [x, g.number(i)], axis=1)


def pooled(g, maps, regions, size, name):
    """Features of regions, each from the level that fits its size; the results of all levels are put together again."""
    width = g.node("Sub", [column(g, regions, 2), column(g, regions, 0)])
    height = g.node("Sub", [column(g, regions, 3), column(g, regions, 1)])
    side = g.node("Sqrt", [g.node("Mul", [width, height])])
    doublings = g.node("Div", [g.node("Log", [g.node("Add", [g.node("Div", [side, g.number(224.0)]), g.number(1e-6)])]), g.number(0.6931471805599453)])
    level = g.node("Clip", [g.node("Floor", [g.node("Add", [doublings, g.number(2.0)])]), g.number(0.0), g.number(3.0)])
    count = g.node("Gather", [g.node("Shape", [regions]), g.numbers([0])], axis=0)
    made = g.node("ConstantOfShape", [g.node("Concat", [count, g.numbers([CHANNELS, size, size])], axis=0)])
    for i, features in enumerate(maps):
        here = g.node("Reshape", [g.node("NonZero", [g.node("Equal", [g.node("Cast", [level], to=7), g.number(i)])]), g.numbers([-1])])
        boxes = g.node("Gather", [regions, here], axis=0)
        images = g.node("Mul", [here, g.number(0)])
        part = g.node("RoiAlign", [features, boxes, images], output_height=size, output_width=size, sampling_ratio=2,
                      spatial_scale=1.0 / STRIDES[i])
        places = g.node("Expand", [g.node("Reshape", [here, g.numbers([-1, 1, 1, 1])]), g.node("Shape", [part])])
        made = g.node("ScatterElements", [made, places, part], name if i == 3 else None, axis=0)
    return made


def decoded(g, regions, deltas):
    """[count, classes, 4]: ends are pixels of the box, and stay on the image."""
    sizes = [g.node("Add", [g.node("Sub", [column(g, regions, 2 + i), column(g, regions, i)]), g.number(1.0)]) for i in (0, 1)]
    parts = g.node("Split", [g.node("Reshape", [deltas, g.numbers([-1, CLASSES, 4])])], outputs=4, axis=2, split=[1, 1, 1, 1])
    shape = g.numbers([-1, 1, 1])
    first, last = [], []
    for i in (0, 1):
        size, low = (g.node("Reshape", [x, shape]) for x in (sizes[i], column(g, regions, i)))
        centre = g.node("Add", [low, g.node("Mul", [size, g.number(0.5)])])
        centre = g.node("Add", [centre, g.node("Mul", [g.node("Div", [parts[i], g.number(10.0)]), size])])
        growth = g.node("Exp", [g.node("Min", [g.node("Div", [parts[2 + i], g.number(5.0)]), g.number(4.135166645050049)])])
        half = g.node("Mul", [g.node("Mul", [growth, size]), g.number(0.5)])
        on_image = [g.number(0.0), g.number(IMAGE - 1.0)]
        first.append(g.node("Clip", [g.node("Sub", [centre, half]), *on_image]))
        last.append(g.node("Clip", [g.node("Sub", [g.node("Add", [centre, half]), g.number(1.0)]), *on_image]))
    return g.node("Concat", [*first, *last], axis=2)


def suppressed(g, boxes, scores, names):
    """Boxes, labels and scores: what is left of each class, best first, a hundred at most."""
    by_class = g.node("Transpose", [boxes], perm=[1, 0, 2])
    table = g.node("Unsqueeze", [g.node("Transpose", [scores], perm=[1, 0])], axes=[1])
    objects = g.node("Slice", [table, g.numbers([1]), g.numbers([CLASSES]), g.numbers([0])])
    their_boxes = g.node("Slice", [by_class, g.numbers([1]), g.numbers([CLASSES]), g.numbers([0])])
    kept = g.node("NonMaxSuppression", [their_boxes, objects, g.number(1000), g.number(0.5), g.number(0.05)])
    label, box = column(g, kept, 0), column(g, kept, 2)
    kept_scores = g.node("GatherND", [objects, kept])
    count = g.node("Min", [g.node("Shape", [kept_scores]), g.numbers([100])])
    best, order = g.node("TopK", [kept_scores, count], names[2], outputs=2)
    places = g.node("Concat", [g.node("Unsqueeze", [label], axes=[1]), g.node("Unsqueeze", [box], axes=[1])], axis=1)
    g.node("Gather", [g.node("GatherND", [their_boxes, places]), order], names[0], axis=0)
    g.node("Gather", [g.node("Add", [label, g.number(1)]), order], names[1], axis=0)


FASTER = {"regions": "2335", "features": "2592", "deltas": "2614", "scores": "2615", "results": ["6371", "6373", "6375"]}
MASK = {"regions": "2490", "features": "2751", "deltas": "2773", "scores": "2774", "results": ["6530", "6532", "6534"], "masks": "6795"}


def two_stages(names, seed=7):
    g = OnnxGraph(seed, [1, 3, IMAGE, IMAGE])
    maps = pyramid(g, ("486", "454", "422", "390"))
    regions = proposals(g, maps[3], names["regions"], 12)
    features = g.node("Flatten", [pooled(g, maps, regions, 7, names["features"])])
    width = CHANNELS * 49
    deltas = g.node("Gemm", [features, g.noise([width, 4 * CLASSES], 0.05), g.noise([4 * CLASSES], 0.3)], names["deltas"])
    logits = g.node("Gemm", [features, g.noise([width, CLASSES], 0.3), g.noise([CLASSES], 1)])
    scores = g.node("Softmax", [logits], names["scores"], axis=1)
    suppressed(g, decoded(g, regions, deltas), scores, names["results"])
    # Something reads each result, as in the models: scale, labels from 0, and the masks of the boxes.
    g.results = [g.node("Mul", [names["results"][0], g.number(2.0)], "boxes"), g.node("Sub", [names["results"][1], g.number(1)], "labels"),
                 g.node("Identity", [names["results"][2]], "scores")]
    if "masks" in names:
        features = pooled(g, maps, names["results"][0], 14, names["masks"])
        convolved = g.node("Conv", [features, g.noise([3, CHANNELS, 1, 1], 0.5)], kernel_shape=[1, 1])
        g.results.append(g.node("Sigmoid", [convolved], "masks"))
    return g.text()


def cascade(seed=3):
    g = OnnxGraph(seed, [1, 3, IMAGE, IMAGE])
    maps = pyramid(g, ("634", "635", "636", "637"))
    regions = proposals(g, maps[3], "2475", 8)
    for name, following in (("2614", "2834"), ("2972", "3192"), ("3330", "moved")):
        features = g.node("Flatten", [pooled(g, maps, regions, 7, name)])
        moves = g.node("Gemm", [features, g.noise([CHANNELS * 49, 4], 0.2), g.noise([4], 0.2)])
        regions = g.node("Add", [regions, g.node("Tanh", [moves])], following)
    g.results = ["moved"]
    return g.text()


AUTOML_SIZE, AUTOML_CLASSES = 64, 3
AUTOML = {"min_level": 3, "num_scales": 3, "anchor_scale": 4.0, "ratios": [(1.0, 1.0), (1.4, 0.7), (0.7, 1.4)], "levels": 2}


def automl_anchors():
    """(y, x, height, width) of each anchor, in pixels: levels, places, sizes, ratios."""
    for level in range(AUTOML["min_level"], AUTOML["min_level"] + AUTOML["levels"]):
        stride = 2 ** level
        for place in range((AUTOML_SIZE // stride) ** 2):
            row, column_ = divmod(place, AUTOML_SIZE // stride)
            for k in range(AUTOML["num_scales"]):
                size = stride * AUTOML["anchor_scale"] * 2 ** (k / AUTOML["num_scales"])
                for width, height in AUTOML["ratios"]:
                    yield (row + 0.5) * stride, (column_ + 0.5) * stride, size * height, size * width


def automl_heads(g, maps):
    """Scores and deltas of all levels, with the weights of both heads shared by the levels, as separable convolutions."""
    anchors = AUTOML["num_scales"] * len(AUTOML["ratios"])
    joined = []
    for net, predict, channels, last in (("class_net", "class-predict", AUTOML_CLASSES, "concat"), ("box_net", "box-predict", 4, "concat_1")):
        with g.within(f"{net}/{predict}/"):
            depthwise = g.noise([3, 3, 8, 1], 0.6, "depthwise_kernel")
            pointwise = g.noise([1, 1, 8, anchors * channels], 0.6 if net == "class_net" else 0.05, "pointwise_kernel")
            bias = g.noise([anchors * channels], 0.3, "bias", -5.0 if net == "class_net" else 0.0)
        rows = []
        for i, x in enumerate(maps):
            with g.within(f"{net}/{predict}{'_' + str(i) if i else ''}/"):
                x = g.op("DepthwiseConv2dNative", [x, depthwise], "separable_conv2d/depthwise", strides=[1, 1, 1, 1], padding="SAME", data_format="NHWC",
                         dilations=[1, 1, 1, 1])
                x = g.op("Conv2D", [x, pointwise], "separable_conv2d", strides=[1, 1, 1, 1], padding="VALID", data_format="NHWC", dilations=[1, 1, 1, 1])
                x = g.op("BiasAdd", [x, bias], "BiasAdd", data_format="NHWC")
            rows.append(g.reshape(x, [1, -1, channels]))
        joined.append(g.concat(rows, 1, g.release(last)))
    return joined


def automl_detections(g, scores, deltas):
    """Rows of (image, y1, x1, y2, x2, score, label): each class suppressed by itself."""
    anchors = g.const([list(a) for a in automl_anchors()], "anchors", FLOAT)
    moves = g.squeeze(deltas, [0])
    corners = []
    for i in (0, 1):
        centre = g.add(g.column(anchors, i, 2), g.mul(g.column(moves, i, 2), g.column(anchors, i + 2, 2)))
        half = g.mul(g.mul(g.op("Exp", [g.column(moves, i + 2, 2)]), g.column(anchors, i + 2, 2)), 0.5)
        corners.append((g.sub(centre, half), g.add(centre, half)))
    boxes = g.pack([corners[0][0], corners[1][0], corners[0][1], corners[1][1]], 1)
    sigmoid = g.op("Sigmoid", [g.squeeze(scores, [0])])
    found = []
    for label in range(AUTOML_CLASSES):
        column_ = g.column(sigmoid, label, 2)
        kept = g.op("NonMaxSuppressionV3", [boxes, column_, 100, 0.6, 0.2], type=INT32, T=FLOAT)
        rows = g.gather(column_, kept)
        found.append(g.concat([g.mul(g.expand(rows, 1), 0.0), g.gather(boxes, kept), g.expand(rows, 1), g.add(g.mul(g.expand(rows, 1), 0.0), float(label))], 1))
    return g.expand(g.concat(found, 0), 0, "detections")


def automl(seed=2):
    """The frozen graph: the first image of a batch is normalised, resized and padded; both are identities for images of the right size."""
    g = Graph(seed)
    for name in ("strided_slice_1", "truediv", "concat", "concat_1", "detections"):
        g.reserve(name)
    images = g.placeholder("image_arrays", UINT8, [1, AUTOML_SIZE, AUTOML_SIZE, 3])
    # Converted for all images, of which one is taken then.
    first = g.op("StridedSlice", [g.cast(images, FLOAT, "convert_image"), [0], [1], [1]], g.release("strided_slice_1"), Index=INT32, begin_mask=0, end_mask=0,
                 ellipsis_mask=0, new_axis_mask=0, shrink_axis_mask=1)
    x = g.div(g.sub(first, [123.7, 116.3, 103.5]), [58.4, 57.1, 57.4], g.release("truediv"))
    x = g.op("ResizeBilinear", [g.expand(x, 0), [AUTOML_SIZE, AUTOML_SIZE]], align_corners=False, half_pixel_centers=False)
    x = g.op("Pad", [x, [[0, 0], [0, 0], [0, 0], [0, 0]]], Tpaddings=INT32)
    x = g.convolution(x, 3, 8, 3, 4, "stem", 0.5, "Relu6")
    first_level = g.convolution(x, 8, 8, 3, 2, "level_3", 0.5, "Relu6")
    maps = [first_level, g.convolution(first_level, 8, 8, 3, 2, "level_4", 0.5, "Relu6")]
    scores, deltas = automl_heads(g, maps)
    g.release("detections")
    return g.frozen([automl_detections(g, scores, deltas)])
