#!/usr/bin/env python3
"""Writes docs/library.md from what `mo opt --print-passes --json` says, the files of transformations/ and phases/pipelines/, and the cases in tests/.

usage: update_library_docs.py BIN [--check]     BIN: folder of mo; --check: exit code 1 when the page is not what it would write
"""
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/library.md"
TITLES = {
    "cleanup": "Clean-up and sub-graphs of shapes",
    "fusions": "Fusions",
    "decompositions": "Decompositions",
    "op_versions": "Versions of ops and internal ops",
    "control_flow": "Control flow and states",
    "reshaping": "Reshaping and batches",
    "precision": "Precision",
    "quantization": "Quantization",
    "layout": "Transposes",
    "offline": "Offline: pruning and compression",
    "pipelines": "Pipelines",
}
HEAD = """# The library of transformations

Written by `scripts/update_library_docs.py`; do not edit. `mo opt MODEL --passes 'NAME OTHER(setting=value)'` runs the transformations, programs do it through `LibraryRun`
(`core/pass/library.hpp`). Names are those that nGraph's users know. A conversion runs some of these passes and others that serve runtimes best
([transformations.md](transformations.md)). Callbacks of the configuration for single nodes (`PassConfig::set_callback`, `mo opt --leave EXPRESSION`) hold for all of them but those
that say "all nodes or none". *Part of*: the groups and pipelines that have it; "(off)": only when it is enabled by name. Files are below `transformations/`, pipelines below `phases/`;
`tests` are files of cases below `tests/`.

"""


def snake(name):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def files_by_pass():
    """Name of a transformation -> the file that adds it."""
    found = {}
    paths = sorted([*(ROOT / "transformations").glob("*/*.cpp"), *(ROOT / "phases/pipelines").glob("*.cpp")])
    # Pipelines name what other files add.
    for path in sorted(paths, key=lambda path: path.parent.name == "pipelines"):
        for name in re.findall(r'"([A-Za-z][A-Za-z0-9_]+)"', path.read_text(encoding="utf-8")):
            stem = name.replace("_", "").lower()
            if stem == path.stem.replace("_", "") or name not in found:
                found[name] = path
    return found


def tests_by_pass():
    found = {}
    for path in sorted((ROOT / "tests").rglob("*.test")):
        for line in path.read_text(encoding="utf-8").splitlines()[:12]:
            if line.startswith("# passes:"):
                for name in line[9:].split(","):
                    found.setdefault(name.strip().removeprefix("library:"), []).append(path)
    return found


def cell(text):
    return text.replace("|", "\\|").replace("\n", " ")


def page(bin_dir):
    rows = json.loads(subprocess.run([bin_dir / "mo", "opt", "--print-passes", "--json"], check=True, capture_output=True, text=True).stdout)
    files, tests = files_by_pass(), tests_by_pass()
    names_of_rows = {row["name"] for row in rows}
    by_family = {family: [] for family in TITLES}
    for row in rows:
        path = files.get(row["name"])
        by_family[path.parent.name if path else "pipelines"].append((row, path))
    text = HEAD + f"{len(rows)} transformations.\n"
    for family, title in TITLES.items():
        if not by_family[family]:
            continue
        text += f"\n## {title}\n\n| name | before | after | conditions, settings | part of | file, tests |\n|---|---|---|---|---|---|\n"
        for row, path in by_family[family]:
            before = row["before"]
            if row["steps"]:
                names = [step["pass"] + ("" if step["enabled"] else " (off)") for step in row["steps"]]
                before = (before + ": " if before else "") + ", ".join(names)
            notes = [row["conditions"]] if row["conditions"] else []
            if row["settings"]:
                notes.append("settings: " + ", ".join(row["settings"]))
            if row["whole_graph"]:
                notes.append("all nodes or none: " + row["whole_graph"])
            if row["other_names"]:
                notes.append("also called " + ", ".join(row["other_names"]))
            places = [f"`{path.parent.name}/{path.name}`"] if path else []
            rules = [step["pass"] for step in row["steps"] if step["pass"] not in names_of_rows]
            found = {test: None for name in [row["name"], *rules] for test in tests.get(name, [])}
            places += [f"`{test.relative_to(ROOT / 'tests')}`" for test in found]
            cells = (row["name"], before, row["after"], "; ".join(notes), ", ".join(row["part_of"]), ", ".join(places))
            text += "| " + " | ".join(cell(c) for c in cells) + " |\n"
    return text


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    text = page(Path(sys.argv[1]))
    if "--check" not in sys.argv:
        PAGE.write_text(text, encoding="utf-8")
        return 0
    same = PAGE.is_file() and PAGE.read_text(encoding="utf-8") == text
    print("docs/library.md is up to date" if same else "docs/library.md is not what scripts/update_library_docs.py writes")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
