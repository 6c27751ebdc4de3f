"""What is raised."""
from __future__ import annotations

import errno
import json
import logging
import os
from typing import Any

# Warnings and notes of what succeeds; nothing is shown unless the caller sets up logging.
LOG = logging.getLogger("mo_openvino")
LOG.addHandler(logging.NullHandler())
LEVELS = {"error": logging.ERROR, "warning": logging.WARNING, "note": logging.INFO}
# Exit codes of mo (docs/cli.md).
USAGE, INPUT_UNREADABLE, INPUT_MALFORMED, OUTPUT_UNWRITABLE = 2, 3, 4, 7


class MoError(Exception):
    """A model, an option or a call that is not possible. Where Python has an exception for the reason, the error is an instance of that as well:
    FileNotFoundError, OSError, ValueError, TypeError.

    code      the stable code of the first error, "MO-OPS-0012": docs/errors.md, `mo explain CODE`
    node      the name of the node where it occurred; may be empty
    hint      what to do about it; may be empty
    status    the exit code that the program `mo` ends with (docs/cli.md)
    messages  all messages, as dictionaries: severity, code, message, hint, node, op, framework, phase, location, inputs, notes

    >>> try:
    ...     mo.convert_model("odd.onnx")
    ... except mo.MoError as error:
    ...     print(error.code, error.node, error.status, [message["severity"] for message in error.messages])
    ...     print(error.hint)
    MO-FRONT-0001 odd 5 ['error']
    cut the model before or after it with --input and --output, or provide the op: --custom_ops, --extensions
    """

    def __init__(self, text: str, code: str, hint: str = "", status: int = USAGE, messages: list[dict[str, Any]] | None = None) -> None:
        super().__init__(text)
        self.code = code
        self.hint = hint
        self.status = status
        self.messages = messages if messages is not None else [{"severity": "error", "code": code, "message": text, "hint": hint}]
        self.node: str = first_error(self.messages).get("node", "")

    def __str__(self) -> str:
        return str(self.args[0])

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.code, self.hint, self.status, self.messages)


class MoValueError(MoError, ValueError):
    """A value of a parameter that is not possible, or a model that is malformed.

    >>> try:
    ...     mo.convert_model("net.onnx", input_shape={"image": 1})
    ... except mo.MoValueError as error:
    ...     print(error)
    MO-PYTHON-0001: input_shape: {'image': 1} is not possible
      hint    give a list of dimensions, or a list of such lists
    """


class MoTypeError(MoError, TypeError):
    """A model that is an object of a class that mo does not know, or an object that its framework cannot export.

    >>> try:
    ...     mo.convert_model(object())
    ... except mo.MoTypeError as error:
    ...     print(error.code, error.hint.partition(";")[0])
    MO-PYTHON-0002 give a path, bytes, an onnx.ModelProto, or a model of PyTorch, Keras or TensorFlow
    """


class MoOSError(MoError, OSError):
    """A file that cannot be read or written. `errno` and `strerror` are those of the operating system, `filename` is None.

    >>> try:
    ...     mo.convert_model("net.onnx/model.onnx")
    ... except mo.MoOSError as error:
    ...     print(error.errno, error.strerror)
    20 Not a directory
    """

    def __init__(self, text: str, code: str, hint: str = "", status: int = INPUT_UNREADABLE, messages: list[dict[str, Any]] | None = None) -> None:
        super().__init__(text, code, hint, status, messages)
        self.errno = errno_of(first_error(self.messages))
        self.strerror = os.strerror(self.errno) if self.errno else None


class MoFileNotFoundError(MoOSError, FileNotFoundError):
    """A file that does not exist.

    >>> try:
    ...     mo.convert_model("none.onnx")
    ... except FileNotFoundError as error:
    ...     print(isinstance(error, mo.MoFileNotFoundError), error.code)
    True MO-IO-0001
    """


def first_error(messages: list[dict[str, Any]]) -> dict[str, Any]:
    return next((message for message in messages if message["severity"] == "error"), {})


def errno_of(message: dict[str, Any]) -> int | None:
    """The number of the error of the operating system that a message ends with, in the words of the C library that mo and Python share."""
    reason = message.get("message", "").rpartition(": ")[2]
    return next((number for number in errno.errorcode if os.strerror(number) == reason), None)


def error_of(text: str, code: str, hint: str, status: int, messages: list[dict[str, Any]]) -> MoError:
    number = errno_of(first_error(messages))
    kind: type[MoError] = MoError
    if number == errno.ENOENT:
        kind = MoFileNotFoundError
    elif number is not None or status in (INPUT_UNREADABLE, OUTPUT_UNWRITABLE):
        kind = MoOSError
    elif status in (USAGE, INPUT_MALFORMED):
        kind = MoValueError
    return kind(text, code, hint, status, messages)


def usage_error(code: str, text: str, hint: str, kind: type[MoError] = MoValueError) -> MoError:
    return kind(f"{code}: {text}\n  hint    {hint}", code, hint)


def in_words_of_python(text: str) -> str:
    """What is wrong with the name of an option, for callers who know it as the name of a parameter."""
    return text.replace("option '--", "parameter '").replace("did you mean '--", "did you mean '")


def checked(result: Any, sufficient: str = "") -> dict[str, Any]:
    """The report of a result; raises what it failed with, unless the report has the part that is sufficient."""
    report: dict[str, Any] = json.loads(result.json)
    if result.status != 0 and not (sufficient and report[sufficient]):
        messages = report["messages"]
        words = result.error
        if result.error_code == "MO-CLI-0001":
            words = in_words_of_python(words)
            messages = [{**message, **{key: in_words_of_python(message[key]) for key in ("message", "hint") if key in message}} for message in messages]
        raise error_of(words, result.error_code, first_error(messages).get("hint", ""), result.status, messages)
    for message in report["messages"]:
        LOG.log(LEVELS.get(message["severity"], logging.INFO), "%s: %s", message["code"], message["message"])
    return report
