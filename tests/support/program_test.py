"""The frame of tests that call programs as a user does: files in a folder of their own, exit codes, output that fits its schema."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import json_schema


class ProgramTest(unittest.TestCase):
    bin = ""  # folder of the programs

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name, content=None):
        """In the folder; with a content, a file that has it."""
        path = os.path.join(self.folder, name)
        if content is not None:
            Path(path).write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def call(self, program, *words, **how):
        """Exit code, output, and messages."""
        done = subprocess.run([os.path.join(self.bin, program), *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300, check=False, **how)
        return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")

    def ends(self, exit_code, program, *words, **how):
        """The output; of a program that has to fail, its messages as well."""
        code, out, err = self.call(program, *words, **how)
        self.assertEqual(code, exit_code, f"{program} {words}\n{out}{err}")
        return out + err if exit_code else out

    def has_schema(self, value, schema):
        self.assertEqual(json_schema.problems(value, json_schema.schema_of(schema)), [])
        return value

    def fits(self, text, schema):
        """The value of JSON that docs/schemas/`schema` describes; messages may follow it."""
        return self.has_schema(json.JSONDecoder().raw_decode(text)[0], schema)


def main(usage):
    """Runs the tests of the file that was started as `FILE BIN …`."""
    if len(sys.argv) < 2:
        sys.exit(usage)
    ProgramTest.bin = os.path.abspath(sys.argv.pop(1))
    unittest.main()
