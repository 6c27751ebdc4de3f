#!/usr/bin/env python3
"""Creates the Python environments of the judges, one for each file in requirements/, under build/peers/<judge>.

usage: environments.py [--check] [JUDGE…]     without names: every judge of IRs; --check: creates nothing

An environment is created once: a stamp holds the hash of its requirements file. A judge whose Python is not there, or whose packages cannot be
downloaded, is reported with the command that would install it; the exit code is then 1.

Pythons come from MO_PEER_PYTHONS (interpreters or folders, separated by `:`), ~/.pyenv/versions and python3.N on PATH.
MO_PEERS_DIR names a folder of environments that are there already (<judge>/bin/python); they are used as they are.
"""
import argparse
import fcntl
import functools
import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
REQUIREMENTS = HERE / "requirements"
FOLDER = ROOT / "build" / "peers"
ONLY_WHEN_NAMED = {"opencv", "optimum", "tensorflow"}  # they judge no IR
ALWAYS = {"openvino-newest", "onnxruntime"}  # of the required judges, those that need no old Python
INSTALLER = "tests/peers/environments.py"


def judges():
    """Names of all judges, oldest runtime first."""
    return sorted((path.stem for path in REQUIREMENTS.glob("*.txt")), key=lambda name: (not name.startswith("openvino"), name))


def pythons_of(judge):
    """Versions of CPython for which all packages of the judge have wheels, the preferred one first."""
    return re.search(r"^# python: (.*)$", (REQUIREMENTS / f"{judge}.txt").read_text(encoding="utf-8"), re.M).group(1).split()


def candidates():
    """Interpreters that may be there, the explicitly named ones first."""
    for entry in filter(None, os.environ.get("MO_PEER_PYTHONS", "").split(":")):
        path = Path(entry).expanduser()
        yield from sorted(path.glob("*/bin/python3")) + sorted(path.glob("bin/python3")) + sorted(path.glob("python3*")) if path.is_dir() else [path]
    yield from sorted(Path.home().glob(".pyenv/versions/*/bin/python3"))
    for folder in filter(None, os.environ.get("PATH", "").split(":")):
        yield from (path for path in sorted(Path(folder).glob("python3.*")) if re.fullmatch(r"python3\.\d+", path.name))


@functools.lru_cache(maxsize=1)
def pythons():
    """{version: interpreter} of the CPythons that start and can create environments."""
    found = {}
    question = "import sys, venv, ensurepip; print(sys.implementation.name, '%d.%d' % sys.version_info[:2])"
    for path in candidates():
        if str(path.parent).endswith(".pyenv/shims"):
            continue  # they start whatever the current folder asks for
        try:
            answer = subprocess.run([str(path), "-c", question], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout.decode().split()
        except OSError:
            continue
        if answer[:1] == ["cpython"]:
            found.setdefault(answer[1], str(path))
    return found


def is_required(judge):
    """With MO_REQUIRE_PEERS=1 a judge that a run asks for must be there; an old runtime only where there is a Python for it."""
    return os.environ.get("MO_REQUIRE_PEERS") == "1" and (judge in ALWAYS or any(version in pythons() for version in pythons_of(judge)))


def fingerprint(judge):
    return hashlib.sha256((REQUIREMENTS / f"{judge}.txt").read_bytes()).hexdigest()


def interpreter_in(folder):
    return folder / "bin" / "python"


def is_ready(judge, folder):
    stamp = folder / "stamp"
    return interpreter_in(folder).exists() and stamp.exists() and stamp.read_text(encoding="utf-8") == fingerprint(judge)


def install(judge, python, folder):
    """Creates the environment. Returns what went wrong, or an empty string."""
    shutil.rmtree(folder, ignore_errors=True)
    pip = [str(interpreter_in(folder)), "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-input", "--only-binary", ":all:",
           "--retries", "1", "--timeout", "20", "-r", str(REQUIREMENTS / f"{judge}.txt")]
    for command in ([python, "-m", "venv", str(folder)], pip):
        run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if run.returncode:
            lines = [line for line in run.stdout.decode(errors="replace").splitlines() if line.strip()] or ["no message"]
            shutil.rmtree(folder, ignore_errors=True)
            return next((line for line in lines if line.startswith("ERROR")), lines[-1])
    (folder / "stamp").write_text(fingerprint(judge), encoding="utf-8")
    return ""


def environment(judge, create=True):
    """(interpreter, "") of the judge's environment, or (None, why it is missing and what would install it)."""
    ready = os.environ.get("MO_PEERS_DIR")
    if ready:
        python = interpreter_in(Path(ready) / judge)
        return (str(python), "") if python.exists() else (None, f"MO_PEERS_DIR has no {judge}/bin/python")
    folder = FOLDER / judge
    if is_ready(judge, folder):
        return str(interpreter_in(folder)), ""
    wanted = pythons_of(judge)
    python = next((pythons()[version] for version in wanted if version in pythons()), None)
    if python is None:
        return None, (f"needs CPython {' or '.join(wanted)}: install one (`pyenv install {wanted[0]}`) or name it in MO_PEER_PYTHONS, "
                      f"then run `{INSTALLER} {judge}`")
    if not create:
        return None, f"not installed: run `{INSTALLER} {judge}`"
    FOLDER.mkdir(parents=True, exist_ok=True)
    with open(FOLDER / f"{judge}.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        problem = "" if is_ready(judge, folder) else install(judge, python, folder)
    if problem:
        return None, f"cannot be installed ({problem}); when the package index can be reached, run `{INSTALLER} {judge}`"
    return str(interpreter_in(folder)), ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("judges", nargs="*", metavar="JUDGE", help=", ".join(judges()))
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    unknown = sorted(set(options.judges) - set(judges()))
    if unknown:
        parser.error(f"unknown judge '{unknown[0]}', expected one of {', '.join(judges())}")
    missing = 0
    for judge in options.judges or [name for name in judges() if name not in ONLY_WHEN_NAMED]:
        python, problem = environment(judge, not options.check)
        missing += python is None
        print(f"{judge}: {python or problem}", flush=True)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
