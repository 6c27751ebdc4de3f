#!/usr/bin/env python3
"""Stores the node tests that the onnx package generates. Runs in the environment of ONNX Runtime. usage: onnx_node_tests.py FOLDER"""
import sys
import warnings

import numpy as np
from cases_file import Writer
from onnx import TensorProto, numpy_helper
from onnx.backend.test.case.node import collect_testcases

warnings.simplefilter("ignore", RuntimeWarning)


def array(value):
    return numpy_helper.to_array(value) if isinstance(value, TensorProto) else np.asarray(value) if isinstance(value, (int, float, bool)) else value


def main():
    writer = Writer(sys.argv[1])
    for test in sorted(collect_testcases(None), key=lambda test: test.name):
        given, expected = test.data_sets[0]
        graph = test.model.graph
        names = [value.name for value in graph.input]
        try:
            writer.add(test.name, test.model.SerializeToString(), list(zip(names, map(array, given))), list(zip([v.name for v in graph.output], map(array, expected))))
        except TypeError as error:
            writer.skip(test.name, str(error))
    writer.finish()


if __name__ == "__main__":
    main()
