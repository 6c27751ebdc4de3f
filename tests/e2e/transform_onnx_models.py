#!/usr/bin/env python3
"""Writes every ONNX model of the shared set back, which must give the same bytes, and applies graph transforms to some of them, whose numbers must stay.

usage: transform_onnx_models.py BIN [MODEL …]       BIN: folder of transform_graph; without models: all

Models are looked up in MO_SHARED (default: ../shared beside the sources); without them the test is skipped, which it says.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from shared_folder import shared_folder

NOTHING = "rename_op(old_op_name=Nobody, new_op_name=Nothing)"
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
    "onnx_polygraphy_lstm": EXACT + ROUNDED,
    "onnx_external_data": EXACT,
    "onnx_light_squeezenet": EXACT,
}


def run(bin_folder, *arguments):
    process = subprocess.run([os.path.join(bin_folder, "transform_graph"), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=500, check=False)
    return process.returncode, process.stdout.decode(), process.stderr.decode()


def written_back(bin_folder, path, folder):
    """What is wrong with the model that is written without a change, or None."""
    out = os.path.join(folder, "same.onnx")
    code, _, err = run(bin_folder, f"--in_graph={path}", f"--out_graph={out}", f"--transforms={NOTHING}")
    if code != 0:
        return err
    with open(path, "rb") as before, open(out, "rb") as after:
        return None if before.read() == after.read() else "other bytes"


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    bin_folder, wanted = sys.argv[1], sys.argv[2:]
    shared = shared_folder("models")
    with open(shared / "models" / "manifest.json", encoding="utf-8") as file:
        content = json.load(file)
    models = content if isinstance(content, list) else content["models"]
    problems, same, done = [], 0, 0
    for model in models:
        if model.get("framework") != "onnx" or (wanted and model["id"] not in wanted):
            continue
        with tempfile.TemporaryDirectory() as folder:
            files = [str(shared / "models" / f["path"]) for f in model["files"]]
            path = next(f for f in files if f.endswith((".onnx", ".pb")))
            for other in files:
                if other != path:
                    shutil.copy(other, folder)
            wrong = written_back(bin_folder, path, folder)
            same += wrong is None
            if wrong:
                problems.append(f"{model['id']}: written back: {wrong}")
            for transforms in MODELS.get(model["id"], []):
                out = os.path.join(folder, "out.onnx")
                code, text, err = run(bin_folder, f"--in_graph={path}", f"--out_graph={out}", "--verify", f"--transforms={transforms}")
                done += 1
                if code != 0:
                    problems.append(f"{model['id']}: {transforms}: {err}")
                    continue
                difference = max(float(d) for d in re.findall(r"differs by ([^,]+),", text))
                print(f"{model['id']}: {os.path.getsize(path)} -> {os.path.getsize(out)} bytes, differs by {difference:.3g}: {transforms}", flush=True)
    for problem in problems:
        print(problem)
    print(f"graph transforms of ONNX models: {same} written back, {done} runs, {len(problems)} problems")
    return 1 if problems or same == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
