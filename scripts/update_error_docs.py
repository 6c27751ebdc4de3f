#!/usr/bin/env python3
"""Makes docs/errors.md from the tables in docs/errors.d.

usage: update_error_docs.py            writes docs/errors.md
       update_error_docs.py --check    exit code 1 when docs/errors.md is not what would be written
"""
import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TARGET = os.path.join(ROOT, "docs", "errors.md")
ROW = re.compile(r"^\|\s*`?(MO-([A-Z]+)-[0-9]{4})`?\s*\|(.*)\|(.*)\|\s*$")
AREAS = {
    "BACK": "Back phase: taking the model down to the op sets of the target",
    "CAFFE": "Caffe models",
    "CLI": "Command line",
    "CORE": "Core: tensors, attributes, values",
    "EMIT": "Writing the IR",
    "EXEC": "Executing a graph",
    "FRONT": "Front phase: framework operations",
    "GRAPH": "Graph and ports",
    "IO": "Files",
    "IR": "Reading an IR",
    "LAYOUT": "Layout change",
    "MIDDLE": "Middle phase: fusing and normalising",
    "NPY": "numpy array files",
    "ONNX": "ONNX models",
    "OPS": "Operations: shapes, types, evaluation",
    "PASS": "Passes",
    "PB": "Protobuf files",
    "PLUGIN": "Plugins",
    "RUN": "mo_run and mo_conformance",
    "TEXT": "Text form of a graph",
    "TF": "TensorFlow models",
}
HEAD = """# Error codes

Every message of mo starts with a code, such as `MO-OPS-0012`. Codes keep their meaning for ever. What each one means and what to do about it:

<!-- Made by scripts/update_error_docs.py from docs/errors.d: edit there. -->
"""


def rows():
    found = {}
    for path in sorted(glob.glob(os.path.join(ROOT, "docs", "errors.d", "*.md"))):
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                match = ROW.match(line)
                if match:
                    found[match[1]] = (match[2], match[3].strip(), match[4].strip())
                elif line.startswith("| MO-") or line.startswith("| `MO-"):
                    sys.exit(f"{os.path.relpath(path, ROOT)}:{number}: want `| code | cause | cure |`")
    return found


def text():
    found = rows()
    parts = [HEAD]
    for area in sorted({row[0] for row in found.values()}):
        parts.append(f"\n## {AREAS.get(area, area.capitalize())} (MO-{area})\n\n| code | cause | cure |\n|---|---|---|\n")
        for code in sorted(found):
            if found[code][0] == area:
                # The anchor is what messages link to: docs/errors.md#MO-OPS-0012.
                parts.append(f'| <a id="{code}"></a>`{code}` | {found[code][1]} | {found[code][2]} |\n')
    return "".join(parts)


def main():
    wanted = text()
    if sys.argv[1:] == ["--check"]:
        have = open(TARGET, encoding="utf-8").read() if os.path.exists(TARGET) else ""
        if have != wanted:
            print("docs/errors.md is out of date: run scripts/update_error_docs.py")
            return 1
        return 0
    with open(TARGET, "w", encoding="utf-8") as file:
        file.write(wanted)
    return 0


if __name__ == "__main__":
    sys.exit(main())
