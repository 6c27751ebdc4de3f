#!/usr/bin/env python3
"""Compiles the C++ of the documentation: every block that begins with ```cpp in docs/ and in the pages at the top of the repository.

A block is a source file of its own. A comment before it, which readers do not see, says where that is not so:

  <!-- file: ops/swap.hpp -->         the block is this file, which other blocks may include
  <!-- compile: no, REASON -->        the block is not C++ that could be compiled

and these have lines of code in the comment:

  <!-- file: ops/reference/swap.hpp   a file that no page shows
  CODE
  -->
  <!-- compile:                       a part of a file; "..." on a line stands for the block
  #include "core/rewrite.hpp"
  namespace mo {
  ...
  }
  -->

All blocks are compiled together, those that include <mo/plugin.hpp> apart from the others.

usage: doc_snippets.py COMPILER SDK [FLAG...]   SDK: folder of the generated headers; exit code 1 when something does not compile
       doc_snippets.py --extract PAGE OUTPUT    writes the blocks of a page into one file, for a test that runs them
       doc_snippets.py COMPILER --self-test     checks that each rule can fail
"""
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
FLAGS = ["-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wno-missing-field-initializers", "-Wno-unused-function"]
OPENING = re.compile(r"^```(cpp|c\+\+|cxx)\s*$")
COMMENT = re.compile(r"^<!-- (file|compile):(.*)$")


class Block:
    def __init__(self, page, line, code):
        self.page, self.line, self.code = page, line, code
        self.file, self.before, self.after, self.skipped = None, "", "", False

    def text(self):
        return f'{self.before}\n#line {self.line} "{self.page}"\n{self.code}\n{self.after}\n'


def blocks_of(page, text, problems):
    """The blocks of a page, and the files that it hides: path -> content."""
    blocks, hidden = [], {}
    lines = text.splitlines()
    pending = None  # (kind, argument, hidden lines, where)
    at = 0
    while at < len(lines):
        line = lines[at]
        if (comment := COMMENT.match(line)) is not None:
            kind, argument, where, inner = comment[1], comment[2].strip(), at + 1, []
            if argument.endswith("-->"):
                argument = argument[:-3].strip()
            else:
                at += 1
                while at < len(lines) and lines[at].strip() != "-->":
                    inner.append(lines[at])
                    at += 1
            if kind == "file" and inner:
                hidden[argument] = f'#line {where + 1} "{page}"\n' + "\n".join(inner) + "\n"
            else:
                pending = (kind, argument, inner, where)
        elif OPENING.match(line):
            start = at + 1
            at = start
            while at < len(lines) and lines[at].rstrip() != "```":
                at += 1
            block = Block(page, start + 1, "\n".join(lines[start:at]))
            if pending:
                kind, argument, inner, where = pending
                if kind == "file":
                    block.file = argument
                elif argument.startswith("no,") and len(argument) > 5:
                    block.skipped = True
                elif not argument and "..." in inner:
                    place = inner.index("...")
                    block.before, block.after = "\n".join(inner[:place]), "\n".join(inner[place + 1:])
                else:
                    problems.append(f"{page}:{where}: want `compile: no, REASON`, or lines of code with a line `...`")
            pending = None
            blocks.append(block)
        elif line.strip() and pending:
            problems.append(f"{page}:{pending[3]}: no block of C++ follows")
            pending = None
        at += 1
    if pending:
        problems.append(f"{page}:{pending[3]}: no block of C++ follows")
    return blocks, hidden


def compile_unit(compiler, flags, root, folder, name, texts):
    unit = Path(folder, name)
    unit.write_text("".join(texts), encoding="utf-8")
    run = subprocess.run([compiler, *FLAGS, f"-I{folder}", f"-I{root}", *flags, str(unit)], capture_output=True, text=True, check=False)
    if run.returncode == 0 and "warning:" not in run.stderr:
        return []
    return [line for line in run.stderr.splitlines() if re.search(r": (fatal )?(error|warning):", line)] or [run.stderr[-2000:]]


def check(compiler, flags, root):
    """The problems of all pages, and how many blocks are compiled."""
    root = Path(root)
    pages = sorted([*root.glob("*.md"), *root.glob("docs/**/*.md"), *root.glob("examples/**/*.md"), *root.glob("plugins/**/*.md")])
    problems, units, files, count = [], {}, {"mo/plugin.hpp": '#include "plugins/sdk/plugin.hpp"\n'}, 0
    for page in pages:
        name = str(page.relative_to(root))
        blocks, hidden = blocks_of(name, page.read_text(encoding="utf-8"), problems)
        shown = {block.file: block.text() for block in blocks if block.file}
        problems += [f"{name}: {path} is there already" for path in {**hidden, **shown} if path in files]
        files.update({**hidden, **shown})
        for block in blocks:
            count += not block.skipped
            # Plugins apart from others, so that none leans on what others include.
            if not block.skipped and not (block.file or "").endswith(".hpp"):
                units.setdefault("plugin.cpp" if "<mo/plugin.hpp>" in block.text() else "mo.cpp", []).append(block.text())
    with tempfile.TemporaryDirectory() as folder:
        for path, content in files.items():
            Path(folder, path).parent.mkdir(parents=True, exist_ok=True)
            Path(folder, path).write_text(content, encoding="utf-8")
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for found in pool.map(lambda unit: compile_unit(compiler, flags, root, folder, *unit), units.items()):
                problems += found
    return problems, count


