#!/usr/bin/env python3
"""Freezes every model of the shared set whose variables are in a checkpoint, and compares what the GraphDef computes with the stored values of TensorFlow; then
quantizes the weights, which are there now.

usage: freeze_models.py BIN [MODEL …]       BIN: folder of transform_graph; without models: all

Models are looked up in MO_SHARED (default: ../shared beside the sources); without them the test is skipped, which it says.
"""
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from transform_runs import Runs, run, shared_models  # noqa: E402

THREE = "StatefulPartitionedCall,StatefulPartitionedCall:1,StatefulPartitionedCall:2"
# Which outputs; "": those of all signatures, of which there is one, with one output.
MODELS = {
    "tf_cifar_ckpt": "add_1",
    "tf_t2o_regression_ckpt": "pred",
    "tf_mtcnn_pnet_ckpt": "cls_prob,bbox_pred,landmark_pred",
    "tf_mnist_conv_savedmodel": "",
    "tf_mnist_lr_savedmodel": "",
    "tf_matmul_savedmodel": "",
    "tf_basic_pitch_savedmodel": THREE,
    "tf_t2o_regression_savedmodel": "",
    "tf_tfjs_multi_output": "StatefulPartitionedCall,StatefulPartitionedCall:1",
    "tf_half_plus_three_tf1": "y",
    "tf_half_plus_two_tf2": "StatefulPartitionedCall_5",
}
# Feeds that the model computes from texts, with their shapes.
FED = {"tf_half_plus_two_tf2": ("serving_default_x", "1"), "tf_half_plus_three_tf1": ("x", "")}
# Changes its variables.
REFUSED = {"tf_saved_model_counter": "MO-GTT-0070"}


def frozen(bin_folder, path, out, outputs, transforms, *more):
    return run(bin_folder, f"--in_graph={path}", f"--out_graph={out}", "--freeze", f"--outputs={outputs}", f"--transforms={transforms}", *more)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    bin_folder, wanted = sys.argv[1], sys.argv[2:]
    folder_of_models, models = shared_models("tf", wanted)
    runs = Runs(bin_folder, "frozen models")
    for model in models:
        if model["id"] not in MODELS and model["id"] not in REFUSED:
            continue
        files = [str(folder_of_models / f["path"]) for f in model["files"]]
        path = next((f for f in files if f.endswith(".meta")), None) or os.path.dirname(next(f for f in files if f.endswith(("saved_model.pb", "saved_model.pbtxt"))))
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "frozen.pb")
            outputs = MODELS.get(model["id"], "")
            fed, shape = FED.get(model["id"], ("", ""))
            inputs = [f"--inputs={fed}"] if fed else []
            first = f'strip_unused_nodes(shape="{shape}")' if shape else "strip_unused_nodes" if fed else "remove_device"
            code, _, err = frozen(bin_folder, path, out, outputs, first, *inputs)
            if model["id"] in REFUSED:
                if code == 0 or REFUSED[model["id"]] not in err or os.path.exists(out):
                    runs.problem(model, f"expected {REFUSED[model['id']]}, got {err}")
                continue
            if code != 0:
                runs.problem(model, err)
                continue
            # Names of outputs are those of nodes: the stored values have those of signatures.
            distance = runs.distance_by_shape(model, folder_of_models, [out, *(["--output", outputs] if outputs else [])])
            if isinstance(distance, str) or not distance <= 1e-4:
                runs.problem(model, f"{distance} of the largest element from the reference")
            runs.referenced += 1
            print(f"{model['id']}: {os.path.getsize(out)} bytes, {distance} of the largest element from the reference", flush=True)
            small = os.path.join(folder, "small.pb")
            code, _, err = frozen(bin_folder, path, small, outputs, "quantize_weights")
            runs.done += 1
            if code != 0 or "MO-GTT-0067" in err:
                runs.problem(model, f"quantize_weights: {err}")
            elif os.path.getsize(out) > 20000 and os.path.getsize(small) > 0.8 * os.path.getsize(out):
                runs.problem(model, f"quantize_weights: {os.path.getsize(out)} -> {os.path.getsize(small)} bytes")
    return runs.finish((0, 0, 0) if wanted else (0, 8, 8))


if __name__ == "__main__":
    sys.exit(main())
