#!/usr/bin/env python3
"""The kinds of bad input that docs/bad_input.md promises to survive, by row: for each row its cases here (a file that is made, the exit code,
the code of the first error) and the tests elsewhere that cover it.

usage: bad_input_rows.py BIN [--row N] [--table]     BIN: folder of the programs; --table prints row, test, exit code
       bad_input_rows.py --check                     only: every row has a test, every test that is named elsewhere exists

Each case runs in a process of its own. Whatever the input is: no signal, within seconds, and a failed run leaves no file.
"""
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "support"))
import bad_input_cases  # noqa: E402
import bad_input_files  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SECONDS = 200  # a limit against a hang, not a measure: other tests run beside this one
ROWS = 81
PENDING = {81: "too little memory while the graph grows"}  # row -> what nothing covers yet

E2E, PLUGINS = "tests/e2e", "tests/plugins/plugins_test.py"
ELSEWHERE = {  # row -> (file, test)
    5: [(f"{E2E}/tensorflow_bad_file_test.cpp", "CutAnywhere"), ("tests/frontends/caffe/bad_files_test.cpp", "CutAnywhere")],
    9: [(f"{E2E}/tensorflow_bad_file_test.cpp", "WireForm")],
    12: [(f"{E2E}/tensorflow_bad_file_test.cpp", "VeryManyEmptyNodes"), ("tests/frontends/caffe/bad_files_test.cpp", "VeryMany")],
    16: [(f"{E2E}/tensorflow_bad_file_test.cpp", "Names")],
    20: [(f"{E2E}/tensorflow_bad_graph_test.cpp", "NamesAndEdges")],
    22: [(f"{E2E}/tensorflow_bad_graph_test.cpp", "ControlFlow")],
    23: [(f"{E2E}/tensorflow_bad_graph_test.cpp", "Functions"), ("tests/frontends/tensorflow/functions_test.cpp", "MO-TF-0014")],
    31: [(f"{E2E}/tensorflow_bad_graph_test.cpp", "AttributesOfTheWrongKind")],
    33: [(f"{E2E}/tensorflow_bad_graph_test.cpp", "Tensors")],
    38: [("tests/frontends/onnx/external_data_test.cpp", "TEST")],
    41: [(f"{E2E}/tensorflow_bad_file_test.cpp", "ChangedWhileItIsConverted"), ("tests/ir/emitted_files_test.cpp", "ASourceThatShrinksIsAnError")],
    46: [(f"{E2E}/tensorflow_bad_ops_test.cpp", "ConvolutionsAndPooling")],
    48: [(f"{E2E}/tensorflow_bad_ops_test.cpp", "AxesOutOfRange")],
    50: [(f"{E2E}/tensorflow_huge_test.cpp", "Sequences")],
    51: [(f"{E2E}/tensorflow_huge_test.cpp", "ChainsOfConstantsThatGrow")],
    54: [(f"{E2E}/tensorflow_bad_graph_test.cpp", "OneNodeWithVeryManyReaders")],
    56: [("tests/core/pass_test.cpp", "MO-PASS-0004")],
    58: [("tests/frontends/caffe/weights_test.cpp", "TEST")],
    62: [("tests/frontends/tensorflow/checkpoint_damage_test.cpp", "TEST")],
    63: [("tests/frontends/tensorflow/checkpoint_slices_test.cpp", "slices_that_overlap_or_are_missing_are_errors")],
    66: [("tests/extensions/json_document_test.cpp", "EachMistakeIsFoundWhereItIs")],
    71: [("tests/cli/option_grammar_test.cpp", "IsRefusedWithTheCaretUnderThePlace"), ("tests/cli/option_grammar_test.cpp", "AMillionEntries")],
    72: [("tests/ir/emitted_files_test.cpp", "AFullDiskLeavesNoFiles"), ("tests/ir/emitted_files_test.cpp", "RefusesTargetsThatAreNotFiles")],
    74: [("tests/ir/emitted_files_test.cpp", "NeverOverwritesAnInput")],
    75: [(PLUGINS, "test_no_elf_file"), (PLUGINS, "test_of_another_machine"), (PLUGINS, "test_without_the_symbol"), (PLUGINS, "test_that_throws"),
         (PLUGINS, "test_that_would_end_the_process"), (PLUGINS, "test_files_that_everybody_may_write_to"), (PLUGINS, "test_duplicate_names")],
    76: [(PLUGINS, "test_impossible_things"), (PLUGINS, "test_exceptions_end_at_the_border")],
    77: [("tests/ir/reader_test.cpp", "CorruptFilesAreErrors"), ("tests/ir/reader_test.cpp", "DeepOrWideFilesAreHandled")],
    78: [("benchmarks/run_benchmarks.py", "transformer")],
    79: [("tests/ir/emitted_files_test.cpp", "ASignalRemovesTheTemporaries")],
}


