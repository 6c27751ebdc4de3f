#!/usr/bin/env python3
"""Converts a detector of each family with its configuration, and as it is, op by op; both must find the same boxes.

usage: detector_families_test.py BIN       BIN: folder of mo and mo_run

The graphs are made by detector_graphs.py: small backbones, the whole post-processing with its loops. What the replacers made of it is compared with
detectors/<family>.txt: the layers from the outputs back to the predictions (MO_GOLDEN_UPDATE=1 writes these files). Every IR must pass MO_SHARED's
checker, where there is one (default: ../shared beside the sources).

Where the definitions of TensorFlow and of the IR's operations agree, boxes, scores and labels do, too: one to one, within 1e-4 (of the image; of a
pixel's size for RetinaNet). Where they do not:
- Proposal clips its anchors to the image before it decodes them, the Object Detection API does so with clip_anchors_to_image only. The graphs here
  have that; without it, regions that come from anchors across an edge of the image are other ones.
- RegionYolo leaves widths and heights as they are predicted: what the model computes of them is computed here. Its centres are relative to the cell.
- YOLO v1 with a connected layer has no regions: MO-CONFIG-0236. The variant that ends with a convolution is compared with the numbers of its layer.
"""
import json
import math
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import detector_graphs as graphs

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = Path(__file__).resolve().parent / "detectors"
CHECKER = Path(os.environ.get("MO_SHARED", ROOT.parent / "shared")).resolve() / "tools" / "check_ir.py"
BIN = Path()

NUMBERS = {"f32": "f", "f16": "e", "f64": "d", "i32": "i", "i64": "q", "u8": "B", "boolean": "?"}
NUMPY = {"<f4": "f", "<f8": "d", "<i4": "i", "<i8": "q", "|u1": "B", "<u1": "B"}


def run(command):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, done.stdout + done.stderr


# -- tensors ------------------------------------------------------------------------------------------------------------------------------


def write_npy(path, kind, shape, numbers):
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': ({''.join(f'{d}, ' for d in shape)}), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() +
                     struct.pack(f"<{len(numbers)}{NUMPY[kind]}", *numbers))


