"""Twenty models with the options that change what an IR computes: fed so that the results are those of the model without options."""
import json

import numpy as np
from case import Case
from closeness import Tolerance
from corpora.models import case_of
from checker import load_tool
from shared_folder import shared_folder

MODELS = 20
# A constant of the model is the shape of a batch of 1, or the example's own command line gives one, so that --batch has no meaning.
HOLD_THEIR_BATCH = {"onnx_yunet_n_320", "onnx_ultraface_rfb320", "onnx_light_person_det", "onnx_sinet", "onnx_light_bvlc_alexnet", "onnx_light_inception_v2", "onnx_light_resnet50",
                    "onnx_light_shufflenet", "onnx_light_zfnet512", "tf_pose_mbv2_small", "tf_cifar_frozen", "tf_cifar_ckpt"}
MEAN, SCALE = np.array([10, 20, 30], np.float32), np.array([2, 4, 8], np.float32)


def cases(_context):
    shared = shared_folder("models/manifest.json", "tools/evaluate_models.py")
    command_line = load_tool(shared / "tools" / "evaluate_models.py").mo_arguments
    models = json.loads((shared / "models" / "manifest.json").read_text(encoding="utf-8"))["models"]
    chosen = [model for model in models if is_image_model(model)]
    for model in chosen[::max(1, len(chosen) // MODELS)][:MODELS]:
        plain = case_of(model, shared / "models", command_line)
        for name, arguments, feed, change in variants(model):
            yield variant(plain, name, arguments, feed, change)


def is_image_model(model):
    """One input of rank 4 with 3 channels and batch 1."""
    inputs = (model.get("reference") or {}).get("inputs", [])
    if len(inputs) != 1 or len(inputs[0]["shape"]) != 4 or inputs[0]["shape"][0] != 1 or inputs[0]["dtype"] != "float32":
        return False
    return inputs[0]["shape"][3 if model["framework"] == "tf" else 1] == 3


def variants(model):
    """(name, options, what is fed instead of x, what is expected instead of y)"""
    last = model["framework"] == "tf"
    per_channel = (lambda v: v) if last else (lambda v: v.reshape(3, 1, 1))
    same = lambda x: x  # noqa: E731
    yield "compress_to_fp16", ["--compress_to_fp16"], same, same
    yield "mean_scale", ["--mean_values", "[10,20,30]", "--scale_values", "[2,4,8]"], lambda x: x * per_channel(SCALE) + per_channel(MEAN), same
    yield "reverse_input_channels", ["--reverse_input_channels"], lambda x: np.ascontiguousarray(np.flip(x, 3 if last else 1)), same
    yield "layout", ["--layout", "nhwc->nchw" if last else "nchw->nhwc"], lambda x: np.ascontiguousarray(x.transpose((0, 3, 1, 2) if last else (0, 2, 3, 1))), same
    if model["id"] not in HOLD_THEIR_BATCH:
        yield "batch", ["--batch", "2"], lambda x: np.concatenate([x, x]), lambda y: np.concatenate([y, y])
    yield "static_shape", ["--static_shape"], same, same
    outputs = model["reference"]["outputs"]
    if len(outputs) > 1 and not (model.get("converter_hint") or {}).get("outputs"):
        yield "cut", ["--output", outputs[0].get("tensor") or outputs[0]["name"]], same, None


def variant(plain, name, arguments, feed, change):
    def load():
        inputs, outputs = plain.load()
        given = [(tensor, feed(array).astype(np.float32)) for tensor, array in inputs]
        return given, outputs[:1] if change is None else [(tensor, change(array)) for tensor, array in outputs]

    def tolerance(output):
        allowed = plain.tolerance_of(output)
        return Tolerance(max(allowed.relative, 2e-2 if name == "compress_to_fp16" else 1e-2 if name == "batch" else 2e-3), allowed.absolute, detections=allowed.detections)

    options = list(arguments)
    if name == "batch" and "--input_shape" in plain.arguments:
        at = plain.arguments.index("--input_shape")
        plain_arguments = plain.arguments[:at] + plain.arguments[at + 2:]
    else:
        plain_arguments = plain.arguments
    fixed = plain.fixed_inputs or name in ("batch", "layout")
    return Case(f"{plain.id}.{name}", plain_arguments + options, load, tolerance, channels_last=plain.channels_last, fixed_inputs=fixed, all_outputs=False,
                versions=(11,) if name == "layout" else (10, 11))