def extract(page, output):
    """The blocks of a page as one header, in their order; what is there already stays as it is, so that nothing is compiled anew."""
    problems = []
    blocks, _ = blocks_of(page, Path(page).read_text(encoding="utf-8"), problems)
    text = "#pragma once\n" + "".join(block.text() for block in blocks if not block.skipped)
    text = text.replace("#include <mo/plugin.hpp>", '#include "plugins/sdk/plugin.hpp"')
    if not Path(output).exists() or Path(output).read_text(encoding="utf-8") != text:
        Path(output).write_text(text, encoding="utf-8")
    return problems


def self_test(compiler):
    cases = [  # (page, part of the problem that must be found)
        ("```cpp\nint f() { return 1; }\n```\n", None),
        ("text\n```cpp\nint f() { return 1 }\n```\n", "docs/page.md:3:"),
        ("```cpp\nint a;\n```\n\n```cpp\nint g() { return missing; }\n```\n", "docs/page.md:6:"),
        ("```cpp\nint f(int unused) { return 1; }\n```\n", "docs/page.md:2:"),
        ("<!-- compile: no, a sketch -->\n```cpp\nint f() { … }\n```\n", None),
        ("<!-- compile: no -->\n```cpp\nint f() { … }\n```\n", "docs/page.md:1: want"),
        ("<!-- compile: no, a sketch -->\ntext\n", "docs/page.md:1: no block"),
        ("<!-- compile:\nint f() {\n...\n}\n-->\n\n```cpp\nreturn 1;\n```\n", None),
        ("<!-- compile:\nint f() {\n...\n}\n-->\n\n```cpp\nreturn one;\n```\n", "docs/page.md:8:"),
        ("<!-- file: ops/a.hpp -->\n```cpp\n#pragma once\nint a();\n```\n```cpp\n#include \"ops/a.hpp\"\nint b() { return a(); }\n```\n", None),
        ("<!-- file: ops/a.hpp -->\n```cpp\nint a()\n```\n```cpp\n#include \"ops/a.hpp\"\n```\n", "docs/page.md:"),
        ("<!-- file: ops/a.hpp\nint a();\n-->\n```cpp\n#include \"ops/a.hpp\"\nint b() { return a(); }\n```\n", None),
        ("<!-- file: ops/a.hpp\nint a()\n-->\n```cpp\n#include \"ops/a.hpp\"\nint b;\n```\n", "docs/page.md:"),
        ("<!-- file: a.hpp -->\n```cpp\nint a();\n```\n=== next page\n```cpp\n#include \"a.hpp\"\nint b() { return a(); }\n```\n", None),
        ("<!-- file: a.hpp -->\n```cpp\nint a();\n```\n=== next page\n<!-- file: a.hpp -->\n```cpp\nint a();\n```\n", "second.md: a.hpp is there"),
    ]
    failures = []
    for page, wanted in cases:
        with tempfile.TemporaryDirectory() as root:
            os.makedirs(Path(root, "docs"))
            for name, text in zip(("page.md", "second.md"), page.split("=== next page\n")):
                Path(root, "docs", name).write_text(text, encoding="utf-8")
            problems, _ = check(compiler, [], root)
        if (wanted is None and problems) or (wanted is not None and not any(wanted in problem for problem in problems)):
            failures.append(f"{page!r}: wanted {wanted!r}, found {problems}")
    return failures


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    compiler, sdk, *flags = sys.argv[1:]
    if compiler == "--extract":
        problems = extract(sdk, *flags)
        print(*problems, sep="\n", end="")
        return 1 if problems else 0
    if sdk == "--self-test":
        problems, count = self_test(compiler), 0
    else:
        problems, count = check(compiler, [f"-I{sdk}", *flags], ROOT)
    for problem in problems:
        print(problem)
    print("self-test" if sdk == "--self-test" else f"{count} blocks of C++ in the documentation", f"{len(problems)} problems", sep=": ")
    return 1 if problems or (count == 0 and sdk != "--self-test") else 0


if __name__ == "__main__":
    sys.exit(main())
