"""What a conversion gives."""
from __future__ import annotations

import io
import os
import pickle
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, Mapping, NamedTuple, Sequence, Tuple, Union

from . import _libmo
from ._arguments import TYPES
from ._errors import checked, usage_error

if TYPE_CHECKING:
    from xml.etree import ElementTree

    import numpy

Shape = Tuple[Union[int, str], ...]
NUMPY_TYPES = {short: name for name, short in TYPES.items() if name not in ("float", "int")}


class Port(NamedTuple):
    """An input or an output of a model.

    >>> port = mo.convert_model("net.onnx").inputs[0]
    >>> port.name, port.tensor_names, port.element_type, port.shape
    ('image', ('image',), 'f32', ('?', 3, 224, 224))
    """
    name: str                     # of its node
    tensor_names: tuple[str, ...]  # as the source called it
    element_type: str             # "f32"
    shape: Shape                  # a text where it is open: "?", "1..8", "..." for any rank


class Outputs(Dict[str, Any]):
    """Arrays by name, in the order of the model. `outputs[name]`, `name in outputs` and `outputs.get(name)` take every name that the model has for a tensor;
    `outputs[0]` is the first one.

    >>> outputs = mo.run("two.onnx", {"a": [[1.0, 2.0, 3.0]], "b": [[2.0, 2.0, 2.0]]})
    >>> list(outputs)
    ['sum']
    >>> outputs["y"] is outputs["sum"] is outputs[0], "y" in outputs
    (True, True)
    """

    def __init__(self) -> None:
        super().__init__()
        self._names: dict[str, str] = {}  # another name -> the key

    def add(self, name: str, tensor_names: Sequence[str], array: numpy.ndarray) -> None:
        """Appends an array, which is found by its name and by the names of its tensor: outputs for a test of code that runs a model.

        >>> outputs = mo.Outputs()
        >>> outputs.add("sum", ["y"], numpy.zeros(3))
        >>> outputs["y"]
        array([0., 0., 0.])
        """
        self[name] = array
        for other in tensor_names:
            self._names.setdefault(other, name)

    if TYPE_CHECKING:
        def __getitem__(self, name: str | int) -> Any: ...

    def __missing__(self, name: str | int) -> Any:
        if isinstance(name, int):
            return list(self.values())[name]
        if name not in self._names:
            raise KeyError(name)
        return self[self._names[name]]

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or name in self._names

    def get(self, name: str, default: Any = None) -> Any:
        """Returns the array of that name, else the default.

        >>> outputs = mo.run("two.onnx", {"a": [[1.0, 2.0, 3.0]], "b": [[2.0, 2.0, 2.0]]})
        >>> outputs.get("y")
        array([[3., 2., 9.]], dtype=float32)
        >>> outputs.get("z", 0)
        0
        """
        return self[name] if name in self else default


