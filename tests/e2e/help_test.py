#!/usr/bin/env python3
"""First contact: the help, its examples in real shells, completions, the man page, what a terminal sees.

usage: help_test.py BUILD      BUILD: folder of a build
"""
import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else ""
BIN = os.path.join(BUILD, "bin")
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SHELLS = [shell for shell in ("bash", "zsh") if shutil.which(shell)]

SUBCOMMANDS = ["diff", "draw", "explain", "inspect", "opt", "ovc", "reduce", "run", "test", "transform", "verify"]

# What the examples call model.onnx: an image goes in, "prob" comes out.
MODEL = """ir_version: 8 opset_import { version: 13 }
graph { name: "g" node { input: "data" output: "prob" op_type: "Relu" }
  input { name: "data" type { tensor_type { elem_type: 1 shape { dim { dim_param: "n" } dim { dim_value: 3 } dim { dim_param: "h" } dim { dim_param: "w" } } } } }
  output { name: "prob" type { tensor_type { elem_type: 1 } } } }
"""
SAVED_MODEL = """saved_model_schema_version: 1
meta_graphs { meta_info_def { tags: "serve" } graph_def {
  node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape { dim { size: 1 } dim { size: 4 } } } } }
  node { name: "y" op: "Relu" input: "x" attr { key: "T" value { type: DT_FLOAT } } } } }
"""


def run(*command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, **options)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def mo(*arguments, **options):
    return run(os.path.join(BIN, "mo"), *arguments, **options)


def on_a_terminal(*command, **variables):
    """What a program writes to a terminal, and its exit code."""
    environment = {**os.environ, "TERM": "xterm", **variables}
    if "NO_COLOR" not in variables:
        environment.pop("NO_COLOR", None)
    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(command[0], command, environment)
    text = b""
    while True:
        try:
            piece = os.read(terminal, 4096)
        except OSError:
            break
        if not piece:
            break
        text += piece
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), text.decode()


