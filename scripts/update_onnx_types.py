#!/usr/bin/env python3
"""Writes onnx_emitter/operator_types.inc: the element types of ONNX operators, from the schemas of the onnx package and from what ONNX Runtime runs.

usage: update_onnx_types.py        in an environment with onnx and onnxruntime (build/peers/onnxruntime)

A row for each operator of the default domain and each version of it that an op set from 11 to 21 has: the names of the type parameters of inputs and outputs, and the
types of each. A type with "-" is in the schema, but ONNX Runtime has no kernel for it: the node tests of the onnx package were given that type, and ONNX Runtime was asked
to create a session. An operator version that no test could be given lacks what the next newer one lacks; an operator without a node test lacks nothing.
"""
import re
import sys
import warnings
from collections import defaultdict
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, defs, helper, numpy_helper

FILE = Path(__file__).resolve().parent.parent / "onnx_emitter/operator_types.inc"
FIRST, LAST = 11, 21
NAMES = {"bool": "boolean", "bfloat16": "bf16", "float16": "f16", "float": "f32", "double": "f64", "int4": "i4", "int8": "i8", "int16": "i16", "int32": "i32",
         "int64": "i64", "float8e4m3fn": "f8e4m3", "float8e5m2": "f8e5m2", "uint4": "u4", "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64", "string": "string"}
# Functions of which some forms need a kernel that there is none of: Clip with bounds, Gelu that is not approximate.
ALSO_LACKING = {"Clip": {"T": {"tensor(bfloat16)"}}, "Gelu": {"T": {"tensor(double)"}}}
CODES = {"tensor(" + name + ")": getattr(TensorProto, name.upper()) for name in NAMES}
HEAD = """// Written by scripts/update_onnx_types.py from onnx {onnx} and onnxruntime {ort}; do not edit.
// {{operator, first op set, types of the inputs, types of the outputs, types of each parameter}}; "-": ONNX Runtime has no kernel.
"""


def schema_of(operator, opset):
    try:
        return defs.get_schema(operator, opset, "")
    except defs.SchemaError:
        return None


def parameters_of(formals, count):
    """The type parameter of each of `count` values; variadic ones repeat the last."""
    names = [formal.type_str for formal in formals]
    return [names[min(i, len(names) - 1)] for i in range(count)] if names else []


def tensor_types(schema):
    return {constraint.type_param_str: [t for t in constraint.allowed_type_strs if t in CODES] for constraint in schema.type_constraints}


def with_type(model, schema, parameter, code, opset):
    """A copy of a model of one node in which the values of a type parameter have another type, for another op set; None when that cannot be."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    del copy.opset_import[:]
    copy.opset_import.append(helper.make_opsetid("", opset))
    copy.ir_version = 10
    node = copy.graph.node[0]
    wanted = set()
    for names, formals in ((node.input, schema.inputs), (node.output, schema.outputs)):
        for name, own in zip(names, parameters_of(formals, len(names))):
            if own == parameter and name:
                wanted.add(name)
    for value in list(copy.graph.input) + list(copy.graph.output):
        if value.name in wanted:
            if not value.type.HasField("tensor_type"):
                return None
            value.type.tensor_type.elem_type = code
    return copy if wanted else None


def runs(model):
    """True, False when there is no kernel, None when ONNX Runtime does not say."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    try:
        onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        return True
    except Exception as error:  # of a type of its own for each code
        return False if "NOT_IMPLEMENTED" in str(error) else None


def tests():
    from onnx.backend.test.case.node import collect_testcases

    by_operator = defaultdict(list)
    for test in sorted(collect_testcases(None), key=lambda test: test.name):
        graph = test.model.graph
        if len(graph.node) == 1 and graph.node[0].domain == "" and not graph.initializer and not any(a.HasField("g") for a in graph.node[0].attribute):
            by_operator[graph.node[0].op_type].append(test.model)
    return by_operator


def probe(schema, opset, models):
    """By parameter: the types without a kernel; no entry when no session was created with any type."""
    lacks = {}
    for parameter, types in tensor_types(schema).items():
        missing, found = set(), set()
        for kind in types:
            answers = set()
            for model in models[:40]:
                probed = with_type(model, schema, parameter, CODES[kind], opset)
                if probed is not None:
                    answers.add(runs(probed))
                if True in answers:
                    break
            if True in answers:
                found.add(kind)
            elif False in answers:
                missing.add(kind)
        if found:  # when no type runs, something else is to blame
            lacks[parameter] = missing
    return lacks


def spelled(kind):
    return NAMES[kind[len("tensor("):-1]]


def row_of(schema, lacks):
    types = tensor_types(schema)
    used = [name for name in types if any(name == f.type_str for f in list(schema.inputs) + list(schema.outputs))]

    def formals(values):
        words = []
        for value in values:
            fixed = value.type_str not in types
            word = spelled(value.type_str) if fixed and value.type_str in CODES else "?" if fixed else value.type_str
            words.append(word + ("*" if value.option == defs.OpSchema.FormalParameterOption.Variadic and value.is_homogeneous else
                                 "?*" if value.option == defs.OpSchema.FormalParameterOption.Variadic else ""))
        return " ".join(words)

    sets = "; ".join(name + " = " + " ".join(("-" if kind in lacks.get(name, ()) else "") + spelled(kind) for kind in sorted(types[name], key=list(CODES).index))
                     for name in used)
    return f'{{"{schema.name}", {schema.since_version}, "{formals(schema.inputs)}", "{formals(schema.outputs)}", "{sets}"}},\n'


def main():
    warnings.simplefilter("ignore")
    by_operator = tests()
    rows = ""
    for name in sorted({schema.name for schema in defs.get_all_schemas_with_history() if schema.domain == ""}):
        versions = {}  # the oldest op set of the range that has each version
        for opset in range(FIRST, LAST + 1):
            schema = schema_of(name, opset)
            if schema is not None and not schema.deprecated:
                versions.setdefault(schema.since_version, (schema, opset))
        lacks, own = {}, []
        for schema, opset in reversed(list(versions.values())):
            lacks = {**lacks, **probe(schema, opset, by_operator.get(name, []))}
            for parameter, kinds in ALSO_LACKING.get(name, {}).items():
                lacks[parameter] = lacks.get(parameter, set()) | kinds
            own.append(row_of(schema, lacks))
        rows += "".join(reversed(own))
        print(name, file=sys.stderr)
    FILE.write_text(HEAD.format(onnx=onnx.__version__, ort=onnxruntime.__version__) + rows)


if __name__ == "__main__":
    main()
