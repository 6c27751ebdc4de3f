"""Addresses of Python's bytes for C, and bytes of C for Python, without copies."""
from __future__ import annotations

import ctypes
from typing import Any

C_CONTIGUOUS = 0x38  # PyBUF_C_CONTIGUOUS


class PyBuffer(ctypes.Structure):
    """Py_buffer of CPython."""

    _fields_ = [("buf", ctypes.c_void_p), ("obj", ctypes.c_void_p), ("len", ctypes.c_ssize_t), ("itemsize", ctypes.c_ssize_t), ("readonly", ctypes.c_int),
                ("ndim", ctypes.c_int), ("format", ctypes.c_void_p), ("shape", ctypes.c_void_p), ("strides", ctypes.c_void_p),
                ("suboffsets", ctypes.c_void_p), ("internal", ctypes.c_void_p)]


# A handle of our own: the functions of ctypes.pythonapi are shared by all modules, with the types that the last of them declared.
_python = ctypes.PyDLL(None)
_get = _python.PyObject_GetBuffer
_get.argtypes = [ctypes.py_object, ctypes.POINTER(PyBuffer), ctypes.c_int]
_release = _python.PyBuffer_Release
_release.argtypes = [ctypes.POINTER(PyBuffer)]
_release.restype = None


class Bytes:
    """The bytes of an object with a buffer, in row-major order. They stay where they are as long as this lives."""

    def __init__(self, data: Any) -> None:
        self._buffer = PyBuffer()
        _get(data, self._buffer, C_CONTIGUOUS)

    def __del__(self, _release: Any = _release) -> None:
        _release(self._buffer)  # without effect if there is no buffer

    @property
    def address(self) -> int | None:
        address: int | None = self._buffer.buf
        return address

    @property
    def size(self) -> int:
        size: int = self._buffer.len
        return size


def view_of(owner: Any, address: int | None, size: int) -> memoryview:
    """Read-only bytes at an address, which belong to `owner`: it lives as long as the view."""
    if not address or not size:
        return memoryview(b"")
    array = (ctypes.c_ubyte * size).from_address(address)
    array.owner = owner  # type: ignore[attr-defined]
    return memoryview(array).cast("B").toreadonly()
