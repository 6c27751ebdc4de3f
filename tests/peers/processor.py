"""The processor that the judges run on: engines choose kernels by its instruction sets, and numbers and faults are those of kernels."""
import functools
import os
import platform
import re

NOTED = ("sse4_2", "avx2", "avx512f", "avx512_vnni", "avx512_bf16", "amx_tile", "amx_bf16", "amx_int8", "asimd", "sve")
# What judges can be kept from using: the names in /proc/cpuinfo that go, and the setting of oneDNN, which OpenVINO obeys in its own kernels too.
WITHOUT = {"avx512f": (("avx512", "avx10", "amx"), {"DNNL_MAX_CPU_ISA": "AVX2"})}
left_out = []


def do_without(instructions):
    """Engines that are started from now on choose their kernels as on a processor without these instructions, and `facts` is about that one."""
    if instructions in WITHOUT and instructions not in left_out:
        left_out.append(instructions)
        os.environ.update(WITHOUT[instructions][1])
        facts.cache_clear()


def obeys(judge):
    """Whether the judge chooses its kernels as `do_without` says: 2021.4 does not, and 2026.4 mixes both kinds ("evex is invalid", crashes)."""
    return not left_out or judge.startswith(("openvino-2022", "openvino-2023", "openvino-2024", "openvino-2025"))


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
    unused = tuple(prefix for instructions in left_out for prefix in WITHOUT[instructions][0])
    return name[1] if name else platform.machine(), frozenset(flag for flag in flags[1].split() if not flag.startswith(unused)) if flags else frozenset()


def lacks(instructions):
    """Whether it does not have them; "": False."""
    return bool(instructions) and instructions not in facts()[1]


def description():
    name, flags = facts()
    unused = f", made to do without {', '.join(left_out)}" if left_out else ""
    return f"{name} ({', '.join(flag for flag in NOTED if flag in flags) or 'unknown instruction set'}{unused}), f32 forced"