def all_cases():
    for source in (bad_input_cases.files_and_wires, bad_input_cases.names_and_edges, bad_input_cases.tensors, bad_input_cases.operators,
                   bad_input_files.caffe, bad_input_files.saved_models, bad_input_files.configurations, bad_input_files.options,
                   bad_input_files.intermediate_representations, bad_input_files.circumstances):
        yield from source()


def write(folder, files):
    for name, content in files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if isinstance(content, str) and content.startswith("->"):
            os.symlink(content[2:], path)
            continue
        with open(path, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)


def problem_of(case, binaries):
    """What is wrong with the outcome; empty when nothing is."""
    with tempfile.TemporaryDirectory() as folder:
        write(folder, case.files)
        before = set(os.listdir(folder))
        arguments = case.arguments or ["--input_model", os.path.join("{dir}", next(iter(case.files)))]
        arguments = [argument.replace("{dir}", folder) for argument in arguments]
        results = os.path.join(folder, "results")
        if "--output_dir" not in arguments:
            arguments += ["--output_dir", results]
        try:
            started = ["sh", "-c", case.shell, "sh"] if case.shell else []
            process = subprocess.run([*started, os.path.join(binaries, case.program), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                     stdin=subprocess.DEVNULL, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return f"runs for more than {SECONDS} s"
        try:
            text = process.stderr.decode("utf-8")
        except UnicodeDecodeError:
            return "writes something that is no UTF-8 to a terminal"
        first = re.search(r"^\[ ERROR \]  (MO-[A-Z]+-[0-9]{4})", text, re.MULTILINE)
        found = first[1] if first else ""
        if process.returncode != case.exit_code or not found.startswith(case.code) or bool(found) != bool(case.code):
            return f"wanted exit code {case.exit_code} {case.code}, got {process.returncode} {found}: {text.strip()[:300]}"
        if case.exit_code:
            left = set(os.listdir(folder)) - before - {"results"}
            if os.path.isdir(results):
                left.update(os.listdir(results))
            if left:
                return f"leaves {', '.join(sorted(left))}"
    return ""


def check_rows(cases):
    problems = []
    covered = {case.row for case in cases} | ELSEWHERE.keys()
    for row in range(1, ROWS + 1):
        if row not in covered and row not in PENDING:
            problems.append(f"row {row}: no test")
        elif row in covered and row in PENDING:
            problems.append(f"row {row}: has a test and is listed as pending")
    for row, tests in ELSEWHERE.items():
        for path, name in tests:
            full = os.path.join(ROOT, path)
            if not os.path.exists(full) or name not in open(full, encoding="utf-8").read():
                problems.append(f"row {row}: {path} has no {name}")
    return problems


def main():
    arguments = sys.argv[1:]
    only = int(arguments[arguments.index("--row") + 1]) if "--row" in arguments else None
    cases = [case for case in all_cases() if only in (None, case.row)]
    problems = [] if only else check_rows(cases)
    if "--check" not in arguments:
        with ThreadPoolExecutor(2) as pool:
            outcomes = list(pool.map(lambda case: problem_of(case, arguments[0]), cases))
        problems += [f"row {case.row}: {case.title}: {outcome}" for case, outcome in zip(cases, outcomes) if outcome]
    if "--table" in arguments:
        for case in sorted(cases, key=lambda case: case.row):
            print(f"| {case.row} | {case.title} | {case.exit_code} {case.code} |")
        for row, tests in sorted(ELSEWHERE.items()):
            for path, name in tests:
                print(f"| {row} | {path}: {name} | |")
    for problem in problems:
        print(problem)
    print(f"{len(cases)} cases, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
