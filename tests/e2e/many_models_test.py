#!/usr/bin/env python3
"""The recipes of docs/how_to/convert_many_models.md do what the page says: as they stand there, on models that convert and one that does not.

usage: many_models_test.py BIN      BIN: folder of mo
"""
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))
from wire_models import Onnx  # noqa: E402

PAGE = (ROOT / "docs/how_to/convert_many_models.md").read_text()
BIN = ""
SKIPPED = 77


def recipe(title, language="sh"):
    return re.search(rf"^## {title}\n.*?^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[1]


def model(operator):
    return Onnx.model(Onnx.graph([Onnx.node(operator, ["x"], ["y"], "only")], [Onnx.value("x", [2])], [Onnx.output("y")], []))


class ManyModels(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "models").mkdir()
        for name, operator in (("first", "Relu"), ("second", "Tanh"), ("odd", "NoSuchOp")):
            (self.folder / "models" / f"{name}.onnx").write_bytes(model(operator))

    def run_script(self, script, interpreter=("bash", "-eu"), **environment):
        path = self.folder / "script"
        path.write_text(script)
        environment = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}", "HOME": str(self.folder), **environment}
        return subprocess.run([*interpreter, str(path)], cwd=self.folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120, check=False)

    def written(self):
        return sorted(str(path.relative_to(self.folder / "ir")) for path in (self.folder / "ir").rglob("*.xml"))

    def test_dask(self):
        if importlib.util.find_spec("distributed") is None:
            self.skipTest("there is no Dask (pip install 'dask[distributed]')")
        script = self.folder / "convert.py"
        script.write_text(recipe("Dask", "python"))
        models = [str(path.relative_to(self.folder)) for path in sorted((self.folder / "models").iterdir())]
        results = self.folder / "results.jsonl"
        codes = {"models/first.onnx": 0, "models/second.onnx": 0, "models/odd.onnx": 5}
        for left in ({}, {"models/first.onnx": 6}):  # all anew; one line is there already
            results.write_text("".join(json.dumps({"model": model, "exit_code": code}) + "\n" for model, code in left.items()))
            done = subprocess.run([sys.executable, str(script), *models], cwd=self.folder, env={**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"},
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300, check=False)
            self.assertEqual(done.returncode, 0, done.stdout.decode())
            lines = [json.loads(line) for line in results.read_text().splitlines()]
            self.assertEqual({line["model"]: line["exit_code"] for line in lines}, {**codes, **left})
            self.assertEqual(len(lines), 3)
        self.assertEqual(self.written(), ["models/first/first.xml", "models/second/second.xml"])
        self.assertIn("MO-FRONT-0001", str([line for line in lines if line["model"] == "models/odd.onnx"]))

    def test_gnu_parallel(self):
        if not shutil.which("parallel"):
            self.skipTest("there is no GNU parallel (Debian: parallel)")
        for round_number in range(2):
            process = self.run_script(recipe("GNU parallel"))
            self.assertEqual(process.returncode, 0, process.stdout.decode())
            self.assertEqual(self.written(), ["first/first.xml", "second/second.xml"])
            failed = (self.folder / "failed.txt").read_text().splitlines()
            self.assertEqual(len(failed), 1, failed)
            self.assertRegex(failed[0], r"^5 mo .*odd")
            report = json.loads((self.folder / "reports/odd.json").read_text())
            self.assertFalse(report["conversion"]["converts"])
            self.assertEqual(report["conversion"]["refusals"][0]["op"], "NoSuchOp")
            if round_number == 0:
                before = {path: path.stat().st_mtime_ns for path in (self.folder / "ir").rglob("*.xml")}
        self.assertEqual(before, {path: path.stat().st_mtime_ns for path in (self.folder / "ir").rglob("*.xml")}, "what is done is not done again")

    def test_slurm(self):
        (self.folder / "models.txt").write_text("models/first.onnx\nmodels/odd.onnx\n")
        for task, code in (("0", 0), ("1", 5)):
            process = self.run_script(recipe("Slurm"), interpreter=("bash",), SLURM_ARRAY_TASK_ID=task)
            self.assertEqual(process.returncode, code, process.stdout.decode())
        self.assertEqual(self.written(), ["first/first.xml"])
        self.assertIn('"NoSuchOp"', (self.folder / "reports/odd.json").read_text())

    def test_kubernetes(self):
        script = recipe("Kubernetes", "yaml").partition("            - |\n")[2].partition("          resources")[0].replace("/data", str(self.folder))
        (self.folder / "models.txt").write_text("models/second.onnx\nmodels/odd.onnx\n")
        for task, code in (("0", 0), ("1", 5)):
            process = self.run_script(script, interpreter=("sh", "-eu"), JOB_COMPLETION_INDEX=task)
            self.assertEqual(process.returncode, code, process.stdout.decode())
        self.assertEqual(self.written(), ["second/second.xml"])

    def test_bazel(self):
        command = re.search(r'cmd = "(.*)"', recipe("Bazel", "starlark"))[1]
        os.symlink(self.folder / "models/first.onnx", self.folder / "net.onnx")
        for pattern, text in ((r"\$\(execpath @model_optimizer//:mo\)", "mo"), (r"\$\(execpath ([^)]*)\)", r"\1"), (r"\$\(RULEDIR\)", "ir")):
            command = re.sub(pattern, text, command)
        process = self.run_script(command)
        self.assertEqual(process.returncode, 0, process.stdout.decode())
        self.assertEqual(self.written(), ["net.xml"])

    def test_make(self):
        if not shutil.which("make"):
            self.skipTest("there is no make")
        rules = recipe("CMake, make, Ninja", "make")
        for changed, converts in ((False, True), (False, False), (True, True)):
            if changed:
                os.utime(self.folder / "models/first.onnx", ns=(2**61, 2**61))
            process = self.run_script(rules, interpreter=("make", "ir/first.xml", "-f"))
            self.assertEqual(process.returncode, 0, process.stdout.decode())
            self.assertEqual(b"mo --silent" in process.stdout, converts, process.stdout.decode())
        self.assertIn("first.onnx", (self.folder / "ir/first.xml.d").read_text())


if __name__ == "__main__":
    BIN = os.path.abspath(sys.argv.pop(1))
    unittest.main()
