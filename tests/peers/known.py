"""Verdicts that are expected although they are not "right": faults of the runtimes (known_faults.txt), refusals of mo (known_refusals.txt), and what is to be
mended in mo (open_faults.txt), which the table counts as open."""
import re
from fnmatch import fnmatchcase
from pathlib import Path

import processor

HERE = Path(__file__).resolve().parent


class Entry:
    """JUDGE TARGET CORPUS CASE VERDICT: REASON   (the first four may have * and ?; VERDICT may be several words, or an error code for refusals)

    "VERDICT without avx512f": only on processors that do not have these instructions; elsewhere the entry says nothing.
    An entry for the case `*` is a rule, not a list: it does not become stale when some case is right.
    """

    def __init__(self, line, where):
        head, _, self.reason = line.partition(": ")
        fields = head.split(None, 4)
        if len(fields) != 5 or not self.reason.strip():
            raise ValueError(f"{where}: expected 'JUDGE TARGET CORPUS CASE VERDICT: REASON', got '{line}'")
        *self.patterns, verdict = fields
        self.verdict, self.instructions = re.fullmatch(r"(.*?)(?: without (\w+))?", verdict).groups()
        self.where, self.met, self.asked = where, 0, 0
        self.is_open = where.startswith("open_faults")

    def fits(self, *row):
        if self.instructions and not processor.lacks(self.instructions):
            return False
        return all(fnmatchcase(value, pattern) for value, pattern in zip(row, self.patterns))


def read(*paths):
    entries = []
    for path in paths or (HERE / "known_faults.txt", HERE / "known_refusals.txt", HERE / "open_faults.txt"):
        for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), 1):
            if line.strip() and not line.startswith("#"):
                entries.append(Entry(line, f"{Path(path).name}:{number}"))
    return entries


class Known:
    def __init__(self, entries):
        self.entries = entries
        self.stale = []  # (entry, judge, target, corpus, case): listed, but right

    def entry_for(self, judge, target, corpus, case, verdict):
        """The entry that expects this verdict. Notes entries that expect another one."""
        name = verdict.code if verdict.kind == "refused" else verdict.kind
        hit = None
        for entry in self.entries:
            if entry.fits(judge, target, corpus, case):
                entry.asked += 1
                if entry.verdict == name:
                    hit = entry
                    entry.met += 1
                elif verdict.kind == "right" and entry.patterns[3] != "*":
                    self.stale.append((entry, judge, target, corpus, case))
        return hit
