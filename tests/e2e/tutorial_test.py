#!/usr/bin/env python3
"""The tutorial does what it shows: the commands of docs/tutorial.md run in their order, in a folder with links to those that they name, and print what
the page has.

Blocks ```sh are run as they are and must succeed, except those that begin with `git` or `make`: the programs are built, and installed into ~/.local.
Blocks ```cpp and ```cmake are written to the file that the text before them names. Blocks ```console have commands after "$ " and their output. In the
output, "…" in a line matches any text, and a line of only "…" any lines.

usage: tutorial_test.py BUILD [--show]      BUILD: folder of a finished build; --show prints the commands with what they print now
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/tutorial.md"
MARK = "@@tutorial@@"
SKIPPED = 77


def blocks(page):
    """(line, language, text) of each block of code."""
    return [(page.count("\n", 0, found.start()) + 1, found[1], found[2])
            for found in re.finditer(r"^```(\w*)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)]


def steps(page):
    """(line, command, output) in order; the output of a block that is not ```console is None."""
    found = []
    for line, language, text in blocks(page):
        if language in ("cpp", "cmake"):
            name = re.findall(r"`([\w.]+\.(?:cpp|txt))`", "\n".join(page.splitlines()[:line - 1]))[-1]
            found.append([line, f"cat >{name} <<'{MARK}'\n{text}{MARK}", None])
        if language == "sh" and not re.match(r"(git|make) ", text):
            found.append([line, text, None])
        if language != "console":
            continue
        continued = False
        for number, words in enumerate(text.splitlines(), line + 1):
            if continued:
                found[-1][1] += "\n" + words
            elif words.startswith("$ "):
                found.append([number, words[2:], []])
            else:
                found[-1][2].append(words)
            continued = (continued or words.startswith("$ ")) and words.endswith("\\")
    return found


def pattern(lines):
    """A regular expression for the output that the page shows."""
    text = ""
    for line in lines:
        text += r"(?:.*\n)*" if line.strip() == "…" else ".*".join(re.escape(part) for part in line.rstrip().split("…")) + r"[ ]*\n"
    return re.compile(text)


def run(found, folder, programs):
    """(exit code, output) of each step, all run by one shell."""
    script = "code=0\n" + "".join(f"{{\n(exit $code)\n{command}\n}} 2>&1\ncode=$?\nprintf '\\n{MARK} %s\\n' $code\n" for _, command, _ in found)
    environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "HOME": str(folder), "LC_ALL": "C.UTF-8", "COLUMNS": "100"}
    process = subprocess.run(["bash", "-c", script], cwd=folder, env=environment, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, timeout=300, check=False)
    return [(int(code), text) for text, code in re.findall(rf"(.*?)\n{MARK} (\d+)\n", process.stdout.decode(errors="replace"), re.DOTALL)]


def problems(found, results):
    if len(found) != len(results):
        yield f"{len(results)} of {len(found)} commands ran"
    for (line, command, shown), (code, printed) in zip(found, results):
        if shown is None and code != 0:
            yield f"docs/tutorial.md:{line}: exit code {code}\n{printed}"
        if shown is not None and not pattern(shown).fullmatch(printed if printed.endswith("\n") or not printed else printed + "\n"):
            yield f"docs/tutorial.md:{line}: {command}\nprints\n{printed}"


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    missing = [program for program in ("bash", "cmake", "protoc") if not shutil.which(program)]
    if missing:
        print(f"skipped: {', '.join(missing)} is not installed")
        return SKIPPED
    found = steps(PAGE.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        for name in ("examples", "frontends"):
            os.symlink(ROOT / name, Path(folder, name))
        build = os.path.abspath(sys.argv[1])
        subprocess.run(["cmake", "--install", build, "--prefix", f"{folder}/.local"], stdout=subprocess.DEVNULL, timeout=300, check=True)
        results = run(found, folder, f"{build}/bin")
    if "--show" in sys.argv:
        for (_, command, shown), (code, printed) in zip(found, results):
            print(f"$ {command}\n{printed}", end="" if code == 0 else f"exit code {code}\n")
        return 0
    wrong = list(problems(found, results))
    print(*wrong, f"{len(found)} commands of the tutorial: {len(wrong)} problems", sep="\n")
    return 1 if wrong or not found else 0


if __name__ == "__main__":
    sys.exit(main())
