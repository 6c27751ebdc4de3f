"""An engine that does what the text of the model says: what the harness must report is known."""
import os
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools" / "verify" / "engines"))
from serving import serve  # noqa: E402


class Engine:
    name, version = "pretended", "1"

    def forget(self):
        pass

    def read(self, job):
        self.text = Path(job["model"]).read_text(encoding="utf-8")
        if self.text == "unreadable":
            raise ValueError("not a model")

    def compile(self):
        if self.text == "uncompilable":
            raise ValueError("no kernel")
        if self.text == "abort":
            os.abort()

    def inputs(self):
        return [["x", "x:0"]]

    def infer(self, feed):
        while self.text == "spin":
            pass
        if self.text == "sleep":
            time.sleep(1000)
        if self.text == "uncomputable":
            raise ValueError("shapes")
        print("engines print on stdout")
        if self.text == "unwritten":
            feed[0] = feed[0] + 0 * np.empty(64, np.float32).sum()
        result = (["y"], "f32", feed[0] * (3 if self.text == "triple" else 2))
        return [result, result] if self.text == "twice" else [result]


if __name__ == "__main__":
    sys.exit(serve(Engine))
