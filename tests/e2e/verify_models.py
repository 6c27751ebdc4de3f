#!/usr/bin/env python3
"""Verifies every shared model against the IR that mo writes for it: no false alarm, in both IR versions, with several sets of random numbers.

usage: verify_models.py BIN [--seeds N] [--ids a,b] [--versions 10,11] [--engine NAME [--python PATH]]       BIN: folder of mo

With --engine, another engine is the truth (`mo verify --engine`), also for five exports of PyTorch: the table says of each model whether it is the same,
different, or could not be told. Without --python, the Python of tests/peers/environments.py; a model that the engine does not read by its format is left out.
The models are looked up in MO_SHARED (default: ../shared beside the sources); without them the test is skipped, which it says.
"""
import argparse
import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path

from shared_folder import shared_folder

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "support"), str(TESTS / "peers")]
import environments  # noqa: E402
import numpy_python  # noqa: E402,F401  (the tool of the shared folder that knows the command lines needs numpy)

# Refusals of conversions that say why, so that there is nothing to verify: ops that no IR has, and what version 10 cannot express.
REFUSED = ("MO-FRONT-0001", "MO-FRONT-0002", "MO-TF-0740", "MO-TF-0033", "MO-BACK-0002")
# Unknown sizes of several inputs that must fit each other: they are given.
SIZES_BELONG_TOGETHER = ("onnx_silero_vad_16k_op15",)
EXPORTS = ("hf_bert/dd", "hf_qwen2_past/dd", "hf_segformer/dd", "op_lstm/dd", "q_bert/qdq")
# What each engine reads: the framework of a model. OpenVINO computes IRs.
READS = {"onnxruntime": ("onnx",), "opencv": ("caffe",), "tensorflow": ("tf",), "openvino": ("onnx", "tf", "caffe")}
SECONDS = 1200


def command_lines(shared):
    """Model -> words that tell mo how to read it."""
    spec = importlib.util.spec_from_file_location("evaluation", shared / "tools" / "evaluate_models.py")
    evaluation = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(evaluation)
    with open(shared / "models" / "manifest.json", encoding="utf-8") as file:
        models = json.load(file)["models"]
    lines = {}
    for model in models:
        words = evaluation.mo_arguments(model, str(shared / "models"))
        inputs = model.get("reference", {}).get("inputs") or []
        shapes = []
        if model["framework"] == "onnx" and inputs:  # version 10 has static shapes only
            shapes = ["--input", ",".join(i["name"] for i in inputs), "--input_shape", ",".join(str(i["shape"]).replace(" ", "") for i in inputs)]
        lines[model["id"]] = {11: words + (shapes if model["id"] in SIZES_BELONG_TOGETHER else []), 10: words + shapes}
    return lines


def verify(options, words):
    """(exit code, what --json prints, errors)"""
    try:
        done = subprocess.run([os.path.join(options.bin, "mo"), "verify", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return -1, {}, f"no answer within {SECONDS} s"
    return done.returncode, json.loads(done.stdout) if done.stdout else {}, done.stderr.decode(errors="replace")


def python_of(engine):
    """The interpreter that tests/peers has for it."""
    name, _, release = engine.partition("@")
    judges = [judge for judge in environments.judges() if judge.startswith(f"{name}-{release}" if release else name)]
    python, reason = environments.environment(judges[-1], create=False) if judges else (None, f"there is no judge {engine}")
    if python is None:
        print(f"skipped: {judges[-1:]} {reason}")
        sys.exit(77)
    return python


def by_engine(options, shared, lines):
    """A table of verdicts, and exit code 1 when something differs."""
    framework = {model["id"]: model["framework"] for model in json.loads((shared / "models" / "manifest.json").read_text(encoding="utf-8"))["models"]}
    name = options.engine.partition("@")[0]
    version = 10 if options.engine.startswith("openvino@2021") else 11
    jobs = {model: words[version] for model, words in lines.items() if framework[model] in READS[name]}
    if "onnx" in READS[name]:
        jobs.update({export: ["--input_model", str(shared / "cases" / "torch_exports" / f"{export}.onnx")] for export in EXPORTS})
    counts = {"same": 0, "different": 0, "could not tell": 0}
    engine = ["--engine", options.engine, "--python", options.python or python_of(options.engine)]
    for model in [m for m in jobs if not options.ids or m in options.ids.split(",")]:
        code, result, errors = verify(options, ["--ir_version", str(version), "--seeds", str(options.seeds), "--json", *engine, *jobs[model]])
        verdict = {0: "same", 8: "different"}.get(code, "could not tell")
        counts[verdict] += 1
        error = re.search(r"\[ ERROR \].*", errors)
        why = error[0][10:].strip()[:300] if error else errors.strip()[-300:]
        largest = max([(output["difference"] or {}).get("of_tolerance") or 0 for output in result.get("outputs", [])], default=0)
        told = {"same": f"{largest:.3f} of the tolerance", "different": json.dumps(result.get("layer"))[:600]}.get(verdict, f"exit code {code}: {why}")
        print(f"{verdict:<14} {model:<32} {result.get('verdict') or '-':<9} {told}", flush=True)
    print(f"{' '.join(engine[:2])}: " + ", ".join(f"{count} {what}" for what, count in counts.items()))
    return 1 if counts["different"] else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--ids", default="")
    parser.add_argument("--versions", default="11,10")
    parser.add_argument("--engine", default="")
    parser.add_argument("--python", default="")
    options = parser.parse_args()
    shared = shared_folder("tools/evaluate_models.py", "models/manifest.json", *(["cases/torch_exports"] if options.engine else []))
    lines = command_lines(shared)
    if options.engine:
        return by_engine(options, shared, lines)
    wanted = options.ids.split(",") if options.ids else list(lines)
    worst = []
    counts = {"equal": 0, "unstable": 0, "refused": 0, "failed": 0}
    for name in wanted:
        for version in map(int, options.versions.split(",")):
            code, result, errors = verify(options, ["--ir_version", str(version), "--seeds", str(options.seeds), "--json", *lines[name][version]])
            verdict = result.get("verdict")
            for output in result.get("outputs", []):
                worst.append(((output["difference"] or {}).get("of_tolerance") or 0, name, version))
            refused = verdict is None and any(code in errors for code in REFUSED)
            good = refused or code == 0
            counts["refused" if refused else verdict if good else "failed"] += 1
            if not good or verdict == "unstable":
                layer = json.dumps(result.get("layer"))
                print(f"{name}, IR version {version}: {'unstable' if good else 'FAILED'}: exit code {code} {verdict} {errors[:600]} {layer[:700]}", flush=True)
    print("largest parts of the tolerance:", ", ".join(f"{part:.3f} {name} v{version}" for part, name, version in sorted(worst, reverse=True)[:8]))
    print(", ".join(f"{count} {what}" for what, count in counts.items()))
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
