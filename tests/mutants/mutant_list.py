"""The list of mutants: reads it, and puts all of them into a copy of the sources, each behind a switch."""
import re
import zlib
from dataclasses import dataclass, field
from pathlib import Path


class ListError(Exception):
    pass


@dataclass
class Mutant:
    name: str
    file: str
    line: int  # of the list
    number: int = 0  # of the switch; follows from the name, so that a change of the list rebuilds only what it touches
    what: str = ""
    within: str = ""
    original: str = ""
    mutated: str = ""
    nth: int = 0  # 0: there must be one place only
    span: tuple = field(default=(0, 0))

    def is_statement(self):
        return self.original.endswith(";")


HEAD = re.compile(r"\[([a-z0-9_]+)\] (\S+)$")


def parse_list(text):
    """Entries of the list. Raises ListError."""
    mutants = []
    has_mutated = False

    def finish():
        if not mutants:
            return
        last = mutants[-1]
        for part, is_there in (("a description", last.what), ('a line "- original"', last.original), ('a line "+ mutated"', has_mutated)):
            if not is_there:
                raise ListError(f"line {last.line}: [{last.name}] lacks {part}")
        if last.original == last.mutated:
            raise ListError(f"line {last.line}: [{last.name}] changes nothing")
        if not last.mutated and not last.is_statement():
            raise ListError(f"line {last.line}: [{last.name}] drops {last.original!r}, which is no statement")

    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("["):
            finish()
            head = HEAD.match(line.rstrip())
            if not head:
                raise ListError(f"line {number}: not of the form [name] folder/file.cpp")
            mutants.append(Mutant(head[1], head[2], number, zlib.crc32(head[1].encode()) & 0x7FFFFFFF))
            has_mutated = False
            continue
        if not mutants:
            raise ListError(f"line {number}: an entry begins with [name] folder/file.cpp")
        entry = mutants[-1]
        rest = line.strip()
        kind, _, content = rest.partition(" ")
        content = content.strip()
        if kind == "@" and content and not entry.within:
            entry.within = content
        elif kind == "-" and content and not entry.original:
            entry.original = content
        elif kind == "+" and not has_mutated:
            entry.mutated = content
            has_mutated = True
        elif kind == "nth" and content.isdigit() and int(content) > 0:
            entry.nth = int(content)
        elif kind not in ("@", "-", "+", "nth") and not entry.what:
            entry.what = rest
        else:
            raise ListError(f"line {number}: {rest!r} does not belong here")
    finish()
    by_number = {}
    for mutant in mutants:
        other = by_number.setdefault(mutant.number, mutant)
        if other.name != mutant.name:
            raise ListError(f"{mutant.name} and {other.name} have the same number: rename one")
        if other is not mutant:
            raise ListError(f"there are two mutants of the name {mutant.name}")
    return mutants


def as_pattern(fragment):
    """Finds a fragment however its lines are broken."""
    return re.compile(r"\s+".join(re.escape(word) for word in fragment.split()))


def place(mutant, text):
    """Where in the text of its file a mutant is. Raises ListError when the list is stale."""
    where = f"[{mutant.name}] {mutant.file}"
    begin, end = 0, len(text)
    if mutant.within:
        found = list(as_pattern(mutant.within).finditer(text))
        if len(found) != 1:
            raise ListError(f"{where}: the context is found {len(found)} times: {mutant.within}")
        begin, end = found[0].span()
    found = [m.span() for m in as_pattern(mutant.original).finditer(text, begin, end)]
    if mutant.nth:
        if len(found) < mutant.nth:
            raise ListError(f"{where}: found {len(found)} times, place {mutant.nth} is wanted: {mutant.original}")
        return found[mutant.nth - 1]
    if len(found) != 1:
        raise ListError(f"{where}: found {len(found)} times, once is wanted (stale, or it needs a context or nth): {mutant.original}")
    return found[0]


def locate(mutants, root):
    """Finds the places of all mutants. Returns what is wrong, one line for each."""
    problems = []
    texts = {}
    for mutant in mutants:
        path = Path(root, mutant.file)
        if path.suffix != ".cpp" or not path.is_file():
            # Headers are installed for plugins, which know no mutants.
            problems.append(f"[{mutant.name}] {mutant.file}: there is no such .cpp file")
            continue
        if mutant.file not in texts:
            texts[mutant.file] = path.read_text()
        try:
            mutant.span = place(mutant, texts[mutant.file])
        except ListError as problem:
            problems.append(str(problem))
    if not problems:
        for file in texts:
            inside = sorted((m for m in mutants if m.file == file), key=lambda m: m.span)
            for a, b in zip(inside, inside[1:]):
                if a.span != b.span and b.span[0] < a.span[1]:
                    problems.append(f"[{b.name}] {file}: lies within the place of [{a.name}]: mutate the same fragment, or another one")
                elif a.span == b.span and a.is_statement() != b.is_statement():
                    problems.append(f"[{b.name}] {file}: one is a statement, [{a.name}] is not")
    return problems


def switched(original, mutants):
    """The original code, or what the chosen mutant makes of it."""
    if mutants[0].is_statement():
        branches = "".join(f"if (::mo_mutant({m.number})) {{ {m.mutated} }} else " for m in mutants)
        return f"{{ {branches}{{ {original} }} }}"
    choices = "".join(f"::mo_mutant({m.number}) ? ({m.mutated}) : " for m in mutants)
    return f"({choices}({original}))"


def mutate(text, mutants):
    """The text of a file with all its mutants, whose places are known."""
    for span in sorted({m.span for m in mutants}, reverse=True):
        here = [m for m in mutants if m.span == span]
        text = text[: span[0]] + switched(text[span[0] : span[1]], here) + text[span[1] :]
    return text


def parse_equivalents(text):
    """{name: reason} from lines `name: reason`."""
    reasons = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        name, _, reason = line.partition(": ")
        if not reason.strip():
            raise ListError(f"equivalents, line {number}: not of the form `name: reason`")
        reasons[name] = reason.strip()
    return reasons
