#!/usr/bin/env python3
"""Runs the Python of the documentation: the blocks that begin with ```python in all pages, and the examples in the docstrings of mo_openvino.

A block with >>> is run by doctest, which compares what it prints. Any other block is run as a whole. The blocks of a page share their variables and a
temporary folder; a docstring has a folder of its own, and the variables `mo` and `numpy`. Each folder contains the models of `write_models`.

A block or docstring that imports a package of OPTIONAL is skipped where the package cannot be imported, and listed by name. A comment before a block,
which readers do not see, says why it is not run here; such a block is only compiled:

  <!-- run: no, REASON -->
  <!-- run: tests/e2e/many_models_test.py -->     the test that runs it, which names the page

A line of code after "in Python:" writes a model with PyTorch or Keras, which mo converts (tests/support/framework_models.py).

Every public name of mo_openvino has an example:
  a function, method or property   is called by an example of its docstring, of the docstring of its class, or of docs/api.md
  a class                          has an example in its docstring, which shows each of its fields

usage: python_examples.py FOLDER [JUDGE]   FOLDER: contains the package mo_openvino; exit code 1 when an example fails or is missing
                                           JUDGE: runs in the Python of this judge (docs/peers.md); exit code 77 when it is not installed
       python_examples.py --self-test      checks that each rule can fail
"""
import ast
import contextlib
import doctest
import importlib
import importlib.util
import inspect
import io
import logging
import os
import pkgutil
import re
import sys
import tempfile
import textwrap
import traceback
import types
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))
import numpy_python  # noqa: E402, F401: goes on in a Python that has numpy
import framework_models  # noqa: E402
import numpy  # noqa: E402
from wire_models import Onnx, floats  # noqa: E402

PAGES = ("*.md", "docs/**/*.md", "examples/**/*.md", "plugins/**/*.md", "packaging/**/*.md")
REFERENCE = "docs/api.md"
OPTIONAL = ("dask", "keras", "onnx", "onnxruntime", "openvino", "tensorflow", "torch")
FENCE = re.compile(r"^( *)(`{3,}|~{3,})(.*)$")
INLINE = re.compile(r"in Python: `([^`]+)`")
COMMENT = re.compile(r"^<!-- run:(.*)-->$")
MARK = "<doctest "  # begins the file name of all code of examples


def write_models(folder):
    """Writes the models that the examples name, also below models/: net.onnx averages the pixels of an image and computes two scores, two.onnx computes
    y = a * b + [1, -2, 3], odd.onnx has an unknown operator."""
    net = Onnx.graph([Onnx.node("GlobalAveragePool", ["image"], ["mean"], "pool"), Onnx.node("Flatten", ["mean"], ["flat"], "flatten"),
                      Onnx.node("MatMul", ["flat", "w"], ["scores"], "classifier")],
                     [Onnx.value("image", ["n", 3, 224, 224])], [Onnx.value("scores", ["n", 2])], [Onnx.tensor("w", [3, 2], floats(1, 0, 0, 1, 1, 1))])
    two = Onnx.graph([Onnx.node("Mul", ["a", "b"], ["p"], "product"), Onnx.node("Add", ["p", "w"], ["y"], "sum")],
                     [Onnx.value("a", ["n", 3]), Onnx.value("b", ["n", 3])], [Onnx.value("y", ["n", 3])], [Onnx.tensor("w", [3], floats(1, -2, 3))])
    odd = Onnx.graph([Onnx.node("Relu", ["x"], ["r"], "act"), Onnx.node("NoSuchOp", ["r"], ["y"], "odd")], [Onnx.value("x", [2])], [Onnx.value("y", [2])])
    Path(folder, "models").mkdir()
    for name, graph in (("net", net), ("two", two), ("odd", odd)):
        for place in (f"{name}.onnx", f"models/{name}.onnx"):
            Path(folder, place).write_bytes(Onnx.model(graph))


class Block:
    """Python of a page: `line` is the number of its first line, `run` the text of the comment before it."""

    def __init__(self, line, code, run):
        self.line, self.code, self.run = line, textwrap.dedent(code), run

    @property
    def is_doctest(self):
        return re.search(r"^>>> ", self.code, re.MULTILINE) is not None


