#!/usr/bin/env python3
"""Checks ONNX models with the onnx package of this interpreter; it computes nothing. The protocol is that of serving.py."""
import sys

from onnx_checks import check
from serving import serve


class Engine:
    name = "onnx"

    def __init__(self):
        import onnx
        self.version = onnx.__version__

    def read(self, job):
        check(job["model"])

    def compile(self):
        raise RuntimeError("the onnx package checks models, and computes none")

    def forget(self):
        pass


if __name__ == "__main__":
    sys.exit(serve(Engine))
