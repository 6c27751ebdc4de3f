#!/usr/bin/env python3
"""Detectors that are no models of the Object Detection API (Mask R-CNN, Faster R-CNN and a cascade in ONNX, EfficientDet of google/automl): the IRs with
and without their configuration find the same boxes, the advice is right, and a configuration of another model is an error. Tested are the replacers
ONNXMaskRCNNReplacement, ONNXPersonDetectionCrossroadReplacement and AutomlEfficientDet.

usage: detector_exports_test.py BIN       BIN: folder of mo and mo_run
"""
import sys
import unittest
from pathlib import Path

import detector_exports as exports
import detector_families_test as families
from detector_families_test import detected, evaluate, run, write_npy


class Exports(families.Conversions):
    def converted(self, model, name, *options):
        code, text = run([families.BIN / "mo", "--input_model", model, "--output_dir", self.folder, "--model_name", name, *options])
        self.assertEqual(code, 0, text)
        return text, self.folder / f"{name}.xml"

    def written(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def with_and_without(self, model, config, *options):
        """Both IRs. The advice names the configuration, and --transformations_config auto takes it."""
        text, plain = self.converted(model, "plain", *options)
        self.assertIn(f"MO-CONFIG-0240: {config} is the configuration for this detector", text)
        self.assertIn("--transformations_config auto", text)
        text, automatic = self.converted(model, "automatic", *options, "--transformations_config", "auto")
        self.assertIn(f"The configuration {config} is used.", text)
        text, xml = self.converted(model, "replaced", *options, "--transformations_config", config)
        self.assertNotIn("WARNING", text)
        self.assertEqual(xml.with_suffix(".bin").read_bytes(), automatic.with_suffix(".bin").read_bytes())
        if families.CHECKER.exists():
            self.assertEqual(run([sys.executable, families.CHECKER, xml, "--no-warn", "--runtime", "auto"]), (0, ""))
        return plain, xml

    def image_and_info(self):
        image = self.image([1, 3, exports.IMAGE, exports.IMAGE])
        info = self.folder / "info.npy"
        write_npy(info, "<f4", [1, 3], [exports.IMAGE, exports.IMAGE, 1.0])
        return image, info

    def two_stages(self, names, config, results):
        """Rows (label, score, box) of both IRs, what else they have, and which row of the original is which."""
        model = self.written("model.onnxtxt", exports.two_stages(names))
        plain, xml = self.with_and_without(model, config)
        layers = families.Layers(xml).layers.values()
        kinds = [layer.get("type") for layer in layers]
        self.assertEqual(kinds.count("ExperimentalDetectronDetectionOutput"), 1)
        self.assertEqual(kinds.count("ExperimentalDetectronROIFeatureExtractor"), 2 if "masks" in names else 1)
        for gone in ("ROIAlign", "NonMaxSuppression", "NonZero", "Loop"):
            self.assertNotIn(gone, kinds)
        self.assertTrue({"DetectionOutput", "ROIFeatureExtractor_2", "im_info"} <= {layer.get("name") for layer in layers})
        image, info = self.image_and_info()
        before = evaluate(plain, [image], self.folder / "a")
        after = evaluate(xml, [f"image={image}", f"im_info={info}"], self.folder / "b")
        rows = [[(t["labels"][i], t["scores"][i], *t["boxes"][4 * i:4 * i + 4]) for i in range(len(t["scores"])) if t["scores"][i] > 0]
                for t in (after, before)]
        self.assertEqual(len(after["scores"]), 100)
        return before, after, self.expect_same(*rows, 2e-2, results)

    def test_faster_rcnn(self):
        self.two_stages(exports.FASTER, "faster_rcnn.json", 5)

    def test_mask_rcnn(self):
        before, after, found = self.two_stages(exports.MASK, "mask_rcnn.json", 5)
        size = 3 * 14 * 14
        for mine, theirs in enumerate(found):
            for got, want in zip(after["masks"][mine * size:][:size], before["masks"][theirs * size:][:size]):
                self.assertAlmostEqual(got, want, delta=1e-3)

    def test_cascade_of_person_detection(self):
        model = self.written("model.onnxtxt", exports.cascade())
        plain, xml = self.with_and_without(model, "person_detection_crossroad.json")
        layers = families.Layers(xml).layers.values()
        made = {layer.get("name"): layer.find("data").attrib for layer in layers if layer.get("type") == "ExperimentalDetectronROIFeatureExtractor"}
        self.assertEqual(set(made), {"2614", "2972", "3330"})
        for data in made.values():
            self.assertEqual((data["output_size"], data["sampling_ratio"], data["pyramid_scales"]), ("7", "2", "4, 8, 16, 32"))
        image, _ = self.image_and_info()
        before, after = (evaluate(ir, [image], self.folder / name)["moved"] for ir, name in ((plain, "a"), (xml, "b")))
        self.assertEqual(len(before), len(after))
        for got, want in zip(after, before):
            self.assertAlmostEqual(got, want, delta=1e-2)

    def test_efficient_det_of_automl(self):
        model = self.written("model.pbtxt", exports.automl())
        plain, xml = self.with_and_without(model, "automl_efficientdet.json", "--input_model_is_text")
        layers = families.Layers(xml).layers.values()
        kinds = {layer.get("type") for layer in layers}
        self.assertTrue({"DetectionOutput", "PriorBoxClustered"} <= kinds)
        self.assertFalse({"NonMaxSuppression", "Interpolate", "Pad"} & kinds)
        self.assertEqual([layer.find("data").get("element_type") for layer in layers if layer.get("type") == "Parameter"], ["f32"])
        size = exports.AUTOML_SIZE
        numbers = [(i * 7919) % 256 for i in range(size * size * 3)]
        for name, kind in (("u8", "|u1"), ("f32", "<f4")):
            write_npy(self.folder / f"{name}.npy", kind, [1, size, size, 3], numbers)
        rows = evaluate(plain, [self.folder / "u8.npy"], self.folder / "a")[0]
        want = [(r[6], r[5], r[2], r[1], r[4], r[3]) for r in (rows[i:i + 7] for i in range(0, len(rows), 7))]
        found = detected(evaluate(xml, [self.folder / "f32.npy"], self.folder / "b")[0])
        self.expect_same([(*r[:2], *(v * size for v in r[2:])) for r in found], want, 1e-3, 10)

    def refused(self, model, config, *words, options=()):
        code, text = run([families.BIN / "mo", "--input_model", model, "--output_dir", self.folder, "--transformations_config", config, *options])
        self.assertNotEqual(code, 0, text)
        for word in words:
            self.assertIn(word, text)

    def test_numbers_that_make_no_anchors_and_a_normalisation_without_reader(self):
        model = self.written("model.pbtxt", exports.automl())
        code, printed = run([families.BIN / "mo", "--print-config", "automl_efficientdet.json"])
        self.assertEqual(code, 0)
        for old, new, expected in (('"truediv"', '"concat"', "MO-CONFIG-0239"), ("[1.0, 1.0, 1.4, ", "[1.0, 1.4, ", "MO-CONFIG-0204"),
                                   ('"num_scales": 3', '"num_scales": 0', "MO-CONFIG-0204"), ('"truediv"', '"truediv_9"', "MO-CONFIG-0241")):
            self.assertIn(old, printed)
            self.refused(model, self.written("mine.json", printed.replace(old, new)), expected, options=["--input_model_is_text"])

    def test_a_configuration_of_another_model_names_the_right_one(self):
        mask = self.written("mask.onnxtxt", exports.two_stages(exports.MASK))
        self.refused(mask, "faster_rcnn.json", "MO-CONFIG-0241", "mask_rcnn.json does", "'2335' is not there")
        self.refused(mask, "person_detection_crossroad.json", "MO-CONFIG-0241", "mask_rcnn.json does")

    def test_numbers_that_mean_other_tensors_are_not_a_detector(self):
        # All names are there; two levels have changed places, or regions come from another node.
        text = exports.two_stages(exports.FASTER)
        for i, other in enumerate((text.replace("'486'", "'x'").replace("'454'", "'486'").replace("'x'", "'454'"),
                                   text.replace("'2592'", "'x'").replace("'2614'", "'2592'").replace("'x'", "'2614'"))):
            model = self.written(f"other{i}.onnxtxt", other)
            self.assertNotIn("MO-CONFIG-0240", self.converted(model, "plain")[0])
            self.refused(model, "auto", "MO-CONFIG-0242")
            self.refused(model, "faster_rcnn.json", "MO-CONFIG-0238")

    def test_an_export_with_other_names_takes_a_corrected_copy(self):
        text = exports.two_stages(exports.FASTER).replace("'2592'", "'features'")
        model = self.written("renamed.onnxtxt", text)
        self.refused(model, "faster_rcnn.json", "MO-CONFIG-0241", "'2592' is not there")
        code, printed = run([families.BIN / "mo", "--print-config", "faster_rcnn.json"])
        self.assertEqual(code, 0)
        config = self.written("mine.json", printed.replace('"2592"', '"features"'))
        self.converted(model, "replaced", "--transformations_config", config)
        for wrong in (printed.replace('"2592"', '"features"').replace(', "6375"]', "]"), printed.replace('"2592"', '"features"').replace('"2335"', '2335')):
            self.refused(model, self.written("wrong.json", wrong), "MO-CONFIG-0204")


if __name__ == "__main__":
    families.BIN = Path(sys.argv[1]).resolve()
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
