#!/usr/bin/env python3
"""Writes every ONNX model of the shared set back, which must give the same bytes, and applies graph transforms to some of them, whose numbers must stay: those
that transform_graph computes, and those that the framework computed for stored inputs. ONNX's own checker must like what comes out, where it is installed.

usage: transform_onnx_models.py BIN [MODEL …]       BIN: folder of the programs; without models: all

Models are looked up in MO_SHARED (default: ../shared beside the sources); without them the test is skipped, which it says.
"""
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import numpy_python  # noqa: E402,F401  (references are compared with numpy)
from transform_runs import NOTHING, Runs, run, same_bytes, shared_models  # noqa: E402

EXACT = [
    "strip_unused_nodes fold_constants(ignore_errors=true) fold_batch_norms fold_old_batch_norms merge_duplicate_nodes sort_by_execution_order",
    "remove_nodes(op=Identity, op=Dropout) merge_duplicate_nodes insert_logging(op=Relu) sort_by_execution_order obfuscate_names",
]
ROUNDED = ["round_weights"]
QUANTISED = ["fold_constants(ignore_errors=true) quantize_weights sort_by_execution_order"]  # operators since version 10
# Those that run with random inputs of their declared sizes, and what loses digits in them without turning an answer over.
MODELS = {
    "onnx_ultraface_rfb320": EXACT + ROUNDED,
    "onnx_mnist_cntk": EXACT + ROUNDED,
    "onnx_cifar_pytorch": EXACT + ROUNDED + QUANTISED,
    "onnx_iris_pytorch": EXACT + ROUNDED + QUANTISED,
    "onnx_basic_pitch_nmp": EXACT + QUANTISED,
    "onnx_dtln_1": EXACT + ROUNDED + QUANTISED,
    "onnx_qdq_conv": EXACT,
    "onnx_transformer_dummy": EXACT + ROUNDED + QUANTISED,
    "onnx_selfie_seg": EXACT + ROUNDED,
    "onnx_sci_180": EXACT + ROUNDED,
    "onnx_polygraphy_loop": EXACT,
    "onnx_qlstm_tract": EXACT,
    "onnx_silero_vad_16k_op15": EXACT,
    "onnx_polygraphy_lstm": EXACT + ROUNDED,
    "onnx_external_data": EXACT,
    "onnx_light_squeezenet": EXACT,
}


# Whose inputs have unknown sizes, which random ones would not fit.
OF_FITTING_SIZES = ("onnx_silero_vad_16k_op15",)
# Operator sets that the checker of ONNX knows, as its library is installed.
CHECKED_OPSET = 17
# How far from the reference values, as a part of the largest element: what rounding explains, and what lost digits do.
ROUNDING, LOST_DIGITS = 1e-3, 0.5


def written_back(bin_folder, path, folder):
    """What is wrong with the model that is written without a change, or None."""
    out = os.path.join(folder, "same.onnx")
    code, _, err = run(bin_folder, f"--in_graph={path}", f"--out_graph={out}", f"--transforms={NOTHING}")
    if code != 0:
        return err
    return None if same_bytes(path, out) else "other bytes"


def complaint_of_checker(bin_folder, model, path):
    """What ONNX's checker says of the model, or None: nothing, or it cannot be asked."""
    checker = os.path.join(bin_folder, "check_onnx_model")
    if not os.path.exists(checker) or max(model["version"]["opset"].values(), default=0) > CHECKED_OPSET:
        return None
    done = subprocess.run([checker, path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=100, check=False)
    return done.stdout.decode().strip() if done.returncode != 0 else None


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    bin_folder, wanted = sys.argv[1], sys.argv[2:]
    folder_of_models, models = shared_models("onnx", wanted)
    runs = Runs(bin_folder, "graph transforms of ONNX models")
    for model in models:
        with tempfile.TemporaryDirectory() as folder:
            files = [str(folder_of_models / f["path"]) for f in model["files"]]
            path = next(f for f in files if f.endswith((".onnx", ".pb")))
            for other in files:
                if other != path:
                    shutil.copy(other, folder)
            runs.count_written_back(model, written_back(bin_folder, path, folder))
            # What the checker does not like already, it need not like later.
            is_liked = complaint_of_checker(bin_folder, model, path) is None
            for transforms in MODELS.get(model["id"], []):
                out = os.path.join(folder, "out.onnx")
                inside = ["--functions"] if any(op in model.get("ops", {}) for op in ("If", "Loop", "Scan")) else []
                given = [f"{i['name']}={folder_of_models / i['file']}" for i in model["reference"]["inputs"]] if model["id"] in OF_FITTING_SIZES else []
                if not runs.verified(model, path, out, transforms, *inside, verify=f"--verify_inputs={','.join(given)}" if given else "--verify"):
                    continue
                complaint = complaint_of_checker(bin_folder, model, out)
                if is_liked and complaint:
                    runs.problem(model, f"{transforms}: the checker of ONNX: {complaint}")
                if model.get("reference", {}).get("outputs"):
                    runs.check_reference(model, folder_of_models, transforms, ROUNDING if transforms in EXACT else LOST_DIGITS, [path], [out])
    return runs.finish((0, 0, 0) if wanted else (1, 1, 10))


if __name__ == "__main__":
    sys.exit(main())
