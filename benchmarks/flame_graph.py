#!/usr/bin/env python3
"""Draws a profile as a flame graph: one SVG file that needs nothing else, the same for the same profile.

usage: flame_graph.py PROFILE [-o FILE.svg] [--title TEXT] [--least 0.5]

PROFILE is what callgrind wrote, or the text of `perf script`:
  valgrind --tool=callgrind --callgrind-out-file=profile mo --version;  flame_graph.py profile -o version.svg
  perf record -g -e cpu-clock mo …; perf script > profile;              flame_graph.py profile -o conversion.svg
Callgrind counts calls, not stacks: the cost of a function is divided among its callers as they caused it. Frames below --least percent of the whole are
merged into the one beneath.
"""
import argparse
import re
import sys
import zlib
from collections import defaultdict
from html import escape

WIDTH, ROW, MARGIN, FONT = 1200, 17, 10, 11
LETTER = FONT * 0.61  # of a monospaced font
LONGEST_NAME = 110


class Frame:
    def __init__(self, name):
        self.name, self.cost, self.children = name, 0, {}

    def child(self, name):
        if name not in self.children:
            self.children[name] = Frame(name)
        return self.children[name]


def short(name):
    """Without arguments and what templates were made with: "mo::Matcher::match"."""
    name = name.strip()
    if name.startswith("0x") or not name:
        return "?"
    name = re.sub(r"'\d+$", "", name).replace("(anonymous namespace)::", "").replace("std::__cxx11::", "std::").replace("[abi:cxx11]", "")
    shorter, depth = [], 0
    operator = re.search(r"operator\s*(<=>|<<=?|>>=?|<=?|>=?|\(\)|->\*?)", name)
    kept = range(operator.start(), operator.end()) if operator else ()
    for place, letter in enumerate(name):
        if place in kept:
            if depth == 0:
                shorter.append(letter)
        elif letter in "<(":
            if letter == "(" and depth == 0 and name[place:].startswith("(below main)"):
                return "(below main)"
            depth += 1
        elif letter in ">)":
            depth -= 1
        elif depth == 0:
            shorter.append(letter)
    text = "".join(shorter).strip()
    text = re.sub(r"( const| \[clone.*| noexcept)+$", "", text).strip()
    words = text.split(" ")  # what a function template returns comes first
    text = " ".join(words[-2:] if words[-2:-1] and words[-2].endswith("operator") else words[-1:])
    return (text or name)[:LONGEST_NAME]


def read_perf(lines):
    """Samples with their stacks, the innermost function first."""
    root, stack, in_sample = Frame("all"), [], False

    def finish():
        if not stack:
            return
        frame = root
        frame.cost += 1
        for name in reversed(stack):
            frame = frame.child(name)
            frame.cost += 1
        stack.clear()

    for line in lines:
        if not line.strip():
            finish()
            in_sample = False
        elif not line[0].isspace():
            finish()
            in_sample = True
        elif in_sample:
            found = re.match(r"\s+[0-9a-f]+ (.*?)(?:\+0x[0-9a-f]+)? \(([^()]*)\)$", line.rstrip())
            if found:
                name = short(found.group(1)) if found.group(1) != "[unknown]" else "?"
                if name == "?":
                    name = f"[{found.group(2).rsplit('/', 1)[-1].strip('[]')}]"
                if not stack or stack[-1] != name:  # recursion is one frame
                    stack.append(name)
    finish()
    return root


