#!/usr/bin/env python3
"""Recurrent models that keep their states between two calls (--transform LowLatency2), in the installed releases of OpenVINO.

Two calls with half of a sequence each give what one call with all of it gives; a reset makes them begin anew. IR version 10 for 2021.4, version 11 for later
releases.

usage: low_latency_test.py BIN [JUDGE …]      BIN: folder of mo; all installed releases without names
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
from closeness import Tolerance, difference  # noqa: E402

SKIPPED = 77
GATES = {"LSTM": 4, "GRU": 3, "RNN": 1}
STATES = {"LSTM": 2, "GRU": 1, "RNN": 1}
BATCH, INPUT, HIDDEN, STEPS = 2, 3, 4, 6
TOLERANCE = 1e-5
BIN = ""


def tensor(name, array):
    kind, field = (6, "int32_data") if array.dtype == np.int32 else (1, "float_data")
    numbers = " ".join(f"{field}: {number!r}" for number in array.reshape(-1).tolist())
    return f'initializer {{ name: "{name}" data_type: {kind} {" ".join(f"dims: {size}" for size in array.shape)} {numbers} }}\n'


def value(field, name, shape):
    dims = " ".join(f"dim {{ dim_value: {size} }}" for size in shape)
    return f'{field} {{ name: "{name}" type {{ tensor_type {{ elem_type: 1 shape {{ {dims} }} }} }} }}\n'


def model(operator, steps, direction="forward", begins=False, lengths=None):
    """An ONNX model of one operator, as text. `begins`: its first states are not zero."""
    rng, ways, gates = np.random.RandomState(5), 2 if direction == "bidirectional" else 1, GATES[operator]
    weights = {"W": (ways, gates * HIDDEN, INPUT), "R": (ways, gates * HIDDEN, HIDDEN), "B": (ways, 2 * gates * HIDDEN)}
    if begins:
        weights.update({name: (ways, BATCH, HIDDEN) for name in ("H", "C")[:STATES[operator]]})
    tensors = {name: (rng.standard_normal(shape) / 2).astype(np.float32) for name, shape in weights.items()}
    inputs = ["X", "W", "R", "B", "", *("H", "C")[:STATES[operator] if begins else 0]]
    if lengths:
        tensors["L"], inputs[4] = np.array(lengths, np.int32), "L"
    return "".join([
        'ir_version: 8 opset_import { version: 14 } graph { name: "g"\n',
        f'node {{ op_type: "{operator}" name: "rnn" {" ".join(f"input: {json.dumps(name)}" for name in inputs)} output: "Y"\n',
        f'  attribute {{ name: "hidden_size" type: INT i: {HIDDEN} }} attribute {{ name: "direction" type: STRING s: "{direction}" }} }}\n',
        *(tensor(name, array) for name, array in tensors.items()), value("input", "X", (steps, BATCH, INPUT)),
        value("output", "Y", (steps, ways, BATCH, HIDDEN)), "}\n"])


def for_each(test):
    """Runs a test for each release and each operator."""
    def run(self):
        for judge in JUDGES:
            for operator in GATES:
                with self.subTest(judge=judge, operator=operator):
                    test(self, judge, operator)
    return run


class LowLatency(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.x = np.random.RandomState(7).standard_normal((STEPS, BATCH, INPUT)).astype(np.float32)

    def converted(self, text, judge, *options):
        """The IR for that release, and what mo says."""
        source = os.path.join(self.folder, "model.onnxtxt")
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        name = f"model{len(os.listdir(self.folder))}"
        release = judge.rpartition("-")[2]
        version = ["--ir_version", "10"] if release.startswith("2021") else [] if release == "newest" else ["--target_runtime", release.rpartition(".")[0]]
        run = subprocess.run([os.path.join(BIN, "mo"), source, "--output_dir", self.folder, "--model_name", name, *version, *options],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60, check=False)
        said = run.stdout.decode(errors="replace")
        self.assertEqual(run.returncode, 0, said)
        return os.path.join(self.folder, name + ".xml"), said

    def results(self, judge, ir, calls):
        """The output of each call, and the number of states. None among the calls resets the states."""
        files = []
        for i, array in enumerate(calls):
            files.append(None if array is None else {"X": os.path.join(self.folder, f"{i}.npy")})
            if array is not None:
                np.save(files[-1]["X"], array)
        output = os.path.join(self.folder, "output.npz")
        run = subprocess.run([JUDGES[judge], os.path.join(HERE, "state_worker.py")], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             input=json.dumps({"model": ir, "calls": files, "output": output}).encode(), timeout=120, check=False)
        self.assertEqual(run.returncode, 0, f"{judge}: {run.stderr.decode(errors='replace')[-2000:]}")
        arrays = np.load(output)
        return [arrays[f"{i}/Y"] for i in range(sum(array is not None for array in calls))], json.loads(run.stdout)["states"]

    def assert_close(self, have, want, what):
        self.assertEqual(difference(have, want, Tolerance(0, TOLERANCE)), "", what)

    def in_halves(self, judge, operator, **options):
        """Calls with the first half, the second half, and after a reset the first half again; and one with the whole sequence, without states."""
        half = STEPS // 2
        stateful, _ = self.converted(model(operator, half, **options), judge, "--transform", "LowLatency2")
        whole, _ = self.converted(model(operator, STEPS, **options), judge)
        calls, states = self.results(judge, stateful, [self.x[:half], self.x[half:], None, self.x[:half]])
        (expected,), none = self.results(judge, whole, [self.x])
        # Up to 2022.3 a further state says whether it is the first run (row FirstStates of the faults).
        further = 1 if options.get("begins") and judge < "openvino-2023" else 0
        self.assertEqual((states, none), (STATES[operator] + further, 0))
        return calls, expected

    @for_each
    def test_two_calls_give_what_one_call_gives(self, judge, operator):
        (first, second, again), expected = self.in_halves(judge, operator)
        self.assert_close(np.concatenate([first, second]), expected, f"{judge} {operator}")
        self.assert_close(again, first, f"{judge} {operator} after a reset")

    @for_each
    def test_the_first_call_begins_with_the_states_of_the_model(self, judge, operator):
        (first, second, again), expected = self.in_halves(judge, operator, begins=True)
        self.assert_close(np.concatenate([first, second]), expected, f"{judge} {operator}")
        self.assert_close(again, first, f"{judge} {operator} after a reset")

    @for_each
    def test_one_step_at_a_time(self, judge, operator):
        stateful, _ = self.converted(model(operator, 1), judge, "--transform", "LowLatency2")
        whole, _ = self.converted(model(operator, STEPS), judge)
        calls, _ = self.results(judge, stateful, [self.x[i:i + 1] for i in range(STEPS)])
        self.assert_close(np.concatenate(calls), self.results(judge, whole, [self.x])[0][0], f"{judge} {operator}")

    @for_each
    def test_sequences_that_end_early_keep_their_last_state(self, judge, operator):
        stateful, _ = self.converted(model(operator, 3, lengths=[2, 2]), judge, "--transform", "LowLatency2")
        whole, _ = self.converted(model(operator, 4), judge)
        calls, _ = self.results(judge, stateful, [self.x[:3], self.x[[2, 3, 5]]])
        self.assert_close(np.concatenate([call[:2] for call in calls]), self.results(judge, whole, [self.x[:4]])[0][0], f"{judge} {operator}")

    @for_each
    def test_of_both_directions_the_forward_one_keeps_its_state(self, judge, operator):
        (first, second, _), expected = self.in_halves(judge, operator, direction="bidirectional", begins=True)
        self.assert_close(np.concatenate([first, second])[:, 0], expected[:, 0], f"{judge} {operator} forward")
        half, _ = self.converted(model(operator, STEPS // 2, direction="bidirectional", begins=True), judge)
        fresh, _ = self.results(judge, half, [self.x[:STEPS // 2], self.x[STEPS // 2:]])
        self.assert_close(np.concatenate([first, second])[:, 1], np.concatenate(fresh)[:, 1], f"{judge} {operator} reverse")

    @for_each
    def test_the_reverse_direction_keeps_no_state(self, judge, operator):
        text = model(operator, STEPS, direction="reverse")
        ir, said = self.converted(text, judge, "--transform", "LowLatency2")
        self.assertIn("MO-BACK-0010", said)
        plain, _ = self.converted(text, judge)
        (first, second), states = self.results(judge, ir, [self.x, self.x])
        self.assertEqual(states, 0)
        self.assert_close(second, first, f"{judge} {operator}")
        self.assert_close(first, self.results(judge, plain, [self.x])[0][0], f"{judge} {operator}")


if __name__ == "__main__":
    BIN = sys.argv[1]
    FOUND = {name: environments.environment(name, create=False)[0] for name in environments.judges() if name.startswith("openvino")}
    JUDGES = {name: python for name, python in FOUND.items() if python and (name in sys.argv[2:] or not sys.argv[2:])}
    if not JUDGES:
        print("skipped: no release of OpenVINO is installed (tests/peers/environments.py)")
        sys.exit(SKIPPED)
    unittest.main(argv=sys.argv[:1])
