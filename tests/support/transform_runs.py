"""What the tests share that apply graph transforms to the models of the shared folder: which models there are, runs of transform_graph and mo, and how far
what came out is from the reference values that the framework itself computed."""
import ast
import json
import os
import re
import struct
import subprocess
import tempfile

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


def numbers_in(path):
    """Shape and elements of a .npy file."""
    with open(path, "rb") as file:
        content = file.read()
    size, begin = struct.unpack("<H", content[8:10])[0], 10
    header = ast.literal_eval(content[begin:begin + size].decode())
    code = {"f4": "f", "f8": "d", "u1": "B", "i4": "i", "i8": "q", "b1": "?"}[header["descr"][1:]]
    count = 1
    for length in header["shape"]:
        count *= length
    return header["shape"], [float(v) for v in struct.unpack_from(f"<{count}{code}", content, begin + size)]


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

    def _distance(self, model, folder, words):
        """Of what `mo run` computes for the stored inputs from the stored outputs, as a part of the largest element; or what went wrong. Needs numpy."""
        import numpy
        reference = model["reference"]
        with tempfile.TemporaryDirectory() as results:
            words = [*words, "--output_dir", results]
            for item in reference["inputs"]:
                words += ["--input", f"{item['name']}={folder / item['file']}"]
            code, text, err = run(self.bin_folder, "run", *words, program="mo")
            if code != 0:
                return f"mo run: {err}"
            files = {name: output["file"] for output in json.loads(text.splitlines()[-1])["outputs"] for name in [output["name"], *output["tensor_names"]]}
            worst = 0
            for item in reference["outputs"]:
                if item["name"] not in files:
                    return f"no output '{item['name']}', but {sorted(files)}"
                wanted, found = numpy.load(folder / item["file"]).astype("f8"), numpy.load(files[item["name"]]).astype("f8")
                if wanted.shape != found.shape:
                    return f"output '{item['name']}' is {found.shape}, the reference {wanted.shape}"
                worst = max(worst, float(numpy.abs(wanted - found).max(initial=0)) / max(1.0, float(numpy.abs(wanted).max(initial=0))))
        return worst

    def distance_by_shape(self, model, folder, words):
        """The same, where outputs have other names than those stored: each stored one is compared with the nearest of its shape. Without numpy."""
        reference = model["reference"]
        with tempfile.TemporaryDirectory() as results:
            words = [*words, "--output_dir", results]
            for item in reference["inputs"]:
                words += ["--input", f"{item['name'].removesuffix(':0')}={folder / item['file']}"]
            code, text, err = run(self.bin_folder, "run", *words, program="mo")
            if code != 0:
                return f"mo run: {err}"
            found = [numbers_in(output["file"]) for output in json.loads(text.splitlines()[-1])["outputs"]]
        worst = 0.0
        for item in reference["outputs"]:
            shape, wanted = numbers_in(folder / item["file"])
            distances = [max((abs(a - b) for a, b in zip(wanted, values)), default=0.0) for other, values in found if other == shape]
            if not distances:
                return f"no output of shape {shape}, but {[other for other, _ in found]}"
            worst = max(worst, min(distances) / max([1.0, *(abs(v) for v in wanted)]))
        return worst

    def finish(self, least):
        """The exit status. `least`: what has to be there, (written back, runs, compared with references)."""
        for problem in self.problems:
            print(problem)
        counts = (self.written_back, self.done, self.referenced)
        print(f"{self.title}: {counts[0]} written back, {counts[1]} runs, {counts[2]} compared with references, {len(self.problems)} problems")
        return 1 if self.problems or any(count < wanted for count, wanted in zip(counts, least)) else 0
