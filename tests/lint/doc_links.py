#!/usr/bin/env python3
"""Links between the pages lead somewhere: each relative link to a file that exists, and to a heading or an anchor that its page has. docs/README.md,
the index, has a link to every page of docs/.

usage: doc_links.py [ROOT]       checks the pages of the repository at ROOT (default: this one); exit code 1 when a link leads nowhere
       doc_links.py --self-test  checks that each rule can fail
"""
import collections
import re
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PATTERNS = ("*.md", "docs/**/*.md", "examples/**/*.md", "plugins/**/*.md", "packaging/**/*.md")
PARTS = "docs/errors.d"  # parts of docs/errors.md, whose links are those of that page
INDEX = "docs/README.md"
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ +(.*?)\s*$", re.MULTILINE)
ANCHOR = re.compile(r"""<a (?:id|name)="([^"]+)">""")


def without_blocks(text):
    """The text with its blocks of code emptied; lines keep their numbers."""
    return re.sub(r"^```.*?^```$", lambda block: "\n" * block[0].count("\n"), text, flags=re.MULTILINE | re.DOTALL)


def fragment(heading):
    """As GitHub makes it from a heading."""
    words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
    return re.sub(r"[^\w\- ]", "", words).replace(" ", "-")


def fragments(text):
    found, counts = set(ANCHOR.findall(text)), collections.Counter()
    for heading in HEADING.findall(without_blocks(text)):
        name = fragment(heading)
        found.add(f"{name}-{counts[name]}" if counts[name] else name)
        counts[name] += 1
    return found


def check(root):
    root = Path(root)
    pages = {path: path.read_text(encoding="utf-8") for pattern in PATTERNS for path in root.glob(pattern) if not path.is_relative_to(root / PARTS)}
    names = {path: fragments(text) for path, text in pages.items()}
    indexed = {root / INDEX}
    problems = []
    for page, text in sorted(pages.items()):
        prose = re.sub(r"`[^`\n]*`", "x", without_blocks(text))
        for link in LINK.finditer(prose):
            file, _, name = link[1].partition("#")
            if re.match(r"[a-z]+:", link[1]):
                continue
            target = (page.parent / file).resolve() if file else page
            place = f"{page.relative_to(root)}:{prose.count(chr(10), 0, link.start()) + 1}"
            if not target.exists():
                problems.append(f"{place}: there is no file {link[1]}")
            elif name and target in names and name not in names[target]:
                problems.append(f"{place}: {link[1]}: the page has no heading or anchor of that name")
            if page == root / INDEX:
                indexed.add(target)
    problems += [f"{INDEX}: has no link to {page.relative_to(root / 'docs')}" for page in sorted(pages) if page.is_relative_to(root / "docs") and page not in indexed]
    return problems


def self_test():
    index = "[a](a.md)\n"
    cases = [  # (docs/README.md, docs/a.md, part of the problem that must be found)
        (index, "# A title, `here`\n[x](#a-title-here) [y](README.md) [z](https://example.org/none)\n", None),
        (index, "text\n[x](b.md)\n", "docs/a.md:2: there is no file b.md"),
        (index, "# Title\n[x](#titel)\n", "docs/a.md:2: #titel: the page has no heading"),
        (index, "[x](README.md#none)\n", "docs/a.md:1: README.md#none"),
        (index, "# Title\n# Title\n[x](#title-1)\n<a id=\"own\"></a>\n[y](#own)\n", None),
        (index, "```\n[x](b.md)\n# heading\n```\nand `[x](b.md)`\n", None),
        (index, "```\n# heading\n```\n[x](#heading)\n", "docs/a.md:4: #heading"),
        ("nothing\n", "text\n", "docs/README.md: has no link to a.md"),
    ]
    failures = []
    for readme, page, wanted in cases:
        with tempfile.TemporaryDirectory() as root:
            folder = Path(root).resolve() / "docs"
            folder.mkdir()
            (folder / "README.md").write_text(readme, encoding="utf-8")
            (folder / "a.md").write_text(page, encoding="utf-8")
            found = check(folder.parent)
        if (wanted is None and found) or (wanted is not None and not any(wanted in problem for problem in found)):
            failures.append(f"{page!r}: expected {wanted!r}, found {found}")
    return failures


def main():
    testing = sys.argv[1:] == ["--self-test"]
    problems = self_test() if testing else check(Path(sys.argv[1]).resolve() if sys.argv[1:] else ROOT)
    print(*problems, f"{'self-test' if testing else 'links of the documentation'}: {len(problems)} problems", sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
