"""One case of a corpus, and its conversion by `mo` for one reader."""
import os
import re
import resource
import subprocess
import xml.etree.ElementTree as et

import numpy as np

from closeness import Tolerance

MO_CPU_LIMIT = 120  # seconds


class Case:
    """id           unique in its corpus, a valid file name
    arguments       command line of mo, without the options about output and target
    load            function that returns ([(name, array)] of the inputs, [(name, array)] of the outputs)
    tolerance       see tests/support/closeness.py; a function of the output's name where outputs differ
    channels_last   v10 turns 4-D and 5-D inputs and outputs (TensorFlow)
    source          the ONNX model, for engines that compute the source
    fixed_inputs    the command line fixes the inputs already, v10 needs no sizes
    all_outputs     expected numbers are there for every output, so an output more or less is an error
    until           "compile" when there are no numbers: the engine must read and compile it
    reshape         the engine gets the shapes of the inputs before it compiles (unknown ranks: no runtime compiles them)
    versions        IR versions that the case can be converted to
    announced       error codes of refusals that are by design
    convert         instead of `mo`: function (mo, case, target, folder, inputs) that returns what Conversion has
    expected_code   the case must be refused with this error code
    """

    def __init__(self, case_id, arguments, load, tolerance=None, channels_last=False, source=None, fixed_inputs=False, all_outputs=True, until="infer",
                 reshape=False, versions=(10, 11), announced=(), convert=None, expected_code=None):
        self.id, self.arguments, self.load = case_id, [str(a) for a in arguments], load
        self.tolerance = tolerance or Tolerance()
        self.channels_last, self.source, self.fixed_inputs, self.all_outputs = channels_last, source, fixed_inputs, all_outputs
        self.until, self.reshape, self.versions, self.announced = until, reshape, versions, announced
        self.convert, self.expected_code = convert, expected_code

    def tolerance_of(self, output):
        return self.tolerance(output) if callable(self.tolerance) else self.tolerance


class Target:
    """What mo writes for: the version of the IR and the release that reads it (None: the default)."""

    file = "model.xml"
    needs_ranks = True  # runtimes of IRs do not compile inputs of unknown rank

    def __init__(self, version, release=None):
        self.version, self.release = version, release
        self.written = str(version)  # what mo_emit_irs calls it

    def __str__(self):
        return f"v{self.version}" + (f"@{self.release}" if self.release else "")

    def options(self, case, inputs):
        options = ["--ir_version", str(self.version)] if self.version == 10 else []
        if self.release:
            options += ["--target_runtime", self.release]
        if self.version == 10 and inputs and not case.fixed_inputs:
            options += ["--input", ",".join(name for name, _ in inputs), "--input_shape", ",".join(str(list(a.shape)).replace(" ", "") for _, a in inputs)]
        return options


class OnnxTarget(Target):
    """An ONNX model of an op set; its inputs and outputs are those of an IR of version 11."""

    file = "model.onnx"
    needs_ranks = False

    def __init__(self, opset):
        super().__init__(11)
        self.opset, self.written = opset, f"onnx{opset}"

    def __str__(self):
        return f"onnx{self.opset}"

    def options(self, case, inputs):
        return ["--to", "onnx", "--onnx_opset", str(self.opset)]


def limit_processor_time():
    resource.setrlimit(resource.RLIMIT_CPU, (MO_CPU_LIMIT, MO_CPU_LIMIT + 5))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Conversion:
    """`xml`, the file that was written, or `refused` (code) and `why`; `died` when mo crashed or ran out of its time."""

    def __init__(self, mo, case, target, folder, inputs):
        self.xml = self.refused = self.died = None
        self.why = ""
        self.command = self.command_line(mo, case, target, folder, inputs)
        run = subprocess.run(self.command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=limit_processor_time, check=False)
        said = run.stdout.decode(errors="replace")
        xml = os.path.join(folder, target.file)
        if run.returncode == 0 and os.path.exists(xml):
            self.xml = xml
            return
        error = re.search(r"\[ (?:FRAMEWORK )?ERROR \].*", said)
        code = re.search(r"MO-[A-Z]+-\d+", error.group() if error else said)
        self.why = (error.group() if error else said.strip()[-300:])[:400]
        if run.returncode < 0 or run.returncode > 128:
            self.died = f"exit code {run.returncode}"
        else:
            self.refused = code.group() if code else f"exit code {run.returncode}"

    def command_line(self, mo, case, target, folder, inputs):
        return [mo, *case.arguments, *target.options(case, inputs), "--output_dir", folder, "--model_name", "model", "--silent"]


def parameters(xml):
    """[(names, dims)] of the inputs of an IR; an unknown size is -1."""
    found = []
    for layer in et.parse(xml).getroot().find("layers"):
        if layer.get("type") == "Parameter":
            names = [layer.get("name")] + [name for port in layer.iter("port") for name in (port.get("names") or "").split(",") if name]
            dims = [dim for dim in (layer.find("data").get("shape") or "").replace(" ", "").split(",") if dim]
            found.append((names, [int(dim) if dim.isdigit() else -1 for dim in dims]))
    return found


def channels_first(array):
    return np.ascontiguousarray(np.moveaxis(array, -1, 1))


def spellings(name):
    """The names under which a tensor may be known."""
    yield name
    yield name[:-2] if name.endswith(":0") else name + ":0"


def feed(case, target, xml, inputs):
    """[(name, array)] as the IR wants them: TensorFlow's images channels-first where the IR of version 10 says so."""
    if not (case.channels_last and target.version == 10):
        return inputs
    dims_of = {name: dims for names, dims in parameters(xml) for name in names}
    result = []
    for name, array in inputs:
        dims = next((dims_of[spelling] for spelling in spellings(name) if spelling in dims_of), None)
        turned = array.ndim in (4, 5) and dims != list(array.shape) and dims == list(np.moveaxis(array, -1, 1).shape)
        result.append((name, channels_first(array) if turned else array))
    return result