def read_npy(path):
    content = path.read_bytes()
    size = struct.unpack("<H", content[8:10])[0]
    header = content[10:10 + size].decode()
    kind = re.search(r"'descr': '([^']+)'", header)[1]
    return struct.unpack("<" + str((len(content) - 10 - size) // struct.calcsize("<" + NUMPY[kind])) + NUMPY[kind], content[10 + size:])


def evaluate(xml, inputs, folder):
    """Numbers of each output, in order and by each of its names."""
    folder.mkdir(exist_ok=True)
    code, text = run([BIN / "mo_run", xml, "--output_dir", folder, "--portable", *(o for i in inputs for o in ("--input", i))])
    if code != 0:
        raise AssertionError(text)
    results = {}
    for output in json.loads(text.splitlines()[-1])["outputs"]:
        numbers = read_npy(folder / f"{output['index']}.npy")
        for name in [output["index"], *output["tensor_names"]]:
            results[name] = numbers
    return results


# -- the replaced part as text ------------------------------------------------------------------------------------------------------------


class Layers:
    def __init__(self, xml):
        net = ElementTree.parse(xml).getroot()
        self.layers = {layer.get("id"): layer for layer in net.find("layers")}
        self.sources = {}
        for edge in net.find("edges"):
            self.sources.setdefault(edge.get("to-layer"), {})[int(edge.get("to-port"))] = (edge.get("from-layer"), edge.get("from-port"))
        self.weights = xml.with_suffix(".bin").read_bytes()

    def constant(self, data):
        size, kind = int(data.get("size")), data.get("element_type")
        numbers = [int(d) for d in data.get("shape").split(",") if d.strip()]
        if math.prod(numbers) > 16:
            return f"{kind}{numbers} ..."
        offset = int(data.get("offset"))
        values = struct.unpack(f"<{math.prod(numbers)}{NUMBERS[kind]}", self.weights[offset:offset + size])
        return f"{kind}{numbers} " + " ".join(f"{float(v):.6g}" if kind.startswith("f") else str(int(v)) for v in values)

    def text(self, heads):
        """What lies between the outputs and the layers whose names fit `heads`: each layer after those that it reads."""
        lines, numbers = [], {}

        def visit(identity):
            if identity in numbers:
                return numbers[identity]
            layer = self.layers[identity]
            kind, data = layer.get("type"), layer.find("data")
            shapes = ["[" + ",".join(d.text for d in port.findall("dim")) + "]" for port in layer.findall("output/port")]
            if re.fullmatch(heads, layer.get("name")) or kind == "Parameter":
                words = ["head" if kind != "Parameter" else "Parameter", layer.get("name")]
            elif kind == "Const":
                numbers[identity] = self.constant(data)
                return numbers[identity]
            else:
                read = []
                for _, (source, port) in sorted(self.sources.get(identity, {}).items()):
                    at = visit(source)
                    first = self.layers[source].find("output/port").get("id")
                    read.append(at if port == first else f"{at}:{int(port) - int(first)}")
                words = [kind, "(" + ", ".join(read) + ")"]
                words += [f"{k}={v}" for k, v in sorted(data.attrib.items())] if data is not None else []
            numbers[identity] = f"%{len([1 for n in numbers.values() if n.startswith('%')])}"
            lines.append(f"{numbers[identity]} = {' '.join(words)} -> {' '.join(shapes) or 'nothing'}")
            return numbers[identity]

        for identity, layer in self.layers.items():
            if layer.get("type") == "Result":
                visit(identity)
        return "\n".join(lines) + "\n"


# -- boxes --------------------------------------------------------------------------------------------------------------------------------


def detected(table):
    """Rows of DetectionOutput: (label, score, x1, y1, x2, y2)."""
    rows = []
    for i in range(0, len(table), 7):
        if table[i] < 0:  # after the last one
            break
        rows.append(tuple(table[i + 1:i + 7]))
    return rows


def found_by_api(results):
    """The same from the outputs of an Object Detection API model."""
    boxes, scores, labels, count = (results[name + ":0"] for name in graphs.OUTPUTS)
    return [(labels[i], scores[i], boxes[4 * i + 1], boxes[4 * i], boxes[4 * i + 3], boxes[4 * i + 2]) for i in range(int(count[0]))]


def pairs(got, want, tolerance):
    """Index of the partner in `want` of each of `got`; None where there is none."""
    left = list(range(len(want)))
    found = []
    for box in got:
        partner = next((i for i in left if box[0] == want[i][0] and all(abs(a - b) <= tolerance for a, b in zip(box[1:], want[i][1:]))), None)
        found.append(partner)
        if partner is not None:
            left.remove(partner)
    return found


def logistic(x):
    return 1 / (1 + math.exp(-x))


class Conversions(unittest.TestCase):
    """A folder with models that are converted in it."""

    def setUp(self):
        self.maxDiff = None
        self.kept = tempfile.TemporaryDirectory()
        self.folder = Path(self.kept.name)
        (self.folder / "pipeline.config").write_text(graphs.PIPELINE)

    def tearDown(self):
        self.kept.cleanup()

    def convert(self, family, name, *options):
        model = self.folder / f"{family}.pbtxt"
        if not model.exists():
            model.write_text(getattr(graphs, family)())
        return self.convert_line(["--input_model", model], name, *options)

    def convert_line(self, line, name, *options):
        code, text = run([BIN / "mo", *line, "--input_model_is_text", "--output_dir", self.folder, "--model_name", name, *options])
        return code, text, self.folder / f"{name}.xml"

    def image(self, shape, kind="<f4"):
        source = random.Random(5)
        numbers = [source.randrange(256) if kind == "|u1" else round(source.uniform(-1, 1), 3) for _ in range(math.prod(shape))]
        path = self.folder / "image.npy"
        write_npy(path, kind, shape, numbers)
        return path

    def expect_same(self, got, want, tolerance=1e-4, least=3):
        """The partner in `want` of each box of `got`."""
        self.assertGreaterEqual(len(want), least)
        self.assertEqual(len(got), len(want), f"{got}\n{want}")
        found = pairs(got, want, tolerance)
        self.assertNotIn(None, found, f"{got}\n{want}")
        return found


class Families(Conversions):
    # -- steps

    def both(self, family, config, heads, *options):
        """The IRs without and with the configuration; the latter is checked and compared with its golden."""
        code, text, plain = self.convert(family, "plain", *options)
        self.assertEqual(code, 0, text)
        if config.startswith(("faster", "mask", "rfcn", "retinanet", "yolo_v3")):
            self.assertRegex(text, r"MO-CONFIG-0240.*" + re.escape(config))
        replaced = {}
        pipeline = [] if "yolo" in config or "retina" in config else ["--tensorflow_object_detection_api_pipeline_config",
                                                                     self.folder / "pipeline.config"]
        for version in ("10", "11"):
            code, text, xml = self.convert(family, "v" + version, *options, "--transformations_config", config, "--ir_version", version, *pipeline)
            self.assertEqual(code, 0, text)
            self.assertNotRegex(text, r"\[ WARNING \]")
            replaced[version] = xml
            if CHECKER.exists():
                self.assertEqual(run([sys.executable, CHECKER, xml, "--no-warn", "--runtime", "auto"]), (0, ""))
        self.compare(family, Layers(replaced["11"]).text(heads))
        return plain, replaced["11"]

    def compare(self, family, text):
        golden = GOLDEN / f"{family}.txt"
        if os.environ.get("MO_GOLDEN_UPDATE"):
            GOLDEN.mkdir(exist_ok=True)
            golden.write_text(text)
        self.assertEqual(golden.read_text() if golden.exists() else "", text, f"{golden.name}: MO_GOLDEN_UPDATE=1 writes it")
        for op in ("Loop", "TensorIterator", "NonMaxSuppression"):
            self.assertNotIn(f"= {op} ", text)

    def api(self, family, config, heads):
        """A detector of the Object Detection API: results of both IRs."""
        size = graphs.SIZE
        plain, replaced = self.both(family, config, heads, "--input_shape", f"[1,{size},{size},3]")
        image = self.image([1, size, size, 3], "|u1")
        info = self.folder / "info.npy"
        write_npy(info, "<f4", [1, 3], [size, size, 1.0])
        return (evaluate(plain, [image], self.folder / "a"),
                evaluate(replaced, [f"image_tensor={image}", f"image_info={info}"], self.folder / "b"))

    # -- families

    FIRST = r"FirstStageBoxPredictor/(BoxEncoding|Class)Predictor/BiasAdd|FirstStageFeatureExtractor/Conv2/Relu6"

    def test_faster_rcnn(self):
        plain, replaced = self.api("faster_rcnn", "faster_rcnn_support.json", self.FIRST + r"|SecondStageBoxPredictor/\w*Predictor/BiasAdd")
        self.expect_same(detected(replaced[0]), found_by_api(plain))

    def test_rfcn(self):
        plain, replaced = self.api("rfcn", "rfcn_support_api_v1.10.json",
                                   self.FIRST + r"|SecondStageBoxPredictor/(refined_locations|class_predictions)/BiasAdd")
        self.expect_same(detected(replaced[0]), found_by_api(plain))

    def test_mask_rcnn(self):
        plain, replaced = self.api("mask_rcnn", "mask_rcnn_support_api_v1.14.json", self.FIRST + r"|SecondStageBoxPredictor/\w*Predictor/BiasAdd")
        tables = sorted((v for k, v in replaced.items() if isinstance(k, int)), key=len)
        self.assertEqual(len(tables), 2)
        table, masks = tables
        found = self.expect_same(detected(table), found_by_api(plain))
        size, classes = graphs.CROP ** 2, graphs.CLASSES
        self.assertEqual(len(masks), graphs.LIMITS[3] * size * classes)
        for mine, theirs in enumerate(found):
            for i in range(size * classes):  # classes last here, as the head predicts them, and first in "detection_masks"
                want = plain["detection_masks:0"][theirs * size * classes + i % classes * size + i // classes]
                self.assertAlmostEqual(masks[mine * size * classes + i], want, delta=1e-4)

    def test_retinanet(self):
        height, width = 32, 64
        plain, replaced = self.both("retinanet", "retinanet.json", r"(regression|classification)\w*/(concat|BiasAdd|BiasAdd_1|Sigmoid|Sigmoid_1)|P3/Relu|P4/Relu", "--batch", "1")
        image = self.image([1, height, width, 3])
        before, after = evaluate(plain, [image], self.folder / "a"), evaluate(replaced, [image], self.folder / "b")
        boxes, scores, labels = (before[f"filtered_detections/map/TensorArrayStack{s}/TensorArrayGatherV3:0"] for s in ("", "_1", "_2"))
        want = [(labels[i], scores[i], *boxes[4 * i:4 * i + 4]) for i in range(len(scores)) if labels[i] >= 0]
        got = [(r[0], r[1], r[2] * width, r[3] * height, r[4] * width, r[5] * height) for r in detected(after[0])]
        self.expect_same(got, want, 1e-3, 20)

    def test_yolo_v1(self):
        code, text, _ = self.convert("yolo_v1", "connected", "--batch", "1", "--transformations_config", "yolo_v1.json")
        self.assertNotEqual(code, 0)
        self.assertIn("MO-CONFIG-0236", text)
        raw, regions = self.regions("yolo_v1_convolutional", "yolo_v1.json", "BiasAdd_2")
        for (anchor, part, row, column), value in self.cells(regions, 3, 25, 4):
            want = raw[(row * 4 + column) * 75 + anchor * 25 + part]
            self.assertAlmostEqual(value, want if part in (2, 3) else logistic(want), delta=1e-4)

    def test_yolo_v2(self):
        raw, regions = self.regions("yolo_v2", "yolo_v2.json", "BiasAdd_3")
        for (anchor, part, row, column), value in self.cells(regions, 5, 85, 2):
            cell = raw[(row * 2 + column) * 425 + anchor * 85:][:85]
            want = cell[part] if part in (2, 3) else logistic(cell[part])
            if part > 4:
                want = math.exp(cell[part]) / sum(map(math.exp, cell[5:]))
            self.assertAlmostEqual(value, want, delta=1e-4)

    def test_yolo_v3(self):
        plain, replaced = self.both("yolo_v3", "yolo_v3.json", r"detector/yolo-v3/Conv_?\d*/BiasAdd", "--batch", "1")
        image = self.image([1, 64, 64, 3])
        want = evaluate(plain, [image], self.folder / "a")[0]
        results = evaluate(replaced, [image], self.folder / "b")
        start = 0
        for index, (size, mask) in enumerate(zip((2, 4, 8), graphs.V3_MASKS)):
            stride = 64 / size
            for (anchor, part, row, column), value in self.cells(results[index], 3, 85, size):
                if part < 2:
                    value = (value + (row if part else column)) * stride
                elif part < 4:
                    value = math.exp(value) * graphs.V3_ANCHORS[2 * mask[anchor] + part - 2]
                expected = want[(start + (row * size + column) * 3 + anchor) * 85 + part]
                self.assertAlmostEqual(value, expected, delta=1e-4 * max(1, abs(expected)))
            start += 3 * size * size
        self.assertEqual(start * 85, len(want))

    def regions(self, family, config, head):
        """Numbers of the last layer, [H, W, channels], and the regions made of them."""
        plain, replaced = self.both(family, config, head, "--batch", "1")
        image = self.image([1, 32, 32, 3])
        return evaluate(plain, [image], self.folder / "a")[0], evaluate(replaced, [image], self.folder / "b")[0]

    def cells(self, regions, anchors, parts, size):
        """((anchor, part, row, column), value): regions are [anchors, parts, rows, columns]."""
        self.assertEqual(len(regions), anchors * parts * size * size)
        for i, value in enumerate(regions):
            yield (i // (size * size * parts), i // (size * size) % parts, i // size % size, i % size), value


if __name__ == "__main__":
    BIN = Path(sys.argv[1]).resolve()
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
