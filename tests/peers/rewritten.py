"""IRs that others wrote as cases: `mo opt` without a pass writes them again, or mo makes ONNX models of them. The tools take them all."""
import os
import subprocess

from case import Conversion, OnnxTarget, limit_processor_time

NOT_FOR_IT = "for other releases"


class Rewritten(Conversion):
    """What mo makes of an IR."""

    def __init__(self, mo, case, target, folder, inputs):
        self.for_onnx = isinstance(target, OnnxTarget)
        if not self.for_onnx and target.release:
            self.xml, self.died, self.refused, self.why, self.command = None, None, NOT_FOR_IT, "an IR of the newest release", []
            return
        os.makedirs(folder, exist_ok=True)
        super().__init__(mo, case, target, folder, inputs)
        if self.xml and not self.for_onnx:
            self.take(mo, case.arguments[1], folder)

    def take(self, mo, ir, folder):
        """Lets the tools that compute nothing have the IR. What mo opt has written is the same model."""
        for words in (["inspect", ir], ["draw", ir, "-o", os.path.join(folder, "net.dot")], ["diff", ir, self.xml],
                      ["reduce", ir, "-o", os.path.join(folder, "reduced"), "--max-tests", "3", "--", "test", "-s", "{}"]):
            run = subprocess.run([mo, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=limit_processor_time, check=False)
            if run.returncode:
                self.xml, self.died, self.why = None, f"mo {words[0]}: exit code {run.returncode}", run.stdout.decode(errors="replace").strip()[:300]
                return

    def command_line(self, mo, case, target, folder, inputs):
        if self.for_onnx:
            return super().command_line(mo, case, target, folder, inputs)
        return [mo, "opt", case.arguments[1], "-o", os.path.join(folder, target.file)]


def rewritten(case):
    """The case, whose model is an IR of the newest release."""
    case.source, case.convert, case.versions, case.announced = None, Rewritten, (11,), (NOT_FOR_IT,)
    return case
