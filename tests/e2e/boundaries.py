#!/usr/bin/env python3
"""Inputs and outputs of an IR are called as the Model Optimizer called them: 2021.4.2 for IR version 10, 2024.6 for version 11.

usage: boundaries.py BIN [--only TEXT] [-v]     BIN: folder of mo

The shared folder (MO_SHARED, or ../shared beside the sources) has what both made of the shared models with many options: names of the operations at the
ends, tensor names, shapes, element types, order. Each command line runs again; a difference that is not of a class of BY_DESIGN is a failure, and so is a
class that no difference has. Without the shared folder the test is skipped, which it says.
"""
import collections
import concurrent.futures
import importlib.util
import json
import os
import re
import sys
import tempfile
from pathlib import Path

from shared_folder import shared_folder


def dimensions(text):
    return None if text == "..." else [None if d in ("?", "-1") else d for d in text.split(",") if d]


def same_where_known(original, ours):
    """Whether the shapes agree as far as both are known."""
    a, b = dimensions(original), dimensions(ours)
    if a is None or b is None or (original == "" and None in b):  # an output of unknown rank has no dimensions in the file
        return True
    return len(a) == len(b) and all(None in pair or pair[0] == pair[1] for pair in zip(a, b))


def shapes_agree(text):
    return same_where_known(*text.rsplit(": ", 1)[1].split(" / "))


# (class of difference, what the case or the text has, why): docs/differences.md says it to users.
BY_DESIGN = [
    ("input tensor name added", r"", "a tensor may be found by more names"),
    ("output tensor name added", r"", "a tensor may be found by more names"),
    ("input order", r"", "inputs are in the order in which the user names them; the API of version 10 goes by name"),
    ("output order", r"", "the order of the model, or of --output; the API of version 10 goes by name"),
    ("input type", r"^2021.*: i32 / i64", "integers keep the type of the model"),
    ("input type", r"^2021.*fp16/inmid", "a cut input has the type of the tensor"),
    ("output type", r"^2021.*fp16/inmid", "a cut input has the type of the tensor"),
    ("input shape", shapes_agree, "one of both knows a size that the other does not"),
    ("output shape", shapes_agree, "one of both knows a size that the other does not"),
    ("output shape", r"half_plus_two_tf2/batch2", "the original drops the input, and --batch with it"),
    ("output shape", r"person_det/batch2", "constants that hold the batch follow --batch; the original mixes the samples"),
    ("input count", r"half_plus_two_tf2", "the original drops the input: it computes with a value of the checkpoint"),
    ("input count", r"plus3/inmid", "the original leaves an input that nothing reads"),
    ("output count", r"outboth.*'output', 'output'", "an output that is named twice is there once"),
    ("result name", r"squeezenet_fp16/outmid.*pool5_1_1", "a node has the name of the tensor; the name of a Result is in no API"),
    ("result name", r"outboth", "an output that is named twice is there once; the name of a Result is in no API"),
    ("result name", r"landmark106", "the layer, not the arithmetic that its normalisation became"),
    ("output name", r": r32\.0 / r32$", "MaxPool without its indices has one output"),
    ("input tensor name lost", r"Func/StatefulPartitionedCall", "a name that TensorFlow's optimiser makes up"),
    ("output tensor name lost", r"Func/StatefulPartitionedCall", "a name that TensorFlow's optimiser makes up"),
    ("result name", r"Func/StatefulPartitionedCall", "a name that TensorFlow's optimiser makes up"),
    ("output tensor name lost", r"transformer_dummy.*\['\d+', '\d+'\]", "tensors inside of the model that became one with the output"),
    ("output tensor name lost", r"scale_logits:0", "tensors inside of the model that became one with the output"),
]
# Command lines that only the original converts.
ONLY_THE_ORIGINAL = [
    (r"f16in", "an input of f16 beside weights of f32: the runtime refuses the original's IR, or the original ignores the type"),
    (r"^2021.*/(plain|inmid)$", "an input of unknown rank, which the original takes for a scalar"),
    (r"polygraphy_loop/batch2", "--batch changes the condition of a loop, which has one element"),
    (r"multi_sig/inline", "an input of another signature, which the original does not use either"),
]


def boundary_tool(shared):
    spec = importlib.util.spec_from_file_location("boundary", shared / "tools" / "boundary.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def differences_of(tool, mo, models, entry):
    options = [str(models / a) if "/" in a and (models / a).exists() else a for a in entry["options"]]
    version = ["--ir_version", "10"] if entry["original"].startswith("2021") else []
    with tempfile.TemporaryDirectory() as folder:
        _, xml, errors = tool.convert(str(mo), options + version, folder)
        if xml is None or "inputs" not in entry:
            return xml is not None, errors, []
        both = [{key: side[key] for key in ("inputs", "outputs")} | {"layers": 0, "types": {}} for side in (entry, tool.describe(xml, False))]
        return True, errors, tool.differences(*both)


def main():
    arguments = [a for a in sys.argv[1:] if a != "-v"]
    only = arguments[arguments.index("--only") + 1] if "--only" in arguments else ""
    shared = shared_folder("tools/boundary.py", "cases/boundaries/shared_boundaries.json", "models")
    tool, mo = boundary_tool(shared), Path(arguments[0]).resolve() / "mo"
    entries = json.loads((shared / "cases/boundaries/shared_boundaries.json").read_text())["boundaries"]
    entries = [e for e in entries if not e["original"].endswith("ovc") and only in f"{e['model']}/{e['variant']}"]
    states, used, problems = collections.Counter(), collections.Counter(), []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        outcomes = list(pool.map(lambda e: differences_of(tool, mo, shared / "models", e), entries))
    for entry, (converts, errors, found) in zip(entries, outcomes):
        case = f"{entry['original']} {entry['model']}/{entry['variant']}"
        state = {(True, True): "both", (True, False): "only ours", (False, True): "only the original"}.get((converts, "inputs" in entry), "neither")
        states[state] += 1
        if state == "only the original" and not any(re.search(pattern, case) for pattern, _ in ONLY_THE_ORIGINAL):
            problems.append(f"{case}: {errors[:1]}")
        for kind, text in found:
            hits = [row for row in BY_DESIGN if row[0] == kind and (row[1](text) if callable(row[1]) else re.search(row[1], f"{case} {text}"))]
            used.update((row[0], row[2]) for row in hits[:1])
            if not hits:
                problems.append(f"{case}: {kind}: {text}")
            elif "-v" in sys.argv:
                print(f"{case}: {kind}: {text} ({hits[0][2]})")
    if not only:
        problems += [f"no difference is of the class {row[0]}: {row[2]}" for row in BY_DESIGN if (row[0], row[2]) not in used]
    for problem in problems:
        print(problem)
    print(", ".join(f"{state} {count}" for state, count in sorted(states.items())) + f", {sum(used.values())} differences by design, {len(problems)} others")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
