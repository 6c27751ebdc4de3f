#!/usr/bin/env python3
"""What the runtimes refuse of one op, our inference refuses as well.

Takes every op of the IRs that the tests make, alone, changes one thing about it (type, rank or length of an input, a constant, an attribute) and asks
both judges: the static checker with the rules of the runtimes, and our own reader and inference. What the checker refuses and mo_run would start to
compute is a hole: a pass that writes such an op would not be noticed.

usage: op_rules.py BIN [--op TYPE] [--folder DIR] [--strict] [-v]
                          BIN: folder of mo_infer_irs, mo_conformance and test_golden; --op: only this type; --folder: IRs that are there, instead of
                          those of conformance tests and goldens; --strict: also what inference refuses and no rule does; -v: an IR for each hole

The checker is looked up in MO_SHARED (default: ../shared beside the sources); without it the test is skipped, which it says. Holes that are known
stand in op_rules_open.txt with the reason; one that is there and is none any more is an error, too.
"""
import argparse
import os
import re
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from pathlib import Path
from xml.sax.saxutils import quoteattr

from check_irs import write_conformance_irs, write_golden_irs
from checker import Checker

OPEN = Path(__file__).with_name("op_rules_open.txt")
SAMPLES_PER_OP = 4
LEAST_CHANGES = 40000
MOST_BYTES = 4096
NOT_ALONE = {"Const", "Parameter", "Result", "If", "Loop", "TensorIterator", "ReadValue", "Assign"}
SIZES = {"f32": 4, "f64": 8, "f16": 2, "bf16": 2, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "u8": 1, "u16": 2, "u32": 4, "u64": 8, "boolean": 1}
CODES = {"f32": "f", "f64": "d", "f16": "e", "i8": "b", "i16": "h", "i32": "i", "i64": "q", "u8": "B", "u16": "H", "u32": "I", "u64": "Q", "boolean": "B"}
PRECISIONS = {"boolean": "BOOL"}
ELEMENT_TYPES = {"BOOL": "boolean"}


class Input:
    """One input of the op: a Parameter, or a constant where `numbers` are given."""

    def __init__(self, element_type, dims, numbers=None):
        self.element_type, self.dims, self.numbers = element_type, dims, numbers


class Single:
    """One op alone: what becomes an IR."""

    def __init__(self, version, op_type, op_set, attributes, inputs, outputs):
        self.version, self.type, self.op_set, self.attributes, self.inputs, self.outputs = version, op_type, op_set, attributes, inputs, outputs

    def signature(self):
        return (self.version, self.type, self.op_set, tuple(sorted((k, len(str(v))) for k, v in self.attributes.items())),
                tuple((i.element_type, len(i.dims), i.numbers is None) for i in self.inputs))

    def copy(self):
        """With inputs and attributes of its own."""
        return Single(self.version, self.type, self.op_set, dict(self.attributes),
                      [Input(i.element_type, list(i.dims), None if i.numbers is None else list(i.numbers)) for i in self.inputs], self.outputs)

    def ir(self):
        """The text of the .xml file, and the bytes of the .bin file."""
        weights = bytearray(b"\0" * 8)  # readers of version 10 want a file that is not empty
        layers, edges, inputs, outputs, results = [], [], [], [], []

        def port(number, precision, dims):
            return f'<port id="{number}" precision={quoteattr(str(precision))}>{"".join(f"<dim>{dim}</dim>" for dim in dims)}</port>'

        count = len(self.inputs)
        for i, given in enumerate(self.inputs):
            precision = PRECISIONS.get(given.element_type, given.element_type.upper())
            constant = given.numbers is not None
            place = ""
            if constant:
                weights += b"\0" * (-len(weights) % 8)
                packed = struct.pack(f"<{len(given.numbers)}{CODES[given.element_type]}", *given.numbers)
                place = f' offset="{len(weights)}" size="{len(packed)}"'
                weights += packed
            shape = ",".join(str(d) if d >= 0 else "?" for d in given.dims)
            layers.append(f'<layer id="{i}" name="in{i}" type="{"Const" if constant else "Parameter"}" version="opset1">'
                          f'<data element_type="{given.element_type}" shape="{shape}"{place}/><output>{port(0, precision, given.dims)}</output></layer>')
            edges.append(f'<edge from-layer="{i}" from-port="0" to-layer="{count}" to-port="{i}"/>')
            inputs.append(port(i, precision, given.dims))
        for i, (precision, dims) in enumerate(self.outputs):
            outputs.append(port(count + i, precision, dims))
            results.append(f'<layer id="{count + 1 + i}" name="out{i}" type="Result" version="opset1"><input>{port(0, precision, dims)}</input></layer>')
            edges.append(f'<edge from-layer="{count}" from-port="{count + i}" to-layer="{count + 1 + i}" to-port="0"/>')
        data = f'<data {" ".join(f"{key}={quoteattr(value)}" for key, value in self.attributes.items())}/>' if self.attributes else ""
        layers.append(f'<layer id="{count}" name="op" type="{self.type}" version="{self.op_set}">{data}'
                      f'{"<input>" + "".join(inputs) + "</input>" if inputs else ""}<output>{"".join(outputs)}</output></layer>')
        return (f'<net name="single" version="{self.version}"><layers>{"".join(layers)}{"".join(results)}</layers><edges>{"".join(edges)}</edges></net>',
                bytes(weights))


