#!/usr/bin/env python3
"""Runs command lines of all kinds, right and wrong ones, and compares what mo makes of each with tests/e2e/command_line_verdicts.txt.

usage: command_line_verdicts.py BIN [--update]        BIN: folder of mo and transform_graph; --update writes the verdicts of mo into the file

The lines are those of MO_SHARED's cases/boundaries/command_lines.txt, run in a folder of small models that is made from MO_SHARED. A row of the file is

    <2021> <2024> <mo v10> <mo v11> | <line> [| <reason>]

What the releases of the original did is + (accepted) or -. For mo it is +, or the code of the first error, with --ir_version 10 and without. A line that
an original accepts and mo refuses needs a reason; docs/differences.md ("Command lines") names the line that works.
"""
import concurrent.futures
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from shared_folder import shared_folder

LINES = "cases/boundaries/command_lines.txt"
VERDICTS = Path(__file__).with_name("command_line_verdicts.txt")
# File of the folder: its place in MO_SHARED.
MODELS = {"mnist.onnx": "cases/findings/original/mnist.onnx", "iris.onnx": "cases/findings/original/iris.onnx",
          "det1.caffemodel": "cases/findings/original/det1.caffemodel", "det1.prototxt": "cases/findings/original/det1.prototxt",
          "dtln.onnx": "models/onnx/onnx_dtln_1/model_1.onnx", "plus3.pb": "models/tf/tf_plus3/plus3.pb",
          "cifar.pb": "models/tf/tf_cifar_frozen/frozen_model.pb", "ck/model.meta": "models/tf/tf_cifar_ckpt/model.ckpt.meta",
          "ck/model.index": "models/tf/tf_cifar_ckpt/model.ckpt.index",
          "ck/model.data-00000-of-00001": "models/tf/tf_cifar_ckpt/model.ckpt.data-00000-of-00001",
          "sm/saved_model.pb": "models/tf/tf_mnist_lr_savedmodel/saved_model.pb",
          "sm/variables/variables.index": "models/tf/tf_mnist_lr_savedmodel/variables/variables.index",
          "sm/variables/variables.data-00000-of-00001": "models/tf/tf_mnist_lr_savedmodel/variables/variables.data-00000-of-00001"}
TEXTS = {"args.txt": "--input_model\nmnist.onnx\n", "broken.json": '[{"id": "x",\n', "emptylist.json": "[]\n", "empty.onnx": "",
         "unknown.json": '[{"id": "NoSuchReplacement", "match_kind": "general", "custom_attributes": {}}]\n',
         "noid.json": '[{"match_kind": "general", "custom_attributes": {}}]\n'}
NO_CONVERSION = ("--help", "-h", "--version")


def make_folder(bins, shared, folder):
    for name, place in MODELS.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(shared / place, folder / name)
    for name, text in TEXTS.items():
        (folder / name).write_text(text)
    mnist = (folder / "mnist.onnx").read_bytes()
    for name in ("mnist.bin2", "noext", "with space.onnx", "a.b.c.onnx"):
        (folder / name).write_bytes(mnist)
    (folder / "cut.onnx").write_bytes(mnist[:len(mnist) // 2])
    (folder / "other.prototxt").write_text((folder / "det1.prototxt").read_text().replace("PNet", "Other"))
    for name in ("adir", "ext"):
        (folder / name).mkdir()
    subprocess.run([bins / "transform_graph", f"--in_graph={folder / 'cifar.pb'}", f"--out_graph={folder / 'cifar.pbtxt'}", "--output_as_text=true",
                    "--transforms=sort_by_execution_order"], check=True, capture_output=True, timeout=60)


def place(source, target):
    """mo never writes into a file that is there, but what a model names must not be a link."""
    if Path(source).name.startswith(("variables.", "model.")):
        shutil.copyfile(source, target)
    else:
        os.link(source, target)


def run(bins, models, line, version):
    """The verdict of mo in a copy of the folder."""
    words = shlex.split(line)
    if version == 10 and "--ir_version" not in words:
        words += ["--ir_version", "10"]
    with tempfile.TemporaryDirectory() as top:
        work = Path(top) / "work"
        shutil.copytree(models, work, copy_function=place)
        try:
            done = subprocess.run([bins / "mo", *words], cwd=work, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL, timeout=60,
                                  check=False)
        except subprocess.TimeoutExpired:
            return "timeout"
        made = {path.suffix for path in Path(top).rglob("*") if path.suffix in (".xml", ".bin")}
        if done.returncode:
            code = re.search(r"\[ ERROR \]  (MO-[A-Z]+-\d+)", done.stderr)
            return f"leaves{made}" if made else code[1] if code else f"exit{done.returncode}"
        return "+" if made == {".xml", ".bin"} or words[0] in NO_CONVERSION else "nothing"


def read_verdicts():
    """Line -> ([2021, 2024, v10, v11], reason), and the comments at the top."""
    rows, head = {}, []
    for text in VERDICTS.read_text().splitlines():
        if text.startswith("#"):
            head.append(text)
            continue
        verdicts, line, *reason = (part.strip() for part in text.split(" | "))
        rows[line] = (verdicts.split(), reason[0] if reason else "")
    return rows, head


def write_verdicts(head, lines, rows):
    width = max(len(code) for verdicts, _ in rows.values() for code in verdicts[2:])
    with VERDICTS.open("w") as file:
        for text in head:
            file.write(text + "\n")
        for line in lines:
            (first, second, v10, v11), reason = rows[line]
            file.write(f"{first} {second} {v10:<{width}} {v11:<{width}} | {line}{' | ' + reason if reason else ''}\n")


def main():
    bins = Path(sys.argv[1]).resolve()
    shared = shared_folder(LINES, *MODELS.values())
    lines = [text.split("|", 1)[1].strip() or "(nothing)" for text in (shared / LINES).read_text().splitlines() if text]
    known, head = read_verdicts()
    problems = [f"no verdict for: {line}" for line in lines if line not in known] + [f"no such line: {line}" for line in known if line not in lines]
    with tempfile.TemporaryDirectory() as top, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        models = Path(top) / "models"
        make_folder(bins, shared, models)
        jobs = {line: [pool.submit(run, bins, models, "" if line == "(nothing)" else line, version) for version in (10, 11)] for line in lines}
        found = {line: [job.result() for job in pair] for line, pair in jobs.items()}
    counts = {"2021": {}, "2024": {}}
    for line, ours in found.items():
        verdicts, reason = known.get(line, (["-"] * 4, ""))
        originals = verdicts[:2]
        if ours != verdicts[2:]:
            problems.append(f"{' '.join(ours)}, not {' '.join(verdicts[2:])}: {line}")
        refuses = [theirs == "+" and mine != "+" for theirs, mine in zip(originals, ours)]
        if any(refuses) != bool(reason):
            problems.append(f"{'a reason is missing' if any(refuses) else 'there is nothing to give a reason for'}: {line}")
        for release, theirs, mine in zip(counts, originals, ours):
            kind = (theirs == "+", mine == "+")
            counts[release][kind] = counts[release].get(kind, 0) + 1
        known[line] = (originals + ours, reason)
    if "--update" in sys.argv:
        write_verdicts(head, lines, known)
    titles = {(True, True): "both accept", (False, False): "both refuse", (False, True): "only mo", (True, False): "only the original"}
    for release, kinds in counts.items():
        print(f"{release}: " + ", ".join(f"{kinds.get(kind, 0)} {title}" for kind, title in titles.items()))
    print("\n".join(problems[:20]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
