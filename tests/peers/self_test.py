#!/usr/bin/env python3
"""Checks that the harness reports what happens: a wrong number as wrong, a crash as a crash, a listed fault that is gone as stale."""
import json
import os
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "support"), str(HERE.parents[1] / "tools" / "verify" / "engines")]
import numpy_python  # noqa: E402,F401

import numpy as np  # noqa: E402

import earlier  # noqa: E402
import environments  # noqa: E402
import known  # noqa: E402
import processor  # noqa: E402
import worker as workers  # noqa: E402
from case import Case, Target  # noqa: E402
from closeness import ELEMENT, ELEMENT_AND_RMS, Tolerance, difference, distance, exact_halves  # noqa: E402
from serving import assign  # noqa: E402
from table import Table  # noqa: E402
from verdict import Verdict, judge  # noqa: E402

# What the pretended engine does, the verdict, part of the reason.
ENGINES = [("double", "right", ""), ("triple", "wrong", "3.0 instead of 2.0"), ("twice", "wrong", "2 outputs, expected 1"), ("unreadable", "not read", "not a model"),
           ("uncompilable", "not compiled", "no kernel"), ("uncomputable", "not computed", "shapes"), ("abort", "crash", "signal 6"), ("spin", "crash", "limit in infer"),
           ("sleep", "crash", "hang in infer"), ("unwritten", "wrong", "NaN"), ("double", "right", "")]
NAN = float("nan")
COMPARISONS = [  # have, want, part of the difference
    ([1.0], [1.0], ""), ([1.0], [1.00005], ""), ([1.0], [1.01], "numbers"), ([[1.0]], [1.0], "shape [1, 1]"), ([NAN], [NAN], ""), ([NAN], [1.0], "NaN"),
    ([float("inf")], [1e30], "+inf"), ([1], [2], "integers"), ([1.5], [1], "integers"), ([True], [False], "integers"), ([], [], ""), (["a"], ["b"], "strings")]
SCALES = [  # tolerance, how many of 100.5, 1.5, 0.5 are not close to 100, 1, 0
    (exact_halves(0.01, scale=ELEMENT), 2), (exact_halves(0.01, scale=ELEMENT, least_scale=50), 0), (exact_halves(0.0086, scale=ELEMENT_AND_RMS), 1),
    (exact_halves(0.0087, scale=ELEMENT_AND_RMS), 0), (exact_halves(0.0049), 3), (exact_halves(0.005), 0), (exact_halves(0, 0.5), 0)]
ROWS = [[0, 1, 0.9, 0, 0, 1, 1], [0, 2, 0.8, 0, 0, 1, 1]]


def problems_of_engines(folder):
    workers.ASLEEP_LIMIT = 1
    engine = workers.Worker("pretended", sys.executable, HERE / "self_test_engine.py", cpu_limit=1)
    case = Case("case", [], None)
    for text, kind, why in ENGINES:
        model = Path(folder) / "model"
        model.write_text(text, encoding="utf-8")
        verdict = judge(case, None, str(model), engine, [("x", np.ones(2, np.float32))], [("y", np.full(2, 2, np.float32))], folder)
        if verdict.kind != kind or why not in verdict.why:
            yield f"engine '{text}': expected {kind} ({why}), got {verdict.kind} ({verdict.why})"
    engine.stop()


def problems_of_comparisons():
    for have, want, part in COMPARISONS:
        found = difference(np.array(have), np.array(want), Tolerance())
        if bool(found) != bool(part) or part not in found:
            yield f"{have} against {want}: expected '{part}', got '{found}'"
    for tolerance, count in SCALES:
        found = difference(np.array([100.5, 1.5, 0.5]), np.array([100, 1, 0.0]), tolerance)
        if not found.startswith(f"numbers (worst 0.5): {count} of 3") if count else found:
            yield f"{vars(tolerance)}: expected {count} differences, got '{found}'"
    if not difference(np.float16([1.0]), np.float16([1.005]), exact_halves(1e-3)):
        yield "a tolerance for all types is another one for 16 bits"
    if distance(np.ones(2), np.array([4, 1])) != 0.75 or distance(np.ones(2), np.ones(3)) != float("inf"):
        yield "distances are wrong"
    detections = Tolerance(detections=True)
    if difference(np.array(ROWS[::-1]), np.array(ROWS), detections):
        yield "detections in another order differ"
    if not difference(np.array(ROWS[:1] * 2), np.array(ROWS), detections):
        yield "a lost detection is not found"
    if difference(np.float16([1.0]), np.float16([1.005]), Tolerance()):
        yield "results of 16 bits are compared as if they had 32"


def problems_of_names():
    for given, ports, expected in [([["x:0"]], [["y"], ["x"]], None), ([["a"], ["b"]], [["b"], ["a"]], [1, 0]), ([["a"], ["b"]], [["b"]], [None, 0]),
                                   ([["q"], ["b"]], [["b"], ["a"]], [1, 0])]:
        try:
            found = assign(given, ports)
        except ValueError:
            found = None
        if found != expected:
            yield f"{given} to {ports}: expected {expected}, got {found}"