class Place:
    """Where one IR is after the other. The files stay open: file systems write a file to the disk when it was emptied, filled and closed."""

    def __init__(self, xml):
        self.xml = Path(xml)
        self.files = [open(self.xml, "wb", buffering=0), open(self.xml.with_suffix(".bin"), "wb", buffering=0)]

    def put(self, single):
        text, weights = single.ir()
        for file, content in zip(self.files, (text.encode("ascii", "xmlcharrefreplace"), weights)):
            file.seek(0)
            file.write(content)
            file.truncate()


def singles_of(xml):
    """The ops of an IR, each alone."""
    net = ET.parse(xml).getroot()
    version = int(net.get("version"))
    bin_path = Path(xml).with_suffix(".bin")
    weights = bin_path.read_bytes() if bin_path.exists() and bin_path.stat().st_size < (1 << 22) else b""
    layers = {layer.get("id"): layer for layer in net.find("layers")}
    sources = {(e.get("to-layer"), e.get("to-port")): layers[e.get("from-layer")] for e in net.find("edges")} if net.find("edges") is not None else {}
    for layer in layers.values():
        if layer.get("type") in NOT_ALONE or layer.find("output") is None:
            continue
        inputs = []
        for port in layer.findall("input/port"):
            source = sources.get((layer.get("id"), port.get("id")))
            if source is None:
                break
            dims = [int(d.text) for d in port.findall("dim")]
            data = source.find("data")
            from_port = next((p for p in source.findall("output/port")), None)
            kind = port.get("precision") or (from_port.get("precision") if from_port is not None else "FP32")
            kind = {"BOOL": "boolean", "FP32": "f32", "FP16": "f16", "FP64": "f64"}.get(kind, kind.lower())
            if kind not in SIZES or kind == "bf16":
                break
            numbers = None
            if source.get("type") == "Const" and int(data.get("size")) <= MOST_BYTES and weights:
                begin, size = int(data.get("offset")), int(data.get("size"))
                numbers = list(struct.unpack(f"<{size // SIZES[kind]}{CODES[kind]}", weights[begin:begin + size]))
            inputs.append(Input(kind, dims, numbers))
        else:
            outputs = [(p.get("precision"), [int(d.text) for d in p.findall("dim")]) for p in layer.findall("output/port")]
            attributes = dict(layer.find("data").attrib) if layer.find("data") is not None else {}
            yield Single(version, layer.get("type"), layer.get("version"), attributes, inputs, outputs)


