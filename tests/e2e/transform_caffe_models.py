#!/usr/bin/env python3
"""Writes every Caffe model of the shared set back, which must give the same bytes in both files, and applies graph transforms to all of them, whose numbers must
stay: those that transform_graph computes, and those that Caffe computed for stored inputs.

usage: transform_caffe_models.py BIN [MODEL …]       BIN: folder of the programs; without models: all

Models are looked up in MO_SHARED (default: ../shared beside the sources); without them the test is skipped, which it says.
"""
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import numpy_python  # noqa: E402,F401  (references are compared with numpy)
from transform_runs import NOTHING, Runs, run, same_bytes, shared_models  # noqa: E402

TRANSFORMS = [
    "strip_unused_nodes fold_batch_norms merge_duplicate_nodes sort_by_execution_order",
    "remove_nodes(op=Dropout) insert_logging(op=ReLU) merge_duplicate_nodes sort_by_execution_order",
    "fold_old_batch_norms obfuscate_names",
    "round_weights",
]
# Few layers, which many different values of weights are too many for: boxes that are left, and classes, turn over.
CHOOSING = ("caffe_wechat_qr_detect",)
ROUNDING, LOST_DIGITS = 1e-3, 0.5


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    bin_folder, wanted = sys.argv[1], sys.argv[2:]
    folder_of_models, models = shared_models("caffe", wanted)
    runs = Runs(bin_folder, "graph transforms of Caffe models")
    for model in models:
        files = [str(folder_of_models / f["path"]) for f in model["files"]]
        weights, topology = (next(f for f in files if f.endswith(ending)) for ending in (".caffemodel", ".prototxt"))
        with tempfile.TemporaryDirectory() as folder:
            out, text = os.path.join(folder, "out.caffemodel"), os.path.join(folder, "out.prototxt")
            given = f"--input_proto={topology}"
            code, _, err = run(bin_folder, f"--in_graph={weights}", f"--out_graph={out}", given, f"--transforms={NOTHING}")
            is_same = code == 0 and same_bytes(weights, out) and same_bytes(topology, text)
            runs.count_written_back(model, err if code != 0 else None if is_same else "other bytes")
            for transforms in TRANSFORMS:
                if model["id"] in CHOOSING and "round_weights" in transforms:
                    continue
                if runs.verified(model, weights, out, transforms, given) and "obfuscate" not in transforms:
                    tolerance = LOST_DIGITS if "round" in transforms else ROUNDING
                    runs.check_reference(model, folder_of_models, transforms, tolerance, [weights, "--input_proto", topology], [out, "--input_proto", text])
    return runs.finish((0, 0, 0) if wanted else (14, 50, 10))


if __name__ == "__main__":
    sys.exit(main())