def problems_of_lists(folder):
    path = Path(folder) / "known.txt"
    path.write_text("# a comment\nopenvino-2* v10 models a? not compiled: it lacks the kernel; tried: A, B\n", encoding="utf-8")
    entries = known.Known(known.read(path))
    if not entries.entry_for("openvino-2022.1.0", "v10", "models", "ab", Verdict("not compiled")):
        yield "a listed fault is not recognised"
    if entries.entry_for("openvino-2022.1.0", "v10", "models", "ab", Verdict("wrong")):
        yield "another verdict than the listed one is taken for it"
    if entries.entry_for("openvino-2022.1.0", "v11", "models", "ab", Verdict("not compiled")):
        yield "a fault of another target is taken for the listed one"
    if entries.stale:
        yield "entries are stale although no case was right"
    entries.entry_for("openvino-2022.1.0", "v10", "models", "ac", Verdict("right"))
    if len(entries.stale) != 1:
        yield "a listed fault that is gone is not reported"
    for instructions, is_listed in (("no_such_instructions", True), (next(iter(processor.facts()[1]), ""), False)):
        if not instructions:
            continue
        path.write_text(f"openvino-2* v10 models a wrong without {instructions}: a fault of a kernel\n", encoding="utf-8")
        entries = known.Known(known.read(path))
        if bool(entries.entry_for("openvino-2022.1.0", "v10", "models", "a", Verdict("wrong"))) != is_listed:
            yield f"an entry for processors without {instructions} {'is not taken' if is_listed else 'is taken on one that has them'}"
    path.write_text("openvino-2* v10 models a wrong\n", encoding="utf-8")
    try:
        known.read(path)
        yield "an entry without a reason is accepted"
    except ValueError:
        pass


def problems_of_processor():
    kept, names = dict(os.environ), ("openvino-2021.4.2", "onnxruntime", "openvino-newest", "openvino-2022.1.0")
    if not all(processor.obeys(name) for name in names):
        yield "judges are left out although they may use everything"
    processor.do_without("avx512f")
    if any(flag.startswith("avx512") for flag in processor.facts()[1]) or not processor.lacks("avx512f") or "without avx512f" not in processor.description():
        yield "a processor that does without instructions still has them"
    if [processor.obeys(name) for name in names] != [False, False, False, True]:
        yield "judges that cannot do without instructions are asked, or others are not"
    if dict(os.environ) == kept:
        yield "engines are not told to do without instructions"
    processor.left_out.clear()
    processor.facts.cache_clear()
    os.environ.clear()
    os.environ.update(kept)


def problems_of_environments(folder):
    os.environ["MO_PEERS_DIR"] = folder
    python, reason = environments.environment("onnxruntime")
    if python or "onnxruntime" not in reason:
        yield f"a missing environment is reported as {python} {reason}"
    del os.environ["MO_PEERS_DIR"]
    environments.FOLDER, environments.pythons = Path(folder), dict
    _, reason = environments.environment("openvino-2021.4.2")
    if "environments.py openvino-2021.4.2" not in reason or "3.8" not in reason:
        yield f"the reason does not say what to install: {reason}"
    for judge_name in environments.judges():
        pins = [line for line in (environments.REQUIREMENTS / f"{judge_name}.txt").read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
        if not pins or any("==" not in pin.partition(";")[0] for pin in pins) or not environments.pythons_of(judge_name):
            yield f"{judge_name}: not every version is pinned"


def problems_of_table():
    table = Table()
    table.add("j", "c", "v11", Verdict("wrong", "", "infer"), False, True)
    row = table.rows["j", "c", "v11"]
    if (row["read"], row["compiled"], row["wrong"], row["right"], row["open"]) != (1, 1, 1, 0, 1):
        yield f"a wrong result is counted as {row}"
    if str(Target(11, "2022.1")) != "v11@2022.1":
        yield "a target without its release"


def problems_of_earlier_verdicts(folder):
    xml, run = Path(folder, "model.xml"), Path(folder, "run.json")
    xml.write_text("<net/>", encoding="utf-8")
    records = [dict(judge="j", corpus="c", case=name, verdict=verdict, ir=earlier.fingerprint(xml)) for name, verdict in (("good", "right"), ("bad", "wrong"))]
    run.write_text(json.dumps(records), encoding="utf-8")
    found = earlier.Earlier([run])
    case = {name: Case(name, [], None) for name in ("good", "bad")}
    before = [bool(found.verdict("j", "c", case[name], earlier.fingerprint(xml))) for name in case]
    xml.with_suffix(".bin").write_bytes(b"weights")
    after = found.verdict("j", "c", case["good"], earlier.fingerprint(xml))
    if before != [True, False] or after or found.verdict("other", "c", case["good"], records[0]["ir"]) or found.taken_over != 1:
        yield f"verdicts of an earlier run: {before}, of other bytes {after}, {found.taken_over} taken over"


def main():
    with tempfile.TemporaryDirectory() as folder:
        problems = [*problems_of_engines(folder), *problems_of_comparisons(), *problems_of_names(), *problems_of_lists(folder), *problems_of_environments(folder),
                    *problems_of_table(), *problems_of_processor(), *problems_of_earlier_verdicts(folder)]
    print("\n".join(problems + [f"self-test: {len(problems)} problems"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
