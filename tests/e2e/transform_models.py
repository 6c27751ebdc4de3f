#!/usr/bin/env python3
"""Applies graph transforms to every frozen TensorFlow model of the shared set, and has transform_graph compute the original and the result.

usage: transform_models.py BIN [MODEL …]       BIN: folder of transform_graph; without models: all

Models are looked up in MO_SHARED (default: ../shared beside the sources); without them the test is skipped, which it says.
"""
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from transform_runs import Runs, run, shared_models  # noqa: E402

TYPES = {"DT_FLOAT": "float", "DT_UINT8": "uint8", "DT_INT32": "int32"}
# Together what changes no number, the recipes of docs/graph_transforms.md, and what loses digits.
TRANSFORMS = [
    "remove_device remove_control_dependencies add_default_attributes(ignore_errors=true) merge_duplicate_nodes "
    "insert_logging(ignore_errors=true, op=Relu, op=Conv2D) sort_by_execution_order obfuscate_names",
    "strip_unused_nodes fold_moments fold_constants(ignore_errors=true) fold_batch_norms_algebraic fold_batch_norms fold_old_batch_norms flatten_atrous_conv "
    "fuse_resize_pad_and_conv fuse_pad_and_conv fuse_resize_and_conv merge_duplicate_nodes",
    "round_weights",
    "fold_constants(ignore_errors=true) fold_batch_norms quantize_weights strip_unused_nodes sort_by_execution_order",
]
# Graphs with loops of TensorFlow 1 need their Identity nodes.
REMOVE = "remove_nodes(op=Identity, op=CheckNumerics)"
EIGHT_BITS = ("add_default_attributes(ignore_errors=true) strip_unused_nodes remove_nodes(op=Identity, op=CheckNumerics) fold_constants(ignore_errors=true) "
              "fold_batch_norms fold_old_batch_norms quantize_weights quantize_nodes strip_unused_nodes sort_by_execution_order")
QUANTISED = ("tf_cifar_frozen", "tf_t2o_ae0", "tf_kws_cnn_s", "tf_kws_ds_cnn_s")
# Weights that lose digits change these answers altogether, although each number moves a little: they choose among near ties. In random inputs nearly all
# are ties, so these models are given the true ones.
CHOOSING = {"tf_deeplab_dm05": "the class of each pixel", "tf_syn_ssdlite_mbv2": "boxes that remain"}


def prepared(bin_folder, model, path, folder):
    """The model with Placeholders of the wanted shapes, its inputs and outputs; or why not."""
    hint = model["converter_hint"]
    outputs = ",".join(hint["outputs"])
    named = "".join(f', name="{name.split(":")[0]}", type_for_name={TYPES[what["dtype"]]}, shape_for_name="{",".join(map(str, what["shape"])) or "1"}"'
                    for name, what in hint["inputs"].items())
    base = os.path.join(folder, "base.pb")
    inputs = ",".join(hint["inputs"])
    code, _, err = run(bin_folder, f"--in_graph={path}", f"--out_graph={base}", f"--inputs={inputs}", f"--outputs={outputs}",
                       f"--transforms=rename_op(old_op_name=Placeholder, new_op_name=Fed) strip_unused_nodes({named[2:]})")
    return (base, inputs, outputs) if code == 0 else err


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    bin_folder, wanted = sys.argv[1], sys.argv[2:]
    folder_of_models, models = shared_models("tf", wanted)
    runs = Runs(bin_folder, "graph transforms of models")
    for model in models:
        if model.get("kind") != "frozen":
            continue
        path = next(str(folder_of_models / f["path"]) for f in model["files"] if f["path"].endswith(".pb"))
        with tempfile.TemporaryDirectory() as folder:
            base = prepared(bin_folder, model, path, folder)
            if isinstance(base, str):
                runs.problem(model, base)
                continue
            graph, inputs, outputs = base
            has_loop = "Enter" in model.get("ops", {})
            for transforms in TRANSFORMS + ([] if has_loop else [REMOVE]) + ([EIGHT_BITS] if model["id"] in QUANTISED else []):
                if model["id"] in CHOOSING and ("round_weights" in transforms or "quantize_weights" in transforms):
                    continue
                given = [f"{name}={folder_of_models / 'reference' / model['id'] / f'input_{name}.npy'}" for name in inputs.split(",")]
                verify = "--verify_inputs=" + ",".join(given) if model["id"] in CHOOSING else "--verify"
                runs.verified(model, graph, os.path.join(folder, "out.pb"), transforms, f"--inputs={inputs}", f"--outputs={outputs}", verify=verify)
    return runs.finish((0, 0 if wanted else 1, 0))


if __name__ == "__main__":
    sys.exit(main())
