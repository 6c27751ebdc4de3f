#!/usr/bin/env python3
"""Computes the numbers of `--- evaluate` sections anew, from the definitions of the operators in formulas_*.py, and compares them with what the tests have.

The formulas are written after the specifications (ONNX, TensorFlow, Caffe, IR), in numpy and double precision, and know nothing of mo. A case is computed
when there is a formula for each of its operators. How many expected tensors of each file are computed is recorded in computed.txt: there may be more
than that, never fewer.

usage: check.py                    compares; exit code 1 when a number differs or fewer than recorded are computed
       check.py FILE[:LINE]        prints the numbers of the cases of a .test file, or of the case at that line, as the file has them
       check.py --missing          which operators without formula most cases want
       check.py --update           writes computed.txt
       check.py --self-test        checks that a wrong number is found
"""
import collections
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
TESTS = HERE.parent

sys.path.insert(0, str(TESTS / "support"))
import numpy_python  # noqa: E402,F401

import numpy as np  # noqa: E402

import cases  # noqa: E402
import closeness  # noqa: E402
import formulas_attention  # noqa: E402
import formulas_caffe  # noqa: E402
import formulas_onnx  # noqa: E402
import formulas_onnx_recurrent  # noqa: E402
import formulas_onnx_resize  # noqa: E402
import formulas_openvino  # noqa: E402
import formulas_ops  # noqa: E402
import formulas_quantized  # noqa: E402
import formulas_tensorflow  # noqa: E402
import formulas_tensorflow_recurrent  # noqa: E402

FORMULAS = {**formulas_ops.FORMULAS, **formulas_onnx.FORMULAS, **formulas_tensorflow.FORMULAS, **formulas_caffe.FORMULAS,
            **formulas_attention.FORMULAS, **formulas_onnx_recurrent.FORMULAS, **formulas_onnx_resize.FORMULAS, **formulas_openvino.FORMULAS,
            **formulas_quantized.FORMULAS, **formulas_tensorflow_recurrent.FORMULAS}


def run(graph, feeds):
    """The results; None when there is no formula for what they need."""
    values = {}
    for tensor, name in graph.inputs:
        if name not in feeds:
            return None
        values[tensor] = feeds[name]
    for node in graph.nodes:
        formula = FORMULAS.get(node.op) or FORMULAS.get(node.op.split(".v")[0])
        if formula is None:
            continue
        inputs = [values.get(i, KeyError) if isinstance(i, str) else i for i in node.inputs]
        if any(i is KeyError for i in inputs):
            continue
        try:
            with np.errstate(all="ignore"):
                made = formula(node, *inputs)
        except (ValueError, TypeError, IndexError, KeyError, AttributeError):
            made = None
        if made is None:
            continue  # a form of the operator that the formula does not cover; computed.txt says how many it does
        values.update(zip(node.outputs, made if isinstance(made, (list, tuple)) else [made]))
    return [values.get(result) for result in graph.results]


def difference(got, want):
    return closeness.difference(got, want, closeness.exact_halves(1e-2 if want.dtype == np.float16 else 1e-4, 2e-6, scale=closeness.ELEMENT))


def compare(paths):
    """File -> how many expected tensors were computed; and the problems."""
    computed, problems = collections.Counter(), []
    for path in paths:
        name = str(path.relative_to(TESTS)) if path.is_relative_to(TESTS) else path.name
        for line, graph, sections in cases.read(path):
            if graph is None:
                continue
            for feeds, wanted in sections:
                results = run(graph, feeds)
                if results is None or len(results) != len(wanted):
                    continue
                for i, (got, want) in enumerate(zip(results, wanted)):
                    if got is None:
                        continue
                    computed[name] += 1
                    if problem := difference(got, want):
                        problems.append(f"{name}:{line}: result {i}: {problem}")
    return computed, problems


def missing(paths):
    wanted = collections.Counter()
    for path in paths:
        for _, graph, sections in cases.read(path):
            for op in {node.op for node in graph.nodes if node.op not in FORMULAS} if graph else {f"({sections[:60]})"}:
                wanted[op] += 1
    return wanted


def too_few(computed, wanted):
    return [f"{name}: {computed.get(name, 0)} tensors are computed, {count} are recorded" for name, count in wanted.items() if computed.get(name, 0) < count]


def self_test(folder):
    right = "=== a\ngraph(%x: f32[2]) {\n  %y = Exp(%x)\n  return %y\n}\n--- evaluate\n%x = [0, 1]:f32\n=> [1, 2.7182818]:f32\n"
    failures = []
    for text, count, wrong in ((right, 1, 0), (right.replace("2.7182818", "2.7192818"), 1, 1), (right.replace("[1, 2.7182818]", "[[1, 2.7182818]]"), 1, 1),
                               (right.replace("Exp", "NoSuchOp"), 0, 0)):
        path = Path(folder, "a.test")
        path.write_text(text)
        computed, problems = compare([path])
        if sum(computed.values()) != count or len(problems) != wrong:
            failures.append(f"{text}: {computed} {problems}")
    for computed, wanted, wrong in (({"a": 2}, {"a": 2}, 0), ({"a": 3}, {"a": 2}, 0), ({"a": 1}, {"a": 2}, 1), ({}, {"a": 1}, 1)):
        if len(too_few(computed, wanted)) != wrong:
            failures.append(f"{computed} against {wanted}: {too_few(computed, wanted)}")
    return failures


def recorded():
    rows = (line.split() for line in (HERE / "computed.txt").read_text().splitlines() if line and not line.startswith("#"))
    return {name: int(count) for count, name in rows}


def written(array):
    array = np.asarray(array)
    if array.ndim:
        return "[" + ", ".join(written(item) for item in array) + "]"
    return str(int(array)) if array.dtype.kind in "iub" else f"{float(array):.8g}"


def main():
    paths = sorted(TESTS.rglob("*.test"))
    argument = sys.argv[1] if len(sys.argv) > 1 else ""
    if argument == "--missing":
        for op, count in missing(paths).most_common(80):
            print(count, op)
    elif argument == "--self-test":
        import tempfile
        with tempfile.TemporaryDirectory() as folder:
            failures = self_test(folder)
        print("\n".join(failures + [f"self-test: {len(failures)} problems"]))
        return 1 if failures else 0
    elif argument and not argument.startswith("--"):
        name, _, line = argument.partition(":")
        if not Path(name).is_file():
            sys.exit(f"there is no file {name}")
        for where, graph, sections in cases.read(Path(name).resolve()):
            if line and int(line) != where or graph is None:
                continue
            for feeds, wanted in sections:
                print(f"{name}:{where}")
                for got in run(graph, feeds) or []:
                    print("=>", "no formula" if got is None else written(got))
    else:
        computed, problems = compare(paths)
        if argument == "--update":
            lines = [f"{count:5} {name}\n" for name, count in sorted(computed.items())]
            (HERE / "computed.txt").write_text("# Expected tensors that check.py computes from formulas, by file. Never fewer.\n" + "".join(lines))
        problems += too_few(computed, recorded())
        print("\n".join(problems + [f"{sum(computed.values())} expected tensors of {len(computed)} files computed anew: {len(problems)} problems"]))
        return 1 if problems else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
