#!/usr/bin/env python3
"""Writes the seed corpora and dictionaries of the fuzz targets: a folder of small inputs and a file of words for each.

usage: make_seeds.py BUILD_DIR OUT_DIR      BUILD_DIR: a build with bin/mo, which writes the IRs; needs protoc (protobuf-compiler)

Everything comes from the tests' own cases and examples, from ONNX's node tests (libonnx-testdata, where it is installed), or is made here.
"""
import collections
import glob
import math
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(ROOT, "tests", folder) for folder in ("support", "generators")]
import numpy_python  # noqa: E402,F401
import onnx_models  # noqa: E402
from opaque_model import furnished_model  # noqa: E402
from wire_models import Caffe, put  # noqa: E402

ONNX_TESTS = "/usr/share/libonnx-testdata/data/node"
PART_END = b"\n==== next file ====\n"  # fuzz/harness/parts.hpp
LARGEST = 24 * 1024


def read(path):
    with open(path, "rb") as file:
        return file.read()


def protoc(proto, action, message, content):
    folder, name = os.path.split(os.path.join(ROOT, "frontends", proto))
    done = subprocess.run(["protoc", f"--{action}={message}", f"-I{folder}", name], input=content, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return done.stdout if done.returncode == 0 else None


def sections(pattern, kind):
    """Bodies of the sections `--- kind` of all text tests."""
    for path in sorted(glob.glob(os.path.join(ROOT, "tests", pattern), recursive=True)):
        for case in re.split(r"^=== .*\n", read(path).decode(), flags=re.M)[1:]:
            for title, body in re.findall(r"^--- ?(.*)\n((?:(?!---|===).*\n)*)", case, flags=re.M):
                if title.strip() == kind:
                    yield body.encode()


def graphs_in_text():
    """The graph that each case begins with."""
    for path in sorted(glob.glob(os.path.join(ROOT, "tests/**/*.test"), recursive=True)):
        for graph in re.findall(r"^graph\(.*?^}\n", read(path).decode(), flags=re.M | re.S)[::6]:
            yield graph.encode()


def models_of_text_tests():
    """The ONNX models of the front end's text tests: other domains and newer op sets than the node tests have."""
    for path in sorted(pathlib.Path(ROOT).glob("tests/frontends/onnx/*.test")):
        yield from (model for _, _, model, _ in onnx_models.models(path))


# -- models of Caffe -------------------------------------------------------------------------------------------------------------------

def blob(shape, value):
    """A BlobProto of Caffe whose elements all are `value`."""
    return Caffe.blob(shape, struct.pack("<f", value) * math.prod(shape))


def caffe_models():
    start = b'layer { name: "x" type: "Input" top: "x" input_param { shape { dim: 1 dim: 2 dim: 5 dim: 5 } } }\n'
    nets = [
        (b'layer { name: "c" type: "Convolution" bottom: "x" top: "c" convolution_param { num_output: 3 kernel_size: 3 pad: 1 } }\n'
         b'layer { name: "r" type: "ReLU" bottom: "c" top: "c" }\n',
         Caffe.layer("c", "Convolution", [blob([3, 2, 3, 3], 0.5), blob([3], 1)])),
        (b'layer { name: "b" type: "BatchNorm" bottom: "x" top: "b" batch_norm_param { use_global_stats: true } }\n'
         b'layer { name: "s" type: "Scale" bottom: "b" top: "s" scale_param { bias_term: true } }\n',
         Caffe.layer("b", "BatchNorm", [blob([2], 1), blob([2], 2), blob([1], 1)]) + Caffe.layer("s", "Scale", [blob([2], 3), blob([2], 1)])),
        (b'layer { name: "i" type: "InnerProduct" bottom: "x" top: "i" inner_product_param { num_output: 4 } }\n'
         b'layer { name: "p" type: "Softmax" bottom: "i" top: "p" }\n',
         Caffe.layer("i", "InnerProduct", [blob([4, 50], 0.25), blob([4], 1)])),
    ]
    return [start + text + PART_END + put(1, b"net") + weights for text, weights in nets]


# -- TensorFlow's SavedModel -----------------------------------------------------------------------------------------------------------

SAVED_MODEL = b"""
saved_model_schema_version: 1
meta_graphs {
  meta_info_def { tags: "serve" }
  graph_def {
    node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape { dim { size: 2 } dim { size: 3 } } } } }
    node { name: "w" op: "VarHandleOp" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape { dim { size: 3 } dim { size: 2 } } } }
           attr { key: "shared_name" value { s: "w" } } }
    node { name: "read" op: "ReadVariableOp" input: "w" attr { key: "dtype" value { type: DT_FLOAT } } }
    node { name: "y" op: "MatMul" input: "x" input: "read" attr { key: "T" value { type: DT_FLOAT } } }
  }
  signature_def { key: "serving_default" value {
    inputs { key: "x" value { name: "x:0" dtype: DT_FLOAT } } outputs { key: "y" value { name: "y:0" dtype: DT_FLOAT } }
    method_name: "tensorflow/serving/predict" } }
}
"""


def saved_models():
    model = protoc("tensorflow/tensorflow.proto", "encode", "mo.tensorflow.SavedModel", SAVED_MODEL)
    if model is None:
        return []
    header = put(1, 1) + put(3, put(1, 1))
    shape = put(2, put(1, 3)) + put(2, put(1, 2))
    entry = put(1, 1) + put(2, shape) + put(5, 24)
    entries = put(1, put(1, b"") + put(2, header)) + put(1, put(1, b"w") + put(2, entry))
    return [model + PART_END + entries + PART_END + struct.pack("<6f", *range(6))]


# -- the rest --------------------------------------------------------------------------------------------------------------------------

def numpy_files():
    def array(header, data, version=b"\x01\x00"):
        header = header.encode().ljust(117) + b"\n"
        return b"\x93NUMPY" + version + struct.pack("<H" if version[0] == 1 else "<I", len(header)) + header + data
    text = "{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}"
    return [array(text.format("<f4", False, "(2, 3)"), bytes(24)), array(text.format("|b1", False, "(2,)"), b"\0\1"),
            array(text.format("<i8", True, "(2, 2)"), bytes(32), b"\x02\x00"), array(text.format("<f2", False, "()"), bytes(2))]


COMMAND_LINES = [
    "--input_model\nm.onnx\n--input\na[1,?,3..5],b:0->[1 2]\n--output\nx,y:1\n--batch\n2",
    "--input_model=m.pb\n--input_shape\n[1,3,224,224],(1,2)\n--mean_values\nx[1,2,3],y(4,5.5,6)\n--scale_values\n[2]\n--data_type\nFP16",
    "--input_model\nm.onnx\n--input\nx{i32}[2],y->False\n--freeze_placeholder_with_value\na->1.5,b->[1,2]\n--transform\nLowLatency2[use_const_initializer=False],Pruning",
    "--saved_model_dir\nd\n--saved_model_tags\nserve,gpu\n--target_runtime\n2022.1\n--compress_to_fp16\n--log_level=DEBUG\n--progress",
]
PIPELINES = [
    'model { ssd { num_classes: 90 image_resizer { fixed_shape_resizer { height: 300 width: 300 } } box_coder { faster_rcnn_box_coder { y_scale: 10.0 x_scale: 10.0 '
    'height_scale: 5.0 width_scale: 5.0 } } post_processing { batch_non_max_suppression { score_threshold: 1e-8 iou_threshold: 0.6 max_detections_per_class: 100 '
    'max_total_detections: 100 } score_converter: SIGMOID } anchor_generator { ssd_anchor_generator { num_layers: 6 min_scale: 0.2 max_scale: 0.95 '
    'aspect_ratios: 1.0 aspect_ratios: 2.0 } } } }',
    'model { faster_rcnn { num_classes: 2 first_stage_nms_iou_threshold: 0.7 first_stage_max_proposals: 100 second_stage_post_processing { '
    'batch_non_max_suppression { iou_threshold: 0.6 max_total_detections: 300 } score_converter: SOFTMAX } } } # comment',
]


def json_files():
    found = [read(path) for path in sorted(glob.glob(os.path.join(ROOT, "extensions/configs/*.json")) + glob.glob(os.path.join(ROOT, "examples/replacers/*.json")))]
    points = b'[{"id": "x", "match_kind": "points", "instances": {"start_points": ["a/relu"], "end_points": ["b/exp"]}, "op": "Both"}]'
    scope = (b'[{"id": "x", "match_kind": "scope", "instances": ["[ab]"], "inputs": [[{"node": "relu$", "port": 0}]], "outputs": [{"node": "exp$", "port": 0}], '
             b'"op": "Both"}]')
    return [text for text in found if len(text) <= LARGEST] + [points, scope]


def custom_ops():
    text = read(os.path.join(ROOT, "docs/custom_ops.md")).decode()
    return [body.encode() for body in re.findall(r"```json\n(.*?)```", text, flags=re.S)]


def irs(build, models):
    """`.xml` and `.bin` that mo makes of these ONNX models, in both versions."""
    made = []
    with tempfile.TemporaryDirectory() as folder:
        for i, model in enumerate(models):
            path = os.path.join(folder, "m.onnx")
            with open(path, "wb") as file:
                file.write(model)
            done = subprocess.run([os.path.join(build, "bin/mo"), "--input_model", path, "--output_dir", folder, "--silent", "--ir_version", str(10 + i % 2)],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            if done.returncode == 0:
                made.append(read(os.path.join(folder, "m.xml")) + PART_END + read(os.path.join(folder, "m.bin")))
    return made


def opaque_ir():
    """An IR of operations and element types that mo carries through."""
    xml, weights = furnished_model()
    return xml.encode() + PART_END + weights


def seeds_of(build):
    onnx = [read(path) for path in sorted(glob.glob(os.path.join(ONNX_TESTS, "*/model.onnx"))) if os.path.getsize(path) <= LARGEST]
    with open(os.path.join(ROOT, "examples/mnist/mnist.onnxtxt"), "rb") as file:
        mnist = file.read()
    examples = [read(path) for path in glob.glob(os.path.join(ROOT, "plugins/examples/*/model.onnxtxt"))]
    onnx_text = [text for text in (protoc("onnx/onnx.proto", "decode", "mo.onnx.ModelProto", model) for model in onnx[::6]) if text] + examples
    if not onnx:  # without the package a few will do
        onnx = [model for model in (protoc("onnx/onnx.proto", "encode", "mo.onnx.ModelProto", text) for text in examples + [mnist]) if model]
    onnx += [model for model in models_of_text_tests() if len(model) <= LARGEST]
    graph_text = [text for text in sections("frontends/tensorflow/*.test", "pbtxt") if len(text) <= LARGEST]
    graphs = [model for model in (protoc("tensorflow/tensorflow.proto", "encode", "mo.tensorflow.GraphDef", text) for text in graph_text) if model]
    prototxt = [text for text in sections("frontends/caffe/*.test", "prototxt") if len(text) <= LARGEST]
    return {
        "caffe": caffe_models() + [text + PART_END for text in prototxt[::8]],
        "command_line": [line.encode() for line in COMMAND_LINES],
        "custom_ops": custom_ops(),
        "disabled_pass": onnx,
        "graph_def": graphs,
        "graph_def_text": graph_text,
        "graph_def_variants": graphs,
        "ir": irs(build, onnx[::5]) + [opaque_ir()],
        "ir_versions": onnx,
        "npy": numpy_files(),
        "onnx": onnx,
        "onnx_text": onnx_text,
        "pipeline_config": [text.encode() for text in PIPELINES],
        "prototxt": prototxt,
        "saved_model": saved_models(),
        "text_form": list(graphs_in_text()),
        "transformations_config": json_files(),
        "wire": onnx[::20] + graphs[::20],
    }


def dictionary_of(inputs):
    """The words that the seeds use: operators, attributes, keys."""
    words = collections.Counter()
    for content in inputs:
        words.update(set(re.findall(rb"[A-Za-z_][A-Za-z0-9_.]{2,30}", content)))
    return "".join(f'"{word.decode()}"\n' for word, _ in words.most_common(600))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    build, out = sys.argv[1:]
    targets = {os.path.splitext(os.path.basename(path))[0] for path in glob.glob(os.path.join(ROOT, "fuzz/targets/*.cpp"))}
    seeds = seeds_of(build)
    assert targets == set(seeds), f"targets without seeds, or the other way round: {sorted(targets ^ set(seeds))}"
    for target, inputs in seeds.items():
        folder = os.path.join(out, target)
        os.makedirs(folder, exist_ok=True)
        for i, content in enumerate(inputs):
            with open(os.path.join(folder, f"seed_{i:04}"), "wb") as file:
                file.write(content)
        with open(os.path.join(out, target + ".dict"), "w") as file:
            file.write(dictionary_of(inputs))
        print(f"{target}: {len(inputs)} seeds, {sum(map(len, inputs))} bytes")


if __name__ == "__main__":
    main()
