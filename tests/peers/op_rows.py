"""Rows of op_forms/*.txt: one example call of an op class, from which all its forms are generated.

row       OP.vN(OPERAND, …) {ATTRIBUTES}  T: TYPES  FLAGS
operand   T[2,3]  f32[2,3]  T[2,3](LOW..HIGH)    an input, with the range of its numbers
          [1,-1]:i64  0.5:T  random(1):T[4,3]    a constant; also given at run time
TYPES     element types and groups of them (GROUPS), each is tried for T
attribute NAME=VALUE|VALUE                       all combinations; enumerations that the row does not mention: each choice by itself
FLAGS     -> N        outputs of the op
          constant    its constants cannot be computed at run time
          numpy       auto_broadcast is not varied
          distinct    no number occurs twice (order of equal elements is not defined)
"""
import itertools
import re
import sys
import zlib
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools/verify/engines"))
import small_types  # noqa: E402

FOLDER = Path(__file__).resolve().parent / "op_forms"
GROUPS = {"real": "f32 f16 f64", "signed": "f32 i32 f16 i64 i8 i16", "unsigned": "u8 u16 u32 u64", "number": "f32 i32 f16 f64 i64 i8 u8 i16 u16 u32 u64",
          "integer": "i32 u8 i8 i16 u16 i64 u32 u64", "any": "f32 i32 f16 f64 i64 i8 u8 i16 u16 u32 u64 boolean"}
DTYPES = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "u8": np.uint8,
          "u16": np.uint16, "u32": np.uint32, "u64": np.uint64, "boolean": np.bool_}
# Types that numpy lacks, as a worker takes them (tools/verify/engines/small_types.py).
DTYPES.update({kind: np.float32 if small_types.is_real(kind) else np.uint8 for kind in ("u2", "u3", "u6", "nf4", "f4e2m1", "f8e4m3", "f8e5m2", "f8e8m0")})
SMALL = set(DTYPES) & set(small_types.BITS)
# unknown: of unknown rank, and the runtime is told the shapes before it compiles; runtime: what is constant otherwise is an input.
FORMS = ("static", "dynamic", "unknown", "runtime", "runtime_dynamic")
TYPES_IN_ALL_FORMS = 2  # the other element types are tried in the static form


def split(text, separator):
    """Parts at separators that are outside of brackets and strings."""
    parts, depth, quoted = [""], 0, False
    for letter in text:
        quoted ^= letter == '"'
        depth += 0 if quoted else (letter in "[({") - (letter in "])}")
        if letter == separator and depth == 0 and not quoted:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


def numbers(kind, dims, low, high, distinct, seed):
    random = np.random.default_rng(seed)
    if kind == "boolean":
        return random.integers(0, 2, dims).astype(bool)
    if kind in SMALL:
        every = small_types.values(kind) if small_types.is_real(kind) else np.arange(1 << small_types.BITS[kind], dtype=np.uint8)
        return random.choice(every[np.isfinite(every)], dims)
    if low is None:
        low, high = (0, 9) if kind.startswith("u") else (-6, 6)
    if distinct:
        return random.permutation(int(np.prod(dims))).reshape(dims).astype(DTYPES[kind])
    if kind.startswith("f"):
        return random.uniform(low, high, dims).astype(DTYPES[kind])
    return random.integers(int(np.ceil(low)), int(high), dims, endpoint=True).astype(DTYPES[kind])


def literal(array):
    if array.ndim:
        return "[" + ", ".join(literal(item) for item in array) + "]"
    return str(int(array)) if array.dtype.kind in "biu" else repr(float(array))


class Operand:
    INPUT = re.compile(r"(\w+)\[([\d,\s]*)\](?:\(([-\d.]+?)\.\.([-\d.]+)\))?")
    RANDOM = re.compile(r"random\((\d+)\):(\w+)\[([\d,\s]*)\]")

    def __init__(self, text):
        self.text = text
        self.is_constant = not self.INPUT.fullmatch(text)

    def type(self, kind):
        """The element type, where `kind` stands for T."""
        found = self.INPUT.fullmatch(self.text)
        of = found[1] if found else self.text.rpartition(":")[2].partition("[")[0]
        return kind if of == "T" else of

    def array(self, kind, distinct, seed):
        found = self.INPUT.fullmatch(self.text)
        if found:
            of, dims, low, high = found.groups()
            return numbers(kind if of == "T" else of, shape(dims), low and float(low), high and float(high), distinct and of == "T", seed)
        found = self.RANDOM.fullmatch(self.text)
        if found:
            return numbers(kind if found[2] == "T" else found[2], shape(found[3]), -1.0, 1.0, False, int(found[1]))
        values, _, of = self.text.rpartition(":")
        return np.array(eval(values, {"true": True, "false": False}), DTYPES[kind if of == "T" else of])  # noqa: S307 - our own table


