#!/usr/bin/env python3
"""Reads the file that --tensorboard_logdir writes: records with right checksums, the version that TensorBoard looks for, and the nodes of the model.

usage: event_file_test.py BIN       BIN: folder of mo
"""
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from tf_graph_text import FLOAT, Graph

BIN = Path()


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def masked(crc):
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def records(data):
    while data:
        size, = struct.unpack("<Q", data[:8])
        assert struct.unpack("<I", data[8:12])[0] == masked(crc32c(data[:8]))
        content = data[12:12 + size]
        assert struct.unpack("<I", data[12 + size:16 + size])[0] == masked(crc32c(content))
        yield content
        data = data[16 + size:]


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return value, at


def fields(data):
    """Pairs of a number and its content: an integer, or bytes."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        else:
            size, at = varint(data, at) if key & 7 == 2 else ({1: 8, 5: 4}[key & 7], at)
            value, at = data[at:at + size], at + size
        yield key >> 3, value


def nodes_of(graph):
    """Name -> operator, inputs, names of attributes."""
    found = {}
    for number, node in fields(graph):
        if number == 1:
            parts = list(fields(node))
            texts = {n: [v.decode() for k, v in parts if k == n] for n in (1, 2, 3)}
            found[texts[1][0]] = (texts[2][0], texts[3], {dict(fields(v))[1].decode() for k, v in parts if k == 5})
    return found


class EventFile(unittest.TestCase):
    def test_nodes_of_the_model_and_no_weights(self):
        g = Graph()
        x = g.placeholder("x", FLOAT, [1, 8, 8, 3])
        y = g.convolution(x, 3, 64, 3, 1, "conv", 0.5, "Relu")
        parts = g.split(y, 2, 3)
        g.op("Neg", [parts[1]], "y")
        with tempfile.TemporaryDirectory() as folder:
            model = Path(folder) / "net.pbtxt"
            model.write_text(g.frozen(["y"]))
            logs = Path(folder) / "logs" / "run"
            contents = []
            for _ in range(2):
                subprocess.run([BIN / "mo", "--input_model", model, "--input_model_is_text", "--output_dir", folder, "--tensorboard_logdir", logs],
                               check=True, stdout=subprocess.DEVNULL)
                self.assertEqual([file.name for file in logs.iterdir()], ["events.out.tfevents.net"])
                contents.append((logs / "events.out.tfevents.net").read_bytes())
        self.assertEqual(*contents)
        first, second = records(contents[0])
        self.assertEqual(dict(fields(first))[3], b"brain.Event:2")
        nodes = nodes_of(dict(fields(second))[4])
        self.assertEqual(nodes["conv/Conv2D"][:2], ("Conv2D", ["x", "conv/weights"]))
        self.assertIn("strides", nodes["conv/Conv2D"][2])
        self.assertEqual(nodes["y"][:2], ("Neg", ["split:1"]))
        self.assertEqual(nodes["x"], ("Placeholder", [], {"dtype", "shape"}))
        self.assertEqual(nodes["conv/weights"][2], {"dtype", "value"})
        self.assertLess(len(contents[0]), 3000, "the weights alone are 6912 bytes")


if __name__ == "__main__":
    BIN = Path(sys.argv[1]).resolve()
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
