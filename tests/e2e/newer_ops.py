#!/usr/bin/env python3
"""The ops in IRs of version 11 that 2022.1 does not read. The default target is the newest runtime, so mo may write them; newer_ops.txt lists where, and why.

usage: newer_ops.py --self-test
"""
import re
import sys
import tempfile
from fnmatch import fnmatchcase
from pathlib import Path

from checker import NEWEST_OF_2022_1

LIST = Path(__file__).resolve().parent / "newer_ops.txt"
OP = re.compile(r'type="(\w+)" version="opset(\d+)"')


def newer_ops(text):
    """{"Pad-12", …} of an IR."""
    return {f"{name}-{op_set}" for name, op_set in OP.findall(text) if int(op_set) > NEWEST_OF_2022_1}


def name_of(suite, xml, folder):
    """What the list calls an IR: its path; IRs of goldens by the .test file, whatever the line of the case is."""
    name = xml.relative_to(folder).with_suffix("").as_posix()
    return re.sub(r"_\d+$", "", name) if suite == "goldens" else name


class NewerOps:
    """OP-NUMBER: REASON, and below it, indented, SUITE PATTERN… of names, in which * and ? stand for anything."""

    def __init__(self, suite, path=LIST):
        self.patterns = {}  # (op, pattern): whether an IR has needed it
        op = None
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if not line.strip() or line.startswith("#"):
                continue
            if not line.startswith(" "):
                found = re.fullmatch(r"(\w+-\d+): \S.*", line)
                if not found:
                    raise ValueError(f"{path.name}:{number}: expected 'OP-NUMBER: REASON', got '{line}'")
                op = found[1]
            elif op is None:
                raise ValueError(f"{path.name}:{number}: there is no reason above '{line.strip()}'")
            elif line.split()[0] == suite:
                self.patterns.update({(op, pattern): False for pattern in line.split()[1:]})

    def unlisted(self, name, text):
        """The newer ops of an IR that are not listed for it."""
        found = []
        for op in sorted(newer_ops(text)):
            fitting = [key for key in self.patterns if key[0] == op and fnmatchcase(name, key[1])]
            self.patterns.update(dict.fromkeys(fitting, True))
            if not fitting:
                found.append(op)
        return found

    def unused(self):
        return [key for key, is_used in self.patterns.items() if not is_used]


def self_test():
    ir = '<layer type="Pad" version="opset12"/><layer type="Add" version="opset1"/><layer type="GridSample" version="opset9"/>'
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "list.txt"
        path.write_text("# a comment\nPad-12: it has negative amounts.\n  goldens pad pad_f*\n  models vit\n", encoding="utf-8")
        listed = NewerOps("goldens", path)
        assert listed.unlisted("pad", ir) == ["GridSample-9"]
        assert listed.unlisted("vit", ir) == ["GridSample-9", "Pad-12"]
        assert listed.unused() == [("Pad-12", "pad_f*")]
        for wrong in ("Pad-12\n", "  goldens pad\n", "Pad-12: \n"):
            path.write_text(wrong, encoding="utf-8")
            try:
                NewerOps("goldens", path)
            except ValueError:
                continue
            raise AssertionError(f"accepted: {wrong}")
        xml = Path(folder) / "low_pad_12.xml"
        assert name_of("goldens", xml, folder) == "low_pad" and name_of("models", xml, folder) == "low_pad_12"


if __name__ == "__main__":
    if sys.argv[1:] != ["--self-test"]:
        sys.exit(__doc__)
    self_test()