class CallGraph:
    def __init__(self):
        self.own = defaultdict(int)
        self.calls = defaultdict(lambda: defaultdict(int))

    @staticmethod
    def read(lines):
        """Functions are known by object and name: there may be several of one name."""
        graph, names, objects = CallGraph(), {}, {}
        positions, function, callee = 1, ("", "?"), None
        of_function, of_callee = "", None

        def spelt(text, known):
            number, _, name = text.partition(" ")
            if name:
                known[number] = name
            return known.get(number, text)

        for line in lines:
            line = line.rstrip("\n")
            key, equals, value = line.partition("=")
            if line.startswith("positions:"):
                positions = len(line.split()) - 1
            elif equals and key == "ob":
                of_function = spelt(value, objects)
            elif equals and key == "cob":
                of_callee = spelt(value, objects)
            elif equals and key == "fn":
                function = (of_function, spelt(value, names))
            elif equals and key == "cfn":
                callee = (of_function if of_callee is None else of_callee, spelt(value, names))
                of_callee = None
            elif line and (line[0].isdigit() or line[0] in "+-*"):
                fields = line.split()
                if len(fields) <= positions:
                    continue
                cost = int(fields[positions])
                if callee is not None:
                    if callee != function:
                        graph.calls[function][callee] += cost
                    callee = None
                else:
                    graph.own[function] += cost
        return graph

    @staticmethod
    def label(function):
        of, name = function
        return f"[{of.rsplit('/', 1)[-1]}]" if short(name) == "?" else short(name)

    def frames(self, least):
        incoming = defaultdict(int)
        for callees in self.calls.values():
            for callee, cost in callees.items():
                incoming[callee] += cost
        functions = sorted(set(self.own) | set(self.calls))
        whole = sum(self.own.values())
        total = {name: self.own[name] + sum(self.calls[name].values()) for name in functions}
        root = Frame("all")
        root.cost = whole

        def add(parent, name, cost, path):
            frame = parent.child(self.label(name))
            frame.cost += cost
            if total.get(name, 0) <= 0:
                return
            share = min(1.0, cost / total[name])
            for callee, called in sorted(self.calls[name].items()):
                if callee not in path and called * share >= least * whole:
                    add(frame, callee, called * share, path | {callee})

        for name in functions:
            started = total[name] - incoming[name]  # what has no caller
            if started >= least * whole:
                add(root, name, started, {name})
        return root


def layout(root, least):
    """Rectangles: level, begin and end as shares of the whole, frame."""
    rectangles = []

    def place(frame, level, begin, end):
        rectangles.append((level, begin, end, frame))
        children = sorted(frame.children.values(), key=lambda child: child.name)
        costs = [child.cost for child in children]
        scale = min(1.0, frame.cost / sum(costs)) if costs and sum(costs) else 1.0
        at = begin
        for child in children:
            size = child.cost * scale / root.cost
            if size >= least:
                place(child, level + 1, at, min(at + size, end))
                at += size

    place(root, 0, 0.0, 1.0)
    return rectangles


def colour(name):
    number = zlib.crc32(name.encode())
    return f"#{205 + number % 50:02x}{90 + (number >> 8) % 120:02x}{40 + (number >> 16) % 40:02x}"


def number(value):
    return f"{value:.1f}".rstrip("0").rstrip(".")


def draw(root, title, least):
    rectangles = layout(root, least)
    levels = max(level for level, *_ in rectangles) + 1
    height = levels * ROW + 2 * MARGIN + ROW + 6
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="monospace" font-size="{FONT}">',
             '<rect width="100%" height="100%" fill="#fff"/>', f'<text x="{MARGIN}" y="{MARGIN + FONT}" font-size="{FONT + 2}">{escape(title)}</text>']
    inner = WIDTH - 2 * MARGIN
    for level, begin, end, frame in rectangles:
        x, width = MARGIN + begin * inner, (end - begin) * inner
        y = height - MARGIN - (level + 1) * ROW
        parts.append(f'<g><title>{escape(frame.name)}: {100 * frame.cost / root.cost:.1f} %</title>'
                     f'<rect x="{number(x)}" y="{y}" width="{number(max(width - 0.5, 0.5))}" height="{ROW - 1}" fill="{colour(frame.name)}"/>')
        letters = int((width - 4) / LETTER)
        if letters >= 3:
            name = frame.name if len(frame.name) <= letters else frame.name.rsplit("::", 1)[-1]
            text = name if len(name) <= letters else name[: letters - 1] + "…"
            parts.append(f'<text x="{number(x + 2)}" y="{y + FONT + 1}">{escape(text)}</text>')
        parts.append("</g>")
    return "\n".join(parts) + "\n</svg>\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("profile")
    parser.add_argument("-o", "--output", default="-")
    parser.add_argument("--title", default="")
    parser.add_argument("--least", type=float, default=0.5, help="percent")
    options = parser.parse_args()
    with open(options.profile, errors="replace") as file:
        lines = file.readlines()
    least = options.least / 100
    is_callgrind = any(line.startswith(("events:", "# callgrind")) for line in lines[:40])
    root = CallGraph.read(lines).frames(least) if is_callgrind else read_perf(lines)
    if root.cost == 0:
        sys.exit(f"{options.profile} is neither a profile of callgrind nor the text of perf script, or it is empty")
    svg = draw(root, options.title or ("instructions" if is_callgrind else f"{root.cost} samples"), least)
    if options.output == "-":
        sys.stdout.write(svg)
    else:
        with open(options.output, "w") as file:
            file.write(svg)


if __name__ == "__main__":
    main()
