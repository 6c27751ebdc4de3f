"""What the tests share that apply graph transforms to the models of the shared folder: which models there are, runs of transform_graph and mo, and how far
what came out is from the reference values that the framework itself computed."""
import json
import math
import os
import re
import subprocess
import tempfile

import numpy_python  # noqa: F401

import numpy

from closeness import distance
from shared_folder import shared_folder

NOTHING = "rename_op(old_op_name=Nobody, new_op_name=Nothing)"


def run(bin_folder, *arguments, program="transform_graph"):
    """Exit status, stdout and stderr."""
    process = subprocess.run([os.path.join(bin_folder, program), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=500, check=False)
    return process.returncode, process.stdout.decode(), process.stderr.decode()


def shared_models(framework, wanted=()):
    """The folder of the models, and those of the framework; with `wanted` only these."""
    folder = shared_folder("models") / "models"
    with open(folder / "manifest.json", encoding="utf-8") as file:
        content = json.load(file)
    models = content if isinstance(content, list) else content["models"]
    return folder, [m for m in models if m.get("framework") == framework and (not wanted or m["id"] in wanted)]


def same_bytes(a, b):
    with open(a, "rb") as before, open(b, "rb") as after:
        return before.read() == after.read()


class Runs:
    """Counts runs, prints what each did, and collects what went wrong."""

    def __init__(self, bin_folder, title):
        self.bin_folder, self.title = bin_folder, title
        self.problems, self.done, self.written_back, self.referenced = [], 0, 0, 0
        self._distances = {}  # of the models as they are

    def problem(self, model, text):
        self.problems.append(f"{model['id']}: {text}")

    def count_written_back(self, model, wrong):
        self.written_back += not wrong
        if wrong:
            self.problem(model, f"written back: {wrong}")

    def verified(self, model, source, out, transforms, *arguments, verify="--verify"):
        """Applies the transforms and has both graphs computed; whether that went well."""
        code, text, err = run(self.bin_folder, f"--in_graph={source}", f"--out_graph={out}", verify, f"--transforms={transforms}", *arguments)
        self.done += 1
        if code != 0:
            self.problem(model, f"{transforms}: {err}")
            return False
        difference = max(float(d) for d in re.findall(r"differs by ([^,]+),", text))
        print(f"{model['id']}: {os.path.getsize(source)} -> {os.path.getsize(out)} bytes, differs by {difference:.3g}: {transforms}", flush=True)
        return True

    def check_reference(self, model, folder, transforms, tolerance, before, after):
        """What was written is not further from the stored outputs than the model as it is, or than the tolerance. `before`, `after`: words that name the model for
        `mo run`. Models that are not made for the stored inputs are left out."""
        if model["id"] not in self._distances:
            self._distances[model["id"]] = self._distance(model, folder, before)
        distance, usual = self._distance(model, folder, after), self._distances[model["id"]]
        if isinstance(usual, str):
            if "MO-RUN-0006" not in usual:
                self.problem(model, usual)
            return
        if isinstance(distance, str):
            self.problem(model, f"{transforms}: {distance}")
            return
        self.referenced += 1
        print(f"{model['id']}: {distance:.3g} of the largest element from the reference, before {usual:.3g}: {transforms}", flush=True)
        if not distance <= max(tolerance, usual):
            self.problem(model, f"{transforms}: {distance:.3g} of the largest element from the reference")

    def _outputs(self, model, folder, words, name_of):
        """What `mo run` computes for the stored inputs: rows of its report; or what went wrong. `name_of`: an input in the model that runs."""
        with tempfile.TemporaryDirectory() as results:
            words = [*words, "--output_dir", results]
            for item in model["reference"]["inputs"]:
                words += ["--input", f"{name_of(item['name'])}={folder / item['file']}"]
            code, text, err = run(self.bin_folder, "run", *words, program="mo")
            if code != 0:
                return f"mo run: {err}"
            return [{**output, "array": numpy.load(output["file"])} for output in json.loads(text.splitlines()[-1])["outputs"]]

    def _distance(self, model, folder, words):
        """Of what `mo run` computes for the stored inputs from the stored outputs, as a part of the largest element; or what went wrong."""
        outputs = self._outputs(model, folder, words, str)
        if isinstance(outputs, str):
            return outputs
        arrays = {name: output["array"] for output in outputs for name in [output["name"], *output["tensor_names"]]}
        worst = 0
        for item in model["reference"]["outputs"]:
            if item["name"] not in arrays:
                return f"no output '{item['name']}', but {sorted(arrays)}"
            worst = max(worst, distance(arrays[item["name"]], numpy.load(folder / item["file"])))
        return worst

    def distance_by_shape(self, model, folder, words):
        """The same, where outputs have other names than those stored: each stored one is compared with the nearest of its shape."""
        outputs = self._outputs(model, folder, words, lambda name: name.removesuffix(":0"))
        if isinstance(outputs, str):
            return outputs
        nearest = [min((distance(output["array"], numpy.load(folder / item["file"])) for output in outputs), default=math.inf)
                   for item in model["reference"]["outputs"]]
        return max(nearest)

    def finish(self, least):
        """The exit status. `least`: what has to be there, (written back, runs, compared with references)."""
        for problem in self.problems:
            print(problem)
        counts = (self.written_back, self.done, self.referenced)
        print(f"{self.title}: {counts[0]} written back, {counts[1]} runs, {counts[2]} compared with references, {len(self.problems)} problems")
        return 1 if self.problems or any(count < wanted for count, wanted in zip(counts, least)) else 0
