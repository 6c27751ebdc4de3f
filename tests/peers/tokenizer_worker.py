#!/usr/bin/env python3
"""An IR of operations of openvino-tokenizers, which are in no op set, and what the runtime computes of IRs of it.

usage: tokenizer_worker.py --write MODEL.xml       normalises, splits and packs strings
       tokenizer_worker.py MODEL.xml …             one line of JSON: the outputs of each model for the same strings
"""
import json
import sys

import numpy as np
import openvino
import openvino_tokenizers  # noqa: F401  (adds its operations to each Core)
from openvino import opset15 as ops

TEXTS = ["Hello World 123 Abc", "", "  \u00c9T\u00c9 4x5 "]


def text(characters):
    return ops.constant(np.frombuffer(characters.encode(), dtype=np.uint8))


def whole(number):
    return ops.constant(np.int32(number))


def write(path):
    create = openvino_tokenizers._get_factory().create  # noqa: SLF001  (the package has no public function for it)
    strings = ops.parameter(openvino.PartialShape([-1]), openvino.Type.string, name="text")
    unpacked = create("StringTensorUnpack", strings.outputs())
    normal = create("RegexNormalization", [*unpacked.outputs(), text("[0-9]+"), text("#")], {"global_replace": True})
    folded = create("CaseFold", normal.outputs(), {"encoding": "utf-8"})
    rows = ops.range(whole(0), ops.gather(ops.shape_of(folded.output(0), "i32"), whole(0), whole(0)), whole(1), "i32")
    split = create("RegexSplit", [rows.output(0), ops.add(rows, whole(1)).output(0), *folded.outputs(), text(r"\s+")],
                   {"behaviour": "remove", "invert": False, "max_splits": -1})
    results = [create("StringTensorPack", split.outputs()[2:5]).output(0), create("StringTensorPack", folded.outputs()).output(0), split.output(0)]
    openvino.serialize(openvino.Model([ops.result(result) for result in results], [strings], "tokenizer"), path)


def outputs(path):
    core = openvino.Core()
    found = core.compile_model(core.read_model(path), "CPU")(np.array(TEXTS))
    return [value.tolist() for value in found.values()]


if __name__ == "__main__":
    if sys.argv[1] == "--write":
        write(sys.argv[2])
    else:
        print(json.dumps([outputs(path) for path in sys.argv[1:]]))
