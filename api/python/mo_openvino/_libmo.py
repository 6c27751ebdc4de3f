"""libmo: requests and results, as in mo.h. Everything that makes them pleasant is in the other modules."""
from __future__ import annotations

import ctypes
import os
import threading
from ctypes import POINTER, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint, c_void_p
from typing import Any, Callable, Sequence

from ._buffers import Bytes, view_of
from ._errors import usage_error
from ._places import LIBRARY, PACKAGE, libraries

API_VERSION = 1  # MO_API_VERSION of the mo.h that this module follows
MO_RESOURCE_LIMIT = 6
MO_XML, MO_BIN = 0, 1


def load() -> ctypes.CDLL:
    """The library that belongs to this package; else the one that the loader of the system finds."""
    places = libraries()
    path = next((place for place in places if os.path.exists(place)), places[0] if len(places) == 1 else LIBRARY)
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(f"cannot load {LIBRARY}: {error}. It belongs into libexec/mo or lib of the prefix above {PACKAGE}; or set MO_LIBRARY to its path") from error
    library.mo_api_version.restype = c_uint
    if library.mo_api_version() < API_VERSION:
        raise ImportError(f"{path} has version {library.mo_api_version()} of mo.h, expected {API_VERSION} or later: install the libmo of the same release")
    return library


class Tensor(ctypes.Structure):
    """mo_tensor."""

    _fields_ = [("name", c_char_p), ("element_type", c_char_p), ("shape", POINTER(c_int64)), ("rank", c_size_t), ("data", c_void_p), ("size", c_size_t)]


ProgressFunction = ctypes.CFUNCTYPE(c_int, c_void_p, c_double, c_char_p)

_library = load()


def declared(name: str, result: Any, *arguments: Any) -> Any:
    function = getattr(_library, name)
    function.restype, function.argtypes = result, arguments
    return function


_version = declared("mo_version", c_char_p)
_request_new = declared("mo_request_new", c_void_p)
_request_free = declared("mo_request_free", None, c_void_p)
_request_set = declared("mo_request_set", c_int, c_void_p, c_char_p, c_char_p)
_request_set_bytes = declared("mo_request_set_bytes", c_int, c_void_p, c_char_p, c_char_p, c_void_p, c_size_t)
_request_keep_in_memory = declared("mo_request_keep_in_memory", c_int, c_void_p, c_int)
_request_on_progress = declared("mo_request_on_progress", c_int, c_void_p, ProgressFunction, c_void_p)
_request_cancel = declared("mo_request_cancel", None, c_void_p)
_convert = declared("mo_convert", c_void_p, c_void_p)
_inspect = declared("mo_inspect", c_void_p, c_void_p)
_verify = declared("mo_verify", c_void_p, c_void_p)
_run = declared("mo_run", c_void_p, c_void_p, POINTER(Tensor), c_size_t)
_result_status = declared("mo_result_status", c_int, c_void_p)
_result_error_code = declared("mo_result_error_code", c_char_p, c_void_p)
_result_error = declared("mo_result_error", c_char_p, c_void_p)
_result_json = declared("mo_result_json", c_char_p, c_void_p)
_result_bytes = declared("mo_result_bytes", c_void_p, c_void_p, c_int, POINTER(c_size_t))
_result_tensor_count = declared("mo_result_tensor_count", c_size_t, c_void_p)
_result_tensor = declared("mo_result_tensor", c_int, c_void_p, c_size_t, POINTER(Tensor))
_result_free = declared("mo_result_free", None, c_void_p)


def text(raw: bytes) -> str:
    """Names come from models and need not be UTF-8."""
    return raw.decode("utf-8", "replace")


def raw(value: str) -> bytes:
    """Names of files need not be UTF-8, either."""
    if "\0" in value:
        raise usage_error("MO-PYTHON-0001", f"{value!r:.80} has a null character", "remove it: names and values of options are text")
    return value.encode("utf-8", "surrogateescape")


def version() -> str:
    return text(_version())