class Model:
    """An IR in memory: `xml` and `bin` are what its two files hold. `report` is what libmo said about the conversion
    (docs/schemas/api_result.schema.json); it is empty for an IR that was read. Models can be pickled.

    >>> model = mo.convert_model("net.onnx")
    >>> model
    <mo_openvino.Model image: f32[?, 3, 224, 224] -> scores: f32[?, 2]>
    >>> model.report["conversion"]["inputs"]
    ['net.onnx']
    """

    def __init__(self, xml: Any, bin: Any, report: Mapping[str, Any] | None = None) -> None:  # noqa: A002
        self._xml = memoryview(xml)
        self._bin = memoryview(bin)
        self._ports: tuple[tuple[Port, ...], tuple[Port, ...]] | None = None
        self.report: Mapping[str, Any] = report or {}  # docs/schemas/api_result.schema.json

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Model:
        """Reads an IR from its files: the .xml, and the .bin beside it.

        >>> mo.convert_model("net.onnx").save("ir/net.xml")
        >>> mo.Model.read("ir/net.xml")
        <mo_openvino.Model image: f32[?, 3, 224, 224] -> scores: f32[?, 2]>
        """
        xml = Path(path)
        return cls(xml.read_bytes(), xml.with_suffix(".bin").read_bytes())

    @property
    def xml(self) -> bytes:
        """The content of the .xml.

        >>> mo.convert_model("net.onnx").xml[:19]
        b'<?xml version="1.0"'
        """
        return bytes(self._xml)

    @property
    def bin(self) -> bytes:
        """The content of the .bin: weights and other constants.

        >>> numpy.frombuffer(mo.convert_model("two.onnx").bin, numpy.float32)
        array([ 1., -2.,  3.], dtype=float32)
        """
        return bytes(self._bin)

    @property
    def inputs(self) -> tuple[Port, ...]:
        """The inputs, in the order of the model.

        >>> [port.name for port in mo.convert_model("two.onnx").inputs]
        ['a', 'b']
        """
        return self._all_ports()[0]

    @property
    def outputs(self) -> tuple[Port, ...]:
        """The outputs, in the order of the model.

        >>> mo.convert_model("two.onnx").outputs
        (Port(name='y', tensor_names=('y',), element_type='f32', shape=('?', 3)),)
        """
        return self._all_ports()[1]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the .xml, and the .bin beside it, and creates the folder. A reader sees the earlier .xml or the new one, whole.

        >>> import os
        >>> mo.convert_model("net.onnx").save("ir/net.xml")
        >>> sorted(os.listdir("ir"))
        ['net.bin', 'net.xml']
        """
        xml = Path(path)
        if xml.suffix != ".xml":
            raise usage_error("MO-PYTHON-0004", f"{os.fspath(path)!r} does not end in .xml", "the .bin gets the same name")
        xml.parent.mkdir(parents=True, exist_ok=True)
        parts = ((xml.with_suffix(".bin"), self._bin), (xml, self._xml))
        temporary = [place.with_name(f"{place.name}.tmp-{os.getpid()}") for place, _ in parts]
        try:
            for name, (_, content) in zip(temporary, parts):
                name.write_bytes(content)
            for name, (place, _) in zip(temporary, parts):
                os.replace(name, place)
        finally:
            for name in temporary:
                name.unlink(missing_ok=True)

    def run(self, inputs: Any, *, portable: bool = False) -> Outputs:
        """Computes the outputs with the reference executor. `inputs`: arrays by name, a list of all of them in the order of the model, or the array of its only
        input. `portable` makes the same bytes on every machine, and takes longer.

        >>> model = mo.convert_model("two.onnx")
        >>> model.run([[[1.0, 2.0, 3.0]], [[2.0, 2.0, 2.0]]], portable=True)["y"]
        array([[3., 2., 9.]], dtype=float32)
        """
        request = _libmo.Request()
        request.set_bytes("input_model", "model.xml", self._xml)
        request.set_bytes("weights", "model.bin", self._bin)
        return run_request(request, inputs, portable)

    def __call__(self, inputs: Any) -> Outputs:
        """Computes the outputs as `run` does, in the short form of OpenVINO's models.

        >>> model = mo.convert_model("net.onnx")
        >>> model(numpy.ones((1, 3, 224, 224)))[0]
        array([[2., 2.]], dtype=float32)
        """
        return self.run(inputs)

    def to_openvino(self) -> Any:
        """Returns the openvino.Model, without a file between. Needs the package openvino, 2022.1 or later.

        >>> import openvino
        >>> compiled = openvino.Core().compile_model(mo.convert_model("net.onnx").to_openvino(), "CPU")
        >>> compiled(numpy.ones((1, 3, 224, 224), numpy.float32))["scores"]
        array([[2., 2.]], dtype=float32)
        """
        try:
            import openvino
        except ModuleNotFoundError as error:
            raise usage_error("MO-PYTHON-0006", "the package openvino is not installed", "pip install openvino") from error
        core = openvino.Core() if hasattr(openvino, "Core") else __import__("openvino.runtime", fromlist=["Core"]).Core()
        return core.read_model(model=self.xml, weights=self.bin)

    def _repr_html_(self) -> str:
        """What a notebook shows: inputs and outputs, and what was said about the conversion."""
        rows = [("input" if place == 0 else "output", port) for place, ports in enumerate(self._all_ports()) for port in ports]
        ends = "".join(f"<tr><td>{kind}</td><td><b>{escape(port.name)}</b></td><td>{escape(', '.join(port.tensor_names))}</td>"
                       f"<td><code>{port.element_type}[{escape(', '.join(map(str, port.shape)))}]</code></td></tr>" for kind, port in rows)
        said = "".join(f"<li>{escape(message['severity'])} {escape(message['code'])}: {escape(message['message'])}</li>"
                       for message in self.report.get("messages", []) if message["severity"] in ("warning", "error"))
        return (f"<table><caption>OpenVINO IR, {(len(self._xml) + len(self._bin)) / 1e6:.1f} MB</caption>"
                f"<tr><th></th><th>name</th><th>tensor names</th><th>type</th></tr>{ends}</table>" + (f"<ul>{said}</ul>" if said else ""))

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        """Pickled as its two files; from protocol 5 on they are not copied, and can stay out of the band."""
        parts = [pickle.PickleBuffer(part) if protocol >= 5 else bytes(part) for part in (self._xml, self._bin)]
        return type(self), (*parts, dict(self.report))

    def __repr__(self) -> str:
        ends = ["; ".join(f"{port.name}: {port.element_type}[{', '.join(map(str, port.shape))}]" for port in ports) for ports in self._all_ports()]
        return f"<mo_openvino.Model {ends[0]} -> {ends[1]}>"

    def _all_ports(self) -> tuple[tuple[Port, ...], tuple[Port, ...]]:
        if self._ports is None:
            self._ports = ports_of(self._xml)
        return self._ports


def run_request(request: _libmo.Request, inputs: Any, portable: bool) -> Outputs:
    import numpy

    if portable:
        request.set("portable")
    in_order = [inputs] if hasattr(inputs, "__array__") else inputs  # an array is a value, not a list of its rows
    named = inputs.items() if isinstance(inputs, Mapping) else (("", each) for each in in_order)
    given = []
    for name, value in named:
        array = numpy.asarray(value)
        array = numpy.ascontiguousarray(array.astype(array.dtype.newbyteorder("="), copy=False)).reshape(array.shape)
        kind = TYPES.get(array.dtype.name, array.dtype.name)
        if kind == "i64" and not hasattr(value, "__array__"):
            kind = "integer"  # lists of Python's integers have no type: that of the input decides
        given.append((name, kind, list(array.shape), array.view(numpy.uint8) if array.ndim else array))
    result = request.run(given)
    rows = checked(result)["outputs"]
    outputs = Outputs()
    for place in range(len(result)):
        name, kind, shape, data = result.tensor(place)
        if kind == "bf16":  # numpy has no such type: the upper half of f32
            array = (numpy.frombuffer(data, numpy.uint16).astype(numpy.uint32) << 16).view(numpy.float32)
        elif kind in NUMPY_TYPES:
            array = numpy.frombuffer(data, NUMPY_TYPES[kind])
        else:
            raise usage_error("MO-PYTHON-0005", f"output '{name}' is of type {kind}, which numpy does not have", "`mo run` writes such outputs to files")
        outputs.add(name, rows[place]["tensor_names"], array.reshape(shape))
    return outputs


def shape_of(port: ElementTree.Element, ranges: str | None) -> Shape:
    dims: list[int | str] = [int(dim.text or "0") for dim in port.findall("dim")]
    if ranges is not None:  # the attribute of a Parameter says more than -1
        words = [dim.strip() for dim in ranges.split(",") if dim.strip()]
        return tuple(int(dim) if dim.isdigit() else "?" if dim == "-1" else dim for dim in words)
    return tuple("?" if dim == -1 else dim for dim in dims)


def names_of(port: ElementTree.Element) -> tuple[str, ...]:
    return tuple(part.replace("\0", ",") for part in port.get("names", "").replace("\\,", "\0").split(",") if part)


PRECISIONS = {"FP32": "f32", "FP16": "f16", "FP64": "f64", "BF16": "bf16", "BOOL": "boolean"}


def type_of(port: ElementTree.Element) -> str:
    precision = port.get("precision", "")
    return PRECISIONS.get(precision, precision.lower())


def ports_of(xml: memoryview) -> tuple[tuple[Port, ...], tuple[Port, ...]]:
    """Inputs and outputs of the net itself; bodies have their own."""
    from xml.etree import ElementTree

    inputs: list[Port] = []
    results: list[tuple[str, Port]] = []                      # by id of the layer
    made: dict[tuple[str, str], tuple[str, tuple[str, ...], str]] = {}  # (layer, port) -> its node's name, names of the tensor, type
    source: dict[str, tuple[str, str]] = {}                   # layer -> what its first input reads
    depth = 0
    for event, element in ElementTree.iterparse(io.BytesIO(xml), ("start", "end")):
        if element.tag == "layers":
            depth += 1 if event == "start" else -1
        if event == "start":
            continue
        if element.tag == "edge" and depth == 0:
            source[element.get("to-layer", "")] = (element.get("from-layer", ""), element.get("from-port", ""))
        if element.tag != "layer" or depth != 1:
            continue
        number, name, kind = element.get("id", ""), element.get("name", ""), element.get("type")
        for port in element.findall("output/port"):
            made[number, port.get("id", "")] = (name, names_of(port), type_of(port))
        if kind == "Parameter":
            port = element.find("output/port")
            data = element.find("data")
            if port is not None:
                inputs.append(Port(name, names_of(port), type_of(port), shape_of(port, data.get("shape") if data is not None else None)))
        elif kind == "Result" and (port := element.find("input/port")) is not None:
            results.append((number, Port(name, (), type_of(port), shape_of(port, None))))
        element.clear()
    outputs = []
    for number, port in results:
        # In IR version 10 only outputs of layers have a type.
        name, tensor_names, element_type = made.get(source.get(number, ("", "")), (port.name, (), port.element_type))
        outputs.append(port._replace(name=name, tensor_names=tensor_names, element_type=element_type))
    return tuple(inputs), tuple(outputs)
