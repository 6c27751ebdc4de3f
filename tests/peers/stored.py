"""Cases that a maker computed in the environment of ONNX Runtime, once for each version of the makers and of the packages."""
import fcntl
import hashlib
import json
import shutil
import subprocess
from pathlib import Path

import environments
from case import Case
from closeness import LEAST_RELATIVE, Tolerance
from makers.cases_file import arrays_of

MAKERS = Path(__file__).resolve().parent / "makers"
FOLDER = environments.FOLDER / "cases"


class NotThere(Exception):
    """A corpus that cannot be made here, with the reason."""


def made_by(maker, *arguments, name=None, judge="onnxruntime"):
    """The folder that the maker filled. Raises NotThere where its environment is missing."""
    python, problem = environments.environment(judge, create=False)
    if python is None:
        raise NotThere(f"{judge}: {problem}")
    folder = FOLDER / (name or maker)
    digest = hashlib.sha256(environments.fingerprint(judge).encode() + "\0".join(map(str, arguments)).encode())
    for path in sorted(MAKERS.glob("cases_file.py")) + sorted(MAKERS.glob(f"{maker.partition('_')[0]}_*.py")):
        digest.update(path.read_bytes())
    FOLDER.mkdir(parents=True, exist_ok=True)
    with open(f"{folder}.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        stamp = folder / "stamp"
        if not stamp.exists() or stamp.read_text(encoding="utf-8") != digest.hexdigest():
            shutil.rmtree(folder, ignore_errors=True)
            run = subprocess.run([python, str(MAKERS / f"{maker}.py"), str(folder), *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            if run.returncode:
                raise NotThere(f"{maker} failed: {run.stdout.decode(errors='replace').strip()[-300:]}")
            stamp.write_text(digest.hexdigest(), encoding="utf-8")
    return folder


def cases_in(folder, tolerance=None, keep=lambda row: True):
    for row in json.loads((folder / "index.json").read_text(encoding="utf-8")):
        if "skipped" in row or not keep(row):
            continue
        model = row.get("path") or str(folder / row["id"] / "model.onnx")
        # Version 10 gives bf16 as f32: what an output was in the source decides how exact it can be.
        allowed = (lambda name, row=row: Tolerance(LEAST_RELATIVE["bf16"]) if name in row["bf16"] else tolerance or Tolerance()) if row.get("bf16") else tolerance
        yield Case(row["id"], ["--input_model", model, *row.get("arguments", [])], lambda row=row: arrays_of(folder, row), allowed, source=model,
                   until="compile" if row.get("without_numbers") else "infer")
