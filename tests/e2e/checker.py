"""The static checker of IRs (tools/check_ir.py of the shared folder), which knows the rules of the runtimes, loaded once for many files."""
import argparse
import contextlib
import functools
import importlib.util
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import types
from pathlib import Path

from shared_folder import shared_folder

NEWEST_OF_2022_1 = 8  # op set


def load_tool(path):
    """A script of the shared folder as a module."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class OneParser:
    """Stands for argparse in a tool whose main() is called many times: the parser is made once."""

    def __init__(self):
        self.parser = None

    def ArgumentParser(self, **arguments):  # noqa: N802
        if self.parser:
            return types.SimpleNamespace(add_argument=lambda *_, **__: None, parse_args=self.parser.parse_args)
        self.parser = argparse.ArgumentParser(**arguments)
        return self.parser


class Checker:
    """Ends the program as skipped where the shared folder is not there."""

    def __init__(self):
        self.module = load_tool(shared_folder("tools/check_ir.py") / "tools" / "check_ir.py")
        # It reads its tables anew for each IR. Of those of the runtimes it changes what it read, in the same way each time.
        self.module.Facts = functools.lru_cache(self.module.Facts)
        read = functools.lru_cache(lambda name: json.loads(open(name, encoding="utf-8").read()))
        self.module.json = types.SimpleNamespace(load=lambda file: read(file.name))
        self.module.argparse = OneParser()
        self.runtimes = {}
        runtime = self.module.Runtime

        def runtime_of(path, release):
            # Its checks of one release are taken out of what was read: from a copy for each release.
            if release not in self.runtimes:
                read.cache_clear()
                self.runtimes[release] = runtime(path, release)
            return self.runtimes[release]

        self.module.Runtime = runtime_of

    def findings(self, xml, *judge):
        """What the checker prints about one IR, warnings left out."""
        said = io.StringIO()
        before = sys.argv
        sys.argv = ["check_ir.py", str(xml), "--no-warn", *judge]
        try:
            with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
                status = self.module.main()
        finally:
            sys.argv = before
        lines = said.getvalue().splitlines()
        return lines if lines or status == 0 else [f"{xml}: the checker ended with {status}"]

    def judge_of(self, xml):
        """The options that ask the oldest runtime which must read this IR, and whether that is newer than 2022.1."""
        newest = max((int(number) for number in re.findall(r'version="opset(\d+)"', xml.read_text(encoding="utf-8"))), default=1)
        if newest <= NEWEST_OF_2022_1:
            return ["--runtime", "auto"], False
        return ["--target", next(release for release, known in self.module.RELEASE_OPSETS.items() if known >= newest)], True

    def findings_of_reader(self, xml):
        """What the oldest runtime that must read this IR has against it."""
        judge, _ = self.judge_of(xml)
        return self.findings(xml, *judge)


def evaluate_models(shared, bin_folder, version, framework=None):
    """The results of the evaluation tool of the shared folder about all models of a framework: a list of {id, ok, why …}. An IR that the oldest
    runtime which must read it refuses is not ok."""
    checker = Checker()
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "results.json")
        command = [sys.executable, str(shared / "tools" / "evaluate_models.py"), "--bin", str(bin_folder), "--ir-version", str(version), "--json", out, "--keep", folder]
        subprocess.run(command + (["--framework", framework] if framework else []), stdout=subprocess.DEVNULL, check=False)
        with open(out, encoding="utf-8") as file:
            results = json.load(file)
        for result in results:
            xml = Path(folder) / result["id"] / f"{result['id']}.xml"
            findings = checker.findings_of_reader(xml) if result["ok"] and xml.exists() else []
            if findings:
                result.update(ok=False, why=f"check_ir: {findings[0][:200]}")
        return results
