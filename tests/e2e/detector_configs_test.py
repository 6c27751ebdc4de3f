#!/usr/bin/env python3
"""For each configuration of mo, graphs of the exporters that it is made for: the IRs with and without it find the same boxes, and so does what the
hint of MO-CONFIG-0240 says. A configuration, a pipeline or a number of classes of another model is an error that names it.

usage: detector_configs_test.py BIN       BIN: folder of mo and mo_run
"""
import math
import re
import shlex
import sys
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import detector_families_test as families
import detector_generations as generations
import detector_graphs as graphs
from detector_families_test import CHECKER, detected, evaluate, found_by_api, run, write_npy

PIPELINE_OPTION = "--tensorflow_object_detection_api_pipeline_config"


class Configs(families.Conversions):
    def hinted(self, text):
        """The command line of the advice, word by word."""
        line = re.search(r"MO-CONFIG-0240: .*\n\s*hint +(mo .*)", text)
        self.assertTrue(line, text)
        return shlex.split(line[1])[1:]

    def expect_checked(self, xml):
        if CHECKER.exists():
            self.assertEqual(run([sys.executable, CHECKER, xml, "--no-warn", "--runtime", "auto"]), (0, ""))

    def result_names(self, xml):
        """Names of the layers that Results read, as programs ask for outputs, and those of their tensors."""
        net = ElementTree.parse(xml).getroot()
        layers = {layer.get("id"): layer for layer in net.find("layers")}
        sources = {edge.get("to-layer"): layers[edge.get("from-layer")] for edge in net.find("edges")}
        read = [sources[i] for i, layer in layers.items() if layer.get("type") == "Result"]
        return {layer.get("name"): set(layer.find("output/port").get("names", "").split(",")) for layer in read}

    # -- SSD

    def ssd_boxes(self, xml, name, api):
        image = self.image([1, graphs.SIZE, graphs.SIZE, 3], "|u1")
        results = evaluate(xml, [image], self.folder / name)
        return self.api_boxes(results) if api else detected(results[0])

    def api_boxes(self, results):
        """Boxes of an Object Detection API model as it is: outputs of version 1 have names, those of version 2 an order."""
        if "detection_boxes:0" in results:
            return found_by_api(results)
        boxes, scores, labels, count = (results[i] for i in range(4))
        return [(labels[i], scores[i], boxes[4 * i + 1], boxes[4 * i], boxes[4 * i + 3], boxes[4 * i + 2]) for i in range(int(count[0]))]

    def test_each_generation_of_ssd(self):
        shape = ["--input_shape", f"[1,{graphs.SIZE},{graphs.SIZE},3]"]
        for name, generation in generations.SSD.items():
            with self.subTest(name):
                (self.folder / "pipeline.config").write_text(generation.pipeline())
                model = self.folder / f"{name}.pbtxt"
                model.write_text(generations.ssd(generation))
                code, text, plain = self.convert(name, name + "_plain", *shape)
                self.assertEqual(code, 0, text)
                self.assertIn(f"MO-CONFIG-0240: {generation.config} is the configuration for this detector", text)
                want = self.ssd_boxes(plain, name + "a", True)
                code, text, xml = self.convert_line(self.hinted(text), name + "_hint", *shape)
                self.assertEqual(code, 0, text)
                self.assertIn(f"The configuration {generation.config} is used.", text)
                self.assertNotIn("WARNING", text)
                self.expect_checked(xml)
                self.expect_same(self.ssd_boxes(xml, name + "b", False), want, least=2)
                self.assertEqual(self.result_names(xml), {"DetectionOutput": {"DetectionOutput", "DetectionOutput:0"}})
                for config in (generation.config, *generation.others):
                    code, text, xml = self.convert(name, name + "_config", *shape, "--transformations_config", config, PIPELINE_OPTION,
                                                   self.folder / "pipeline.config")
                    self.assertEqual(code, 0, text)
                    self.assertNotIn("WARNING", text)
                    self.expect_checked(xml)
                    self.expect_same(self.ssd_boxes(xml, name + "c", False), want, least=2)

    # -- two stages

    def test_each_generation_of_two_stages(self):
        for family, versions in generations.TWO_STAGES.items():
            for version, config in versions.items():
                with self.subTest(f"{family} {version}"):
                    self.two_stages(f"{family}_{version}", generations.two_stages(family, version), config)

    def two_stages(self, name, text, config):
        size = graphs.SIZE
        shape = ["--input_shape", f"[1,{size},{size},3]"]
        (self.folder / "pipeline.config").write_text(graphs.PIPELINE)
        (self.folder / f"{name}.pbtxt").write_text(text)
        code, text, plain = self.convert(name, name + "_plain", *shape)
        self.assertEqual(code, 0, text)
        self.assertIn(f"MO-CONFIG-0240: {config} is the configuration for this detector", text)
        image = self.image([1, size, size, 3], "|u1")
        info = self.folder / "info.npy"
        write_npy(info, "<f4", [1, 3], [size, size, 1.0])
        plain_results = evaluate(plain, [image], self.folder / "a")
        want = self.api_boxes(plain_results)
        images = "input_tensor" if "_2" in name else "image_tensor"
        hinted = self.hinted(text)
        for line, options in ((hinted, []), (["--input_model", self.folder / f"{name}.pbtxt"],
                                             ["--transformations_config", config, PIPELINE_OPTION, self.folder / "pipeline.config"])):
            code, text, xml = self.convert_line(line, name, *shape, *options)
            self.assertEqual(code, 0, text)
            self.assertNotIn("WARNING", text)
            if line is hinted:
                self.assertIn(f"The configuration {config} is used.", text)
            self.expect_checked(xml)
            results = evaluate(xml, [f"{images}={image}", f"image_info={info}"], self.folder / "b")
            mine = {name: {name, name + ":0"} for name in (["reshape_do_2d", "masks"] if "mask" in config else ["detection_output"])}
            self.assertEqual(self.result_names(xml), mine)
            table = min((v for k, v in results.items() if isinstance(k, int)), key=len)
            partners = self.expect_same(detected(table), want, least=2)
            if "mask" in config:
                masks = max((v for k, v in results.items() if isinstance(k, int)), key=len)
                self.expect_same_masks(masks, plain_results.get("detection_masks:0", plain_results.get(4)), partners)

    def expect_same_masks(self, masks, plain, partners):
        size, classes = graphs.CROP ** 2, graphs.CLASSES
        self.assertEqual(len(masks), graphs.LIMITS[3] * size * classes)
        for mine, theirs in enumerate(partners):
            for i in range(size * classes):  # classes last here, as the head predicts them, and first in "detection_masks"
                want = plain[theirs * size * classes + i % classes * size + i // classes]
                self.assertAlmostEqual(masks[mine * size * classes + i], want, delta=1e-4)

    # -- one stage without a pipeline

    def advised_or_automatic(self, name, text, *options):
        """The IRs without configuration, and with the one that the advice names, or that `auto` finds where there is no advice."""
        (self.folder / f"{name}.pbtxt").write_text(text)
        code, said, plain = self.convert(name, "plain", *options)
        self.assertEqual(code, 0, said)
        line = self.hinted(said) if "MO-CONFIG-0240" in said else ["--input_model", self.folder / f"{name}.pbtxt",
                                                                   "--transformations_config", "auto"]
        code, said, xml = self.convert_line(line, "regions", *options)
        self.assertEqual(code, 0, said)
        self.expect_checked(xml)
        return plain, xml, re.search(r"The configuration (\S+) is used", said)[1]

    def test_each_yolo_of_versions_1_and_2(self):
        makes = {"yolo_v1.json": (graphs.yolo_v1_convolutional, (3,), 3, 20, 4), "yolo_v1_tiny.json": (graphs.yolo_v1_convolutional, (2,), 2, 20, 4),
                 "yolo_v2.json": (graphs.yolo_v2, (80, False), 5, 80, 2), "yolo_v2_voc.json": (graphs.yolo_v2, (20, False), 5, 20, 2),
                 "yolo_v2_tiny.json": (graphs.yolo_v2, (80, True), 5, 80, 2), "yolo_v2_tiny_voc.json": (graphs.yolo_v2, (20, True), 5, 20, 2)}
        for config, (make, arguments, regions, classes, size) in makes.items():
            with self.subTest(config):
                plain, xml, chosen = self.advised_or_automatic(Path(config).stem, make(*arguments), "--batch", "1")
                self.assertEqual(list(self.result_names(xml)), ["output/YoloRegion"])
                self.assertEqual(chosen, config)
                image = self.image([1, 32, 32, 3])
                raw, made = evaluate(plain, [image], self.folder / "a")[0], evaluate(xml, [image], self.folder / "b")[0]
                parts = classes + 5
                for (anchor, part, row, column), value in cells(made, regions, parts, size):
                    cell = raw[((row * size + column) * regions + anchor) * parts:][:parts]
                    want = cell[part] if part in (2, 3) else families.logistic(cell[part])
                    if part > 4 and "v2" in config:
                        want = math.exp(cell[part]) / sum(map(math.exp, cell[5:]))
                    self.assertAlmostEqual(value, want, delta=1e-4)

    def test_each_yolo_of_version_3(self):
        for config, arguments in {"yolo_v3.json": (80, False), "yolo_v3_voc.json": (20, False), "yolo_v3_tiny.json": (80, True)}.items():
            with self.subTest(config):
                plain, xml, chosen = self.advised_or_automatic(Path(config).stem, graphs.yolo_v3(*arguments), "--batch", "1")
                self.assertEqual(chosen, config)
                image = self.image([1, 64, 64, 3])
                want, results = evaluate(plain, [image], self.folder / "a")[0], evaluate(xml, [image], self.folder / "b")
                anchors, masks = (graphs.TINY_ANCHORS, graphs.TINY_MASKS) if arguments[1] else (graphs.V3_ANCHORS, graphs.V3_MASKS)
                parts, start = arguments[0] + 5, 0
                for index, mask in enumerate(masks):
                    size = 2 << index
                    for (anchor, part, row, column), value in cells(results[index], 3, parts, size):
                        if part < 2:
                            value = (value + (row if part else column)) * 64 / size
                        elif part < 4:
                            value = math.exp(value) * anchors[2 * mask[anchor] + part - 2]
                        expected = want[(start + (row * size + column) * 3 + anchor) * parts + part]
                        self.assertAlmostEqual(value, expected, delta=1e-4 * max(1, abs(expected)))
                    start += 3 * size * size
                self.assertEqual(start * parts, len(want))

    def test_verification_compares_the_boxes_of_the_model_as_it_is(self):
        generation = generations.SSD["ssd_v1_15"]
        pipeline, model = self.folder / "pipeline.config", self.folder / "ssd.pbtxt"
        pipeline.write_text(generation.pipeline())
        model.write_text(generations.ssd(generation))
        how = ["--input_model_is_text", "--input_shape", f"[1,{graphs.SIZE},{graphs.SIZE},3]", "--transformations_config", generation.config,
               PIPELINE_OPTION, pipeline]
        code, text = run([families.BIN / "mo", "--input_model", model, "--output_dir", self.folder, "--model_name", "ssd", *how, "--verify"])
        self.assertEqual(code, 0, text)
        self.assertIn("compute the same", text)
        self.assertNotIn("MO-VERIFY-0014", text)
        written = (self.folder / "ssd.xml").read_text()
        for old, new in (('keep_top_k="10"', 'keep_top_k="9"'), ('clip_after_nms="true"', 'clip_after_nms="false"')):
            self.assertIn(old, written)
            (self.folder / "wrong.xml").write_text(written.replace(old, new))
            code, text = run([families.BIN / "mo", "verify", model, self.folder / "wrong.xml", "--weights", self.folder / "ssd.bin", *how])
            self.assertEqual(code, 8, f"{new}: {text}")

    def test_the_ssds_of_the_training_toolbox(self):
        for multihead, config in ((False, "ssd_toolbox_detection_output.json"), (True, "ssd_toolbox_multihead_detection_output.json")):
            with self.subTest(config):
                plain, xml, chosen = self.advised_or_automatic(Path(config).stem, generations.toolbox(multihead))
                self.assertEqual(chosen, config)
                image = self.image([1, 16, 16, 3])
                results = evaluate(plain, [image], self.folder / "a")
                want = suppressed_boxes(*(results[i] for i in range(3)), classes=3)
                self.expect_same(detected(evaluate(xml, [image], self.folder / "b")[0]), want, least=2)

    def test_retinanet(self):
        plain, xml, chosen = self.advised_or_automatic("retinanet", graphs.retinanet(), "--batch", "1")
        self.assertEqual(chosen, "retinanet.json")
        image = self.image([1, 32, 64, 3])
        before = evaluate(plain, [image], self.folder / "a")
        boxes, scores, labels = (before[f"filtered_detections/map/TensorArrayStack{s}/TensorArrayGatherV3:0"] for s in ("", "_1", "_2"))
        want = [(labels[i], scores[i], *boxes[4 * i:4 * i + 4]) for i in range(len(scores)) if labels[i] >= 0]
        made = detected(evaluate(xml, [image], self.folder / "b")[0])
        self.expect_same([(r[0], r[1], r[2] * 64, r[3] * 32, r[4] * 64, r[5] * 32) for r in made], want, 1e-3, 2)

    # -- what does not fit is an error

    def refused(self, text, code, *words, pipeline=None, config="auto", options=()):
        (self.folder / "model.pbtxt").write_text(text)
        line = ["--transformations_config", config]
        if pipeline is not None:
            (self.folder / "other.config").write_text(pipeline)
            line += [PIPELINE_OPTION, self.folder / "other.config"]
        status, said, xml = self.convert("model", "refused", *line, *options)
        self.assertNotEqual(status, 0, said)
        self.assertFalse(xml.exists())
        for word in (code, *words):
            self.assertIn(word, said)

    def test_a_configuration_of_another_family_names_the_right_one(self):
        ssd = generations.ssd(generations.SSD["ssd_v1_15"])
        for config in ("faster_rcnn_support_api_v1.15.json", "mask_rcnn_support_api_v1.15.json", "rfcn_support.json", "ssd_support.json",
                       "ssd_support_api_v2.0.json", "yolo_v3.json", "retinanet.json", "ssd_toolbox_detection_output.json"):
            self.refused(ssd, "MO-CONFIG-0241", "ssd_support_api_v1.15.json does", "--transformations_config auto", config=config,
                         pipeline=generations.ssd_pipeline())
        self.refused(graphs.faster_rcnn(), "MO-CONFIG-0241", "faster_rcnn_support.json does", config="ssd_v2_support.json", pipeline=graphs.PIPELINE)
        self.refused(graphs.faster_rcnn(15), "MO-CONFIG-0241", "faster_rcnn_support_api_v1.15.json does", config="faster_rcnn_support_api_v1.7.json",
                     pipeline=graphs.PIPELINE)
        self.refused(graphs.yolo_v1(), "MO-CONFIG-0242", "leave the option out")

    def test_a_pipeline_of_another_model_reports_the_value_and_the_tensor_that_disagree(self):
        ssd = generations.ssd(generations.SSD["ssd_v1_7"])
        self.refused(ssd, "MO-CONFIG-0223", "other.config:2:", '"faster_rcnn"', '"ssd"', pipeline=graphs.PIPELINE)
        self.refused(graphs.faster_rcnn(), "MO-CONFIG-0223", "other.config:2:", pipeline=generations.ssd_pipeline())
        self.refused(ssd, "MO-CONFIG-0224", "other.config:3:", "num_classes is 90, which gives 91 scores", "'BoxPredictor_0/Reshape_1' has 3",
                     pipeline=generations.ssd_pipeline(90))
        self.refused(graphs.faster_rcnn(), "MO-CONFIG-0224", "num_classes is 7",
                     pipeline=graphs.PIPELINE.replace("num_classes: 2", "num_classes: 7"))
        self.refused(ssd, "MO-CONFIG-0225", "other.config:", "SOFTMAX", "'Postprocessor/convert_scores' of the model is SIGMOID",
                     pipeline=generations.ssd_pipeline(converter="SOFTMAX"))
        self.refused(ssd, "MO-CONFIG-0201")

    def test_classes_and_masks_that_do_not_fit_the_head_of_a_yolo(self):
        three = graphs.yolo_v3(3)
        self.refused(three, "MO-CONFIG-0237", "classes 80 and 3 anchors need 3 * (80 + 4 + 1) = 255 channels", "has 24", '"classes": 3 fits',
                     options=("--batch", "1"), config="yolo_v3.json")
        (self.folder / "three.pbtxt").write_text(three)
        code, said, _ = self.convert("three", "plain", "--batch", "1")
        self.assertEqual(code, 0, said)
        self.assertIn("mo --print-config yolo_v3", said)
        # What the hints say, followed: the printed configuration with the number of classes that fits.
        code, printed = run([families.BIN / "mo", "--print-config", "yolo_v3"])
        self.assertEqual(code, 0)
        mine = self.folder / "mine.json"
        mine.write_text(printed.replace('"classes": 80', '"classes": 3'))
        code, said, xml = self.convert("three", "mine", "--batch", "1", "--transformations_config", mine)
        self.assertEqual(code, 0, said)
        self.expect_checked(xml)
        for wrong, right in (("[6, 7, 8]", "[6, 7]"), ("[6, 7, 8]", "[6, 7, 9]"), ("10, 13, 16", "13, 16")):
            mine.write_text(printed.replace('"classes": 80', '"classes": 3').replace(wrong, right))
            self.refused(three, "MO-CONFIG-0237", config=str(mine), options=("--batch", "1"))
        # Old configurations have one mask for all heads.
        old = re.sub(r'"masks": \[\[.*\]\]', '"mask": [0, 1, 2]', printed.replace('"classes": 80', '"classes": 3'))
        self.assertIn('"mask"', old)
        mine.write_text(old)
        code, said, _ = self.convert("three", "old", "--batch", "1", "--transformations_config", mine)
        self.assertEqual(code, 0, said)
        self.refused(graphs.yolo_v2(3), "MO-CONFIG-0237", '"classes": 3 fits', config="yolo_v2.json", options=("--batch", "1"))

    # -- where configurations come from

    def test_files_of_an_old_installation_are_the_built_in_ones(self):
        name = "yolo_v3.json"
        (self.folder / "yolo.pbtxt").write_text(graphs.yolo_v3())
        path = f"/opt/intel/openvino/deployment_tools/model_optimizer/extensions/front/tf/{name}"
        code, said, xml = self.convert("yolo", "old", "--batch", "1", "--transformations_config", path)
        self.assertEqual(code, 0, said)
        self.assertIn(f"MO-CONFIG-0007: there is no such file: the built-in configuration {name} is used", said)
        old = xml.with_suffix(".bin").read_bytes()
        code, said, xml = self.convert("yolo", "new", "--batch", "1", "--transformations_config", name)
        self.assertEqual(code, 0, said)
        self.assertNotIn("MO-CONFIG-0007", said)
        self.assertEqual(old, xml.with_suffix(".bin").read_bytes())
        self.refused(graphs.yolo_v3(), "MO-CONFIG-0001", 'did you mean "yolo_v3.json"?', "ssd_v2_support.json, ", config="/tmp/nowhere/yolo_3.json")

    def test_built_in_configurations_can_be_printed(self):
        for file in sorted((families.ROOT / "extensions/configs").glob("*.json")):
            self.assertEqual(run([families.BIN / "mo", "--print-config", file.name]), (0, file.read_text()))
        code, said = run([families.BIN / "mo", "--print-config", "ssd_v2_suport.json"])
        self.assertNotEqual(code, 0)
        for word in ("MO-CONFIG-0243", 'did you mean "ssd_v2_support.json"?', "retinanet.json, "):
            self.assertIn(word, said)
        self.assertNotEqual(run([families.BIN / "mo", "--print-config="])[0], 0)


def cells(regions, anchors, parts, size):
    """((anchor, part, row, column), value): regions are [anchors, parts, rows, columns]."""
    assert len(regions) == anchors * parts * size * size
    for i, value in enumerate(regions):
        yield (i // (size * size * parts), i // (size * size) % parts, i // size % size, i % size), value


def suppressed_boxes(deltas, scores, priors, classes, least=0.01, overlap=0.45):
    """What an application makes of an SSD's predictions: centres and sizes decoded, the best box of a class kept, those that overlap it dropped."""
    count = len(deltas) // 4
    boxes = []
    for i in range(count):
        x1, y1, x2, y2 = priors[4 * i:4 * i + 4]
        dx, dy, dw, dh = (d * v for d, v in zip(deltas[4 * i:4 * i + 4], priors[4 * (count + i):4 * (count + i) + 4]))
        w, h = x2 - x1, y2 - y1
        x, y, w, h = (x1 + x2) / 2 + dx * w, (y1 + y2) / 2 + dy * h, w * math.exp(dw), h * math.exp(dh)
        boxes.append((x - w / 2, y - h / 2, x + w / 2, y + h / 2))

    def common(a, b):
        area = max(0, min(a[2], b[2]) - max(a[0], b[0])) * max(0, min(a[3], b[3]) - max(a[1], b[1]))
        return area / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - area)

    found = []
    for label in range(1, classes):
        kept = []
        for i in sorted(range(count), key=lambda i: -scores[i * classes + label]):
            if scores[i * classes + label] > least and all(common(boxes[i], boxes[k]) <= overlap for k in kept):
                kept.append(i)
        found += [(label, scores[i * classes + label], *boxes[i]) for i in kept]
    return sorted(found, key=lambda row: -row[1])


if __name__ == "__main__":
    families.BIN = Path(sys.argv[1]).resolve()
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
