"""Writes small IRs from Python, for probing: layers by type, version, attributes and inputs, with shapes given. Standard library and numpy only."""
import os
from xml.sax.saxutils import quoteattr

import numpy as np

TYPES = {"float32": "f32", "float16": "f16", "float64": "f64", "int64": "i64", "int32": "i32", "int16": "i16", "int8": "i8", "uint64": "u64", "uint32": "u32",
         "uint16": "u16", "uint8": "u8", "bool": "boolean"}
PRECISIONS = {"f32": "FP32", "f16": "FP16", "bf16": "BF16", "f64": "FP64", "i64": "I64", "i32": "I32", "i16": "I16", "i8": "I8", "u64": "U64", "u32": "U32", "u16": "U16", "u8": "U8",
              "boolean": "BOOL"}


class Tensor:
    """An output of a layer: (layer, index), its element type and its shape; -1 is an unknown size."""

    def __init__(self, layer, index, type, shape):
        self.layer, self.index, self.type, self.shape = layer, index, type, tuple(shape)


class Layer:
    def __init__(self, type, version, attributes, inputs, name, extra=""):
        self.type, self.version, self.attributes, self.inputs, self.name, self.extra = type, version, attributes, inputs, name, extra
        self.outputs = []


class Graph:
    """One net, or one body of a sub-graph op."""

    def __init__(self, weights=None):
        self.layers, self.weights = [], bytearray() if weights is None else weights

    def body(self):
        """An empty body of a node of this graph."""
        return Graph(self.weights)

    def op(self, type, *inputs, version=1, outputs=None, name=None, extra="", **attributes):
        """A layer of `type` in opset `version`. `outputs`: [(element type, shape)]; none: one like the first input. Returns its tensor, or a list of them."""
        layer = Layer(type, f"opset{version}", attributes, inputs, name or f"{type}_{len(self.layers)}", extra)
        for index, (element, shape) in enumerate(outputs or [(inputs[0].type, inputs[0].shape)]):
            layer.outputs.append(Tensor(layer, index, element, shape))
        self.layers.append(layer)
        return layer.outputs[0] if len(layer.outputs) == 1 else layer.outputs

    def parameter(self, name, type, shape):
        dims = ",".join("?" if d < 0 else str(d) for d in shape)
        return self.op("Parameter", outputs=[(type, shape)], name=name, shape=dims, element_type=type)

    def constant(self, value):
        value = np.asarray(value)
        while len(self.weights) % 64:
            self.weights.append(0)
        offset = len(self.weights)
        self.weights += value.tobytes() or b"\0"
        type = TYPES[str(value.dtype)]
        return self.op("Const", outputs=[(type, value.shape)], element_type=type, shape=",".join(map(str, value.shape)), offset=str(offset), size=str(value.nbytes))

    def result(self, tensor, name=None):
        layer = Layer("Result", "opset1", {}, (tensor,), name or f"{tensor.layer.name}/sink_{len(self.layers)}")
        self.layers.append(layer)
        return layer

    def iterate(self, type, body, inputs, input_maps, results, back_edges, outputs, version):
        """A Loop or TensorIterator. `input_maps`: (input or -1, Parameter of the body, axis or None); `results`: (output or -1, Result, axis or None);
        (axis,) instead of axis: backwards. `back_edges`: (Result, Parameter). Returns the outputs."""
        lines = ["    <port_map>"]
        for port, parameter, axis in input_maps:
            lines.append(f'      <input external_port_id="{port}" internal_layer_id="{body.layers.index(parameter.layer)}"{slices(axis)}{" purpose=" + quoteattr("current_iteration") if port < 0 else ""}/>')
        for output, result, axis in results:
            port = output if output < 0 else len(inputs) + output
            lines.append(f'      <output external_port_id="{port}" internal_layer_id="{body.layers.index(result)}"{slices(axis)}{" purpose=" + quoteattr("execution_condition") if output < 0 else ""}/>')
        lines.append("    </port_map>\n    <back_edges>")
        lines += [f'      <edge from-layer="{body.layers.index(a)}" to-layer="{body.layers.index(b.layer)}"/>' for a, b in back_edges]
        lines += ["    </back_edges>", "    <body>", body.xml("      "), "    </body>"]
        made = self.op(type, *inputs, version=version, outputs=outputs, extra="\n".join(lines))
        return made if isinstance(made, list) else [made]

    def conditional(self, condition, inputs, bodies, input_maps, outputs):
        """An If. `bodies`: then, else, with a Result for each output; `input_maps`: of each, (input, Parameter)."""
        lines = []
        for name, body, maps in zip(("then", "else"), bodies, input_maps):
            lines.append(f"    <{name}_port_map>")
            lines += [f'      <input external_port_id="{port}" internal_layer_id="{body.layers.index(p.layer)}"/>' for port, p in maps]
            found = [k for k, layer in enumerate(body.layers) if layer.type == "Result"]
            lines += [f'      <output external_port_id="{i}" internal_layer_id="{k}"/>' for i, k in enumerate(found)]
            lines.append(f"    </{name}_port_map>")
        for name, body in zip(("then", "else"), bodies):
            lines += [f"    <{name}_body>", body.xml("      "), f"    </{name}_body>"]
        made = self.op("If", condition, *inputs, version=8, outputs=outputs, extra="\n".join(lines))
        return made if isinstance(made, list) else [made]

    def xml(self, indent="  "):
        ids = {id(layer): k for k, layer in enumerate(self.layers)}
        lines, edges = [f"{indent}<layers>"], []
        for k, layer in enumerate(self.layers):
            lines.append(f'{indent}  <layer id="{k}" name={quoteattr(layer.name)} type="{layer.type}" version="{layer.version}">')
            if layer.attributes:
                lines.append(f"{indent}    <data " + " ".join(f"{a}={quoteattr(text(v))}" for a, v in layer.attributes.items()) + "/>")
            if layer.inputs:
                lines.append(f"{indent}    <input>")
                for i, tensor in enumerate(layer.inputs):
                    lines.append(port(indent, i, tensor, ""))
                    edges.append((ids[id(tensor.layer)], tensor.index + len(tensor.layer.inputs), k, i))
                lines.append(f"{indent}    </input>")
            if layer.outputs:
                lines.append(f"{indent}    <output>")
                names = [f"{layer.name}:{t.index}" for t in layer.outputs]
                lines += [port(indent, t.index + len(layer.inputs), t, n) for t, n in zip(layer.outputs, names)]
                lines.append(f"{indent}    </output>")
            if layer.extra:
                lines.append(layer.extra)
            lines.append(f"{indent}  </layer>")
        lines.append(f"{indent}</layers>\n{indent}<edges>")
        lines += [f'{indent}  <edge from-layer="{a}" from-port="{b}" to-layer="{c}" to-port="{d}"/>' for a, b, c, d in edges]
        return "\n".join(lines + [f"{indent}</edges>"])

    def save(self, path, version):
        with open(path, "w") as file:
            file.write(f'<?xml version="1.0"?>\n<net name="probe" version="{version}">\n{self.xml()}\n</net>\n')
        with open(os.path.splitext(path)[0] + ".bin", "wb") as file:
            file.write(bytes(self.weights) or b"\0")


def slices(axis):
    if isinstance(axis, tuple):
        return f' axis="{axis[0]}" start="-1" end="0" stride="-1" part_size="1"'
    return "" if axis is None else f' axis="{axis}" start="0" end="-1" stride="1" part_size="1"'


def port(indent, index, tensor, names):
    dims = "".join(f"<dim>{d}</dim>" for d in tensor.shape)
    said = f" names={quoteattr(names)}" if names else ""
    return f'{indent}      <port id="{index}" precision="{PRECISIONS[tensor.type]}"{said}>{dims}</port>'


def text(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(map(text, value)) if isinstance(value, (list, tuple)) else str(value)
