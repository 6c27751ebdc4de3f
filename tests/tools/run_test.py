#!/usr/bin/env python3
"""What mo run can do beside computing: sources of inputs, dumps, profiles, checks of numbers, memory.

usage: run_test.py BIN      BIN: folder of the programs
"""
import io
import json
import os
import re
import struct
import sys
import zipfile
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import numpy_python  # noqa: E402,F401

import numpy  # noqa: E402

from closeness import ELEMENT, difference, exact_halves  # noqa: E402
from program_test import ProgramTest, main  # noqa: E402
from wire_models import Onnx  # noqa: E402

TEXT = """graph(%x: f32[2,3] "x", %i: i64[3] "i") {
  %a = Add(%x, [1.0, 2.0, 3.0]:f32) "layer/a"
  %r = ReLU(%a) "r" @["relu/out:0"]
  %f = Convert(%i) {destination_type=f32} "f"
  %m = Multiply(%r, %f) "m"
  return %m
}
"""


def npy(shape, values, descr="<f4", code="f"):
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': ({''.join(f'{s}, ' for s in shape)}), }}".encode()
    header += b" " * (63 - (10 + len(header)) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + struct.pack(f"<{len(values)}{code}", *values)


def array(path):
    content = Path(path).read_bytes()
    header = eval(content[10:10 + struct.unpack("<H", content[8:10])[0]])  # noqa: S307
    data = content[10 + struct.unpack("<H", content[8:10])[0]:]
    code = {"<f4": "f", "|u1": "B", "<i8": "q"}[header["descr"]]
    return header["shape"], list(struct.unpack(f"<{len(data) // struct.calcsize(code)}{code}", data))


def png(rows):
    """8-bit RGB."""
    def part(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
    raw = b"".join(b"\0" + bytes(sum(row, [])) for row in rows)
    return (b"\x89PNG\r\n\x1a\n" + part(b"IHDR", struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 2, 0, 0, 0)) + part(b"IDAT", zlib.compress(raw)) +
            part(b"IEND", b""))


class Run(ProgramTest):
    def setUp(self):
        super().setUp()
        self.model = self.path("model.mo", TEXT)
        self.x = self.path("x.npy", npy((2, 3), [-1, -2, -3, 1, 2, -9]))
        self.i = self.path("i.npy", npy((3,), [1, 2, 3], "<i8", "q"))

    def run_model(self, *arguments, model=None, code=0):
        return self.ends(code, "mo", "run", model or self.model, "--output_dir", self.folder, *arguments)

    def result(self, *arguments, **more):
        outputs = json.loads(self.run_model(*arguments, **more).splitlines()[-1])["outputs"]
        return array(outputs[0]["file"])

    def test_places_of_the_model(self):
        """It may stand anywhere, also as mo itself has it; the value of an option that only mo knows is none."""
        words = ["--input", self.x, "--input", self.i]
        for line in ([self.model, *words], [*words, self.model], ["--input_model", self.model, *words], ["--model_name", "n", *words, self.model]):
            self.ends(0, "mo", "run", *line, "--output_dir", self.folder)
        self.assertIn("MO-CLI-0006", self.run_model(model="--portable", code=2))

    def test_archives(self):
        want = ((2, 3), [0, 0, 0, 2, 8, 0])
        self.assertEqual(self.result("--input", self.x, "--input", self.i), want)
        for name, method in (("stored.npz", zipfile.ZIP_STORED), ("packed.npz", zipfile.ZIP_DEFLATED)):
            with zipfile.ZipFile(self.path(name), "w", method) as archive:
                for key, file in (("i", self.i), ("x", self.x)):
                    with archive.open(f"{key}.npy", "w", force_zip64=True) as entry:  # as numpy does
                        entry.write(Path(file).read_bytes())
            self.assertEqual(self.result("--input", self.path(name)), want)
            self.assertEqual(self.result("--input", f"x={self.path(name)}", "--input", f"i={self.i}"), want)
        with zipfile.ZipFile(self.path("other.npz"), "w") as archive:
            archive.writestr("p.npy", b"")
            archive.writestr("q.npy", b"")
        self.assertIn("MO-NPY-0008", self.run_model("--input", f"x={self.path('other.npz')}", "--input", self.i, code=4))
        self.assertIn("MO-RUN-0001", self.run_model("--input", self.path("other.npz"), code=2))

    def test_damaged_archives(self):
        with zipfile.ZipFile(self.path("good.npz"), "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("x.npy", npy((2, 3), [0] * 6) + bytes(1000))
        good = Path(self.path("good.npz")).read_bytes()
        codes = set()
        for cut in range(0, len(good), 29):
            for content in (good[:cut], good[:cut] + bytes([good[cut] ^ 255]) + good[cut + 1:]):
                code, _, err = self.call("mo", "run", self.model, "--input", self.path("bad.npz", content), "--input", self.i)
                self.assertIn(code, (2, 4), err)
                codes |= set(re.findall(r"MO-NPY-\d+", err))
        self.assertIn("MO-NPY-0007", codes)

    def test_random_values(self):
        first = self.result("--input", "random:7")
        self.assertEqual(first, self.result("--input", "random:7"))
        self.assertNotEqual(first, self.result("--input", "random:8"))
        self.assertEqual(self.result("--input", "x=zeros", "--input", self.i), ((2, 3), [1, 4, 9, 1, 4, 9]))
        self.assertEqual(self.result("--input", f"i={self.i}", "--input", "zeros"), ((2, 3), [1, 4, 9, 1, 4, 9]))
        self.assertEqual(self.result("--array", "x=zeros", "--input", self.i), self.result("--input", "x=zeros", "--array", self.i))
        self.assertIn("add --array 'x'=FILE.npy (or =random, =zeros)", self.run_model("--array", f"i={self.i}", code=2))
        dynamic = self.path("dynamic.mo", TEXT.replace("f32[2,3]", "f32[?,3]"))
        self.assertIn("MO-RUN-0013", self.run_model("--input", "random", model=dynamic, code=2))
        self.assertEqual(self.result("--input", "zeros", "--input_shape", "[4,3]", model=dynamic)[0], (4, 3))

    def test_pictures(self):
        rows = [[[1, 2, 3], [4, 5, 6]]]
        picture = self.path("p.png", png(rows))
        for shape, want in (("[1,3,1,2]", [1, 4, 2, 5, 3, 6]), ("[1,1,2,3]", [1, 2, 3, 4, 5, 6]), ("[3,?,?]", [1, 4, 2, 5, 3, 6])):
            model = self.path("picture.mo", f'graph(%x: f32{shape} "x") {{\n  %y = ReLU(%x) "y"\n  return %y\n}}\n')
            self.assertEqual(self.result("--input", picture, model=model)[1], want)
        other = self.path("other.mo", 'graph(%x: f32[1,3,4,4] "x") {\n  %y = ReLU(%x) "y"\n  return %y\n}\n')
        self.assertIn("MO-RUN-0012", self.run_model("--input", picture, model=other, code=2))
        self.assertIn("MO-RUN-0011", self.run_model("--input", self.path("bad.jpg", b"no picture"), model=other, code=2))

    def test_dump(self):
        self.run_model("--input", self.x, "--input", self.i, "--dump", self.path("all"))
        self.assertEqual(sorted(os.listdir(self.path("all"))), ["f.npy", "i.npy", "layer%2Fa.npy", "m.npy", "relu%2Fout:0.npy", "x.npy"])
        self.assertEqual(array(self.path("all/layer%2Fa.npy")), ((2, 3), [0, 0, 0, 2, 4, -6]))
        self.assertEqual(array(self.path("all/relu%2Fout:0.npy")), ((2, 3), [0, 0, 0, 2, 4, 0]))

    def test_profile(self):
        lines = self.run_model("--input", self.x, "--input", self.i, "--profile").splitlines()
        self.assertTrue(lines[-1].startswith('{"outputs"'))
        layers = [re.match(r" *\d+\.\d{3} +\d+\.\d\d +(\d+)  (\w+) (\S+)$", line) for line in lines]
        self.assertEqual({match.group(2, 3) for match in layers if match},
                         {("Add", "layer/a"), ("ReLU", "r"), ("Convert", "f"), ("Multiply", "m")})
        self.assertEqual({match.group(1) for match in layers if match and match.group(3) == "m"}, {"24"})
        self.assertRegex(lines[-2], r"^\d+\.\d{3} ms in 4 layers; at most \d+ bytes of tensors in memory$")

    def test_check_numbers(self):
        text = """graph(%x: f32[3] "x") {
  %m = Const {value=[-inf, 0, 0]:f32} "mask"
  %a = Add(%x, %m) "masked"
  %s = Sqrt(%x) "root"
  %t = Add(%s, %s) "after"
  return %a, %t
}
"""
        model = self.path("check.mo", text)
        good = self.path("good.npy", npy((3,), [1, 2, 3]))
        bad = self.path("bad.npy", npy((3,), [1, 2, -3]))
        self.run_model("--input", good, "--check-numbers", model=model)  # an infinity of a constant is meant
        err = self.run_model("--input", bad, "--check-numbers", model=model, code=8)
        self.assertIn("MO-RUN-0014", err)
        self.assertIn("Sqrt: 'root' is the first to make numbers that are none: output 0 has 1 NaN and 0 infinite of 3 elements, the first at 2", err)
        self.run_model("--input", bad, model=model)

    def test_threads(self):
        self.run_model("--input", "zeros", "--threads", "1")
        self.assertIn("MO-RUN-0010", self.run_model("--input", "zeros", "--threads", "0", code=2))

    def test_threads_wait_for_work_for_a_short_time(self):
        """OpenMP's own choice is 300,000 turns or more, which takes shared processors from others. What the user has set counts."""
        if not (Path(self.bin).parent / "lib" / "mo" / "libmo_accelerated.so").exists():
            self.skipTest("no accelerated kernels")
        model = self.path("multiply.mo", 'graph(%x: f32[2,3] "x") {\n  %y = MatMul(%x, [[1],[2],[3]])\n  return %y\n}\n')
        clean = {name: value for name, value in os.environ.items() if name not in ("GOMP_SPINCOUNT", "OMP_WAIT_POLICY")}
        for mine, turns in (({}, 2000), ({"GOMP_SPINCOUNT": "7"}, 7), ({"OMP_WAIT_POLICY": "passive"}, 0)):
            with self.subTest(mine):
                code, out, said = self.call("mo", "run", model, "--input", "random:1", "--output_dir", self.folder,
                                            env={**clean, **mine, "MO_ACCELERATED_LEAST": "0", "OMP_DISPLAY_ENV": "verbose"})
                self.assertEqual(code, 0, out + said)
                self.assertIn(f"GOMP_SPINCOUNT = '{turns}'", said)

    def test_accelerated_kernels_agree_with_the_portable_ones(self):
        """Each op that has them, in single and half precision; small ones are sent there on purpose."""
        def weights(name, dims, scale):
            count = 1
            for dim in dims:
                count *= dim
            return Onnx.tensor(name, dims, struct.pack(f"<{count}f", *[((i * 29) % 31 - 15) * scale for i in range(count)]))
        nodes = [Onnx.node("Conv", ["x", "w"], ["a"], "conv", pads=[1, 1, 1, 1]), Onnx.node("Conv", ["a", "g"], ["b"], "group", group=4, strides=[2, 2]),
                 Onnx.node("ConvTranspose", ["b", "t"], ["c"], "back", strides=[2, 2]), Onnx.node("MaxPool", ["c"], ["d"], "max", kernel_shape=[3, 3]),
                 Onnx.node("AveragePool", ["d"], ["e"], "mean", kernel_shape=[2, 2], pads=[1, 1, 1, 1]), Onnx.node("MatMul", ["e", "m"], ["y"], "product")]
        tensors = [weights("w", [8, 3, 3, 3], 0.01), weights("g", [8, 2, 3, 3], 0.02), weights("t", [8, 5, 2, 2], 0.03), weights("m", [9, 6], 0.02)]
        model = self.path("kernels.onnx", Onnx.model(Onnx.graph(nodes, [Onnx.value("x", (2, 3, 12, 12))], [Onnx.output("y")], tensors)))
        library = Path(self.bin).parent / "lib" / "mo" / "libmo_accelerated.so"
        for half in (False, True):
            if half:
                self.ends(0, "mo", "--input_model", model, "--data_type", "FP16", "--output_dir", self.folder, "--silent")
                model = self.path("kernels.xml")
            dumps = []
            for words in (["--portable"], []):
                out = self.path(f"dump{half}{len(dumps)}")
                self.ends(0, "mo", "run", model, "--input", "random:1", "--dump", out, "--output_dir", self.folder, *words,
                          env={**os.environ, "MO_ACCELERATED_LEAST": "0"})
                dumps.append({name: Path(out, name).read_bytes() for name in os.listdir(out)})
            self.assertEqual(dumps[0].keys(), dumps[1].keys())
            apart = 0
            for name, content in dumps[0].items():
                left, right = (numpy.load(io.BytesIO(c)) for c in (content, dumps[1][name]))
                if left.dtype.kind == "f":
                    slack = 0.05 if left.dtype.itemsize == 2 else 1e-4
                    self.assertEqual(difference(right, left, exact_halves(slack, slack, scale=ELEMENT)), "", name)
                    apart += int((left != right).sum())
            if library.exists() and not half:
                self.assertGreater(apart, 0)  # other kernels sum in another order

    def test_memory_is_that_of_live_tensors(self):
        """Thirty layers of 4 MB with weights of 4 MB each: two or three of them are alive at one time."""
        size, count = 1 << 20, 30
        nodes, tensors, last = [], [], "x"
        for i in range(count):
            tensors.append(Onnx.tensor(f"w{i}", [size], bytes(4 * size)))
            nodes.append(Onnx.node("Add", [last, f"w{i}"], [f"t{i}"], f"n{i}"))
            last = f"t{i}"
        graph = Onnx.graph(nodes, [Onnx.value("x", (size,))], [Onnx.output(last)], tensors)
        out = self.run_model("--input", "zeros", "--profile", model=self.path("large.onnx", Onnx.model(graph)))
        most = int(re.search(r"at most (\d+) bytes", out).group(1))
        self.assertLessEqual(most, 3 * 4 * size)
        if os.environ.get("MO_SANITIZED"):  # a sanitizer takes address space by the terabyte
            return
        # All weights and layers would be 240 MB.
        self.ends(0, "mo", "run", self.path("large.onnx"), "--output_dir", self.folder, "--input", "zeros", "--portable",
                  preexec_fn=lambda: __import__("resource").setrlimit(9, (150 << 20, 150 << 20)))

    def test_print_nodes_write_their_lines(self):
        floats = 'attr { key: "T" value { type: DT_FLOAT } }'
        graph = ('node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape { dim { size: 4 } } } } } '
                 f'node {{ name: "n" op: "Neg" input: "x" {floats} }} '
                 f'node {{ name: "p" op: "Print" input: "n" input: "n" input: "x" {floats} attr {{ key: "U" value {{ list {{ type: DT_FLOAT type: DT_FLOAT }} }} }} '
                 'attr { key: "message" value { s: ";n__print__;say:" } } attr { key: "summarize" value { i: 2 } } attr { key: "first_n" value { i: -1 } } } '
                 f'node {{ name: "y" op: "Relu" input: "p" {floats} }} ')
        values = self.path("x.npy", npy((4,), [1, -2.5, 3, 4]))
        model = self.path("m.pbtxt", graph)
        code, out, err = self.call("mo", "run", model, "--input", values, "--output_dir", self.folder)
        self.assertEqual((code, err), (0, ";n__print__;say:[-1 2.5...][1 -2.5...]\n"))
        self.assertEqual([output["name"] for output in json.loads(out)["outputs"]], ["y"])
        self.assertEqual(array(self.path("0.npy"))[1], [0, 2.5, 0, 0])
        # What is cut off prints nothing, and neither does first_n = 0; branches are told of.
        silent = self.path("silent.pbtxt", graph.replace("i: -1", "i: 0"))
        for line in ((model, "--output", "n"), (silent,)):
            self.assertEqual(self.call("mo", "run", *line, "--input", values, "--output_dir", self.folder)[2], "")
        branch = ('node { name: "c" op: "Placeholder" attr { key: "dtype" value { type: DT_BOOL } } attr { key: "shape" value { shape { } } } } '
                  f'node {{ name: "s" op: "Switch" input: "y" input: "c" {floats} }} node {{ name: "m" op: "Merge" input: "s" input: "s:1" {floats} '
                  'attr { key: "N" value { i: 2 } } }')
        done = self.call("mo", "run", self.path("branch.pbtxt", graph + branch), "--input", "random", "--output_dir", self.folder)
        self.assertEqual((done[0], "MO-RUN-0015" in done[2], "say:" in done[2]), (0, True, False), done)

    def test_ranges_are_frozen_from_a_log_of_mo_run(self):
        """insert_logging, mo run, freeze_requantization_ranges: the way of the guide, without TensorFlow."""
        graph = ('node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_QINT32 } } attr { key: "shape" value { shape { dim { size: 3 } } } } } '
                 + "".join(f'node {{ name: "{name}" op: "Const" attr {{ key: "dtype" value {{ type: DT_FLOAT }} }} attr {{ key: "value" value {{ tensor {{ dtype: DT_FLOAT '
                           f'tensor_shape {{ }} float_val: {value} }} }} }} }} ' for name, value in (("lo", -8), ("hi", 8))) +
                 'node { name: "r" op: "RequantizationRange" input: "x" input: "lo" input: "hi" attr { key: "Tinput" value { type: DT_QINT32 } } } '
                 'node { name: "y" op: "Add" input: "r" input: "r:1" attr { key: "T" value { type: DT_FLOAT } } }')
        model, logged, log, frozen = self.path("r.pbtxt", graph), self.path("l.pb"), self.path("log.txt"), self.path("f.pbtxt")
        self.ends(0, "transform_graph", f"--in_graph={model}", f"--out_graph={logged}", "--outputs=y",
                  '--transforms=insert_logging(op=RequantizationRange, show_name=true, message="__requant_min_max:")')
        values = self.path("x.npy", npy((3,), [0, 2 ** 30, -2 ** 29], "<i4", "i"))
        done = self.call("mo", "run", logged, "--input", values, "--output_dir", self.folder)
        self.assertEqual(done[0], 0, done)
        Path(log).write_text(done[2])
        self.ends(0, "transform_graph", f"--in_graph={model}", f"--out_graph={frozen}", "--outputs=y", "--output_as_text",
                  f'--transforms=freeze_requantization_ranges(min_max_log_file="{log}")')
        text = Path(frozen).read_text()
        self.assertNotIn("RequantizationRange", text)
        self.assertRegex(text, r"float_val: -2\b")
        self.assertRegex(text, r"float_val: 4\b")


if __name__ == "__main__":
    main(__doc__)