def changes_of(single):
    """(what, changed op), each differs from `single` in one thing."""

    def changed(what, edit):
        other = single.copy()
        edit(other)
        return what, other

    def resized(given, dims):
        count = 1
        for dim in dims:
            count *= dim
        given.dims = dims
        if given.numbers is not None:
            numbers = given.numbers or [0]
            given.numbers = [numbers[i % len(numbers)] for i in range(max(count, 0))]

    def retyped(given, element_type):
        if given.numbers is not None:
            low, high = (0, 1) if element_type == "boolean" else (-128, 127) if element_type == "i8" else (0, 255) if element_type == "u8" else (-2**31, 2**31 - 1)
            clamped = [min(max(n, low), high) if n == n else 0 for n in given.numbers]
            given.numbers = clamped if element_type[0] == "f" else [int(n) for n in clamped]
        given.element_type = element_type

    for i, given in enumerate(single.inputs):
        for element_type in ("f32", "f16", "i64", "i32", "u8", "boolean"):
            if element_type != given.element_type:
                yield changed(f"input {i} as {element_type}", lambda s, i=i, t=element_type: retyped(s.inputs[i], t))
        if min(given.dims, default=1) >= 0:
            yield changed(f"input {i} of a rank more", lambda s, i=i: resized(s.inputs[i], [1] + s.inputs[i].dims))
            if given.dims:
                yield changed(f"input {i} of a rank less", lambda s, i=i: resized(s.inputs[i], s.inputs[i].dims[1:]))
                yield changed(f"input {i} a scalar", lambda s, i=i: resized(s.inputs[i], []))
            for k, dim in enumerate(given.dims):
                yield changed(f"dimension {k} of input {i} longer", lambda s, i=i, k=k, d=dim: resized(s.inputs[i], s.inputs[i].dims[:k] + [d + 1] + s.inputs[i].dims[k + 1:]))
                if dim > 1:
                    yield changed(f"dimension {k} of input {i} is 1", lambda s, i=i, k=k: resized(s.inputs[i], s.inputs[i].dims[:k] + [1] + s.inputs[i].dims[k + 1:]))
        if given.numbers and given.element_type != "boolean":
            for value in (-1, -77, 0, 1, 77):
                if value >= 0 or given.element_type[0] != "u":
                    yield changed(f"constant {i} begins with {value}", lambda s, i=i, v=value: s.inputs[i].numbers.__setitem__(0, v))
            if len(given.numbers) > 1:
                yield changed(f"constant {i} repeats its first number", lambda s, i=i: s.inputs[i].numbers.__setitem__(1, s.inputs[i].numbers[0]))
            # Computed at run time: rules that need its value no longer apply, the others do.
            yield changed(f"constant {i} computed", lambda s, i=i: setattr(s.inputs[i], "numbers", None))
    for key, value in single.attributes.items():
        if re.fullmatch(r"-?\d+(,-?\d+)+", value):
            items = value.split(",")
            variants = [",".join(items[:-1]), ",".join([*items, items[-1]]), "", ",".join(["-1", *items[1:]]), ",".join(["0", *items[1:]]),
                        ",".join(["99", *items[1:]]), ",".join([items[1], *items[1:]])]
        elif re.fullmatch(r"-?\d+", value):
            variants = ["-1", "0", "1", "2", "99", "-99", value + "," + value]
        elif re.fullmatch(r"-?[\d.]+(e-?\d+)?", value):
            variants = ["-1", "0", "2"]
        elif value in ("f32", "i64", "i32", "f16", "boolean", "u8"):
            variants = ["f32", "i64", "i32", "f16", "boolean", "u8", "string"]
        else:
            variants = ["nonsense", ""]
        for variant in variants:
            if variant != value:
                yield changed(f'{key}="{variant}"', lambda s, k=key, v=variant: s.attributes.__setitem__(k, v))
        yield changed(f"without {key}", lambda s, k=key: s.attributes.pop(k))


