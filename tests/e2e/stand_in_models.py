"""Writes small models with given inputs and outputs as ONNX, TensorFlow and Caffe files: stand-ins for models whose command lines are tested.

Each input x gives y = 2x + 0.5, by a convolution where it is an image, so that the model says what its channels are. The outputs show these y in
turn; the last one shows all that are left, flattened. `expected` computes the same with numpy.
"""
from dataclasses import dataclass, field

import numpy as np

from wire_models import Caffe, put, puts

KINDS = {"f32": (1, 1, np.float32), "i32": (6, 3, np.int32), "i64": (7, 9, np.int64), "bool": (9, 10, np.bool_)}  # types of ONNX, of TensorFlow
MOST_CHANNELS = 4  # of a convolution


@dataclass
class Input:
    name: str
    shape: list  # of the model; None for what is not known
    kind: str = "f32"
    port: int = None  # the input is this port of a node of that name, not a placeholder
    channels: int = None  # the dimension of an image that holds them
    inner: bool = False  # the node of that name is not the placeholder itself

    def is_image(self):
        return self.kind == "f32" and len(self.shape) == 4 and self.channels is not None and self.shape[self.channels] is not None \
            and self.shape[self.channels] <= MOST_CHANNELS


@dataclass
class Model:
    inputs: list
    outputs: list = field(default_factory=list)

    def groups(self):
        """For each output the inputs that it shows."""
        count = len(self.outputs)
        inputs = list(range(len(self.inputs)))
        if count >= len(inputs):
            return [[inputs[k % len(inputs)]] for k in range(count)]
        return [[k] for k in range(count - 1)] + [inputs[count - 1:]]

    def expected(self, values):
        """The outputs for the values that the model itself gets, as lists of numbers."""
        return [np.concatenate([(2.0 * values[i].astype(np.float32) + 0.5).reshape(-1) for i in group]) for group in self.groups()]


# -- ONNX -------------------------------------------------------------------------------------------------------------------------------------


def onnx_tensor(name, values):
    kind = next(code for code, _, data in KINDS.values() if data == values.dtype.type)
    return puts(1, values.shape) + put(2, kind) + put(8, name) + put(9, values.tobytes())


def onnx_info(name, kind, shape):
    dims = b"".join(put(1, put(1, d) if d is not None else put(2, f"{name}_{i}")) for i, d in enumerate(shape))
    return put(1, name) + put(2, put(1, put(1, KINDS[kind][0]) + (put(2, dims) if shape is not None else b"")))


def write_onnx(model, path):
    nodes, constants = [], []

    def const(values):
        constants.append(onnx_tensor(f"constant_{len(constants)}", values))
        return f"constant_{len(constants) - 1}"

    def op(kind, inputs, output, **attributes):
        texts = [put(1, key) + (put(3, v) + put(20, 2) if isinstance(v, int) else puts(8, v) + put(20, 7)) for key, v in attributes.items()]
        nodes.append(puts(1, inputs) + put(2, output) + put(3, output) + put(4, kind) + puts(5, texts))
        return output

    results = []
    placeholders = []
    for i, x in enumerate(model.inputs):
        inner = x.port is not None or x.inner
        placeholders.append(f"placeholder_{i}" if inner else x.name)
        value = placeholders[-1]
        if inner:
            one = const(np.ones([], KINDS[x.kind][2]))
            value = op("Mul", [one, value] if x.port == 1 else [value, one], x.name)
        if x.kind != "f32":
            value = op("Cast", [value], f"real_{i}", to=1)
        if x.is_image() and x.channels == 1:
            c = x.shape[1]
            weights = const((2 * np.eye(c, dtype=np.float32)).reshape(c, c, 1, 1))
            value = op("Conv", [value, weights, const(np.full(c, 0.5, np.float32))], f"y_{i}", kernel_shape=[1, 1])
        else:
            value = op("Add", [op("Mul", [value, const(np.array(2, np.float32))], f"twice_{i}"), const(np.array(0.5, np.float32))], f"y_{i}")
        results.append(value)
    shapes = []
    for name, group in zip(model.outputs, model.groups()):
        if len(group) == 1:
            op("Identity", [results[group[0]]], name)
            shapes.append(onnx_info(name, "f32", model.inputs[group[0]].shape))
        else:
            flat = [op("Reshape", [results[i], const(np.array([-1], np.int64))], f"{name}_part_{i}") for i in group]
            op("Concat", flat, name, axis=0)
            shapes.append(onnx_info(name, "f32", [None]))
    graph = puts(1, nodes) + put(2, "stand_in") + puts(5, constants)
    graph += puts(11, [onnx_info(p, x.kind, x.shape) for p, x in zip(placeholders, model.inputs)]) + puts(12, shapes)
    path.write_bytes(put(1, 7) + put(7, graph) + put(8, put(2, 13)))


# -- TensorFlow -------------------------------------------------------------------------------------------------------------------------------


TYPE_ATTRIBUTES = {"T", "dtype", "SrcT", "DstT", "Tshape", "Tidx"}


