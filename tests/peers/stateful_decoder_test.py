#!/usr/bin/env python3
"""Decoders that keep their caches (--stateful), step by step, in the installed releases of OpenVINO; ONNX Runtime computes the source.

Several texts with several steps each, where every step continues other rows of the batch than the one before: the stateful IR selects them by beam_idx, the
stateless IR gets the caches of these rows. 32-bit weights and weights of 4 bits; forms of attention: makers/decoder_models.py. What an encoder made is read in
the first step of a text only: the stateful IR gets no numbers later.

usage: stateful_decoder_test.py BIN [JUDGE …]      BIN: folder of mo; all releases that keep states of unknown size, without names
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "support")]
import numpy_python  # noqa: E402,F401  (goes on in a Python with numpy)

import numpy as np  # noqa: E402

import environments  # noqa: E402
import stored  # noqa: E402
from closeness import Tolerance, difference  # noqa: E402

SKIPPED = 77
FIRST = "openvino-2023.3"  # earlier ones have states of one size only
FORMS = ("plain", "group_query", "onnx_ops", "latent", "latent_cache", "encoder_decoder")
MODELS = [f"{form}_{bits}" for form in FORMS for bits in (32, 4)]
ENCODER = "encoder_hidden_states"
# Their caches can be paged. Others read the mask for more than scores, compute keys and values from the caches, or attend to another text.
PAGED = ("plain_32", "plain_4", "onnx_ops_32", "latent_32", "latent_4")
TOLERANCE = Tolerance(1e-3, 1e-4)
BIN = ""


def targets_of(judge):
    """What mo converts for: the release, or the newest one without and with its name. With a name, attention is one op."""
    release = judge.rpartition("-")[2]
    return (None, "latest") if release == "newest" else (release.rpartition(".")[0],)


def for_each(test):
    """Runs a test for each release and each model."""
    def run(self):
        for judge in JUDGES:
            for target in targets_of(judge):
                for model in MODELS:
                    with self.subTest(judge=judge, target=target, model=model):
                        test(self, judge, target, model)
    return run


class StatefulDecoder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def converted(self, model, target, *options):
        """The IR for that target."""
        name = f"model{len(os.listdir(self.folder))}"
        named = ["--target_runtime", target] if target else []
        run = subprocess.run([os.path.join(BIN, "mo"), str(STEPS / f"{model}.onnx"), "--output_dir", self.folder, "--model_name", name, *named, *options],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60, check=False)
        self.assertEqual(run.returncode, 0, run.stdout.decode(errors="replace"))
        ir = os.path.join(self.folder, name + ".xml")
        if target in (None, "latest"):  # 2023.3 computes some forms of the op wrongly, and gets others
            with open(ir, encoding="utf-8") as file:
                self.assertEqual(file.read().count('type="ScaledDotProductAttention"'), self.attentions_of(model) if target else 0)
        return ir

    def attentions_of(self, model):
        """One for each layer, and one to the text of the encoder."""
        inputs = self.steps_of(model)[0][2]
        return sum(name.startswith("past_key_values.") for name in inputs) // 2 * (2 if ENCODER in inputs else 1)

    def results(self, judge, ir, calls):
        """({"I/OUTPUT": array}, number of states). None among the calls resets the states."""
        jobs = []
        for i, feed in enumerate(calls):
            jobs.append(feed and {name: os.path.join(self.folder, f"{i}.{name}.npy") for name in feed})
            for name, array in (feed or {}).items():
                np.save(jobs[-1][name], array)
        output = os.path.join(self.folder, "output.npz")
        run = subprocess.run([JUDGES[judge], os.path.join(HERE, "state_worker.py")], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             input=json.dumps({"model": ir, "calls": jobs, "output": output}).encode(), timeout=240, check=False)
        self.assertEqual(run.returncode, 0, f"{judge}: {run.stderr.decode(errors='replace')[-2000:]}")
        return np.load(output), json.loads(run.stdout)["states"]

    def assert_close(self, have, want, what):
        self.assertEqual(difference(have, want, TOLERANCE), "", what)

    @staticmethod
    def steps_of(model):
        """[(whether a text begins, beam_idx, {input: array}, {output: array})]"""
        arrays = np.load(STEPS / f"{model}.npz")

        def part(i, kind):
            start = f"{i}/{kind}/"
            return {key[len(start):]: arrays[key] for key in arrays.files if key.startswith(start)}
        count = sum(key.endswith("/beam_idx") for key in arrays.files)
        return [(f"{i}/reset" in arrays.files, arrays[f"{i}/beam_idx"], part(i, "in"), part(i, "out")) for i in range(count)]

    @for_each
    def test_the_stateless_decoder_computes_what_onnx_runtime_does(self, judge, target, model):
        steps = self.steps_of(model)
        have, states = self.results(judge, self.converted(model, target), [feed for _, _, feed, _ in steps])
        self.assertEqual(states, 0)
        for i, (_, _, _, outputs) in enumerate(steps):
            for name, want in outputs.items():
                self.assert_close(have[f"{i}/{name}"], want, f"{judge} {model} step {i} {name}")

    @for_each
    def test_the_stateful_decoder_continues_the_rows_of_beam_idx(self, judge, target, model):
        steps = self.steps_of(model)
        calls = []
        for begins, rows, feed, _ in steps:
            calls += [None] * (begins and bool(calls))
            calls.append({"beam_idx": rows, **{name: array for name, array in feed.items() if not name.startswith("past_key_values.")}})
            if ENCODER in feed and not begins:
                calls[-1][ENCODER] = np.full_like(feed[ENCODER][:, :1], np.nan)
        have, states = self.results(judge, self.converted(model, target, "--stateful"), calls)
        self.assertEqual(states, 2 * self.attentions_of(model) + (model == "encoder_decoder_4"))  # there, also what the length is read from
        for i, (_, _, _, outputs) in enumerate(steps):
            self.assert_close(have[f"{i}/logits"], outputs["logits"], f"{judge} {model} step {i}")
        self.assertFalse([key for key in have.files if "present" in key])

    @staticmethod
    def text_of(steps):
        """One text without filled places, as [(tokens, logits)]: the rows of the second text that the first row of its last step continues."""
        starts = [i for i, (begins, _, _, _) in enumerate(steps) if begins]
        row, parts = 0, []
        for _, rows, feed, outputs in reversed(steps[starts[1]:starts[2]]):
            parts.insert(0, (feed["input_ids"][row].tolist(), outputs["logits"][row]))
            row = int(rows[row])
        return parts

    def test_caches_are_paged(self):
        if "openvino-newest" not in JUDGES:
            self.skipTest("the newest OpenVINO is not among the judges")
        for model in PAGED:
            with self.subTest(model=model):
                parts = self.text_of(self.steps_of(model))
                output = os.path.join(self.folder, "paged.npz")
                job = {"model": self.converted(model, "latest", "--stateful"), "tokens": [tokens for tokens, _ in parts], "output": output}
                run = subprocess.run([JUDGES["openvino-newest"], os.path.join(HERE, "paged_worker.py")], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                     input=json.dumps(job).encode(), timeout=120, check=False)
                self.assertEqual(run.returncode, 0, run.stderr.decode(errors="replace")[-2000:])
                self.assertEqual(json.loads(run.stdout)["layers"], self.attentions_of(model))
                have = np.load(output)
                for i, (_, want) in enumerate(parts):
                    self.assert_close(have[f"{i}/logits"], want, f"{model} part {i}")

    def test_the_stateful_ir_as_onnx_model_is_the_stateless_decoder(self):
        for model in MODELS:
            with self.subTest(model=model):
                onnx, output = (os.path.join(self.folder, f"{model}.{kind}") for kind in ("onnx", "npz"))
                for command in ([os.path.join(BIN, "mo"), "opt", self.converted(model, None, "--stateful"), "-o", onnx],
                                [ONNX_RUNTIME, os.path.join(HERE, "makers", "decoder_steps.py"), "--compute", onnx, str(STEPS / f"{model}.npz"), output]):
                    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120, check=False)
                    self.assertEqual(run.returncode, 0, run.stdout.decode(errors="replace"))
                have = np.load(output)
                for i, (_, _, _, outputs) in enumerate(self.steps_of(model)):
                    for name, want in outputs.items():
                        self.assert_close(have[f"{i}/{name}"], want, f"{model} step {i} {name}")


if __name__ == "__main__":
    BIN = sys.argv[1]
    FOUND = {name: environments.environment(name, create=False)[0] for name in environments.judges() if name.startswith("openvino")}
    JUDGES = {name: python for name, python in FOUND.items() if python and name >= FIRST and (name in sys.argv[2:] or not sys.argv[2:])}
    if not JUDGES:
        print("skipped: no release of OpenVINO from 2023.3 on is installed (tests/peers/environments.py)")
        sys.exit(SKIPPED)
    ONNX_RUNTIME, _ = environments.environment("onnxruntime", create=False)
    try:
        STEPS = stored.made_by("decoder_steps")
    except stored.NotThere as reason:
        print(f"skipped: {reason}")
        sys.exit(SKIPPED)
    unittest.main(argv=sys.argv[:1])
