#!/usr/bin/env python3
"""Verifies every shared model against the IR that mo writes for it: no false alarm, in both IR versions, with several sets of random numbers.

usage: verify_models.py BIN [--seeds N] [--ids a,b] [--versions 10,11]       BIN: folder of mo

The models are looked up in MO_SHARED (default: ../shared beside the sources); without them the test is skipped, which it says.
"""
import argparse
import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

from shared_folder import shared_folder

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import numpy_python  # noqa: E402,F401  (the tool of the shared folder that knows the command lines needs numpy)

# Refusals of conversions that say why, so that there is nothing to verify: ops that no IR has, and what version 10 cannot express.
REFUSED = ("MO-FRONT-0001", "MO-FRONT-0002", "MO-TF-0740", "MO-TF-0033", "MO-BACK-0002")
# Unknown sizes of several inputs that must fit each other: they are given.
SIZES_BELONG_TOGETHER = ("onnx_silero_vad_16k_op15",)


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


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--ids", default="")
    parser.add_argument("--versions", default="11,10")
    options = parser.parse_args()
    shared = shared_folder("tools/evaluate_models.py", "models/manifest.json")
    lines = command_lines(shared)
    wanted = options.ids.split(",") if options.ids else list(lines)
    worst = []
    counts = {"equal": 0, "unstable": 0, "refused": 0, "failed": 0}
    for name in wanted:
        for version in map(int, options.versions.split(",")):
            words = ["--ir_version", str(version), "--seeds", str(options.seeds), "--json", *lines[name][version]]
            done = subprocess.run([os.path.join(options.bin, "mo"), "verify", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
            errors = done.stderr.decode(errors="replace")
            result = json.loads(done.stdout) if done.stdout else {}
            verdict = result.get("verdict")
            for output in result.get("outputs", []):
                worst.append(((output["difference"] or {}).get("of_tolerance") or 0, name, version))
            refused = verdict is None and any(code in errors for code in REFUSED)
            good = refused or done.returncode == 0
            counts["refused" if refused else verdict if good else "failed"] += 1
            if not good or verdict == "unstable":
                layer = json.dumps(result.get("layer"))
                print(f"{name}, IR version {version}: {'unstable' if good else 'FAILED'}: exit code {done.returncode} {verdict} {errors[:600]} {layer[:700]}", flush=True)
    print("largest parts of the tolerance:", ", ".join(f"{part:.3f} {name} v{version}" for part, name, version in sorted(worst, reverse=True)[:8]))
    print(", ".join(f"{count} {what}" for what, count in counts.items()))
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