class FirstContact(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.write("model.onnx", MODEL)
        self.write("saved_model/saved_model.pbtxt", SAVED_MODEL)

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def in_shell(self, shell, line):
        return run(shell, "-c", line, cwd=self.folder, env={**os.environ, "PATH": BIN + ":" + os.environ["PATH"]})

    def test_the_help_names_all_subcommands(self):
        names = SUBCOMMANDS
        for words in (["--help"], ["help"], ["help", "subcommands"], ["--help", "subcommands"]):
            code, out, err = mo(*words)
            self.assertEqual((code, err), (0, ""), words)
            for name in names:
                self.assertRegex(out, rf"(?m)^  mo {name} +\w", words)
        for name in names:
            self.assertEqual(mo("help", name), mo(name, "--help"))
        self.assertEqual(mo("help", "input_shape"), mo("--help", "input_shape"))
        self.assertEqual(mo("help", "nonsense")[0], 2)
        self.assertIn("subcommands: diff, ", mo()[2])
        self.write("help", "")
        self.assertEqual(mo("help", cwd=self.folder)[0], 4, "a model of this name")

    def test_examples_of_the_help_run_in_bash_and_zsh(self):
        examples = re.findall(r"^  (mo .*)$", mo("--help", "examples")[1], re.M)
        self.assertGreaterEqual(len(examples), 5)
        for shell in SHELLS:
            for line in examples:
                code, out, err = self.in_shell(shell, line)
                self.assertEqual(code, 0, f"{shell}: {line}\n{out}{err}")

    def test_command_lines_of_the_readme_survive_shells(self):
        """The models are not there; what counts is that every word arrives: no globbing, no syntax error, no unknown option."""
        with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
            os.remove(os.path.join(self.folder, "model.onnx"))
            blocks = re.findall(r"^```(?:sh|bash|console)?\n(.*?)^```", file.read(), re.M | re.S)
        lines = [line.strip() for block in blocks for line in block.replace("\\\n", " ").splitlines() if re.match(r"\s*mo ", line)]
        self.assertTrue(lines)
        for shell in SHELLS:
            for line in lines:
                code, _, err = self.in_shell(shell, line.split(" #")[0].split(";")[0])
                self.assertNotRegex(err, r"no matches found|syntax error|MO-CLI-000", f"{shell}: {line}")
                unread = 2 if line.startswith("mo diff ") else 3  # a comparison says 2 for what it cannot read, as diff does
                self.assertIn(code, (0, unread, 9), f"{shell}: {line}\n{err}")

    def test_help_fits_the_width(self):
        for width in (40, 80, 100):
            text = mo("--help", env={**os.environ, "COLUMNS": str(width)})[1]
            long = [line for line in text.splitlines() if len(line) > width and not re.match(r"  (mo|--)", line) and " " in line.strip()]
            self.assertEqual(long, [])
        self.assertIn("--input_shape", mo("--help", "model")[1])
        self.assertEqual(mo("--help", "nonsense")[0], 2)

    def test_version_prints_what_a_bug_report_needs(self):
        code, out, _ = mo("--version")
        self.assertEqual(code, 0)
        self.assertRegex(out, r"^Version of Model Optimizer is: \S+\ncommit: ([0-9a-f]{12}\+?|unknown)\nIR versions: 10, 11\nop sets: 1 to \d+ ")

    def test_codes_are_explained(self):
        for arguments in (("explain", "MO-OPS-0012"), ("--explain", "mo-ops-0012"), ("explain", "ops-0012")):
            code, out, err = mo(*arguments)
            self.assertEqual(code, 0, err)
            self.assertIn("An axis is out of range for the rank of its tensor.", out)
            self.assertIn("exit code", out)
        self.assertEqual(mo("explain", "MO-OPS-9999")[0], 2)
        self.assertEqual(mo("explain")[0], 2)
        # Every code of the page is found.
        with open(os.path.join(ROOT, "docs", "errors.md"), encoding="utf-8") as file:
            codes = re.findall(r'<a id="(MO-[A-Z]+-\d+)">', file.read())
        for code in codes[::40]:
            self.assertEqual(mo("explain", code)[0], 0, code)

    def test_colours_are_for_terminals_that_support_them(self):
        program = os.path.join(BIN, "mo")
        self.assertIn("\x1b[1;31m[ ERROR ]\x1b[0m", on_a_terminal(program, "missing.onnx")[1])
        for variables in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            self.assertNotIn("\x1b", on_a_terminal(program, "missing.onnx", **variables)[1])
        self.assertNotIn("\x1b", mo("missing.onnx")[2])
        self.assertIn("\x1b[1;32m[ SUCCESS ]", on_a_terminal(program, os.path.join(self.folder, "model.onnx"), "--output_dir", self.folder)[1])

    def test_progress_names_steps_and_never_goes_back(self):
        code, out, err = mo("model.onnx", "--progress", "--stream_output", "--silent", cwd=self.folder)
        self.assertEqual(code, 0, err)
        lines = re.findall(r"Progress: \[\.* *\] +([\d.]+)% done(?:  (\w+))?", out)
        shares = [float(share) for share, _ in lines]
        self.assertEqual(shares, sorted(shares))
        self.assertEqual((shares[0], shares[-1]), (0, 100))
        names = [name for _, name in lines]
        for step in ("reading", "PartialInference", "writing"):
            self.assertIn(step, names)

    def test_the_banner_comes_only_when_there_is_a_model(self):
        self.assertIn("Model Optimizer arguments:", mo("model.onnx", cwd=self.folder)[1])
        code, out, err = mo("missing.onnx", cwd=self.folder)
        self.assertEqual((code, out), (3, ""), err)

    def document(self, name):
        with open(os.path.join(BUILD, "packaging", name), encoding="utf-8") as file:
            return file.read()

    def test_bash_completes_options_words_and_files(self):
        def completed(*words):
            script = self.document("mo.bash") + f"\nCOMP_WORDS=({' '.join(words)})\nCOMP_CWORD={len(words) - 1}\n_mo\necho \"${{COMPREPLY[@]}}\"\n"
            return run("bash", "-c", script, cwd=self.folder)[1].split()
        self.assertEqual(completed("mo", "--input_sh"), ["--input_shape"])
        self.assertIn("--input_model", completed("mo", "--in"))
        self.assertEqual(completed("mo", "--framework", "o"), ["onnx"])
        self.assertEqual(completed("mo", "--framework", "=", "o"), ["onnx"])
        self.assertEqual(completed("mo", "-m", "mod"), ["model.onnx"])
        self.assertEqual(completed("mo", "ex"), ["explain"])
        self.assertEqual(sorted(completed("mo", "")), sorted(["model.onnx", "saved_model"] + SUBCOMMANDS))
        self.assertIn("--print-passes", completed(os.path.join(BIN, "mo"), "opt", "--pr"))
        self.assertNotIn("--print-passes", completed(os.path.join(BIN, "mo"), "--pr"))
        self.assertEqual(completed("mo", "--batch", ""), [])

    def test_completions_and_the_man_page_have_every_subcommand(self):
        bash, zsh, fish, man = (self.document(name) for name in ("mo.bash", "_mo", "mo.fish", "mo.1"))
        for name in SUBCOMMANDS:
            self.assertRegex(bash, rf"compgen -W '[^']*\b{name}\b")
            self.assertRegex(zsh, rf"'{name}:\w")
            self.assertRegex(fish, rf"-a {name} -d")
            self.assertIn(f"\\fBmo {name}\\fR\n", man)

    def test_quantisation_has_one_answer_however_it_is_asked_for(self):
        answer = "mo does not quantise; give its IR to NNCF, in Python: openvino.save_model(nncf.compress_weights("
        for words in (["model.onnx", "--int8"], ["model.onnx", "--compress_to_int8"], ["model.onnx", "--quantize"], ["model.onnx", "--data_type", "INT8"],
                      ["model.onnx", "--data_type", "i4"], ["quantize", "model.onnx"], ["compress", "model.onnx"], ["int8", "model.onnx"]):
            code, _, err = mo(*words, cwd=self.folder)
            self.assertEqual((code, answer in err), (2, True), err)
        for words in (["help", "nncf"], ["help", "INT8"], ["--help", "quantization"]):
            self.assertIn(answer, " ".join(mo(*words, cwd=self.folder)[1].split()))
        self.assertIn("FP16 (or half)", mo("model.onnx", "--data_type", "FP8x", cwd=self.folder)[2])

    def test_several_models_get_a_loop_that_works_as_printed(self):
        names = [f"net {i}.onnx" for i in range(6)]
        for count, listed in ((2, "'net 0.onnx' 'net 1.onnx'"), (5, "'net 0.onnx' 'net 1.onnx' 'net 2.onnx' 'net 3.onnx' …"), (6, "nets/*.onnx")):
            folder = os.path.join(self.folder, f"of_{count}")
            os.makedirs(os.path.join(folder, "nets"))
            for name in names:
                shutil.copy(os.path.join(self.folder, "model.onnx"), os.path.join(folder, "nets", name))
            files = [os.path.join("nets", name) for name in names] if count == 6 else names[:count]
            where = folder if count == 6 else os.path.join(folder, "nets")
            code, _, err = mo(*files, "-o", "ou t", "--silent", cwd=where)
            self.assertEqual((code, "MO-CLI-0008" in err), (2, True))
            self.assertIn(f"write: for model in {listed}; do mo \"$model\" -o 'ou t' --silent; done\n", err)
            if "…" in listed:
                continue
            line = err.split("write: ")[1]
            self.assertEqual(run("bash", "-c", f'PATH="{BIN}:$PATH"; {line}', cwd=where)[0], 0)
            self.assertEqual(sorted(os.listdir(os.path.join(where, "ou t"))), sorted(name[:-5] + ending for name in names[:count] for ending in (".bin", ".xml")))

    def test_words_of_other_programs_are_answered(self):
        """What people type first, and what they meant: a code, and a part of the message."""
        for words, code, meant in (
                (["runn", "model.onnx"], "MO-CLI-0093", "mo run"), (["print", "model.onnx"], "MO-CLI-0093", "mo opt"), (["layers"], "MO-CLI-0093", "mo opt"),
                (["infer", "model.onnx"], "MO-CLI-0093", "mo run"), (["model.onnx", "saved_model"], "MO-CLI-0008", "one model"),
                (["net.prototxt", "net.caffemodel"], "MO-CLI-0008", "mo net.caffemodel --input_proto net.prototxt"),
                (["model.onnx", "--fp16"], "MO-CLI-0001", "--compress_to_fp16"), (["model.onnx", "--half"], "MO-CLI-0001", "--compress_to_fp16"),
                (["model.onnx", "ir.xml"], "MO-CLI-0008", "mo model.onnx -o ir.xml; to compare them: mo verify model.onnx ir.xml"),
                (["-i", "model.onnx"], "MO-CLI-0001", "--input_model"), (["model.onnx", "--output_format=onnx"], "MO-CLI-0001", "--to onnx"),
                (["model.onnx", "--int8"], "MO-CLI-0001", "NNCF"), (["model.onnx", "-q"], "MO-CLI-0001", "--silent"), (["-v"], "MO-CLI-0001", "--version"),
                (["-V"], "MO-CLI-0001", "--version"), (["model.onnx", "--output_file", "x.xml"], "MO-CLI-0001", "write -o"),
                (["model.onnx", "--batch_size", "4"], "MO-CLI-0001", "--batch,"), (["model.onnx", "--outdir=out"], "MO-CLI-0001", "--output_dir"),
                (["model.onnx", "--name", "net"], "MO-CLI-0001", "--model_name"), (["model.onnx", "--dynamic"], "MO-CLI-0001", "[?,3,224,224]"),
                (["model.onnx", "--dtype", "FP16"], "MO-CLI-0001", "--data_type"), (["model.onnx", "--shape", "[1,3]"], "MO-CLI-0001", "--input_shape"),
                (["model.onnx", "--std", "[1]"], "MO-CLI-0001", "--scale_values"), (["model.onnx", "-f"], "MO-CLI-0001", "leave it out"),
                (["model.onnx", "-c"], "MO-CLI-0001", "`mo --help` lists"), (["model.onnx", "--framework", "pytorch"], "MO-CLI-0005", "use one of: tf, caffe, onnx;"),
                (["inspect"], "MO-CLI-0006", "give its path")):
            for name in ("net.prototxt", "net.caffemodel", "ir.xml"):
                self.write(name, "")
            code_of_process, out, err = mo(*words, cwd=self.folder)
            self.assertEqual((code_of_process, out), (2, ""), words)
            self.assertIn(code, err, words)
            self.assertIn(meant, err, words)
            self.assertEqual(err.count("[ ERROR ]"), 1, err)
        for word, found in (("fp16", "--compress_to_fp16"), ("precision", "--compress_to_fp16"), ("quantize", "NNCF"), ("checkpoint", "--input_checkpoint"),
                            ("run", "Usage: mo run"), ("verify", "mo help verify"), ("transform", "mo help transform")):
            code_of_process, out, err = mo("--help", word)
            self.assertEqual((code_of_process, err), (0, ""), word)
            self.assertIn(found, out, word)

    def test_completions_and_the_man_page_have_every_option(self):
        options = set(re.findall(r"^  --([\w-]+)", mo("--help")[1], re.M))
        self.assertGreater(len(options), 60)
        bash, zsh, fish, man = (self.document(name) for name in ("mo.bash", "_mo", "mo.fish", "mo.1"))
        for option in options:
            self.assertRegex(bash, rf"--{option}[ |)'\"]")
            self.assertRegex(zsh, rf"'\*--{option}[=\[]")
            self.assertRegex(fish, rf"-l {option} ")
            self.assertIn("\\-\\-" + option.replace("-", "\\-"), man)

    def test_shells_take_the_completions(self):
        self.assertEqual(run("bash", "-n", os.path.join(BUILD, "packaging", "mo.bash"))[0], 0)
        if shutil.which("zsh"):
            self.assertEqual(run("zsh", "-n", os.path.join(BUILD, "packaging", "_mo"))[2], "")
        if shutil.which("fish"):
            code, out, err = run("fish", "-c", f"source {os.path.join(BUILD, 'packaging', 'mo.fish')}; complete -C'mo --input_sh'")
            self.assertIn("--input_shape", out, err)

    def test_man_pages_are_without_warnings(self):
        if not shutil.which("groff"):
            self.skipTest("groff is not installed")
        for page in ("mo.1", "mo_run.1"):
            code, _, err = run("groff", "-Kutf8", "-man", "-Tutf8", "-ww", "-z", os.path.join(BUILD, "packaging", page))
            self.assertEqual((code, err), (0, ""), page)


class StaticProgram(unittest.TestCase):
    def setUp(self):
        self.program = os.path.join(BUILD, "static", "mo")
        if not os.path.exists(self.program):
            self.skipTest("the target mo_static was not built")

    def test_it_needs_no_library_and_converts(self):
        self.assertRegex("".join(run("ldd", self.program)[1:]), "not a dynamic executable|statically linked")
        with tempfile.TemporaryDirectory() as folder:
            for name in ("a", "b"):
                with open(os.path.join(folder, "model.onnx"), "w", encoding="utf-8") as file:
                    file.write(MODEL)
                program = self.program if name == "a" else os.path.join(BIN, "mo")
                code, _, err = run(program, "model.onnx", "--output_dir", name, "--model_name", "m", cwd=folder)
                self.assertEqual(code, 0, err)
            with open(os.path.join(folder, "a", "m.xml"), "rb") as one, open(os.path.join(folder, "b", "m.xml"), "rb") as other:
                self.assertEqual(one.read(), other.read(), "both programs write the same IR")

    def test_plugins_are_refused_with_a_reason(self):
        code, _, err = run(self.program, "model.onnx", "--framework", "onnx", "--extensions", "x.so", "--list-extensions")
        self.assertEqual(code, 9, err)
        self.assertIn("MO-PLUGIN-0035", err)
        self.assertIn("model-optimizer", err)


class Installation(unittest.TestCase):
    def test_uninstall_leaves_what_was_there_before(self):
        with tempfile.TemporaryDirectory() as folder:
            prefix = os.path.join(folder, "prefix")
            os.makedirs(os.path.join(prefix, "share", "man"))
            other = os.path.join(prefix, "share", "man", "other")
            with open(other, "w", encoding="utf-8"):
                pass
            script = os.path.join(ROOT, "packaging", "manifest.sh")
            code, _, err = run("cmake", "--install", BUILD, "--component", "runtime", "--prefix", prefix)
            self.assertEqual(code, 0, err)
            manifest = os.path.join(BUILD, "install_manifest_runtime.txt")
            fake = os.path.join(folder, "build")
            os.mkdir(fake)
            shutil.copy(manifest, os.path.join(fake, "install_manifest.txt"))
            self.assertEqual(run(script, "write", fake, "", prefix)[0], 0)
            for file in ("bin/mo", "bin/mo_run", "share/man/man1/mo.1", "share/mo/configs/ssd_v2_support.json", "share/mo/schemas",
                         "share/mo/examples", "share/mo/engines/serving.py", "share/doc/model-optimizer/copyright", "share/doc/model-optimizer/docs/cli.md",
                         "share/bash-completion/completions/mo", "share/zsh/vendor-completions/_mo", "share/fish/vendor_completions.d/mo.fish"):
                self.assertTrue(os.path.exists(os.path.join(prefix, file)), file)
            self.assertEqual(run(os.path.join(prefix, "bin", "mo"), "--version")[0], 0)
            code, out, err = run(script, "remove", "", prefix)
            self.assertEqual(code, 0, out + err)
            self.assertEqual([os.path.join(at, file) for at, _, files in os.walk(folder + "/prefix") for file in files], [other])
            self.assertEqual(run(script, "remove", "", prefix)[0], 1, "nothing is installed any more")

    def needs_no_chosen_folder(self):
        with open(os.path.join(BUILD, "CMakeCache.txt"), encoding="utf-8") as file:
            text = file.read()
        if re.search(r"^MO_PYTHON:\w+=OFF$", text, re.MULTILINE) or not re.search(r"^MO_PYTHON_DIR:\w+=$", text, re.MULTILINE):
            self.skipTest("the build omits the Python package, or MO_PYTHON_DIR chooses its folder")

    def test_python_finds_what_was_installed_where_it_looks(self):
        self.needs_no_chosen_folder()
        with tempfile.TemporaryDirectory() as folder:
            prefix = os.path.join(folder, "prefix")  # a virtual environment: its python looks for packages there only
            self.assertEqual(run(sys.executable, "-m", "venv", "--without-pip", prefix)[0], 0)
            python = os.path.join(prefix, "bin", "python3")
            before = {os.path.join(at, file) for at, _, files in os.walk(prefix) for file in files}
            environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "MO_"))}
            environment["PATH"] = os.path.dirname(python) + os.pathsep + environment["PATH"]
            fake = os.path.join(folder, "build")
            os.mkdir(fake)
            with open(os.path.join(fake, "install_manifest.txt"), "w", encoding="utf-8") as manifest:
                for component in ("runtime", "python"):
                    code, out, err = run("cmake", "--install", BUILD, "--component", component, "--prefix", prefix, env=environment)
                    self.assertEqual(code, 0, out + err)
                    with open(os.path.join(BUILD, f"install_manifest_{component}.txt"), encoding="utf-8") as installed:
                        manifest.write(installed.read() + "\n")
            script = os.path.join(ROOT, "packaging", "manifest.sh")
            self.assertEqual(run(script, "write", fake, "", prefix)[0], 0)
            model = os.path.join(folder, "model.onnxtxt")
            with open(model, "w", encoding="utf-8") as file:
                file.write(MODEL)
            for name in ("mo_openvino", "mo"):
                code, out, err = run(python, "-c", f"import sys, {name} as package; package.convert_model(sys.argv[1]); print(package.__file__)", model,
                                     cwd=folder, env=environment)
                self.assertEqual(code, 0, err)
                self.assertTrue(out.startswith(os.path.join(prefix, "lib")), out)
            code, out, err = run(script, "remove", "", prefix)
            self.assertEqual(code, 0, out + err)
            # Files that Python compiled by importing the package are removed, too.
            self.assertEqual({os.path.join(at, file) for at, _, files in os.walk(prefix) for file in files}, before)

    def test_a_prefix_where_no_python_looks_is_reported(self):
        self.needs_no_chosen_folder()
        with tempfile.TemporaryDirectory() as folder:
            code, out, err = run("cmake", "--install", BUILD, "--component", "python", "--prefix", folder)
            self.assertEqual(code, 0, err)
            self.assertTrue(os.path.isfile(os.path.join(folder, "lib", "python3", "dist-packages", "mo_openvino", "__init__.py")), out)
            self.assertIn(f"PYTHONPATH={folder}/lib/python3/dist-packages", out)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    unittest.main(argv=sys.argv[:1])
