#!/usr/bin/env python3
"""Writes docs/runtime_faults.md from what `mo --list-ops ir-faults` prints.

usage: update_runtime_faults.py BIN [--check]     BIN: folder of mo; --check: exit code 1 when the page is not what it would write
"""
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent / "docs/runtime_faults.md"
HEAD = """# Forms that a runtime computes wrongly

Written by `scripts/update_runtime_faults.py`; do not edit. Some releases of OpenVINO compute a valid form of an op wrongly on the CPU, crash on it, or do not load it.
`mo` does not write such a form when the target (`--target_runtime`, or the default) is a release that has the fault, or an older one, whose IRs the faulty
release reads as well. It writes another form that all releases from 2021.4 on compute right. Each row is a pass of the back phase: `--disable-pass NAME` keeps the form.

*from* and *to* are the oldest and the newest release with the fault among those that were probed (2021.4.2, 2022.1, 2022.3.1, 2023.3, 2024.6, 2025.4.1, 2026.4.1):
`tests/peers/faults/` has a tiny IR for each row, `tests/peers/probe_faults.py` runs it in every installed release. `mo --list-ops ir-faults` prints this table.

| pass | form | what happens | from | to | written instead |
|---|---|---|---|---|---|
"""


def main():
    listed = subprocess.run([str(Path(sys.argv[1]) / "mo"), "--list-ops", "ir-faults"], check=True, capture_output=True, text=True).stdout
    rows = ""
    for line in listed.splitlines():
        name, form, symptom, first, last, replacement = line.replace("|", "\\|").split("\t")
        rows += f"| {name} | {form} | {symptom} | {first} | {last} | {replacement} |\n"
    if "--check" not in sys.argv:
        PAGE.write_text(HEAD + rows)
        return 0
    if not PAGE.exists() or PAGE.read_text() != HEAD + rows:
        print(f"{PAGE.name} is not up to date: run scripts/update_runtime_faults.py BIN")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