class Result:
    """The outcome of a request. Views of its bytes keep it alive."""

    def __init__(self, handle: int | None) -> None:
        self._handle = handle

    def __del__(self, _free: Any = _result_free) -> None:
        _free(self._handle)

    @property
    def status(self) -> int:
        status: int = _result_status(self._handle)
        return status

    @property
    def error_code(self) -> str:
        return text(_result_error_code(self._handle))

    @property
    def error(self) -> str:
        return text(_result_error(self._handle))

    @property
    def json(self) -> str:
        return text(_result_json(self._handle))

    def part(self, part: int) -> memoryview:
        size = c_size_t()
        address = _result_bytes(self._handle, part, size)
        return view_of(self, address, size.value)

    def __len__(self) -> int:
        count: int = _result_tensor_count(self._handle)
        return count

    def tensor(self, index: int) -> tuple[str, str, tuple[int, ...], memoryview]:
        """Name, element type, shape and bytes of an output of `run`."""
        tensor = Tensor()
        if _result_tensor(self._handle, index, tensor) != 0:
            raise IndexError(f"there is no output {index}")
        return text(tensor.name), text(tensor.element_type), tuple(tensor.shape[:tensor.rank]), view_of(self, tensor.data, tensor.size)


class Request:
    """What is asked of libmo."""

    _handle = None

    def __init__(self) -> None:
        self._handle = _request_new()
        if not self._handle:
            raise MemoryError
        self._progress: Callable[[float, str], Any] | None = None
        self._raised: BaseException | None = None  # by the function that is told of progress

    def __del__(self, _free: Any = _request_free) -> None:
        _free(self._handle)

    def set(self, option: str, value: str | None = None) -> None:
        check(_request_set(self._handle, raw(option), None if value is None else raw(value)))

    def set_bytes(self, option: str, name: str, data: Any) -> None:
        held = Bytes(data)
        check(_request_set_bytes(self._handle, raw(option), raw(name), held.address, held.size))

    def keep_in_memory(self, keep: bool) -> None:
        check(_request_keep_in_memory(self._handle, keep))

    def on_progress(self, progress: Callable[[float, str], Any] | None) -> None:
        self._progress = progress

    def cancel(self) -> None:
        _request_cancel(self._handle)

    def convert(self) -> Result:
        told = ProgressFunction(self._tell) if self._progress else ProgressFunction()
        check(_request_on_progress(self._handle, told, None))
        return self._ask(_convert, keep=told)

    def inspect(self) -> Result:
        return self._ask(_inspect)

    def verify(self) -> Result:
        return self._ask(_verify)

    def run(self, inputs: Sequence[tuple[str, str, Sequence[int], Any]]) -> Result:
        """`inputs`: name, element type, shape and bytes of each."""
        held = [Bytes(data) for _, _, _, data in inputs]
        tensors = (Tensor * len(inputs))()
        for tensor, bytes_, (name, kind, shape, _) in zip(tensors, held, inputs):
            dims = (c_int64 * len(shape))(*shape)  # kept by the structure, as all that it points to
            tensor.name, tensor.element_type, tensor.shape, tensor.rank = raw(name), raw(kind), dims, len(shape)
            tensor.data, tensor.size = bytes_.address, bytes_.size
        return self._ask(_run, tensors, len(inputs), keep=held)

    def _tell(self, _context: Any, share: float, step: bytes) -> int:
        """In the thread that works. What the function raises ends the work, and is raised again by the thread that waits."""
        try:
            answer = self._progress(share, text(step)) if self._progress else None
            return int(answer is not None and not answer)  # False: stop
        except BaseException as raised:  # noqa: BLE001
            self._raised = raised
            return 1

    def _ask(self, function: Any, *arguments: Any, keep: Any = None) -> Result:
        """Works in another thread, so that this one can be interrupted: Python handles signals (Ctrl-C) in its main thread, between its own instructions.
        The thread owns what libmo uses: nothing is freed below it, whatever happens to this call."""
        results = []
        done = threading.Event()
        self._raised = None

        def work(request: Request = self, kept: Any = keep) -> None:
            try:
                results.append(Result(function(request._handle, *arguments)))
            finally:
                done.set()

        thread = threading.Thread(target=work, name="mo")
        try:
            thread.start()
            done.wait()
        except BaseException:
            self.cancel()
            if thread.ident is not None:  # else it never started
                done.wait()
            raise
        raised, self._raised = self._raised, None
        if raised is not None:
            raise raised
        return results[0]


def check(status: int) -> None:
    if status == MO_RESOURCE_LIMIT:
        raise MemoryError
    if status != 0:
        raise ValueError("libmo refuses the call")
