"""The table judge x corpus x target."""
COLUMNS = ("cases", "refused", "read", "compiled", "right", "wrong", "not computed", "crash", "known", "open")
STEPS = ("converted", "read", "compile", "infer")


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
