#!/usr/bin/env python3
"""For every shared model that a conversion refuses, the command line that mo inspect proposes converts.

usage: coverage_proposals.py BIN      BIN: folder of mo

Each model is tried with the inputs and outputs that the list of models names and without them, for both IR versions. Models are looked up in MO_SHARED
(default: ../shared beside the sources); without them the test is skipped, which it says.
"""
import importlib.util
import json
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from shared_folder import ROOT, shared_folder

sys.path.insert(0, str(ROOT / "tests" / "support"))
import json_schema  # noqa: E402
import numpy_python  # noqa: E402,F401  (evaluate_models.py of the shared folder needs numpy)

CHOICES = ("--input", "--output", "--input_shape", "--saved_model_signature")


def module(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def without_choices(arguments):
    kept, words = [], iter(arguments)
    for word in words:
        if word in CHOICES:
            next(words)
        else:
            kept.append(word)
    return kept


def run(words):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)


def problem_of(mo, arguments, schema):
    """Whether the model is refused, and what is wrong with the proposal."""
    seen = run([mo, "inspect", "--json", *arguments])
    if seen.returncode != 0:
        return True, f"exit code {seen.returncode}: {seen.stderr.decode()[:200]}"
    report = json.loads(seen.stdout)
    if wrong := json_schema.problems(report, schema):
        return True, wrong[0]
    conversion = report["conversion"]
    if conversion["proposal"] is None:
        return True, "nothing is proposed"
    with tempfile.TemporaryDirectory() as folder:
        words = shlex.split(conversion["proposal"]["command"])
        done = run([mo, *words[1:], "--output_dir", folder])
    return not conversion["converts"], "" if done.returncode == 0 else f"{conversion['proposal']['command']}: {done.stderr.decode()[:200]}"


def main():
    shared = shared_folder("models/manifest.json", "tools/evaluate_models.py")
    mo = os.path.join(os.path.abspath(sys.argv[1]), "mo")
    schema = json.loads((ROOT / "docs" / "schemas" / "inspect.schema.json").read_text())
    mo_arguments = module(shared / "tools" / "evaluate_models.py").mo_arguments
    models = json.loads((shared / "models" / "manifest.json").read_text())["models"]
    refused, problems = 0, []
    for model in models:
        given = mo_arguments(model, str(shared / "models"))
        for arguments in [given] if without_choices(given) == given else [given, without_choices(given)]:
            for version in ("11", "10"):
                is_refused, problem = problem_of(mo, [*arguments, "--ir_version", version], schema)
                refused += is_refused
                if problem:
                    problems.append(f"{model['id']}, IR version {version}: {problem}")
    print("\n".join(problems))
    print(f"{len(models)} models, {refused} refused lines, {len(problems)} without a proposal that converts")
    # A set of models in which nothing is refused would prove nothing.
    return 1 if problems or refused == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