def blocks_of(page, text, problems):
    """The blocks of Python in a page."""
    blocks, pending, opening, body = [], None, None, []
    for number, line in enumerate(text.splitlines(), 1):
        fence = FENCE.match(line)
        if opening is not None:
            if fence and fence[2].startswith(opening[2]) and not fence[3].strip():
                block = Block(opening[0] + 1, "\n".join(body) + "\n", pending[1] if pending else None)
                language = opening[1].split()[0].lower() if opening[1].split() else ""
                if language in ("python", "python3", "py", "pycon") or block.is_doctest:
                    blocks.append(block)
                elif pending:
                    problems.append(f"{page}:{pending[0]}: no block of Python follows")
                opening = pending = None
            else:
                body.append(line)
        elif fence:
            opening, body = (number, fence[3], fence[2]), []
        elif line.startswith("<!-- run:"):
            comment = COMMENT.match(line)
            pending = (number, comment[1].strip() if comment else "")
        elif line.strip() and pending:
            problems.append(f"{page}:{pending[0]}: no block of Python follows")
            pending = None
    if opening is not None:
        problems.append(f"{page}:{opening[0]}: the block has no end")
    elif pending:
        problems.append(f"{page}:{pending[0]}: no block of Python follows")
    return blocks


def missing_packages(code):
    """The packages of OPTIONAL that the code imports and that cannot be imported."""
    names = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            names |= {each.name.split(".")[0] for each in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names.add(node.module.split(".")[0])
    missing = []
    for name in sorted(names.intersection(OPTIONAL)):
        try:
            importlib.import_module(name)
        except ImportError:
            missing.append(name)
    return missing


class Calls:
    """The functions that examples call themselves: their code -> names of the examples' pages and docstrings."""

    def __init__(self):
        self.callers = {}
        self.attributes = {}  # the same by name, for examples that are not run
        self.current = ""

    def __call__(self, frame, event, argument):
        if event == "call" and frame.f_back is not None and frame.f_back.f_code.co_filename.startswith(MARK):
            self.callers.setdefault(frame.f_code, set()).add(self.current)

    def assume(self, code, caller):
        """Takes for called what skipped code names."""
        for node in ast.walk(ast.parse(code)):
            if isinstance(node, ast.Attribute):
                self.attributes.setdefault(node.attr, set()).add(caller)

    def of(self, name, code):
        return self.callers.get(code, set()) | self.attributes.get(name.rpartition(".")[2], set())


@contextlib.contextmanager
def workplace(prepare):
    """A temporary folder with the models as the current one. What an example set up for logging is undone."""
    before, handlers, level = os.getcwd(), list(logging.root.handlers), logging.root.level
    with tempfile.TemporaryDirectory() as folder:
        prepare(folder)
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)
            logging.root.handlers[:] = handlers
            logging.root.setLevel(level)


