"""The releases of OpenVINO that are installed, and one job for one of them. (Replaced by the harness.)"""
import glob
import json
import os
import subprocess

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))


class Judge:
    def __init__(self, release, python):
        self.release, self.python = release, python


def installed_openvinos():
    folder = os.environ.get("MO_PEERS_DIR", os.path.join(HERE, "..", "..", "build", "peers"))
    found = []
    for python in glob.glob(os.path.join(folder, "openvino-*", "bin", "python")):
        name = python.split(os.sep)[-3][len("openvino-"):]
        found.append(Judge({"newest": "2026.4.1"}.get(name, name), python))
    return sorted(found, key=lambda j: [int(n) for n in j.release.split(".")])


def run_job(judge, path, inputs, folder):
    """{"outputs": arrays} or {"step", "error"}"""
    command = [judge.python, os.path.join(os.environ.get("MO_SHARED", os.path.join(HERE, "..", "..", "..", "shared")), "tools", "ov_run.py"), path, "--output_dir", folder]
    for name, array in inputs.items():
        file = os.path.join(folder, f"in_{name}.npy")
        np.save(file, array)
        command += ["--input", f"{name}={file}"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        steps = {3: "read", 4: "compile", 5: "infer"}
        return {"step": steps.get(done.returncode, f"crash ({done.returncode})"), "error": done.stderr.strip()[-300:]}
    return {"outputs": [np.load(o["file"]) for o in json.loads(done.stdout.splitlines()[-1])["outputs"]]}
