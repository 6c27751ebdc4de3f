#!/usr/bin/env python3
"""Checks the English of what users read: phrases that this project once used in place of the usual ones are refused in README.md and docs/ (outside
of code), in string literals of the C++ sources, in comments of the same folders, in titles of golden cases, and in names of C++ and Python
tests. The table PHRASES has each phrase as a regular expression, with what to write instead.

usage: english.py [ROOT]        checks the repository at ROOT (default: this one); exit code 1 when a phrase is found
       english.py --count       prints how often each phrase occurs, by folder, also in those of NOT_YET
       english.py --self-test   checks that each phrase is found where it stands, and nowhere else

Files and folders that are not clean yet are listed in NOT_YET. That list can only shrink: an entry without a finding is a problem too.
"""
import collections
import os
import re
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SOURCES = ("core", "ops", "frontends", "phases", "transformations", "extensions", "graph_transforms", "ir_emitter", "onnx_emitter", "plugins", "driver", "cli", "tools", "api")
PAGES = ("README.md", "docs")
COMMENTS = SOURCES  # folders whose comments are clean
NOT_YET = ()

VERB = r"(?<!there )(?<!There )(?<!that )\b(?:is|are|was|were)"
PHRASES = (  # (what it is called, regular expression, what to write instead)
    ("check how", r"\bcheck how (?:the (?:model|node|file)|it)\b", "what to do: `export the model again with a newer exporter`, `compare its checksum`"),
    ("damaged", r"\b(?:the|is|are|or) (?:model |file |node )?(?:is )?damaged\b", "`corrupt`, with what to do: `compare its checksum`"),
    ("is no X", VERB + r" no (?!longer\b|more\b|less\b|other\b|such\b)\w+", "`is not a …`; `there is no …` and `has no …` are fine"),
    ("is wanted", r"\b(?:is|are|was|were) wanted\b", "`expected X, got Y`"),
    ("wants", r"\bwants? (?:\{\}|\d+|two|three|four)(?!\w)", "`expected …` or `requires …`"),
    ("behind", r"(?<!look-)(?<!idea )(?<!reason )\bbehind\b", "`after`; `beyond` for sizes"),
    ("in front of", r"\bin front of\b", "`before`"),
    ("nobody", r"\b(?:[Nn]obody|[Ss]omebody|[Ww]hoever)\b", "`nothing`, `is unknown`, or the passive voice"),
    ("shall", r"\bshall\b", "the present tense"),
    ("there twice", r"\b(?:is|are) there twice\b|\bcomes twice\b|\bsaid twice\b", "`duplicate …`"),
    ("cannot be told", r"\b(?:cannot|can not) be (?:told|said)\b", "`cannot infer …`, `is unknown`"),
    ("says no", r"\b(?:says|say) no(?:thing)?\b", "`does not define …`, `has no …`"),
    ("made of", r"\b(?:is|are) not made of\b", "`does not consist of`"),
    ("what lies between", r"\bwhat lies between\b", "`intermediate results`"),
    ("took away", r"\btook (?:it|its \w+|them) away\b", "`removed`"),
    ("is in vain", r"\bin vain\b", "`without effect`"),
    ("dear", r"\bthe dearest\b|\bdearer\b", "`most expensive`"),
    ("a friend", r"\bfrom a friend\b", "`from a trusted source`"),
    ("of its own", r"\ba name of its own\b", "`a unique name`"),
    ("has made", r"\bhas made an? \w+ of its own\b", "`created`"),
    ("what is refused", r"\bWhat is (?:refused|said|told)\b", "a noun: `Unsupported operators`"),
    ("there already", r"\bthat (?:is|are) there already\b", "`duplicate`"),
    ("the run knows", r"\bonly the run knows\b", "`known only at run time`"),
    ("follows from", r"\bthat which follows from\b|\bthat follow from its size\b", "`derived from`"),
)
PATTERNS = [(name, re.compile(pattern), instead) for name, pattern, instead in PHRASES]