class Examples:
    """Runs examples, counts them and collects what is wrong."""

    def __init__(self, prepare, convert):
        self.prepare, self.convert = prepare, convert
        self.calls = Calls()
        self.problems, self.skipped, self.elsewhere = [], [], []
        self.pages = self.docstrings = self.blocks = self.statements = 0

    def doctest(self, test):
        report = io.StringIO()
        runner = doctest.DocTestRunner(verbose=False)
        profile = sys.getprofile()
        sys.setprofile(self.calls)
        try:
            failed = runner.run(test, out=report.write, clear_globs=False).failed
        finally:
            sys.setprofile(profile)
        self.statements += len(test.examples)
        if failed:
            self.problems.append(report.getvalue().rstrip())

    def plain(self, name, block, variables):
        profile = sys.getprofile()
        try:
            code = compile("\n" * (block.line - 1) + block.code, f"{MARK}{name}>", "exec")
            sys.setprofile(self.calls)
            try:
                with contextlib.redirect_stdout(io.StringIO()):
                    exec(code, variables)
            finally:
                sys.setprofile(profile)
        except Exception:  # noqa: BLE001: whatever an example raises
            self.problems.append(f"{name}:{block.line}: the block fails\n{traceback.format_exc(limit=-3).rstrip()}")
        self.statements += 1

    def page(self, name, text, root):
        """The blocks of a page in their order, which share their variables."""
        blocks = blocks_of(name, text, self.problems)
        lines = [(number, found[1]) for number, line in enumerate(text.splitlines(), 1) for found in INLINE.finditer(line)]
        variables = {"__name__": "example"}
        self.calls.current = name
        self.pages += bool(blocks or lines)
        for number, code in lines:
            with workplace(self.prepare):
                self.inline(name, Block(number, code, None))
        with workplace(self.prepare):
            for block in blocks:
                place = f"{name}:{block.line}"
                test = doctest.DocTestParser().get_doctest(block.code, {}, f"{name}:{block.line}", name, block.line - 1) if block.is_doctest else None
                code = "".join(example.source for example in test.examples) if test else block.code
                try:
                    missing = missing_packages(code)
                except SyntaxError as error:
                    self.problems.append(f"{name}:{block.line + (error.lineno or 1) - 1}: not Python: {error.msg}")
                    continue
                if block.run is not None:
                    self.not_here(name, block, root)
                elif missing:
                    self.skipped.append(f"{place} needs {', '.join(missing)}")
                    self.calls.assume(code, name)
                elif test:
                    self.blocks += 1
                    test.globs = variables
                    self.doctest(test)
                else:
                    self.blocks += 1
                    self.plain(name, block, variables)

    def inline(self, page, block):
        """Code that writes a model with a framework."""
        place = f"{page}:{block.line}"
        framework = "torch" if "torch." in block.code else "keras"
        if missing_packages(f"import {framework}"):
            self.skipped.append(f"{place} needs {framework}")
            return
        variables = getattr(framework_models, f"{framework}_models")()
        before, problems = set(os.listdir()), len(self.problems)
        self.blocks += 1
        self.plain(page, block, variables)
        written = sorted(each for each in set(os.listdir()) - before if not each.endswith(".data"))
        if len(self.problems) == problems and len(written) != 1:
            self.problems.append(f"{place}: expected one model, got {written}")
        for model in written:
            try:
                self.convert(model)
            except Exception as error:  # noqa: BLE001: whatever a conversion raises
                self.problems.append(f"{place}: mo does not convert what it writes: {error}")

    def not_here(self, name, block, root):
        reason = re.match(r"no, *(\S.*)$", block.run)
        test = Path(root, block.run)
        if not reason and not (block.run and test.is_file() and Path(name).name in test.read_text(encoding="utf-8")):
            self.problems.append(f"{name}:{block.line}: expected `run: no, REASON`, or the path of a test that names this page, got `{block.run}`")
        self.elsewhere.append(f"{name}:{block.line} {'' if reason else 'run by '}{reason[1] if reason else block.run}")

    def docstrings_of(self, package, variables):
        """Each docstring of the package, also of what is not public."""
        modules = [package]
        for each in pkgutil.iter_modules(getattr(package, "__path__", [])):
            if each.name != "__main__":
                modules.append(importlib.import_module(f"{package.__name__}.{each.name}"))
        for module in modules:
            for test in doctest.DocTestFinder(exclude_empty=True).find(module):
                if not test.examples:
                    continue
                self.calls.current = test.name
                code = "".join(example.source for example in test.examples)
                missing = missing_packages(code)
                if missing:
                    self.skipped.append(f"{test.name} needs {', '.join(missing)}")
                    self.calls.assume(code, test.name)
                    continue
                self.docstrings += 1
                test.globs = {"__name__": "example", **variables}
                with workplace(self.prepare):
                    self.doctest(test)

    def public_names(self, package):
        """Reports every public name without an example."""
        for name in package.__all__:
            public = getattr(package, name)
            if inspect.isfunction(public):
                self.function(name, public, public.__module__, None)
            elif inspect.isclass(public):
                self.public_class(name, public)
            else:
                self.problems.append(f"{name}: is neither a function nor a class: this test does not know what its example looks like")

    def public_class(self, name, public):
        examples = doctest.DocTestParser().get_examples(public.__doc__ or "")
        text = "".join(example.source + example.want for example in examples)
        if not examples:
            self.problems.append(f"{name}: the docstring has no example")
        for field in fields_of(public):
            if not re.search(rf"\.{field}\b|\b{field}=", text):
                self.problems.append(f"{name}.{field}: no example in the docstring of the class shows this field")
        for member, value in vars(public).items():
            if member.startswith("_") and member != "__call__":
                continue
            function = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
            if inspect.isfunction(function):
                self.function(f"{name}.{member}", function, public.__module__, public)

    def function(self, name, function, module, of_class):
        own = {f"{module}.{name}", REFERENCE}
        if of_class:
            own.add(f"{module}.{of_class.__qualname__}")
        if not function.__doc__:
            self.problems.append(f"{name}: has no docstring")
        if not own & self.calls.of(name, function.__code__):
            self.problems.append(f"{name}: no example calls it, neither in its docstring nor in {REFERENCE}")


def fields_of(public):
    """The fields of a NamedTuple, and the public attributes that __init__ sets."""
    found = list(getattr(public, "_fields", ()))
    if "__init__" in vars(public):
        found += re.findall(r"^ +self\.([a-z]\w*)(?:: [^=\n]+)? = ", inspect.getsource(public.__init__), re.MULTILINE)
    return found


def check(root, package, prepare, variables):
    examples = Examples(prepare, getattr(package, "convert_model", None))
    for page in sorted({page for pattern in PAGES for page in Path(root).glob(pattern)}):
        examples.page(page.relative_to(root).as_posix(), page.read_text(encoding="utf-8"), root)
    examples.docstrings_of(package, variables)
    examples.public_names(package)
    return examples