def shape(dims):
    return [int(dim) for dim in dims.replace(" ", "").split(",") if dim]


class Form:
    """One graph with its inputs."""

    def __init__(self, row, kind, attributes, form):
        self.row, self.kind, self.form = row, kind, form
        variant = ".".join(f"{name}_{value}" for name, value in attributes if name in row.varied(attributes))
        self.id = re.sub(r"[^\w.-]+", "_", ".".join(filter(None, [f"{row.op}.{row.number}", variant, kind, form])))
        self.inputs, operands, parameters, expected_parameters = [], [], [], []
        for i, operand in enumerate(row.operands):
            array = operand.array(kind, row.distinct, zlib.crc32(f"{row.op}.{row.number}.{i}".encode()))
            if operand.is_constant and not form.startswith("runtime"):
                operands.append(f"{literal(array)}:{operand.type(kind)}")
                continue
            name = f"x{i}"
            dims = {"dynamic": ["?"] * array.ndim, "unknown": ["..."]}.get(form.rpartition("_")[2], [str(dim) for dim in array.shape])
            parameters.append(f'%{name}: {operand.type(kind)}[{",".join(dims)}] "{name}"')
            expected_parameters.append(f'%{name}: {operand.type(kind)}[{",".join(map(str, array.shape))}] "{name}"')
            self.inputs.append((name, array))
            operands.append(f"%{name}")
        outputs = [f"%y{i}" for i in range(row.outputs)]
        declared = ", ".join(f"{name}={value}" for name, value in attributes)
        body = f'{", ".join(outputs)} = {row.op}({", ".join(operands)}) {{{declared}}} "y"\n  return {", ".join(outputs)}\n}}\n'
        self.outputs = [output[1:] for output in outputs]
        self.text = f"graph({', '.join(parameters)}) {{\n  {body}"
        self.static_text = f"graph({', '.join(expected_parameters)}) {{\n  {body}"


class Row:
    LINE = re.compile(r"(?P<op>\w+\.v\d+)(?P<rest>\(.*)")

    def __init__(self, line, number):
        found = self.LINE.fullmatch(line)
        if not found:
            raise ValueError(f"not a row: {line}")
        self.op, self.number = found["op"], number
        pieces = [piece for piece in re.split(r"  +", found["rest"]) if piece]
        call = re.fullmatch(r"\((.*?)\)(?: \{(.*)\})?", pieces[0])
        self.operands = [Operand(text) for text in split(call[1], ",")]
        self.attributes = [(name, split(values, "|")) for name, _, values in (text.partition("=") for text in split(call[2] or "", ","))]
        self.types, self.outputs, flags = ["f32"], 1, set()
        for piece in pieces[1:]:
            if piece.startswith("T: "):
                self.types = list(dict.fromkeys(" ".join(GROUPS.get(word, word) for word in piece[3:].split()).split()))
            elif piece.startswith("-> "):
                self.outputs = int(piece[3:])
            else:
                flags.add(piece)
        self.uses_type = any(piece.startswith("T: ") for piece in pieces)
        self.constant, self.numpy, self.distinct = (flag in flags for flag in ("constant", "numpy", "distinct"))
        if flags - {"constant", "numpy", "distinct"}:
            raise ValueError(f"unknown flags {sorted(flags)}: {line}")

    def varied(self, attributes):
        several = {name for name, values in self.attributes if len(values) > 1}
        return several | ({name for name, _ in attributes} - {name for name, _ in self.attributes})

    def attribute_sets(self, declaration):
        mentioned = [name for name, _ in self.attributes]
        base = [list(zip(mentioned, values)) for values in itertools.product(*(values for _, values in self.attributes))]
        yield from base
        for name, choices in declaration.items():
            if choices and name not in mentioned and not (self.numpy and name == "auto_broadcast"):
                for choice in choices:
                    yield base[0] + [(name, f'"{choice}"')]

    def forms(self, declaration):
        for attributes in self.attribute_sets(declaration):
            for position, kind in enumerate(self.types):
                for form in FORMS if position < TYPES_IN_ALL_FORMS else FORMS[:1]:
                    if form.startswith("runtime") and (self.constant or not any(operand.is_constant for operand in self.operands)):
                        continue
                    if not self.operands and form != "static" or all(o.is_constant for o in self.operands) and form in ("dynamic", "unknown"):
                        continue
                    yield Form(self, kind, attributes, form)


def rows():
    """Rows of all files; numbered within their op."""
    seen = {}
    for path in sorted(FOLDER.glob("*.txt")):
        if path.stem == "without":
            continue
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.strip() and not line.startswith("#"):
                op = line.partition("(")[0]
                seen[op] = seen.get(op, -1) + 1
                yield Row(line.strip(), seen[op])


def without_rows():
    """{op class: reason}"""
    path = FOLDER / "without.txt"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return dict(line.split(": ", 1) for line in lines if line.strip() and not line.startswith("#"))
