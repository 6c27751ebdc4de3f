#!/usr/bin/env python3
"""Computes Caffe nets with the dnn module of the OpenCV 4 of this interpreter, on the CPU, without fusing layers. The protocol is that of serving.py.

OpenCV knows a tensor by its layer, mo by the blob, as it is called behind the last layer that works on it in place: the topology tells both.
"""
import os
import re
import sys

from serving import np, serve

TOKEN = re.compile(r"""\s+|\#[^\n]*|(?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?P<mark>[{}<>\[\]:;,])|(?P<word>[^\s{}<>\[\]:;,"'\#]+)""")


def fields_of(text):
    """A message in the text form of protobuf: a list of (name, value), where a value is a text or such a list."""
    tokens = [match.group(0) for match in TOKEN.finditer(text) if match.lastgroup]
    stack, name = [[]], None
    for token in tokens:
        if token in "{<":
            stack[-1].append((name, []))
            stack.append(stack[-1][-1][1])
            name = None
        elif token in "}>":
            stack.pop()
        elif token not in ":;,[]":
            if name is None:
                name = token
            else:
                stack[-1].append((name, token.strip("\"'")))
                name = None
    return stack[0]


def values(fields, name):
    return [value for key, value in fields if key == name]


def runs_in_test(layer):
    wanted = [phase for rule in values(layer, "include") for phase in values(rule, "phase")]
    return "TEST" not in [phase for rule in values(layer, "exclude") for phase in values(rule, "phase")] and (not wanted or "TEST" in wanted)


class Topology:
    """What the blobs of a net are called, and what makes them."""

    def __init__(self, text):
        net = fields_of(text)
        self.inputs = values(net, "input")
        makers, unread = {}, {}  # of each blob, in the order of the layers
        self.detections = set()
        for layer in filter(runs_in_test, values(net, "layer") + values(net, "layers")):
            name, tops = values(layer, "name")[0], values(layer, "top")
            if values(layer, "type")[:1] in (["Input"], ["DummyData"]):
                self.inputs += tops
                continue
            for blob in values(layer, "bottom"):
                unread.pop(blob, None)
            for at, blob in enumerate(tops):
                makers[blob] = unread[blob] = name, at
                self.detections.discard(blob)
            if values(layer, "type")[:1] == ["DetectionOutput"]:
                self.detections.update(tops)
        self.makers, self.outputs = makers, list(unread)


def with_end(rows):
    """Detections as runtimes give them: a negative image ends them. OpenCV gives rows of zeros, and label 0 is the background."""
    found = int(np.count_nonzero(rows.reshape(-1, 7)[:, 1]))
    if found < rows.size // 7:
        rows.reshape(-1, 7)[found, 0] = -1
    return rows


class Engine:
    name = "opencv"

    def __init__(self):
        global cv2
        os.environ["OPENCV_DNN_DISABLE_MEMORY_OPTIMIZATIONS"] = "1"  # tensors inside must outlive their readers
        import cv2
        self.version = cv2.__version__
        cv2.setNumThreads(1)
        self.forget()

    def forget(self):
        self.topology = self.files = self.net = None
        self.wanted, self.shown = [], []

    def read(self, job):
        if not job.get("weights"):
            raise ValueError("the net has no .caffemodel")
        self.files = job["model"], job["weights"]
        with open(job["model"], encoding="utf-8", errors="replace") as file:
            self.topology = Topology(file.read())

    def expose(self, names):
        self.wanted = [blob for blob in self.topology.makers if blob in names and blob not in self.topology.outputs]

    def compile(self):
        self.net = cv2.dnn.readNetFromCaffe(*self.files)
        self.net.setPreferableBackend(cv2.dnn.DNN_BACKEND_OPENCV)
        self.net.setPreferableTarget(cv2.dnn.DNN_TARGET_CPU)
        self.net.enableFusion(False)
        if hasattr(self.net, "enableWinograd"):
            self.net.enableWinograd(False)

    def inputs(self):
        return [[name] for name in self.topology.inputs]

    def infer(self, feed):
        for at, array in feed.items():
            self.net.setInput(np.ascontiguousarray(array, np.float32), self.topology.inputs[at])
        blobs = self.topology.outputs + self.wanted
        layers = sorted({self.topology.makers[blob][0] for blob in blobs})
        tops = dict(zip(layers, self.net.forwardAndRetrieve(layers)))
        results = []
        for blob in blobs:
            layer, at = self.topology.makers[blob]
            array = np.array(tops[layer][at])
            results.append(([blob], "float32", with_end(array) if blob in self.topology.detections else array))
        count = len(self.topology.outputs)
        self.shown = results[count:]
        return results[:count]

    def exposed(self):
        return self.shown

    def nodes(self):
        return 0


if __name__ == "__main__":
    sys.exit(serve(Engine))
