#!/usr/bin/env python3
"""Converts models that the `.test` files of the frontends hold, and those of *.models beside this file, in both IR versions, and runs the IRs: what `mo`
calls a success must run at the shapes that it was converted for, and give the numbers of the `--- evaluate` and `--- converted` sections.

usage: written_models_test.py BIN [FILTER]       BIN: folder of mo and mo_run; FILTER: regular expression on file:line

IR version 10 has static shapes: its models get those of the numbers. What it cannot express it must refuse as something that it cannot express. Where
MO_SHARED has the checker that knows the rules of the runtimes, each IR must pass it.
"""
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "generators"))
import check  # noqa: E402  (with a Python that has numpy)
import cases  # noqa: E402
import numpy as np  # noqa: E402

CHECKER = Path(os.environ.get("MO_SHARED", ROOT.parent / "shared")).resolve() / "tools" / "check_ir.py"
FILES = [f"frontends/tensorflow/{name}.test" for name in ("complex", "fourier", "frames", "functional", "tensor_arrays", "tensor_lists")]
FILES.append("e2e/onnx_loops.models")
FRAMEWORKS = {"pbtxt": ["--framework", "tf", "--input_model_is_text"], "prototxt": ["--framework", "caffe"], "onnxtxt": ["--framework", "onnx"]}
# Codes that say: not with IR version 10.
NOT_IN_V10 = ("MO-BACK-0001", "MO-BACK-0002")


def written_models():
    """(name, kind, model, [(feeds, expected)])"""
    for name in FILES:
        line = 1
        for part in re.split(r"^(?====)", (ROOT / "tests" / name).read_text(encoding="utf-8"), flags=re.M):
            where, line = line, line + part.count("\n")
            pieces = re.split(r"^---[ ]*(.*)$", part, flags=re.M)
            sections = [(kind.strip(), body) for kind, body in zip(pieces[1::2], pieces[2::2])]
            numbers = [cases.evaluations(body) for kind, body in sections if kind in ("evaluate", "converted")]
            if numbers and sections[0][0] in FRAMEWORKS:
                yield f"{name}:{where}", sections[0][0], sections[0][1], numbers


def convert(mo, model, kind, folder, version, feeds):
    shapes = ",".join(f"{name}[{','.join(map(str, value.shape))}]" for name, value in feeds.items()) if version == 10 else ""
    return subprocess.run([mo, "--input_model", str(model), *FRAMEWORKS[kind], "--output_dir", str(folder), "--model_name", "m", "--ir_version", str(version),
                           *(["--input", shapes] if shapes else [])], capture_output=True, text=True, check=False)


def run(mo_run, folder, feeds):
    inputs = []
    for i, (name, value) in enumerate(feeds.items()):
        np.save(folder / f"in{i}.npy", value)
        inputs += ["--input", f"{name}={folder}/in{i}.npy"]
    done = subprocess.run([mo_run, str(folder / "m.xml"), "--output_dir", str(folder), *inputs], capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        raise RuntimeError(f"mo_run: {done.stdout}{done.stderr}")
    outputs = json.loads(done.stdout.splitlines()[-1])["outputs"]
    return [np.load(folder / f"{i}.npy") for i in range(len(outputs))]


def problems_of(bin_folder, name, kind, text, numbers, version):
    """What is wrong; and whether the version was refused."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        model = folder / ("m." + kind)
        model.write_text(text, encoding="utf-8")
        problems = []
        for number, (feeds, wanted) in enumerate(numbers):
            if version == 10 or number == 0:
                done = convert(bin_folder / "mo", model, kind, folder, version, feeds)
                if done.returncode != 0:
                    said = done.stdout + done.stderr
                    if version == 10 and any(code in said for code in NOT_IN_V10):
                        return [], True
                    return [f"{name} v{version}: {said}"], False
                if CHECKER.exists():
                    found = subprocess.run([sys.executable, str(CHECKER), str(folder / "m.xml"), "--no-warn", "--runtime", "auto"], capture_output=True, text=True,
                                           check=False)
                    # Newer op sets than the runtime has are what the model needs.
                    rest = [row for row in found.stdout.splitlines() if "ERROR" in row and "opset" not in row]
                    problems += [f"{name} v{version}: {row}" for row in rest]
            try:
                results = run(bin_folder / "mo_run", folder, feeds)
            except RuntimeError as failed:
                problems.append(f"{name} v{version}: {failed}")
                continue
            if len(results) != len(wanted):
                problems.append(f"{name} v{version}: {len(results)} results, {len(wanted)} are wanted")
            for i, (got, want) in enumerate(zip(results, wanted)):
                if difference := check.difference(got, want):
                    problems.append(f"{name} v{version}: result {i}: {difference}")
        return problems, False


def main():
    bin_folder, chosen = Path(sys.argv[1]).resolve(), re.compile(sys.argv[2] if len(sys.argv) > 2 else "")
    jobs = [(bin_folder, *model, version) for model in written_models() if chosen.search(model[0]) for version in (11, 10)]
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        results = list(pool.map(lambda job: problems_of(*job), jobs))
    refused = sum(was_refused for _, was_refused in results)
    problems = [problem for found, _ in results for problem in found]
    print("\n".join(problems))
    checked = "" if CHECKER.exists() else "; the checker is not there"
    print(f"{len(jobs)} conversions, {refused} refused by IR version 10, {len(problems)} problems{checked}")
    sys.exit(1 if problems or not jobs else 0)


if __name__ == "__main__":
    main()