def tf_graph(model):
    """A GraphDef."""
    nodes = []

    def code_of(values):
        return next(code for _, code, data in KINDS.values() if data == values.dtype.type)

    def shape(dims):
        return b"".join(put(2, put(1, -1 if d is None else d)) for d in dims)

    def node(name, kind, inputs, **attributes):
        def value(key, v):
            if isinstance(v, tuple):
                return put(7, shape(v))
            if isinstance(v, list):
                return put(1, puts(3, v))
            if isinstance(v, np.ndarray):
                return put(8, put(1, code_of(v)) + put(2, shape(v.shape)) + put(4, v.tobytes()))
            return put(2, v) if isinstance(v, str) else put(6 if key in TYPE_ATTRIBUTES else 3, v)
        texts = [put(1, key) + put(2, value(key, v)) for key, v in attributes.items()]
        nodes.append(put(1, name) + put(2, kind) + puts(3, inputs) + puts(5, texts))
        return name

    def const(name, values):
        return node(name, "Const", [], dtype=code_of(values), value=values)

    results = []
    for i, x in enumerate(model.inputs):
        code = KINDS[x.kind][1]
        inner = x.port is not None or x.inner
        value = node(f"placeholder_{i}" if inner else x.name, "Placeholder", [], dtype=code, shape=tuple(x.shape))
        if inner:
            one = const(f"one_{i}", np.ones([], KINDS[x.kind][2]))
            value = node(x.name, "Mul", [one, value] if x.port == 1 else [value, one], T=code)
        if x.kind != "f32":
            value = node(f"real_{i}", "Cast", [value], SrcT=code, DstT=1)
        if x.is_image() and x.channels == 3:
            c = x.shape[3]
            weights = const(f"weights_{i}", (2 * np.eye(c, dtype=np.float32)).reshape(1, 1, c, c))
            value = node(f"conv_{i}", "Conv2D", [value, weights], T=1, strides=[1, 1, 1, 1], padding="SAME", data_format="NHWC")
        else:
            value = node(f"twice_{i}", "Mul", [value, const(f"two_{i}", np.array(2, np.float32))], T=1)
        results.append(node(f"y_{i}", "AddV2", [value, const(f"half_{i}", np.array(0.5, np.float32))], T=1))
    for k, (name, group) in enumerate(zip(model.outputs, model.groups())):
        if len(group) == 1:
            node(name, "Identity", [results[group[0]]], T=1)
        else:
            one_dimension = const(f"one_dimension_{k}", np.array([-1], np.int32))
            flat = [node(f"flat_{k}_{i}", "Reshape", [results[i], one_dimension], T=1, Tshape=3) for i in group]
            node(name, "ConcatV2", flat + [const(f"axis_{k}", np.array(0, np.int32))], T=1, Tidx=3, N=len(flat))
    return puts(1, nodes)


def write_tensorflow(model, path):
    path.write_bytes(tf_graph(model))


def write_meta_graph(model, path):
    path.write_bytes(put(2, tf_graph(model)))


def write_saved_model(model, folder):
    folder.mkdir(parents=True, exist_ok=True)

    def tensors(number, names):
        return b"".join(put(number, put(1, name) + put(2, put(1, f"{name}:0"))) for name in names)
    placeholders = [f"placeholder_{i}" if x.port is not None or x.inner else x.name for i, x in enumerate(model.inputs)]
    signature = tensors(1, placeholders) + tensors(2, model.outputs) + put(3, "tensorflow/serving/predict")
    graph = put(1, put(4, "serve")) + put(2, tf_graph(model)) + put(5, put(1, "serving_default") + put(2, signature))
    (folder / "saved_model.pb").write_bytes(put(1, 1) + put(2, graph))


# -- Caffe ------------------------------------------------------------------------------------------------------------------------------------


def write_caffe(model, prototxt, weights):
    lines, layers, results = ['name: "stand_in"'], [], []

    def layer(name, kind, bottoms, text=""):
        bottom = " ".join(f'bottom: "{b}"' for b in bottoms)
        lines.append(f'layer {{ name: "{name}" type: "{kind}" {bottom} top: "{name}" {text} }}')
        return name

    for i, x in enumerate(model.inputs):
        dims = " ".join(f"dim: {d or 1}" for d in x.shape)
        value = layer(x.name, "Input", [], f"input_param {{ shape {{ {dims} }} }}")
        if x.is_image() and x.channels == 1:
            c = x.shape[1]
            value = layer(f"y_{i}", "Convolution", [value], f"convolution_param {{ num_output: {c} kernel_size: 1 }}")
            blobs = [(2 * np.eye(c, dtype=np.float32)).reshape(c, c, 1, 1), np.full(c, 0.5, np.float32)]
            layers.append(Caffe.layer(value, "Convolution", [Caffe.blob(b.shape, b.tobytes()) for b in blobs]))
        else:
            value = layer(f"y_{i}", "Power", [value], "power_param { scale: 2 shift: 0.5 }")
        results.append(value)
    for k, (name, group) in enumerate(zip(model.outputs, model.groups())):
        if len(group) == 1:
            layer(name, "Power", [results[group[0]]], "power_param { scale: 1 }")
        else:
            flat = [layer(f"flat_{k}_{i}", "Flatten", [results[i]], "flatten_param { axis: 0 }") for i in group]
            layer(name, "Concat", flat, "concat_param { axis: 0 }")
    prototxt.write_text("\n".join(lines) + "\n")
    weights.write_bytes(put(1, "stand_in") + b"".join(layers))


def write_mean_image(shape, path):
    """A mean image for inputs of that shape, as binaryproto."""
    path.write_bytes(put(1, 1) + put(2, shape[1]) + put(3, shape[2]) + put(4, shape[3]) + puts(5, [0.5] * int(np.prod(shape[1:]))))