def rules_broken(checker, xml):
    """The rules for ops of a runtime that an IR breaks: {id: text}."""
    try:
        lines = checker.findings(xml, "--runtime", "auto")
    except Exception:  # it was made for IRs that a converter wrote
        return {}
    return {found[2]: found[1] for line in lines if (found := re.search(r"\): (.*refuses: .*) \[(\w+-\d+\.\d+)\]", line))}


class Inference:
    """Our reader and inference, a process that is asked for one IR after the other."""

    def __init__(self, bin_folder):
        self.program = os.path.join(bin_folder, "mo_infer_irs")
        self.start()

    def start(self):
        self.process = subprocess.Popen([self.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, xml):
        self.process.stdin.write(f"{xml}\n")
        self.process.stdin.flush()

    def error(self):
        """The first error of the IR that it was asked for, None where there is none."""
        answer = self.process.stdout.readline().rstrip("\n")
        if not answer:
            self.process.wait()
            self.start()
            return f"ended with {self.process.returncode}"
        return None if answer == "ok" else answer


def judgements(single, place, checker, inference):
    """The rules that an op breaks, and the error of our inference."""
    place.put(single)
    inference.ask(place.xml)
    rules = rules_broken(checker, place.xml)
    return rules, inference.error()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin")
    parser.add_argument("--op")
    parser.add_argument("--folder", action="append")
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("-v", action="store_true")
    options = parser.parse_args()
    options.bin = os.path.abspath(options.bin)
    checker, inference = Checker(), Inference(options.bin)
    with tempfile.TemporaryDirectory() as folder:
        folders = options.folder
        if not folders:
            folders = [os.path.join(folder, "irs")]
            write_conformance_irs(options.bin, "conformance", os.path.join(folders[0], "conformance"))
            write_golden_irs(options.bin, os.path.join(folders[0], "goldens"), "")
        found = {}
        for root in folders:
            for xml in sorted(Path(root).rglob("*.xml")):
                for single in singles_of(xml):
                    if options.op and single.type != options.op:
                        continue
                    samples = found.setdefault((single.version, single.type, single.op_set), {})
                    if len(samples) < SAMPLES_PER_OP:
                        samples.setdefault(single.signature(), single)
        tried = 0
        holes, strict = {}, {}
        place = Place(Path(folder) / "single.xml")
        for key, samples in sorted(found.items()):
            for single in samples.values():
                if any(judgements(single, place, checker, inference)):
                    continue
                for what, other in changes_of(single):
                    try:
                        rules, ours = judgements(other, place, checker, inference)
                    except struct.error:
                        continue
                    tried += 1
                    if rules and (not ours or ours.startswith("ended")):
                        for rule, message in rules.items():
                            holes.setdefault((rule, key[1]), []).append((key, what, message, place.xml.read_text()))
                    if ours and not rules:
                        strict.setdefault((key[1], re.sub(r"'[^']*'|\d+", "#", ours)[:100]), []).append((key, what, ours))
        known = dict(line.split(" ", 1) for line in OPEN.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#"))
        unknown = {rule for rule, _ in holes} - known.keys()
        closed = known.keys() - {rule for rule, _ in holes} if not options.op and not options.folder else set()
        for (rule, op), cases in sorted(holes.items()):
            key, what, message, text = cases[0]
            if rule in known and not options.v:
                continue
            print(f"{rule:32} {key[2]:8} v{key[0]} {len(cases):3} times, e.g. {what}: {message}")
            if options.v:
                print(text)
        if options.strict:
            for (op, text), cases in sorted(strict.items()):
                print(f"STRICT {op:24} {len(cases):3} {cases[0][0][2]} {cases[0][1]}: {cases[0][2]}")
        for rule in sorted(closed):
            print(f"{rule} stands in {OPEN.name}, but inference knows it")
        print(f"{len(found)} ops, {tried} changes, {len(unknown)} rules that inference does not know, {len(known)} that are known to be open")
    return 1 if unknown or closed or tried < LEAST_CHANGES and not options.op and not options.folder else 0


if __name__ == "__main__":
    sys.exit(main())
