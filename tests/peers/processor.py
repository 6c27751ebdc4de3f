"""The processor that the judges run on: engines choose kernels by its instruction sets, and numbers and faults are those of kernels."""
import functools
import platform
import re

NOTED = ("sse4_2", "avx2", "avx512f", "avx512_vnni", "avx512_bf16", "amx_tile", "amx_bf16", "amx_int8", "asimd", "sve")


@functools.cache
def facts():
    """Its name, and the set of its instruction sets, empty when they are not known."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            text = file.read()
    except OSError:
        text = ""
    name = re.search(r"^model name\s*: (.*)$", text, re.M)
    flags = re.search(r"^(?:flags|Features)\s*: (.*)$", text, re.M)
    return name[1] if name else platform.machine(), frozenset(flags[1].split()) if flags else frozenset()


def lacks(instructions):
    """Whether it does not have them; "": False."""
    return bool(instructions) and instructions not in facts()[1]


def description():
    name, flags = facts()
    return f"{name} ({', '.join(flag for flag in NOTED if flag in flags) or 'unknown instruction set'}), f32 forced"
