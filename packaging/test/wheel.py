#!/usr/bin/env python3
"""Tries a wheel as its users do: in fresh environments of the oldest and the newest Python found, and below a folder of `pip install --target`.

usage: wheel.py FOLDER [PYTHON…]      FOLDER: has the wheel; PYTHON: interpreters to try it with instead
"""
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "peers"))
from environments import pythons  # noqa: E402

MODEL = """ir_version: 8 opset_import { version: 13 }
graph { name: "g" node { input: "x" output: "y" op_type: "Relu" }
  input { name: "x" type { tensor_type { elem_type: 1 shape { dim { dim_value: 4 } } } } }
  output { name: "y" type { tensor_type { elem_type: 1 shape { dim { dim_value: 4 } } } } } }
"""
PROGRAM = """import sys
import mo_openvino as mo
import numpy
model = mo.convert_model(sys.argv[1])
print(model(numpy.float32([-1, 0.5, -2, 3]))["y"].tolist(), mo.__version__)
"""


def run(*command, **more):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, **more)
    text = done.stdout.decode(errors="replace")
    assert done.returncode == 0, f"{command} ends with {done.returncode}:\n{text}"
    return text


def files_in(folder):
    return {path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts}


def best_time(*command):
    times = []
    for _ in range(20):
        start = time.perf_counter()
        run(*command)
        times.append(time.perf_counter() - start)
    return min(times) * 1000


def try_program(mo, model, folder):
    run(mo, model, "--output_dir", folder)
    xml = (folder / "model.xml").read_text()
    assert 'type="ReLU"' in xml, xml
    with open(mo, "rb") as program:
        assert program.read(4) == b"\x7fELF", f"{mo} is a script"


def try_environment(python, wheel, scratch):
    version = run(python, "-c", "import platform; print(platform.python_version())").strip()
    place = scratch / version
    run(python, "-m", "venv", place)
    pip = [place / "bin" / "python", "-m", "pip", "--disable-pip-version-check"]
    model = scratch / "model.onnxtxt"
    before = files_in(place)
    run(*pip, "install", "--quiet", "--no-deps", wheel)
    try_program(place / "bin" / "mo", model, scratch / f"out_{version}")
    run(place / "bin" / "mo-ovc", model, "--output_model", scratch / f"ovc_{version}" / "model.xml")
    assert "Version of Model Optimizer" in run(place / "bin" / "python", "-m", "mo_openvino", "--version")
    start = best_time(place / "bin" / "mo", "--version")
    for file in ("share/man/man1/mo.1", "share/bash-completion/completions/mo", "share/mo/engines/onnxruntime_worker.py", "share/doc/mo-openvino/licences/zlib1g"):
        assert (place / file).is_file(), file
    run(*pip, "install", "--quiet", "numpy")
    text = run(place / "bin" / "python", "-c", PROGRAM, model)
    assert text.startswith("[0.0, 0.5, 0.0, 3.0] "), text
    run(*pip, "uninstall", "--quiet", "--yes", "mo-openvino", "numpy")
    left = files_in(place) - before
    assert not left, f"uninstalling leaves {sorted(left)}"
    print(f"ok      CPython {version}: install, mo, mo-ovc, python -m, convert_model, run, uninstall; mo --version in {start:.1f} ms")


def try_target(python, wheel, scratch):
    place = scratch / "target"
    run(python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-deps", "--target", place, wheel)
    model = scratch / "model.onnxtxt"
    try_program(place / "bin" / "mo", model, scratch / "out_target")
    text = run(python, "-c", "import sys, mo_openvino; mo_openvino.convert_model(sys.argv[1]); print(mo_openvino.__file__)", model, env={**os.environ, "PYTHONPATH": str(place)})
    assert str(place) in text, text
    print("ok      pip install --target: mo, convert_model")


def main():
    folder, *chosen = sys.argv[1:]
    wheels = sorted(Path(folder).glob("mo_openvino-*.whl"))
    assert len(wheels) == 1, f"{folder} has {len(wheels)} wheels"
    found = sorted((tuple(map(int, version.split("."))), python) for version, python in pythons().items())
    usable = [python for version, python in found if version >= (3, 8)]
    assert chosen or usable, "no CPython 3.8 or later that can make environments: MO_PEER_PYTHONS names some"
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        (scratch / "model.onnxtxt").write_text(MODEL)
        for python in chosen or dict.fromkeys([usable[0], usable[-1]]):
            try_environment(python, wheels[0].resolve(), scratch)
        try_target((chosen or usable)[-1], wheels[0].resolve(), scratch)


if __name__ == "__main__":
    main()
