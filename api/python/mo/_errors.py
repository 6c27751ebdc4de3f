"""What is raised."""
from __future__ import annotations

import json
from typing import Any


class MoError(Exception):
    """A model, an option or a call that cannot be.

    code      the stable code of the first error, "MO-OPS-0012": docs/errors.md, `mo explain CODE`
    hint      what to do about it; may be empty
    status    the exit code that the program `mo` ends with (docs/cli.md)
    messages  everything that was said, as dictionaries: severity, code, message, hint, node, op, framework, phase, location, inputs, notes
    """

    def __init__(self, text: str, code: str, hint: str = "", status: int = 2, messages: list[dict[str, Any]] | None = None) -> None:
        super().__init__(text)
        self.code = code
        self.hint = hint
        self.status = status
        self.messages = messages if messages is not None else [{"severity": "error", "code": code, "message": text, "hint": hint}]


def usage_error(code: str, text: str, hint: str) -> MoError:
    return MoError(f"{code}: {text}\n  hint    {hint}", code, hint)


def checked(result: Any, sufficient: str = "") -> dict[str, Any]:
    """The report of a result; raises what it failed with, unless the report has the part that is sufficient."""
    report: dict[str, Any] = json.loads(result.json)
    if result.status != 0 and not (sufficient and report[sufficient]):
        errors = [message for message in report["messages"] if message["severity"] == "error"]
        raise MoError(result.error, result.error_code, errors[0]["hint"] if errors else "", result.status, report["messages"])
    return report