# Comments and literals of C++; raw strings have their delimiter in group 1 and their text in group 2.
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"([^(\s]*)\((.*?)\)\1"|"((?:[^"\\\n]|\\.)*)"|\'(?:[^\'\\\n]|\\.)+\'', re.DOTALL)


def literals(text):
    """(line, text) of each string literal, with neighbours that the compiler joins as one, unless it is the name of an included file."""
    found, end = [], 0
    for token in TOKEN.finditer(text):
        value = token[3] if token[3] is not None else token[2]
        if value is None:
            continue
        if text[text.rfind("\n", 0, token.start()) + 1:token.start()].lstrip().startswith("#include"):
            continue
        if found and not text[end:token.start()].strip():
            found[-1][1] += value
        else:
            found.append([text.count("\n", 0, token.start()) + 1, value])
        end = token.end()
    return found


def comments(text):
    """(line, text) of each comment, with lines that continue it as one."""
    found, last = [], None
    for token in TOKEN.finditer(text):
        if not token[0].startswith(("//", "/*")):
            continue
        line, words = text.count("\n", 0, token.start()) + 1, re.sub(r"`[^`]*`", "`x`", re.sub(r"^[/<* ]+", "", token[0]))
        if last == line - 1 and token[0].startswith("//"):
            found[-1][1] += " " + words
        else:
            found.append([line, words])
        last = line
    return found


def titles(text):
    """(line, text) of the title of each golden case."""
    return [(number, line[4:]) for number, line in enumerate(text.splitlines(), 1) if line.startswith("=== ")]


