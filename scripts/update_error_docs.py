#!/usr/bin/env python3
"""Makes docs/errors.md from the tables in docs/errors.d. original_messages.md becomes the last section.

usage: update_error_docs.py            writes docs/errors.md
       update_error_docs.py --check    exit code 1 when docs/errors.md is not what would be written
"""
import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TARGET = os.path.join(ROOT, "docs", "errors.md")
ROW = re.compile(r"^\|\s*`?(MO-([A-Z]+)-[0-9]{4})`?(?: \(exit ([0-9])\))?\s*\|(.*)\|(.*)\|\s*$")
AREA = re.compile(r"^\| MO-([A-Z]+) \| ([0-9]) \| (.+) \|$")
MESSAGE = re.compile(r"^\| (`.+`) \| ([0-9 ]*)\| ((?:MO-[A-Z]+-[0-9]{4} )+)\|(.*)\|$")
HEAD = """# Error codes

Every message of mo starts with a code, such as `MO-OPS-0012`. Codes keep their meaning for ever. What each one means and what to do about it,
and the [exit code](cli.md#exit-codes) when it is the first error:

What the original Model Optimizer says, and questions of its FAQ: [at the end](#messages-of-the-original-model-optimizer).

<!-- Made by scripts/update_error_docs.py from docs/errors.d: edit there. -->
"""
MESSAGES = """
## Messages of the original Model Optimizer

`mo explain "Cannot infer shapes or values"` and `mo explain "question #38"` print what these rows and the codes say; `…` is a name or number.

| message | question of its FAQ | codes | advice |
|---|---|---|---|
"""


def tables():
    """Codes: code -> (area, exit code or None, cause, cure). Areas: area -> (exit code, title)."""
    codes, areas = {}, {}
    for path in sorted(glob.glob(os.path.join(ROOT, "docs", "errors.d", "*.md"))):
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if match := ROW.match(line):
                    codes[match[1]] = (match[2], match[3], match[4].strip(), match[5].strip())
                elif match := AREA.match(line):
                    areas[match[1]] = (match[2], match[3])
                elif line.startswith("| MO-") or line.startswith("| `MO-"):
                    sys.exit(f"{os.path.relpath(path, ROOT)}:{number}: want `| code | cause | cure |` or `| area | exit code | errors of |`")
    return codes, areas


def messages(codes):
    """The rows of original_messages.md, their codes as links."""
    rows = []
    with open(os.path.join(ROOT, "docs", "errors.d", "original_messages.md"), encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if not line.startswith("| `"):
                continue
            match = MESSAGE.match(line.rstrip("\n"))
            missing = [code for code in match[3].split() if code not in codes] if match else []
            if not match or missing:
                sys.exit(f"original_messages.md:{number}: " + (f"no such code: {missing[0]}" if match else "want `| `message` | questions | codes | advice |`"))
            links = " ".join(f"[`{code}`](#{code})" for code in match[3].split())
            rows.append(f"| {match[1]} | {match[2].strip()} | {links} | {match[4].strip()} |\n")
    return rows


def text():
    codes, areas = tables()
    parts = [HEAD]
    for area, (exit_code, title) in sorted(areas.items()):
        parts.append(f"\n## {title} (MO-{area})\n\n| code | exit code | cause | cure |\n|---|---|---|---|\n")
        for code, (of, own, cause, cure) in sorted(codes.items()):
            if of == area:
                # The anchor is what messages link to: docs/errors.md#MO-OPS-0012. A warning or a note ends nothing.
                ends = "" if cause.startswith(("Warning:", "Note:")) else own or exit_code
                parts.append(f'| <a id="{code}"></a>`{code}` | {ends} | {cause} | {cure} |\n')
    return "".join([*parts, MESSAGES, *messages(codes)])


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
