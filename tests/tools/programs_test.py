#!/usr/bin/env python3
"""Runs mo, mo_run, mo_conformance and mo_generate as a user does, on generated models.

usage: programs_test.py BIN      BIN: folder of the programs
"""
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

BIN = ""
TEST_DATA = "/usr/share/libonnx-testdata/data/node"


def run(program, *arguments):
    process = subprocess.run([os.path.join(BIN, program), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
    return process.returncode, process.stdout.decode(), process.stderr.decode()


def write_npy(path, shape, values, descr="<f4", code="f"):
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': ({''.join(f'{s}, ' for s in shape)}), }}".encode()
    header += b" " * (63 - (10 + len(header)) % 64) + b"\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + struct.pack(f"<{len(values)}{code}", *values))


def read_floats(path):
    with open(path, "rb") as file:
        content = file.read()
    data = content[10 + struct.unpack("<H", content[8:10])[0]:]
    return struct.unpack(f"<{len(data) // 4}f", data)


class Programs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        os.mkdir(cls.path("tmp"))
        os.environ["TMPDIR"] = cls.path("tmp")
        cls.model = cls.path("tiny.onnx")
        assert run("mo_generate", "tiny", cls.model)[0] == 0
        code, out, err = run("mo", "--input_model", cls.model, "--output_dir", cls.path("ir"), "--silent")
        assert code == 0, out + err
        cls.xml = cls.path("ir/tiny.xml")
        cls.input = cls.path("x.npy")
        write_npy(cls.input, (2, 16), [i / 32 for i in range(32)])

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder.name, name)

    def refused(self, code, exit_code, *arguments, program="mo_run"):
        status, out, err = run(program, *arguments)
        self.assertEqual(status, exit_code, err)
        self.assertIn(f"[ ERROR ]  {code}", err, out)

    def log_of(self, *arguments):
        code, out, err = run("mo", "--input_model", self.model, "--output_dir", self.path("ir"), *arguments)
        self.assertEqual(code, 0, err)
        self.assertIn("[ SUCCESS ] XML file", out)
        return err.splitlines()

    def test_the_log_is_silent_unless_it_is_asked_for(self):
        for arguments in ([], ["--log_level", "ERROR"], ["--log_level", "WARNING"], ["--log_level=DEBUG", "--silent"]):
            self.assertEqual(self.log_of(*arguments), [], arguments)

    def test_info_logs_one_line_for_each_step(self):
        lines = self.log_of("--log_level", "INFO")
        steps = ["read", *(f"phase {phase}" for phase in ("extraction", "front", "inference", "middle", "back", "finish")), "emission"]
        self.assertEqual([line.partition(":")[0] for line in lines], ["[ INFO ]  " + step for step in steps])
        self.assertRegex(lines[0], r'^\[ INFO \]  read: ONNX, ".*tiny\.onnx": [0-9]+ nodes, [0-9.]+ s$')
        self.assertRegex(lines[1], r": [0-9]+ of [0-9]+ passes changed something, [0-9]+ -> [0-9]+ nodes, [0-9.]+ s$")
        self.assertRegex(lines[-1], r": IR version 11, [1-9][0-9]* layers, \.xml [1-9][0-9]* bytes, \.bin [0-9]+ bytes, [0-9.]+ s$")

    def test_debug_logs_passes_inference_and_constants(self):
        text = "\n".join(self.log_of("--log_level", "DEBUG"))
        begin = r"(?m)^\[ [0-9-]+ [0-9:.]+ \] \[ DEBUG \]  "
        self.assertRegex(text, begin + r"pass PartialInference \(inference\): [0-9]+ -> [0-9]+ nodes, [0-9.]+ ms$")
        self.assertRegex(text, begin + r"inference: [1-9][0-9]* nodes in 1 graphs, [0-9]+ translated, [0-9]+ of them to a single op, [0-9]+ folded$")
        self.assertRegex(text, begin + r"emission: [0-9]+ constants, [0-9]+ of them share the bytes of others, [0-9]+ recipes evaluated$")

    def test_dumps_come_at_every_level(self):
        dump = self.log_of("--dump-after", "Extraction", "--silent")
        self.assertEqual(dump[0], "# after Extraction")
        self.assertTrue(dump[1].startswith('graph "tiny"('), dump[1])

    def test_mo_run_reports_why_accelerated_kernels_are_missing(self):
        os.makedirs(self.path("alone/bin"), exist_ok=True)
        program = shutil.copy(os.path.join(BIN, "mo_run"), self.path("alone/bin"))
        for log, wanted in (([], ""), (["--log_level", "INFO"], "[ INFO ]  accelerated kernels are not used: there is no ")):
            process = subprocess.run([program, self.xml, "--input", self.input, "--output_dir", self.path("alone"), *log],
                                     stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
            self.assertEqual(process.returncode, 0)
            self.assertTrue(process.stderr.decode().startswith(wanted) if wanted else not process.stderr, process.stderr)
        self.assertEqual(run("mo_run", self.xml, "--log_level", "LOUD")[0], 2)

    def test_the_last_line_lists_the_outputs(self):
        code, out, err = run("mo_run", self.xml, "--input", f"x={self.input}", "--output_dir", self.path("out"))
        self.assertEqual(code, 0, err)
        (output,) = json.loads(out.splitlines()[-1])["outputs"]
        self.assertEqual(output["index"], 0)
        self.assertEqual(output["shape"], [2, 10])
        self.assertEqual(output["element_type"], "f32")
        self.assertIn("y", [output["name"], *output["tensor_names"]])
        self.assertEqual(output["file"], self.path("out/0.npy"))
        rows = read_floats(output["file"])
        self.assertAlmostEqual(sum(rows[:10]), 1, places=5)
        self.assertAlmostEqual(sum(rows[10:]), 1, places=5)

    def test_the_portable_kernels_agree_with_the_accelerated_ones(self):
        results = []
        for extra in ([], ["--portable"]):
            code, _, err = run("mo_run", self.xml, "--input", self.input, "--output_dir", self.path("kernels"), *extra)
            self.assertEqual(code, 0, err)
            results.append(read_floats(self.path("kernels/0.npy")))
        for a, b in zip(*results):
            self.assertAlmostEqual(a, b, places=5)

    def test_a_missing_input_is_named(self):
        self.refused("MO-RUN-0004", 2, self.xml)
        self.assertIn("'x'", run("mo_run", self.xml)[2])

    def test_doubles_are_converted_with_a_note(self):
        write_npy(self.path("double.npy"), (1, 16), [0.5] * 16, "<f8", "d")
        code, _, err = run("mo_run", self.xml, "--input", self.path("double.npy"), "--output_dir", self.path("out"))
        self.assertEqual(code, 0, err)
        self.assertIn("MO-RUN-0007", err)

    def test_a_place_for_results_that_is_a_file_is_refused(self):
        self.refused("MO-DRIVER-0002", 7, self.xml, "--input", self.input, "--output_dir", self.input)

    def test_a_wrong_command_line_exits_with_2(self):
        self.assertEqual(run("mo_run")[0], 2)
        self.assertEqual(run("mo_run", "--no-such-option")[0], 2)
        self.assertEqual(run("mo_run", "--help")[0], 0)
        self.assertEqual(run("mo_conformance")[0], 2)

    def test_generated_models_are_the_same_every_time_and_convert(self):
        for kind, extra in (("chain", ["--nodes", "25"]), ("transformer", ["--layers", "1", "--hidden", "64", "--heads", "1", "--vocabulary", "50"])):
            contents = []
            for name in ("a.onnx", "b.onnx"):
                self.assertEqual(run("mo_generate", kind, self.path(name), *extra)[0], 0)
                with open(self.path(name), "rb") as file:
                    contents.append(file.read())
            self.assertEqual(contents[0], contents[1])
            code, out, err = run("mo", "--input_model", self.path("a.onnx"), "--output_dir", self.path("generated"), "--silent")
            self.assertEqual(code, 0, out + err)

    def test_the_generated_transformer_runs_on_any_length(self):
        model = self.path("transformer.onnx")
        run("mo_generate", "transformer", model, "--layers", "2", "--hidden", "64", "--heads", "1", "--vocabulary", "50")
        run("mo", "--input_model", model, "--output_dir", self.path("ir"), "--silent")
        for length in (1, 7):
            write_npy(self.path("ids.npy"), (2, length), [i % 50 for i in range(2 * length)], "<i8", "q")
            code, out, err = run("mo_run", self.path("ir/transformer.xml"), "--input", f"input_ids={self.path('ids.npy')}", "--output_dir", self.path("out"))
            self.assertEqual(code, 0, err)
            self.assertEqual(json.loads(out.splitlines()[-1])["outputs"][0]["shape"], [2, length, 64])
            self.assertTrue(all(abs(v) < 100 for v in read_floats(self.path("out/0.npy"))))

    @unittest.skipUnless(os.path.isdir(TEST_DATA), "libonnx-testdata is not installed")
    def test_conformance_counts_by_category(self):
        report = self.path("report.json")
        code, out, err = run("mo_conformance", "--tests", TEST_DATA, "--filter", "/test_(relu|abs|add)$", "--json", report)
        self.assertEqual(code, 0, out + err)
        self.assertEqual(out.splitlines()[-1], "3 passed, 0 wrong, 0 failed, 0 refused")
        with open(report) as file:
            self.assertEqual([test["name"] for test in json.load(file)["tests"]], ["node/test_abs", "node/test_add", "node/test_relu"])
        expected = self.path("expected.txt")
        with open(expected, "w") as file:
            file.write("node/test_relu MO-FRONT-0001\n")
        code, out, _ = run("mo_conformance", "--tests", TEST_DATA, "--filter", "/test_relu$", "--expected", expected)
        self.assertEqual(code, 1)
        self.assertIn("unexpected: node/test_relu", out)

    @unittest.skipUnless(os.path.isdir(TEST_DATA), "libonnx-testdata is not installed")
    def test_conformance_keeps_the_irs_of_this_run_and_prints_the_conversion_times(self):
        kept = self.path("kept")
        report = self.path("report.json")
        os.makedirs(os.path.join(kept, "node/test_strnormalizer_nostopwords_nochangecase"))
        with open(os.path.join(kept, "node/test_strnormalizer_nostopwords_nochangecase/model.xml"), "w") as file:
            file.write("of an earlier run")
        code, out, err = run("mo_conformance", "--tests", TEST_DATA, "--filter", "/test_(relu|strnormalizer_nostopwords_nochangecase)$", "--keep", kept,
                             "--json", report)
        self.assertEqual(code, 0, out + err)
        self.assertEqual(os.listdir(os.path.join(kept, "node")), ["test_relu"])
        self.assertEqual(sorted(os.listdir(os.path.join(kept, "node/test_relu"))), ["model.bin", "model.xml"])
        self.assertIn("conversion of 1 models: ", out)
        with open(report) as file:
            self.assertTrue(all(0 < test["convert_seconds"] <= test["seconds"] for test in json.load(file)["tests"]))

    @unittest.skipUnless(os.path.isdir(TEST_DATA), "libonnx-testdata is not installed")
    def test_conformance_reports_wrong_options(self):
        self.refused("MO-RUN-0025", 2, "--tests", TEST_DATA, "--filter", "(", program="mo_conformance")
        self.refused("MO-RUN-0025", 2, "--tests", TEST_DATA, "--filter", "no such test", program="mo_conformance")
        self.refused("MO-RUN-0024", 7, "--tests", TEST_DATA, "--filter", "/test_relu$", "--json", self.path("no/such/folder"), program="mo_conformance")
        self.refused("MO-RUN-0024", 7, "--tests", TEST_DATA, "--filter", "/test_relu$", "--keep", "/dev/null/folder", program="mo_conformance")

    def tearDown(self):
        self.assertEqual(os.listdir(self.path("tmp")), [], "something is left in the temporary folder")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    BIN = sys.argv.pop(1)
    unittest.main()
