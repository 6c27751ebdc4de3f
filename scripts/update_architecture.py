#!/usr/bin/env python3
"""Draws the picture of docs/architecture.md from the tables of tests/lint/layering.py, which decide what may include what.

usage: update_architecture.py [--check]      --check: only say whether the page is up to date
"""
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "lint"))
import layering  # noqa: E402

PAGE = ROOT / "docs" / "architecture.md"
BEGIN, END = "<!-- picture: written by scripts/update_architecture.py -->", "<!-- end of picture -->"
LEFT_OUT = {"benchmarks", "plugins/examples"}  # programs that stand beside the house


def uses():
    """{folder: top folders that it may include}, folders of the table as they are, what they include by its top folder."""
    folders = {row[0] for row in layering.MAY_INCLUDE} - LEFT_OUT
    found = {}
    for folder, allowed in layering.MAY_INCLUDE:
        if folder in folders:
            found[folder] = {target for name in allowed for target in targets(name, folders)} - {folder}
    return found


def targets(name, folders):
    """Folders of the picture that a row of the table means by `name`: itself, what is inside of it, or what it is inside of."""
    inside = {folder for folder in folders if folder == name or folder.startswith(name + "/")}
    return inside or {folder for folder in folders if name.startswith(folder + "/")}


def floors(graph):
    """Folders by the longest way down to core, the highest floor first."""
    height = {}

    def height_of(folder):
        if folder not in height:
            height[folder] = 1 + max((height_of(below) for below in graph[folder]), default=-1)
        return height[folder]

    rows = {}
    for folder in graph:
        rows.setdefault(height_of(folder), []).append(folder)
    return [sorted(rows[floor]) for floor in sorted(rows, reverse=True)]


def without_shortcuts(graph):
    """The arrows that no longer way says as well."""
    def reached(folder):
        return set().union(*({below} | reached(below) for below in graph[folder])) if graph[folder] else set()

    return {folder: {below for below in graph[folder] if not any(below in reached(other) for other in graph[folder] - {below})} for folder in graph}


def picture():
    graph = uses()
    rows = floors(graph)
    number = {folder: f"f{i}" for i, folder in enumerate(folder for row in rows for folder in row)}
    lines = ["```mermaid", "flowchart TB"]
    for i, row in enumerate(rows):
        lines += [f'  subgraph floor{len(rows) - 1 - i}[" "]', "    direction LR", *(f'    {number[folder]}["{folder}/"]' for folder in row), "  end"]
    for folder, below in sorted(without_shortcuts(graph).items()):
        lines += [f"  {number[folder]} --> {number[other]}" for other in sorted(below)]
    lines += ["```", "", "Inside `core/`, from the ground up: " + " → ".join(f"`{name}`" for name in layering.CORE_FLOORS) + "."]
    return "\n".join(lines)


def main():
    text = PAGE.read_text(encoding="utf-8")
    head, rest = text.split(BEGIN)
    now = f"{head}{BEGIN}\n\n{picture()}\n\n{END}{rest.split(END)[1]}"
    if now == text:
        return 0
    if "--check" in sys.argv[1:]:
        print(f"{PAGE.relative_to(ROOT)} is out of date: run scripts/update_architecture.py")
        return 1
    PAGE.write_text(now, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
