"""Values of Python as the texts that options of mo have (docs/cli.md)."""
from __future__ import annotations

import operator
import os
from typing import Any, Callable, Iterable, NamedTuple

from ._errors import MoError, usage_error


class InputCutInfo(NamedTuple):
    """A new input of the model, where the graph is cut. What is None is taken from the model. An input with a value becomes a constant.

    >>> cuts = [mo.InputCutInfo(name="p", shape=[1, 3], type="f32"), mo.InputCutInfo(name="w", value=[0, 0, 1])]
    >>> mo.convert_model("two.onnx", input=cuts)
    <mo_openvino.Model p: f32[1, 3] -> y: f32[1, 3]>
    """
    name: str | None = None
    shape: Any = None
    type: Any = None
    value: Any = None


class LayoutMap(NamedTuple):
    """The layout that an input or output has in the model, and the one that it is to have in the IR.

    >>> layout = mo.LayoutMap(source_layout="nchw", target_layout="nhwc")
    >>> mo.convert_model("net.onnx", layout={"image": layout}).inputs[0].shape
    ('?', 224, 224, 3)
    """
    source_layout: Any = None
    target_layout: Any = None


TYPES = {"float32": "f32", "float64": "f64", "float16": "f16", "bfloat16": "bf16", "bool": "boolean", "float": "f32", "int": "i64",
         **{f"{sign}int{bits}": f"{short}{bits}" for sign, short in (("", "i"), ("u", "u")) for bits in (8, 16, 32, 64)}}


def bad_value(parameter: str, value: Any, hint: str) -> MoError:
    return usage_error("MO-PYTHON-0001", f"{parameter}: {value!r:.80} is not possible", hint)


def is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and not isinstance(value, (InputCutInfo, LayoutMap))


def is_foreign_shape(value: Any) -> bool:
    """A shape of OpenVINO's runtime, without asking for the runtime: its text is that of the command line."""
    return type(value).__name__ in ("PartialShape", "Shape")


def is_dimension(value: Any) -> bool:
    return value is None or type(value).__name__ == "Dimension" or (hasattr(value, "__index__") and not isinstance(value, bool))


def is_shape(value: Any) -> bool:
    """A list of dimensions: numbers, -1 or None for any, text such as "?" and "1..8", (least, most). Only texts that are numbers are names, and only pairs are
    shapes, so neither is one."""
    if is_foreign_shape(value):
        return True
    if not is_list(value) or not all(is_dimension(each) or is_dimension_text(each) or is_range(each) for each in value):
        return False
    return not value or any(is_dimension(each) or isinstance(each, str) and not each.isdigit() for each in value)


def is_dimension_text(value: Any) -> bool:
    return isinstance(value, str) and value != "" and all(c in "0123456789?.-" for c in value)


