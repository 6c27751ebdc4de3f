"""Graphs in text form become IRs or ONNX models: mo_emit_irs, one process for each thread."""
import json
import os
import subprocess
import threading

local = threading.local()


class Emission:
    """What case.Conversion is for a model."""

    def __init__(self, program, text_file, target, folder):
        self.xml = self.refused = self.died = None
        xml = os.path.join(folder, target.file)
        self.command = [program, text_file, str(target)]
        answer = ask(program, f"{text_file}\t{xml}\t{target.written}\t{target.release or ''}")
        if answer == "ok":
            self.xml, self.why = xml, ""
        elif answer is None:
            self.died, self.why = "mo_emit_irs died", ""
        else:
            self.refused, _, self.why = answer.partition(": ")


def ask(program, line):
    process = getattr(local, "process", None)
    if process is None or process.poll() is not None:
        process = local.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        process.stdin.write(line + "\n")
        process.stdin.flush()
    except OSError:
        return None
    answer = process.stdout.readline().rstrip("\n")
    if not answer:
        process.wait()
        return None
    return answer


def declarations(bin_folder):
    """{"TopK.v11": {"type", "version", "opset", "attributes": {name: choices}}}"""
    run = subprocess.run([os.path.join(bin_folder, "mo_emit_irs"), "--ops"], stdout=subprocess.PIPE, check=True, text=True)
    found = [json.loads(line) for line in run.stdout.splitlines()]
    return {f"{entry['type']}.v{entry['version']}": entry for entry in found}
