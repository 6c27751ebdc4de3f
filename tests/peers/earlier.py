"""Verdicts of an earlier run: an IR that the judge found right is not asked about again as long as its bytes are the same."""
import hashlib
import json
import threading
from pathlib import Path

import verdict as verdicts


def fingerprint(xml):
    """Of the bytes of an IR, both files; None when there is none."""
    if xml is None:
        return None
    digest = hashlib.sha1()
    for path in (Path(xml), Path(xml).with_suffix(".bin")):
        digest.update(path.read_bytes() if path.exists() else b"")
    return digest.hexdigest()


class Earlier:
    """`files`: what --json wrote. A case stands for its inputs and expected numbers, too: its maker gives the same ones each time."""

    def __init__(self, files=()):
        self.taken_over, self.right, self.lock = 0, set(), threading.Lock()
        for file in files:
            for record in json.loads(Path(file).read_text(encoding="utf-8")):
                if record["verdict"] == verdicts.RIGHT and record.get("ir"):
                    self.right.add(self.key(record["judge"], record["corpus"], record["case"], record["ir"]))

    @staticmethod
    def key(*parts):
        return "\n".join(parts)

    def verdict(self, judge, corpus, case, ir):
        """The verdict about these bytes, or None."""
        if ir is None or self.key(judge, corpus, case.id, ir) not in self.right:
            return None
        with self.lock:
            self.taken_over += 1
        return verdicts.Verdict(verdicts.RIGHT, reached=case.until)
