#!/usr/bin/env python3
"""Writes the tables of options in docs/cli.md from what `mo --list-options --json` says.

usage: update_cli_docs.py BIN [--check]      BIN: folder of mo; --check: only say whether the page is up to date

A table stands between `<!-- options: TOPIC … -->` and `<!-- end of options -->`, where a topic is one of `mo --help topics`.
"""
import json
import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent / "docs" / "cli.md"
TABLE = re.compile(r"(<!-- options: ([^>]*) -->\n).*?(<!-- end of options -->)", re.DOTALL)


def cells_of(option):
    """What the page says about an option: its own words, else those of --help."""
    manual = option["manual"]
    names = ", ".join([f"`--{option['name']}`"] + [f"`-{alias}`" for alias in option["aliases"]])
    cells = [names, manual["value"] or option["value"].strip("[]").lower(), manual["default"], manual["meaning"] or option["help"]]
    return [re.sub(r"(?<!\\\\)\|", r"\\|", cell) for cell in cells]


def table_of(options):
    columns = list(zip(("option", "value", "default", "meaning"), *map(cells_of, options)))
    rows = list(zip(*(column for column in columns if any(column[1:]))))
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]]) + "\n"


def page_of(text, options):
    """The page with its tables, and what is wrong with it."""
    topics = dict.fromkeys(option["topic"] for option in options)
    shown = []

    def fill(match):
        wanted = match[2].split()
        shown.extend(wanted)
        rows = [option for option in options if option["topic"] in wanted]
        return match[1] + (table_of(rows) if rows else "") + match[3]

    text = TABLE.sub(fill, text)
    problems = [f"no table has the options of {topic}" for topic in topics if topic not in shown]
    problems += [f"there are no options of {topic}" for topic in shown if topic not in topics]
    return text, problems


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    out = subprocess.run([str(Path(sys.argv[1]) / "mo"), "--list-options", "--json"], check=True, capture_output=True, text=True).stdout
    before = PAGE.read_text()
    after, problems = page_of(before, json.loads(out))
    for problem in problems:
        print(f"docs/cli.md: {problem}")
    if "--check" not in sys.argv:
        PAGE.write_text(after)
    elif after != before:
        problems.append("")
        print("docs/cli.md is out of date: run scripts/update_cli_docs.py build/release/bin")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
