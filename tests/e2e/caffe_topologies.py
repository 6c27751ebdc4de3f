#!/usr/bin/env python3
"""Converts topologies of well-known Caffe models, which come without their weights: with zeros, and with weights that are made up here.

usage: caffe_topologies.py BIN       BIN: folder of mo

What weights a topology takes is read from a dump of the graph with zeros. The topologies are looked up in MO_SHARED (default: ../shared beside the
sources); without them the test is skipped, which it says. Every IR must pass MO_SHARED's checker.
"""
import array
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from checker import Checker
from shared_folder import shared_folder

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from wire_models import chunk, head, varint  # noqa: E402

OPTIONS = {
    # Data layers that do not declare the size of their images.
    "caffe__examples__mnist__lenet_train_test.prototxt": ["--input_shape", "[1,1,28,28]"],
    "caffe__examples__mnist__mnist_autoencoder.prototxt": ["--input_shape", "[1,1,28,28]"],
    "caffe__models__bvlc_googlenet__train_val.prototxt": ["--input_shape", "[1,3,224,224]"],
    # No layer of an IR selects the boxes of YOLO: applications do that.
    "MobileNet-YOLO__models__darknet_yolov3__yolov3.prototxt": ["--output", "layer83-yolo,layer95-yolo,layer106-conv"],
    "MobileNet-YOLO__models__mobilenetv3_voc__test.prototxt": ["--output", "yolo/conv4,yolo/conv5"],
}
# What must be refused, and what the message must hold.
REFUSED = {
    # A template: scripts put numbers in the place of words like cls1x.
    "MobileNet-SSD__template__MobileNetSSD_deploy_template.prototxt": "MO-CAFFE-0002: line 3058, column 12: dim takes a number, not a word",
}


class Noise:
    """Values that differ from each other, without taking long to make."""

    def __init__(self):
        source = random.Random(1)
        self.small = array.array("f", [source.uniform(-0.05, 0.05) for _ in range(65_537)]).tobytes()
        self.positive = array.array("f", [source.uniform(0.5, 1.5) for _ in range(65_537)]).tobytes()

    def write(self, file, count, positive):
        block = self.positive if positive else self.small
        left = 4 * count
        while left > 0:
            file.write(block[:left])
            left -= len(block)


def shape_of(literal):
    """The shape of a constant that is small enough to stand where it is read: "[[0, 0]]"."""
    shape, value = [], json.loads(literal)
    while isinstance(value, list):
        shape.append(len(value))
        value = value[0]
    return shape


def blobs_of(dump):
    """Shapes of the weights, by layer, with the layer's type."""
    constants, layers = {}, {}
    for line in dump.splitlines():
        if found := re.match(r"  (%\d+) = Const .*: f32\[([\d,]*)\]$", line):
            constants[found[1]] = [int(size) for size in found[2].split(",") if size]
        elif found := re.match(r'  [^=]* = "caffe::(\w+)"\(([^)]*)\) .*@blobs=(\d+)\} "((?:[^"\\]|\\.)*)"', line):
            count = int(found[3])
            if count > 0:
                inputs = re.findall(r"(%[\w.]+)|(\[[^%]*?\]):f32", found[2])[-count:]
                layers[found[4]] = (found[1], [constants[name] if name else shape_of(literal) for name, literal in inputs])
    return layers


def write_weights(path, layers, noise):
    """A .caffemodel with those layers: NetParameter.layer (100) with name (1), type (2) and blobs (7) of a shape (7) and packed data (5)."""
    largest = 0
    with open(path, "wb") as file:
        for name, (kind, shapes) in layers.items():
            title = chunk(1, name) + chunk(2, kind)
            blobs = []
            for shape in shapes:
                count = 1
                for size in shape:
                    count *= size
                start = chunk(7, chunk(1, b"".join(map(varint, shape)))) + head(5, 4 * count)
                blobs.append((head(7, len(start) + 4 * count) + start, count))
                largest = max(largest, count)
            file.write(head(100, len(title) + sum(len(start) + 4 * count for start, count in blobs)) + title)
            for start, count in blobs:
                file.write(start)
                noise.write(file, count, kind == "BatchNorm")
    return largest


class Failure(Exception):
    pass


def run(command):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=300, check=False)
    return done.returncode, done.stdout + done.stderr


def convert(mo, path, folder, checker, noise):
    options = ["--framework", "caffe", "--input_proto", path, "--output_dir", folder, "--silent", *OPTIONS.get(path.name, [])]
    code, text = run([mo, *options, "--disable_weights", "--dump-after", "CustomLayersMapping"])
    wanted = REFUSED.get(path.name)
    if wanted is not None:
        if code != 4 or wanted not in text or os.listdir(folder):
            raise Failure(f"exit code {code} instead of 4, or not the message \"{wanted}\":\n{text}")
        return "refused, as it must be"
    if code != 0:
        raise Failure(text)
    layers = blobs_of(text)
    weights = folder / "weights.caffemodel"
    largest = write_weights(weights, layers, noise)
    for version in ("11", "10"):
        code, text = run([mo, *options, "--input_model", weights, "--model_name", "model", "--ir_version", version])
        if code != 0:
            raise Failure(f"with weights: {text}")
        if (folder / "model.bin").stat().st_size < 4 * largest:
            raise Failure("the .bin is smaller than the largest weight")
        findings = checker.findings_of_reader(folder / "model.xml")
        if findings:
            raise Failure(f"IR version {version}: {findings[0]}")
    return f"{len(layers)} layers with weights, {weights.stat().st_size >> 20} MB"


def main():
    mo = Path(sys.argv[1]) / "mo"
    shared = shared_folder("models/caffe_prototxt_only", "tools/check_ir.py")
    folder = shared / "models" / "caffe_prototxt_only"
    bad = 0
    noise = Noise()
    checker = Checker()
    for path in sorted(folder.glob("*.prototxt")):
        with tempfile.TemporaryDirectory() as out:
            try:
                print(f"ok   {path.name}: {convert(mo, path, Path(out), checker, noise)}", flush=True)
            except Failure as failure:
                bad += 1
                print(f"FAIL {path.name}: {failure}", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
