#!/usr/bin/env python3
"""Applies the recipes of docs/graph_transforms.md, as they stand there, to three real models: the numbers stay, and each recipe does what it is for.

usage: transform_recipes.py BIN       BIN: folder of transform_graph

Models are looked up in MO_SHARED (default: ../shared beside the sources); without them the test is skipped, which it says.
"""
import os
import re
import sys
import tempfile
import zlib
from pathlib import Path

from transform_models import prepared
from transform_runs import run, shared_models

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "graph_transforms.md"
MODELS = ("tf_cifar_frozen", "tf_kws_cnn_s", "tf_kws_ds_cnn_s")
NAMES = ("Deploying", "Missing kernels", "Shrinking", "Eight bits")


def recipes():
    """Name -> pipeline."""
    section = re.search(r"^## Recipes$(.*?)^## ", DOCUMENT.read_text(encoding="utf-8"), flags=re.M | re.S).group(1)
    found = re.findall(r"^([A-Z][a-z ]+):.*?^```\n--transforms='(.*?)'\n```$", section, flags=re.M | re.S)
    assert tuple(name for name, _ in found) == NAMES, found
    return found


def ops(bin_folder, graph, folder):
    """Op -> number of nodes."""
    text = os.path.join(folder, "text.pbtxt")
    code, _, err = run(bin_folder, f"--in_graph={graph}", f"--out_graph={text}", "--output_as_text", "--transforms=sort_by_execution_order(ignore_errors=true)")
    assert code == 0, err
    counts = {}
    with open(text, encoding="utf-8", errors="replace") as file:
        for op in re.findall(r'^  op: "(\w+)"$', file.read(), flags=re.M):
            counts[op] = counts.get(op, 0) + 1
    return counts


def packed(path):
    with open(path, "rb") as file:
        return len(zlib.compress(file.read()))


def purpose_missed(name, bin_folder, before, after, folder):
    """Why the recipe is of no use for the model, or None."""
    was, now = ops(bin_folder, before, folder), ops(bin_folder, after, folder)
    if name == "Deploying" and now.get("Identity", 0) > 1:
        return f"{now['Identity']} nodes Identity are left"
    if name in NAMES[:2] and sum(now.values()) > sum(was.values()):
        return "there are more nodes than before"
    if name == "Shrinking" and (os.path.getsize(after) > 0.6 * os.path.getsize(before) or "Dequantize" not in now):
        return f"{os.path.getsize(before)} -> {os.path.getsize(after)} bytes"
    if name == "Eight bits" and not any(op.startswith("Quantized") for op in now):
        return "no layer has eight bits"
    return None


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    bin_folder = sys.argv[1]
    folder_of_models, found = shared_models("tf", MODELS)
    models = {model["id"]: model for model in found}
    problems, done = [], 0
    for model in (models[name] for name in MODELS if name in models):
        path = next(str(folder_of_models / f["path"]) for f in model["files"] if f["path"].endswith(".pb"))
        with tempfile.TemporaryDirectory() as folder:
            base = prepared(bin_folder, model, path, folder)
            assert not isinstance(base, str), base
            graph, inputs, outputs = base
            for name, transforms in recipes():
                out = os.path.join(folder, "out.pb")
                code, text, err = run(bin_folder, f"--in_graph={graph}", f"--out_graph={out}", f"--inputs={inputs}", f"--outputs={outputs}", "--verify",
                                      f"--transforms={transforms}")
                done += 1
                problem = err if code != 0 else purpose_missed(name, bin_folder, graph, out, folder)
                if problem:
                    problems.append(f"{model['id']}: {name}: {problem}")
                    continue
                difference = max(float(d) for d in re.findall(r"differs by ([^,]+),", text))
                print(f"{model['id']}: {name}: {os.path.getsize(graph)} -> {os.path.getsize(out)} bytes, packed {packed(graph)} -> {packed(out)}, "
                      f"differs by {difference:.3g}", flush=True)
    for problem in problems:
        print(problem)
    print(f"recipes: {done} runs, {len(problems)} problems")
    return 1 if problems or done != len(MODELS) * len(NAMES) else 0


if __name__ == "__main__":
    sys.exit(main())
