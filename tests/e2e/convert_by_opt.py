#!/usr/bin/env python3
"""The pipeline `convert` of `mo opt` is a conversion: for the shared models, in IR versions 10 and 11, it writes the bytes that `mo` writes. So does its
list of passes, typed out one by one; and so does the list when it is stopped after a pass, the graph written as a text form, and the rest run on that.

usage: convert_by_opt.py BIN [--stops N] [--most BYTES] [--filter REGEX] [-v]

BIN: folder of mo. --stops: places to stop at, chosen by a fixed seed (default: 2). --most: models whose .bin is larger are converted, but not stopped: their
text form is twice as large (default: 4 MB). The models are looked up in MO_SHARED (default: ../shared beside the sources); without them the test is skipped,
which it says.
"""
import argparse
import concurrent.futures
import json
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from checker import load_tool
from shared_folder import ROOT, shared_folder

sys.path.insert(0, str(ROOT / "tests" / "support"))
import numpy_python  # noqa: E402,F401  (evaluate_models.py of the shared folder needs numpy)

CONVERSIONS = 150  # at least; some models do not convert to version 10


def call(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def files_of(xml):
    return [Path(xml).with_suffix(suffix).read_bytes() for suffix in (".xml", ".bin")]


class Model:
    def __init__(self, mo, name, words, version, folder):
        self.mo, self.words, self.folder = mo, [*words, "--ir_version", str(version), "--model_name", name], Path(folder)

    def opt(self, passes, output, source=None, *more):
        """Runs `mo opt` on the model, or with its options on a text form of it. Says what went wrong, or nothing."""
        words = self.words if source is None else [source, *self.options()]
        code, out, err = call(self.mo, "opt", *words, "--passes", passes, "-o", output, *more)
        return "" if code == 0 else f"exit code {code}: {(out + err).strip()[-400:]}"

    def options(self):
        """The words of the command line, without those that name the model."""
        kept, words = [], iter(self.words)
        for word in words:
            name, _, value = word.partition("=")
            if name in ("--input_model", "--input_proto", "--saved_model_dir", "--input_meta_graph", "--framework"):
                if not value:
                    next(words, None)
                continue
            kept.append(word)
        return kept

    def passes(self):
        code, out, err = call(self.mo, "opt", *self.words, "--describe", "convert", "--json")
        if code:
            raise RuntimeError(err)
        return [step["pass"] for step in json.loads(out)[0]["steps"] if step["enabled"]]


def problems_of(mo, name, words, version, stops, most):
    """[what is wrong with the model in this version]; None when `mo` does not convert it."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        model = Model(mo, name, words, version, folder)
        if call(mo, *model.words, "--output_dir", Path(folder, "mo"))[0]:
            return None
        wanted = files_of(Path(folder, "mo", name + ".xml"))

        def check(what, passes, source=None):
            output = Path(folder, "opt", name + ".xml")
            output.parent.mkdir(exist_ok=True)
            wrong = model.opt(passes, output, source)
            if not wrong:
                wrong = " and ".join(f"another .{kind}" for kind, a, b in zip(("xml", "bin"), wanted, files_of(output)) if a != b)
            if wrong:
                found.append(f"{name}, version {version}, {what}: {wrong}")

        check("convert", "convert")
        passes = model.passes()
        check("typed out", " ".join(passes))
        if len(wanted[1]) > most:
            return found
        for stop in random.Random(f"{name} {version}").sample(range(1, len(passes)), stops):
            text = Path(folder, "stopped.mo")
            wrong = model.opt(" ".join(passes[:stop]), text)
            if wrong:
                found.append(f"{name}, version {version}, up to {passes[stop - 1]}: {wrong}")
            else:
                check(f"stopped after {stop} {passes[stop - 1]}", " ".join(passes[stop:]), text)
    return found


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("bin")
    parser.add_argument("--stops", type=int, default=2)
    parser.add_argument("--most", type=int, default=4 << 20)
    parser.add_argument("--filter", default="")
    parser.add_argument("-v", action="store_true")
    options = parser.parse_args()
    shared = shared_folder("models/manifest.json", "tools/evaluate_models.py")
    tool = load_tool(shared / "tools" / "evaluate_models.py")
    models = json.loads((shared / "models" / "manifest.json").read_text(encoding="utf-8"))["models"]
    models = [model for model in models if re.search(options.filter, model["id"])]
    cases = [(model, version) for model in models for version in (10, 11)]
    mo = str(Path(options.bin).resolve() / "mo")

    def judge(case):
        model, version = case
        words = tool.mo_arguments(model, str(shared / "models"))
        return problems_of(mo, model["id"], words, version, options.stops, options.most)

    converted, wrong = 0, 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for (model, version), found in zip(cases, pool.map(judge, cases)):
            converted += found is not None
            wrong += bool(found)
            for line in found or ([f"{model['id']}, version {version}: right"] if options.v and found is not None else []):
                print(line, flush=True)
    print(f"{converted} conversions, {wrong} wrong")
    return 1 if wrong or (not options.filter and converted < CONVERSIONS) else 0


if __name__ == "__main__":
    sys.exit(main())