def is_range(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and all(is_dimension(each) for each in value)


def dimension(value: Any) -> str:
    if value is None:
        return "?"
    if isinstance(value, str):
        return value
    if is_range(value):
        least, most = ("" if each is None or operator.index(each) < 0 else str(operator.index(each)) for each in value)
        return f"{least or 0}..{most}"
    return str(operator.index(value)) if hasattr(value, "__index__") else str(value)


def shape(value: Any) -> str:
    """A shape in brackets, its dimensions separated by blanks, as --input takes it."""
    if isinstance(value, str):
        text = value.strip()
        return text if text.startswith(("[", "(")) else f"[{text}]"
    if is_foreign_shape(value):
        return str(value).replace("{", "[").replace("}", "]").replace(",", " ")
    return "[" + " ".join(dimension(each) for each in value) + "]"


def shapes(value: Any) -> str:
    """Of input_shape: one shape, or several."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, str):
        return value
    if is_shape(value):
        return shape(value).replace(" ", ",")
    if not is_list(value) or not all(isinstance(each, str) or is_shape(each) for each in value):
        raise bad_value("input_shape", value, "give a list of dimensions, or a list of such lists")
    return ",".join(shape(each).replace(" ", ",") for each in value)


def element_type(value: Any) -> str | None:
    """The name that mo has for a type of numpy, of Python, of OpenVINO, or for its text; None when it is no type."""
    if hasattr(value, "get_type_name"):
        return str(value.get_type_name())
    name = value if isinstance(value, str) else getattr(value, "name", None) or getattr(value, "__name__", None)
    if not isinstance(name, str):
        return None
    name = TYPES.get(name, name)
    return name if name in TYPES.values() else None


def constant(value: Any) -> str:
    if hasattr(value, "tolist"):
        value = value.tolist()
    if is_list(value):
        return "[" + " ".join(str(each) for each in flat(value)) + "]"
    return str(value)


def flat(values: Iterable[Any]) -> Iterable[Any]:
    for each in values:
        yield from flat(each) if is_list(each) else (each,)


def cut_info(value: Any) -> InputCutInfo:
    """One input of the model in one of the forms that the original takes."""
    if isinstance(value, InputCutInfo):
        return value
    if type(value).__name__ == "InputCutInfo":
        return InputCutInfo(*(getattr(value, part, None) for part in InputCutInfo._fields))
    if is_shape(value):
        return InputCutInfo(shape=value)
    if isinstance(value, str) or not isinstance(value, tuple):
        kind = element_type(value)
        if isinstance(value, str) and kind is None:
            return InputCutInfo(name=value)
        if kind is not None:
            return InputCutInfo(type=value)
        raise bad_value("input", value, "give a name, a shape, a type, or a tuple of these")
    found: dict[str, Any] = {}
    for part in value:
        key = "shape" if is_shape(part) else "type" if element_type(part) else "name" if isinstance(part, str) else ""
        if not key or key in found:
            raise bad_value("input", value, "a tuple has a name, a shape and a type, each at most once")
        found[key] = part
    return InputCutInfo(**found)


def named_cut(name: Any, value: Any) -> InputCutInfo:
    """One input of a dictionary from names to shapes, types or tuples of these."""
    cut = InputCutInfo() if value is None else cut_info(value)
    if not isinstance(name, str) or cut.name is not None:
        raise bad_value("input", {name: value}, "give a dictionary from names to shapes, types, or tuples of these")
    return cut._replace(name=name)


def inputs(value: Any, names_of_inputs: Callable[[], list[str]]) -> str:
    """The text of --input. Inputs without a name are those of the model, in order: `names_of_inputs` is asked then."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        cuts = [named_cut(name, each) for name, each in value.items()]
    else:
        cuts = [cut_info(each) for each in (value if isinstance(value, list) and not is_shape(value) else [value])]
    known = names_of_inputs() if any(cut.name is None for cut in cuts) else []
    texts = []
    for place, cut in enumerate(cuts):
        if cut.name is None and place >= len(known):
            raise bad_value("input", value, f"the model has {len(known)} inputs: {', '.join(known)}")
        text = cut.name if cut.name is not None else known[place]
        if cut.shape is not None:
            text += shape(cut.shape).replace(",", " ")
        if cut.type is not None:
            text += "{" + (element_type(cut.type) or str(cut.type)) + "}"
        texts.append(text + ("->" + constant(cut.value) if cut.value is not None else ""))
    return ",".join(texts)


def numbers(parameter: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, dict):
        return ",".join(name + numbers(parameter, each) for name, each in value.items())
    if not is_list(value):
        raise bad_value(parameter, value, "give a list of numbers, a list of lists, or a dictionary from names to lists")
    if any(is_list(each) or hasattr(each, "tolist") and getattr(each, "shape", ()) for each in value):
        return ",".join(numbers(parameter, each) for each in value)
    return "[" + ",".join(repr(float(each)) for each in value) + "]"


def layout(value: Any) -> str:
    if isinstance(value, LayoutMap) or type(value).__name__ == "LayoutMap":
        source, target = value.source_layout, value.target_layout
        return (layout(source) if source is not None else "") + (f"->{layout(target)}" if target is not None else "")
    return str(value)


def layouts(value: Any) -> str:
    if isinstance(value, dict):
        return ",".join(f"{name}({layout(each)})" for name, each in value.items())
    if isinstance(value, list):
        return ",".join(layout(each) for each in value)
    return layout(value)


def transforms(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, tuple):
        if len(value) == 0 or len(value) > 2 or not isinstance(value[0], str) or len(value) == 2 and not isinstance(value[1], dict):
            raise bad_value("transform", value, "give a name, or a tuple of a name and a dictionary")
        settings = ";".join(f"{key}={each}" for key, each in value[1].items()) if len(value) == 2 else ""
        return value[0] + (f"[{settings}]" if settings else "")
    if isinstance(value, list):
        return ",".join(transforms(each) for each in value)
    raise bad_value("transform", value, "give a name, a tuple of a name and a dictionary, or a list of these")


def words(parameter: str, value: Any) -> str:
    """Names or paths."""
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if is_list(value) and all(isinstance(each, (str, os.PathLike)) for each in value):
        return ",".join(os.fspath(each) for each in value)
    raise bad_value(parameter, value, "give a text, a path, or a list of these")


def plain(parameter: str, value: Any) -> str | None:
    """Of options without a grammar of their own: a flag, a number, texts, paths."""
    if value is True:
        return None
    if hasattr(value, "get_length"):
        return str(value.get_length())
    return str(value) if isinstance(value, (int, float)) or hasattr(value, "__index__") else words(parameter, value)
