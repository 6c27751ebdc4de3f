"""The table judge x corpus x target, and the line about the processor."""
import platform
import re

NOTED = ("sse4_2", "avx2", "avx512f", "avx512_vnni", "avx512_bf16", "amx_tile", "amx_bf16", "amx_int8", "asimd", "sve")
COLUMNS = ("cases", "refused", "read", "compiled", "right", "wrong", "not computed", "crash", "known", "open")
STEPS = ("converted", "read", "compile", "infer")


def processor():
    """Name and instruction sets: numbers of the runtimes depend on both."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            text = file.read()
    except OSError:
        text = ""
    name = re.search(r"^model name\s*: (.*)$", text, re.M)
    flags = set((re.search(r"^(?:flags|Features)\s*: (.*)$", text, re.M) or ["", ""])[1].split())
    return f"{name[1] if name else platform.machine()} ({', '.join(flag for flag in NOTED if flag in flags) or 'unknown instruction set'}), f32 forced"


class Table:
    def __init__(self):
        self.rows = {}

    def add(self, judge, corpus, target, verdict, is_known, is_open):
        row = self.rows.setdefault((judge, corpus, target), dict.fromkeys(COLUMNS, 0))
        row["cases"] += 1
        reached = STEPS.index(verdict.reached) if verdict.reached in STEPS else -1
        row["read"] += reached >= STEPS.index("read")
        row["compiled"] += reached >= STEPS.index("compile")
        if verdict.kind in row:
            row[verdict.kind] += 1
        row["known"] += is_known
        row["open"] += is_open

    def text(self, unit_names=("judge", "corpus", "target")):
        lines = [[*unit_names, *COLUMNS]] + [[*key, *map(str, row.values())] for key, row in self.rows.items()]
        widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
        return "\n".join("  ".join(cell.ljust(width) if i < 3 else cell.rjust(width) for i, (cell, width) in enumerate(zip(line, widths))).rstrip() for line in lines)