GOOD = '''"""A package."""
__all__ = ["double", "Box"]


def double(number):
    """Returns twice the number.

    >>> sample.double(2)
    4
    """
    return 2 * number


class Box:
    """Holds a value.

    >>> sample.Box(3).value
    3
    >>> sample.Box(3).negative()
    -3
    """

    def __init__(self, value):
        self.value = value
        self._hidden = 0

    @property
    def size(self):
        """Its size.

        >>> sample.Box(3).size
        1
        """
        return 1

    def negative(self):
        """Returns the value with the other sign; the docstring of the class shows it."""
        return -self.value
'''
MORE = '''
GOOD = 1


def indirect(number):
    return double(number)


def convert_model(path):
    return open(path).read().index("good")
'''
SELF_TESTS = [  # (what to replace in GOOD, by what, docs/api.md, part of the problem that must be found, part of the summary that must be found)
    ("", "", "text\n", None, "3 docstrings"),
    ("", "", "```python\n>>> import sample\n>>> sample.double(4)\n8\n```\n", None, "1 block of 1 page and 3 docstrings: 6 examples"),
    ("", "", "```python\n>>> import sample\n>>> sample.double(4)\n9\n```\n", 'docs/api.md", line 3', ""),
    ("    4\n", "    5\n", "", "Expected:\n    5\nGot:\n    4", ""),
    ("    4\n", "", "", "Got:\n    4", ""),
    (">>> sample.double(2)\n    4", "", "", "double: no example calls it", ""),
    (">>> sample.double(2)\n    4", "", "```python\n>>> import sample\n>>> sample.double(2)\n4\n```\n", None, ""),
    (">>> sample.double(2)\n    4", "", "```python\nimport sample\nassert sample.double(2) == 4\n```\n", None, ""),
    (">>> sample.double(2)\n    4", "", "```python\nimport sample\nsample.double\n```\n", "double: no example calls it", ""),
    (">>> sample.double(2)\n    4", "", "```python\nimport keras\nimport sample\nsample.double(keras)\n```\n", None, "skipped: docs/api.md:2 needs keras"),
    (">>> sample.double(2)\n    4", ">>> sample.indirect(2)\n    4", "", "double: no example calls it", ""),
    (">>> sample.Box(3).negative()\n    -3", "", "", "Box.negative: no example calls it", ""),
    ('"""Returns twice', 'b"""Returns twice', "", "double: has no docstring", ""),
    (">>> sample.Box(3).value\n    3\n    >>> sample.Box(3).negative()\n    -3", "", "", "Box: the docstring has no example", ""),
    (">>> sample.Box(3).value\n    3", ">>> sample.Box(3).size\n    1", "", "Box.value: no example in the docstring", ""),
    (">>> sample.Box(3).size\n        1", "", "", "Box.size: no example calls it", ""),
    ('["double"', '["GOOD", "double"', "", "GOOD: is neither", ""),
    ("", "", "```python\nx = 1\n```\ntext\n```python\n>>> x + 1\n2\n```\n", None, "2 blocks of 1 page"),
    ("", "", "```python\nx = 1\n```\ntext\n```python\n>>> x + 1\n3\n```\n", 'docs/api.md", line 6', ""),
    ("", "", "```python\n>>> x = 1\n```\ntext\n```python\n>>> x + 1\n2\n```\n", None, "2 blocks of 1 page"),
    ("", "", "text\n```python\nx = 1\nundefined\n```\n", "docs/api.md:3: the block fails", ""),
    ("", "", "```\n>>> 1\n2\n```\n", "Got:\n    1", ""),
    ("", "", "- item\n\n  ```py\n  undefined\n  ```\n", "docs/api.md:4: the block fails", ""),
    ("", "", "```sh\nundefined\n```\n", None, "0 blocks"),
    ("", "", "```python\nx = \n```\n", "docs/api.md:2: not Python", ""),
    ("", "", "```python\nimport no_such_package\n```\n", "docs/api.md:2: the block fails", ""),
    ("", "", "```python\nopen('model').read()\n```\n", None, ""),
    ("", "", "<!-- run: no, a sketch -->\n```python\nundefined\n```\n", None, "not run here: docs/api.md:3 a sketch"),
    ("", "", "<!-- run: no, a sketch -->\n\n```python\nundefined(\n```\n", "docs/api.md:", ""),
    ("", "", "<!-- run: no -->\n```python\nundefined\n```\n", "docs/api.md:3: expected `run: no, REASON`", ""),
    ("", "", "<!-- run: no, a sketch -->\ntext\n", "docs/api.md:1: no block of Python follows", ""),
    ("", "", "<!-- run: tests/other.py -->\n```python\nundefined\n```\n", None, "run by tests/other.py"),
    ("", "", "<!-- run: tests/none.py -->\n```python\nundefined\n```\n", "docs/api.md:3: expected", ""),
    ("", "", "```python\nx = 1\n", "docs/api.md:1: the block has no end", ""),
    ("", "", "in Python: `torch.save('new', 'good')`\n", None, "1 block of 1 page"),
    ("", "", "in Python: `torch.save('new', 'bad')`\n", "docs/api.md:1: mo does not convert what it writes", ""),
    ("", "", "in Python: `torch.nothing()`\n", "docs/api.md:1: expected one model, got []", ""),
    ("", "", "in Python: `torch.undefined()`\n", "docs/api.md:1: the block fails", ""),
    ("", "", "text\nin Python: `keras.save()`\n", None, "skipped: docs/api.md:2 needs keras"),
]