def test_names(text):
    """(line, words) of the name of each test in C++ or Python."""
    return [(text.count("\n", 0, name.start()) + 1, re.sub(r"_|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name[1] or name[2]).lower())
            for name in re.finditer(r"^TEST(?:_[FP])?\(\w+,\s*(\w+)\)|^ *def test_(\w+)", text, re.MULTILINE)]


def prose(text):
    """(line, text) of each line outside of code: neither blocks nor what is between backticks."""
    inside, found = False, []
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            inside = not inside
        elif not inside:
            found.append((number, re.sub(r"`[^`]*`", "`x`", line)))
    return found


def files(root, places, endings):
    for place in places:
        path = os.path.join(root, place)
        if os.path.isfile(path):
            names = [(root, [place])]
        else:
            names = [(folder, inside) for folder, _, inside in sorted(os.walk(path))]
        for folder, inside in names:
            for name in sorted(inside):
                if name.endswith(endings):
                    with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
                        yield os.path.relpath(os.path.join(folder, name), root), file.read()


def texts(root):
    """(path, line, text) of all that is checked."""
    for places, endings, parts in ((SOURCES, (".cpp", ".hpp"), literals), (COMMENTS, (".cpp", ".hpp"), comments), (("tests",), (".test",), titles),
                                   (("tests",), (".cpp", ".py"), test_names), (PAGES, (".md",), prose)):
        for path, content in files(root, places, endings):
            yield from ((path, line, text) for line, text in parts(content))


def findings(root):
    """(path, line, name of the phrase, what was found, what to write instead)."""
    for path, line, text in texts(root):
        yield from ((path, line, name, match[0], instead) for name, pattern, instead in PATTERNS for match in pattern.finditer(text))


def excuse(path, not_yet):
    return next((entry for entry in not_yet if path == entry or path.startswith(entry + "/")), None)


def check(root, not_yet=NOT_YET):
    problems, used = [], set()
    for path, line, _, found, instead in findings(root):
        entry = excuse(path, not_yet)
        used.add(entry)
        if not entry:
            problems.append(f"{path}:{line}: \"{found}\": write {instead}")
    return problems + [f"NOT_YET: {entry} is clean: take it out of the list" for entry in not_yet if entry not in used]


def count(root):
    counts = collections.Counter((path.split("/")[0] if not path.startswith("docs") else path, name) for path, _, name, _, _ in findings(root))
    return [f"{number:5} {place}: {name}" for (place, name), number in sorted(counts.items())]


def self_test():
    bad = ("the model is damaged; check how it was made", "this is no ONNX model", "4 are wanted", "\\\\u wants four digits", "cut it behind the node", "a copy in front of it",
           "which nobody reads", "it shall stay", "the key is there twice", "the axes cannot be told", "node x says no op", "it is not made of rules",
           "looked for in vain", "nothing reads what lies between", "a transform took it away", "the dearest first", "a model from a friend", "a tensor has a name of its own", "it has made an op of its own", "What is refused is listed",
           "that which follows from it", "a name that is there already", "a size that only the run knows")
    good = ("there is no input 3", "the node has no output", "it is no longer read", "look-behind is not supported", "the idea behind it", "the outputs that you want with --output")
    failures = []
    hit = set()
    for text in bad:
        names = {name for name, pattern, _ in PATTERNS if pattern.search(text)}
        hit |= names
        if not names:
            failures.append(f"nothing is found in {text!r}")
    failures += [f"no example has the phrase {name!r}" for name, _, _ in PHRASES if name not in hit]
    cases = [  # (file, text, entries of NOT_YET, part of the problem that must be found)
        ("core/a.cpp", 'f("this is no shape");\n', (), "core/a.cpp:1: \"is no shape\""),
        ("core/a.cpp", '\nf("this is "\n  "no shape");\n', (), "core/a.cpp:2: \"is no shape\""),
        ("core/a.cpp", 'f(R"x(cut\nit behind)x");\n', (), "core/a.cpp:1: \"behind\""),
        ("benchmarks/a.cpp", "// cut it behind this\nchar c = '\"'; // \"behind\"\n", (), None),
        ("core/a.hpp", "int a;  ///< cut it behind this\n", (), "core/a.hpp:1: \"behind\""),
        ("core/a.hpp", "int a;\n/// where it\n/// is wanted\n", (), "core/a.hpp:2: \"is wanted\""),
        ("tests/a.test", "=== an op that nobody knows\ngraph()\n", (), "tests/a.test:1: \"nobody\""),
        ("tests/a.cpp", "TEST(A, TheNodeInFrontOfAResult) {\n}\n", (), "tests/a.cpp:1: \"in front of\""),
        ("tests/a_test.py", "class A:\n    def test_this_is_no_file(self):\n", (), "tests/a_test.py:2: \"is no file\""),
        ("tests/a.test", "# nobody\n=== a title\n  %x = ReLU(%behind)\n", (), None),
        ("core/a.cpp", '#include "behind it.hpp"\n', (), None),
        ("cli/a.cpp", 'f("behind it");\n', ("cli",), None),
        ("cli/a.cpp", 'f("after it");\n', ("cli",), "NOT_YET: cli is clean"),
        ("climb/a.md", "behind it\n", (), None),
        ("docs/a.md", "cut it behind this\n", (), "docs/a.md:1: \"behind\""),
        ("docs/errors.d/a.md", "| A | it shall stay |\n", (), "docs/errors.d/a.md:1: \"shall\""),
        ("docs/a.md", "```\ncut it behind this\n```\nand `cut behind`\n", (), None),
        ("docs/a.md", "cut it behind this\n", ("docs/a.md",), None),
        ("README.md", "which nobody reads\n", (), "README.md:1: \"nobody\""),
    ]
    cases += [("core/a.cpp", f'f("{text}");\n', (), None) for text in good]
    for path, text, not_yet, wanted in cases:
        with tempfile.TemporaryDirectory() as root:
            os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
            with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                file.write(text)
            found = check(root, not_yet)
        if (wanted is None and found) or (wanted is not None and not any(wanted in problem for problem in found)):
            failures.append(f"{path}: {text!r}: expected {wanted!r}, found {found}")
    return failures


def main():
    arguments = sys.argv[1:]
    if arguments == ["--count"]:
        print("\n".join(count(ROOT)))
        return 0
    testing = arguments == ["--self-test"]
    problems = self_test() if testing else check(arguments[0] if arguments else ROOT)
    for problem in problems:
        print(problem)
    print(f"{'self-test' if testing else 'english'}: {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
