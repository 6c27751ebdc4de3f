"""The values that the original takes become the texts of the command line."""
import types
from collections import namedtuple

import mo_openvino as mo
import numpy
import pytest
from mo_openvino import InputCutInfo, LayoutMap, _arguments as arguments, _frameworks as frameworks


def inputs(value):
    return arguments.inputs(value, lambda: ["first", "second"])


class PartialShape:
    """As OpenVINO's runtime has it: its text is what counts."""

    def __init__(self, text):
        self.text = text

    def __str__(self):
        return self.text


Type = namedtuple("Type", "text")
Type.get_type_name = lambda self: self.text


@pytest.mark.parametrize(("value", "text"), [
    ("a[1 3]{f32}->5", "a[1 3]{f32}->5"),
    (["a", "b"], "a,b"),
    (["0", "1"], "0,1"),
    ([1, 3, -1, None], "first[1 3 -1 ?]"),
    ((1, 3), "first[1 3]"),
    ([[1, 3], [2, 4]], "first[1 3],second[2 4]"),
    ([(1, 3), (2, 4)], "first[1 3],second[2 4]"),
    ([1, (1, 8), "2..", "?"], "first[1 1..8 2.. ?]"),
    (("a", [1, 3], "f16"), "a[1 3]{f16}"),
    ((numpy.float32, "a"), "a{f32}"),
    ((numpy.dtype("int64"), [2]), "first[2]{i64}"),
    ((Type("u8"), "a"), "a{u8}"),
    (numpy.int32, "first{i32}"),
    (PartialShape("[1,3,?,1..8]"), "first[1 3 ? 1..8]"),
    ([InputCutInfo("a", [2, 3], "f32", [1, 2]), ("b", numpy.float16)], "a[2 3]{f32}->[1 2],b{f16}"),
    (InputCutInfo("a", value=numpy.array([[1, 2], [3, 4]])), "a->[1 2 3 4]"),
    (InputCutInfo("a", value=True), "a->True"),
    (InputCutInfo("a", shape=[]), "a[]"),
    ({"a": [1, 3], "b": numpy.float16, "c": ([2, -1], "i32"), "d": None}, "a[1 3],b{f16},c[2 -1]{i32},d"),
])
def test_inputs(value, text):
    assert inputs(value) == text


@pytest.mark.parametrize("value", [("a", "b"), ([1, 2], [3]), 1.5, [1.5, 2], {"a": 1}, {"a": "b"}, {1: [1, 3]}, ("a", 1.5), [[1], [2], [3]]])
def test_inputs_that_are_none(value):
    with pytest.raises(mo.MoError) as raised:
        inputs(value)
    assert raised.value.code == "MO-PYTHON-0001" and raised.value.hint


@pytest.mark.parametrize(("convert", "value", "text"), [
    (arguments.shapes, "[1,3],[2]", "[1,3],[2]"),
    (arguments.shapes, [1, 3, -1], "[1,3,-1]"),
    (arguments.shapes, (1, None), "[1,?]"),
    (arguments.shapes, [[1, 3], (2, "1..4")], "[1,3],[2,1..4]"),
    (arguments.shapes, PartialShape("{1,3,?}"), "[1,3,?]"),
    (arguments.shapes, numpy.array([1, 3]), "[1,3]"),
    (arguments.shapes, numpy.array([[1, 3], [2, 4]]), "[1,3],[2,4]"),
    (lambda value: arguments.numbers("mean_values", value), "(1,2)", "(1,2)"),
    (lambda value: arguments.numbers("mean_values", value), [1, 2.5], "[1.0,2.5]"),
    (lambda value: arguments.numbers("mean_values", value), numpy.array([1, 2]), "[1.0,2.0]"),
    (lambda value: arguments.numbers("mean_values", value), [[1], numpy.array([2, 3])], "[1.0],[2.0,3.0]"),
    (lambda value: arguments.numbers("mean_values", value), {"a": [1], "b": (2,)}, "a[1.0],b[2.0]"),
    (arguments.layouts, "nhwc->nchw", "nhwc->nchw"),
    (arguments.layouts, LayoutMap("nhwc", "nchw"), "nhwc->nchw"),
    (arguments.layouts, LayoutMap(target_layout="nchw"), "->nchw"),
    (arguments.layouts, {"a": LayoutMap("nhwc", "nchw"), "b": "nc"}, "a(nhwc->nchw),b(nc)"),
    (arguments.layouts, ["nhwc", LayoutMap("nc")], "nhwc,nc"),
    (arguments.transforms, "A,B", "A,B"),
    (arguments.transforms, ("A", {"x": 1, "y": "{'a':'b'}"}), "A[x=1;y={'a':'b'}]"),
    (arguments.transforms, [("A", {}), ("B",), "C"], "A,B,C"),
])
def test_texts(convert, value, text):
    assert convert(value) == text


def test_values_that_are_none():
    for convert, value in ((arguments.shapes, {"a": [1]}), (arguments.transforms, ("A", 1)), (arguments.transforms, 5), (lambda v: arguments.numbers("scale", v), 5),
                           (lambda v: arguments.words("output", v), 5)):
        with pytest.raises(mo.MoError, match="MO-PYTHON-0001"):
            convert(value)


class Module:
    """A stand-in for PyTorch's."""
    __module__ = "torch.nn"

    def modules(self):
        return []

    def eval(self):
        pass


class ScriptModule(Module):
    __module__ = "torch.jit"


@pytest.mark.parametrize("module", [Module(), ScriptModule()])
@pytest.mark.parametrize("knows_dynamo", [True, False])
def test_only_what_torch_jit_compiled_needs_the_older_exporter(module, knows_dynamo, monkeypatch):
    asked = {}

    def of_today(model, args, f, verbose=None, kwargs=None, dynamo=True):
        asked.update(dynamo=dynamo)

    def of_old(model, args, f, verbose=None):
        asked.update(dynamo=None)

    torch = types.SimpleNamespace(onnx=types.SimpleNamespace(export=of_today if knows_dynamo else of_old), as_tensor=lambda value: value)
    monkeypatch.setitem(frameworks.sys.modules, "torch", torch)
    frameworks.save_torch(module, numpy.zeros(2), "unused")
    assert asked == {"dynamo": not isinstance(module, ScriptModule) if knows_dynamo else None}
