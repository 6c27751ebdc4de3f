"""The verdict about one case: what an engine makes of what mo wrote, compared with the expected numbers."""
import os

import numpy as np

import case as cases
from closeness import difference

RIGHT, REFUSED, UNREAD, UNCOMPILED, UNCOMPUTED, WRONG, CRASH = "right", "refused", "not read", "not compiled", "not computed", "wrong", "crash"
LACKS = (UNREAD, UNCOMPILED, UNCOMPUTED)  # of an engine that is given the source: it lacks an operator, which is not an error of mo
OF_STEP = {"start": CRASH, "read": UNREAD, "compile": UNCOMPILED, "infer": UNCOMPUTED}


class Verdict:
    """`reached`: the last step that worked (None, "converted", "read", "compile", "infer")."""

    def __init__(self, kind, why="", reached=None, code=None):
        self.kind, self.why, self.reached, self.code = kind, why, reached, code


def match(name, position, outputs, expected_count):
    """The output of this name, by its place when no name fits and there are as many outputs as expected."""
    for spelling in cases.spellings(name):
        for output in outputs:
            if spelling in output["names"]:
                return output
    return outputs[position] if len(outputs) == expected_count else None


def compare(case, target, outputs, expected):
    """What is wrong, or an empty string."""
    if case.all_outputs and len(outputs) != len(expected):
        return f"{len(outputs)} outputs, expected {len(expected)}: {[output['names'][0] for output in outputs][:8]}"
    for position, (name, want) in enumerate(expected):
        output = match(name, position, outputs, len(expected))
        if output is None:
            return f"no output '{name}', have {[n for o in outputs for n in o['names']][:8]}"
        have = np.load(output["file"])
        if target is not None and target.version == 10 and want.ndim == 0 and have.shape == (1,):
            have = have.reshape(())  # the runtime of 2021.4 has no scalars
        tolerance = case.tolerance_of(name)
        why = difference(have, want, tolerance, output["type"])
        if why and case.channels_last and target.version == 10 and have.ndim in (4, 5):
            why = difference(np.moveaxis(have, 1, -1), want, tolerance, output["type"])
        if why:
            return f"{name}: {why}"
    return ""


def ask(worker, model, inputs, folder, until, reshape=False, check=False):
    """The worker's answer about a model and arrays. `check`: the package of its format judges it first."""
    os.makedirs(folder, exist_ok=True)
    entries = []
    for i, (name, array) in enumerate(inputs):
        path = os.path.join(folder, f"in{i}.npy")
        np.save(path, array)
        entries.append({"names": [name], "file": path})
    return worker.ask({"model": model, "inputs": entries, "output_dir": os.path.join(folder, "out"), "until": until, "reshape": reshape, "check": check,
                       "dirty": True})


def judge(case, target, model, worker, inputs, expected, folder):
    """`target`: None when `model` is the source itself."""
    answer = ask(worker, model, cases.feed(case, target, model, inputs) if target else inputs, folder, case.until,
                 case.reshape and (target is None or target.needs_ranks), isinstance(target, cases.OnnxTarget) and ("form" if case.convert else True))
    steps = ["read", "compile", "infer"]
    if "failed" in answer:
        failed = answer["failed"]
        reached = steps[steps.index(failed) - 1] if failed in steps[1:] else "converted"
        if "died" in answer:
            return Verdict(CRASH, f"{answer['died']} in {failed}: {answer['error']}", reached)
        return Verdict(OF_STEP[failed], answer["error"], reached)
    why = compare(case, target, answer["outputs"], expected) if case.until == "infer" else ""
    return Verdict(WRONG if why else RIGHT, why, case.until)
