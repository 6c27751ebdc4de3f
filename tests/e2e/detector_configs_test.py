#!/usr/bin/env python3
"""For each configuration of mo, graphs of the exporters that it is made for: the IRs with and without it find the same boxes, and so does what the
hint of MO-CONFIG-0240 says. A configuration, a pipeline or a number of classes of another model is an error that names it.

usage: detector_configs_test.py BIN       BIN: folder of mo and mo_run
"""
import json
import re
import shlex
import sys
import tempfile
import unittest
from pathlib import Path

import detector_families_test as families
import detector_generations as generations
import detector_graphs as graphs
from detector_families_test import CHECKER, detected, evaluate, found_by_api, pairs, run, write_npy

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

    def expect_same_boxes(self, got, want, tolerance=1e-4, least=2):
        self.assertGreaterEqual(len(want), least)
        self.assertEqual(len(got), len(want), f"{got}\n{want}")
        self.assertNotIn(None, pairs(got, want, tolerance), f"{got}\n{want}")

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
        (self.folder / "pipeline.config").write_text(generations.ssd_pipeline())
        shape = ["--input_shape", f"[1,{graphs.SIZE},{graphs.SIZE},3]"]
        for name, generation in generations.SSD.items():
            with self.subTest(name):
                model = self.folder / f"{name}.pbtxt"
                model.write_text(generations.ssd(generation))
                code, text, plain = self.convert(name, name + "_plain", *shape)
                self.assertEqual(code, 0, text)
                self.assertIn(f"MO-CONFIG-0240: this is a detector that {generation.config} is made for", text)
                want = self.ssd_boxes(plain, name + "a", True)
                code, text, xml = self.convert_line(self.hinted(text), name + "_hint", *shape)
                self.assertEqual(code, 0, text)
                self.assertIn(f"The configuration {generation.config} is used.", text)
                self.assertNotIn("WARNING", text)
                self.expect_checked(xml)
                self.expect_same_boxes(self.ssd_boxes(xml, name + "b", False), want)
                for config in (generation.config, *generation.others):
                    code, text, xml = self.convert(name, name + "_config", *shape, "--transformations_config", config, PIPELINE_OPTION,
                                                   self.folder / "pipeline.config")
                    self.assertEqual(code, 0, text)
                    self.assertNotIn("WARNING", text)
                    self.expect_checked(xml)
                    self.expect_same_boxes(self.ssd_boxes(xml, name + "c", False), want)

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
        self.assertIn(f"MO-CONFIG-0240: this is a detector that {config} is made for", text)
        image = self.image([1, size, size, 3], "|u1")
        info = self.folder / "info.npy"
        write_npy(info, "<f4", [1, 3], [size, size, 1.0])
        want = self.api_boxes(evaluate(plain, [image], self.folder / "a"))
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
            table = min((v for k, v in results.items() if isinstance(k, int)), key=len)
            self.expect_same_boxes(detected(table), want)


if __name__ == "__main__":
    families.BIN = Path(sys.argv[1]).resolve()
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