@contextlib.contextmanager
def stand_ins():
    """A PyTorch that writes strings, and no Keras, whatever is installed."""
    torch = types.ModuleType("torch")
    torch.save, torch.nothing = lambda path, text: Path(path).write_text(text, encoding="utf-8"), lambda: None
    names = ("torch", "keras")
    installed, models = {name: sys.modules[name] for name in names if name in sys.modules}, framework_models.torch_models
    sys.modules.update(torch=torch, keras=None)
    framework_models.torch_models = lambda: {"torch": torch}
    try:
        yield
    finally:
        for name in names:
            del sys.modules[name]
        sys.modules.update(installed)
        framework_models.torch_models = models


def self_test():
    failures = []
    for number, (old, new, page, problem, summary) in enumerate(SELF_TESTS):
        with tempfile.TemporaryDirectory() as root:
            Path(root, "docs").mkdir()
            Path(root, "tests").mkdir()
            Path(root, "docs", "api.md").write_text(page, encoding="utf-8")
            Path(root, "tests", "other.py").write_text("api.md\n", encoding="utf-8")
            source = Path(root, "sample.py")
            source.write_text(GOOD.replace(old, new, 1) + MORE, encoding="utf-8")
            spec = importlib.util.spec_from_file_location("sample", source)
            sample = sys.modules["sample"] = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(sample)
            with stand_ins():
                found = check(root, sample, lambda folder: Path(folder, "model").write_text(""), {"sample": sample})
            del sys.modules["sample"]
            if old not in GOOD:
                failures.append(f"case {number}: {old!r} is not in the sample")
        problems, printed = "\n".join(found.problems), summary_of(found)
        if (problem is None and problems) or (problem is not None and problem not in problems) or summary not in printed:
            failures.append(f"case {number}: expected {problem!r} and {summary!r}, found {problems!r} and {printed!r}")
    return failures


def counted(number, noun):
    return f"{number} {noun}{'' if number == 1 else 's'}"


def summary_of(examples):
    return "\n".join([*(f"not run here: {each}" for each in examples.elsewhere), *(f"skipped: {each}" for each in examples.skipped),
                      f"{counted(examples.blocks, 'block')} of {counted(examples.pages, 'page')} and {counted(examples.docstrings, 'docstring')}: "
                      f"{counted(examples.statements, 'example')}, {len(examples.skipped)} skipped, {counted(len(examples.problems), 'problem')}"])


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    if sys.argv[1] == "--self-test":
        failures = self_test()
        print(*failures, f"self-test: {counted(len(SELF_TESTS), 'case')}, {counted(len(failures), 'problem')}", sep="\n")
        return 1 if failures else 0
    if len(sys.argv) == 3:
        sys.path.insert(0, str(ROOT / "tests" / "peers"))
        import environments
        python, problem = environments.environment(sys.argv[2], create=False)
        if python is None:
            required = environments.is_required(sys.argv[2])
            print(f"{'required' if required else 'skipped'}: {sys.argv[2]}: {problem}")
            return 1 if required else numpy_python.SKIPPED
        os.execv(python, [python, *sys.argv[:2]])
    sys.dont_write_bytecode = True
    sys.path.insert(0, os.path.abspath(sys.argv[1]))
    package = importlib.import_module("mo_openvino")
    examples = check(ROOT, package, write_models, {"mo": package, "numpy": numpy})
    print(*examples.problems, summary_of(examples), sep="\n")
    return 1 if examples.problems or not examples.blocks or not examples.docstrings else 0


if __name__ == "__main__":
    sys.exit(main())
