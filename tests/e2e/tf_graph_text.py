"""Writes TensorFlow 1 graphs as text (GraphDef, .pbtxt), named and nested the way TensorFlow's Python API does it.

A tensor is its name in the graph, a str with the attributes `type` (as in a GraphDef) and `frame` (the loop in which it is computed).
"""
import contextlib
import random

FLOAT, INT32, INT64, BOOL, UINT8, RESOURCE = "DT_FLOAT", "DT_INT32", "DT_INT64", "DT_BOOL", "DT_UINT8", "DT_RESOURCE"


class Tensor(str):
    def __new__(cls, name, kind, frame=None):
        self = super().__new__(cls, name)
        self.type = kind
        self.frame = frame
        return self


class Shape(tuple):
    """A shape as attribute; None: rank unknown, -1: a dimension that is unknown."""

    def text(self):
        return "shape { " + "".join(f"dim {{ size: {d} }} " for d in self) + "}"


UNKNOWN = type("Unknown", (), {"text": staticmethod(lambda: "shape { unknown_rank: true }")})()


def attribute(value):
    if hasattr(value, "text"):
        return value.text()
    if isinstance(value, bool):
        return f"b: {str(value).lower()}"
    if isinstance(value, int):
        return f"i: {value}"
    if isinstance(value, float):
        return f"f: {value!r}"
    if isinstance(value, (list, tuple)):
        return "list { " + "".join(f"i: {v} " for v in value) + "}"
    return f"type: {value}" if value.startswith("DT_") else f's: "{value}"'


def flat(values):
    return [v for row in values for v in flat(row)] if isinstance(values, (list, tuple)) else [values]


def shape_of(values):
    return [len(values), *shape_of(values[0])] if isinstance(values, (list, tuple)) and values else [0] if values == [] else []


class Graph:
    def __init__(self, seed=1):
        self.nodes = {}  # name: text and inputs
        self.names = {}
        self.prefix = ""
        self.frame = None
        self.pivot = None
        self.captured = {}
        self.random = random.Random(seed)

    # -- names

    def unique(self, name):
        full = self.prefix + name
        count = self.names.get(full.lower(), 0)
        self.names[full.lower()] = count + 1
        while count:
            candidate = f"{full}_{count}"
            if candidate.lower() not in self.names:
                self.names[candidate.lower()] = 1
                return candidate
            count += 1
        return full

    @contextlib.contextmanager
    def scope(self, name):
        """A name scope; another one of that name gets a number."""
        before = self.prefix
        self.prefix = self.unique(name) + "/"
        yield
        self.prefix = before

    @contextlib.contextmanager
    def within(self, prefix):
        """The scope that is there already."""
        before = self.prefix
        self.prefix = prefix
        yield
        self.prefix = before

    def reserve(self, name):
        """Keeps a name that TensorFlow would have counted up to for the node that gets it with `release`."""
        self.names[name.lower()] = 1

    def release(self, name):
        del self.names[name.lower()]
        return name

    # -- nodes

    def frozen(self, outputs):
        """The graph as text, with what the outputs need, as TensorFlow's freeze_graph leaves it."""
        needed, open_names = set(), list(outputs)
        while open_names:
            name = open_names.pop()
            if name not in needed:
                needed.add(name)
                open_names += [x.lstrip("^").split(":")[0] for x in self.nodes[name][1]]
        return "".join(text + "\n" for name, (text, _) in self.nodes.items() if name in needed)

    def write(self, name, op, inputs, **attributes):
        lines = "".join(f' input: "{x}"' for x in inputs)
        lines += "".join(f'\n  attr {{ key: "{k}" value {{ {attribute(v)} }} }}' for k, v in attributes.items() if v is not None)
        self.nodes[name] = (f'node {{ name: "{name}" op: "{op}"{lines} }}', list(inputs))

    def entered(self, x, user):
        """The tensor inside of the loop that is being written."""
        if self.frame is None or not isinstance(x, Tensor) or x.frame == self.frame:
            return x
        if (self.frame, x) not in self.captured:
            frame, self.frame = self.frame, None
            name = user + "/Enter" if user + "/Enter" not in self.names else user + "/Enter_1"
            self.names[name] = 1
            self.write(name, "Enter", [x], T=x.type, frame_name=frame, is_constant=True, parallel_iterations=32)
            self.frame = frame
            self.captured[(frame, x)] = Tensor(name, x.type, frame)
        return self.captured[(self.frame, x)]

    def op(self, kind, inputs, name=None, type=None, **attributes):
        """A node; T is the type of its first input unless it is given (as None, to have none)."""
        full = self.unique(name or kind)
        inputs = [self.entered(x if isinstance(x, Tensor) else self.const(x, (name or kind) + "/c"), full) for x in inputs]
        if "T" not in attributes and inputs:
            attributes = {"T": inputs[0].type, **attributes}
        self.write(full, kind, inputs, **attributes)
        return Tensor(full, type or (inputs[0].type if inputs else FLOAT), self.frame)

    def output(self, x, index, type=None):
        return Tensor(f"{x}:{index}", type or x.type, x.frame)

    def const(self, values, name="Const", type=None):
        numbers = flat(values)
        type = type or (BOOL if numbers and isinstance(numbers[0], bool) else INT32 if all(isinstance(v, int) for v in numbers) else FLOAT)
        shape = "".join(f"dim {{ size: {d} }} " for d in shape_of(values))
        key = {FLOAT: "float_val", INT32: "int_val", INT64: "int64_val", BOOL: "bool_val"}[type]
        full = self.unique(name)
        content = "".join(f" {key}: {str(v).lower()}" for v in numbers)
        control = f' input: "^{self.pivot}"' if self.pivot else ""
        self.nodes[full] = (f'node {{ name: "{full}" op: "Const"{control} attr {{ key: "dtype" value {{ type: {type} }} }}\n'
                            f'  attr {{ key: "value" value {{ tensor {{ dtype: {type} tensor_shape {{ {shape}}}{content} }} }} }} }}',
                            [self.pivot] if self.pivot else [])
        return Tensor(full, type, self.frame)

    def noise(self, shape, scale, name, offset=0.0):
        def rows(dims):
            if not dims:
                return round(offset + self.random.uniform(-scale, scale), 4)
            return [rows(dims[1:]) for _ in range(dims[0])]
        return self.const(rows(list(shape)), name, FLOAT)

    def placeholder(self, name, type, shape):
        full = self.unique(name)
        self.write(full, "Placeholder", [], dtype=type, shape=Shape(shape))
        return Tensor(full, type)

    # -- shorthands

    def identity(self, x, name="Identity"):
        return self.op("Identity", [x], name)

    def binary(self, kind, a, b, name=None, type=None):
        return self.op(kind, [a, b], name or {"RealDiv": "truediv"}.get(kind, kind.lower() if kind in ("Add", "Sub", "Mul") else kind), type)

    def add(self, a, b, name=None):
        return self.binary("Add", a, b, name)

    def sub(self, a, b, name=None):
        return self.binary("Sub", a, b, name)

    def mul(self, a, b, name=None):
        return self.binary("Mul", a, b, name)

    def div(self, a, b, name=None):
        return self.binary("RealDiv", a, b, name)

    def cast(self, x, type, name="Cast"):
        return self.op("Cast", [x], name, type, T=None, SrcT=x.type, DstT=type)

    def shape(self, x, name="Shape"):
        return self.op("Shape", [x], name, INT32, out_type=INT32)

    def reshape(self, x, shape, name="Reshape"):
        return self.op("Reshape", [x, shape], name, Tshape=INT32)

    def expand(self, x, axis, name="ExpandDims"):
        return self.op("ExpandDims", [x, axis], name, Tdim=INT32)

    def squeeze(self, x, axes, name="Squeeze"):
        return self.op("Squeeze", [x], name, squeeze_dims=axes)

    def pack(self, values, axis=0, name="stack"):
        return self.op("Pack", values, name, next((v.type for v in values if isinstance(v, Tensor)), INT32), N=len(values), axis=axis)

    def unpack(self, x, count, axis=0, name="unstack"):
        made = self.op("Unpack", [x], name, num=count, axis=axis)
        return [made if i == 0 else self.output(made, i) for i in range(count)]

    def split(self, x, count, axis, name="split"):
        made = self.op("Split", [axis, x], name, x.type, T=x.type, num_split=count)
        return [made if i == 0 else self.output(made, i) for i in range(count)]

    def concat(self, values, axis, name="concat"):
        return self.op("ConcatV2", [*values, axis], name, N=len(values), Tidx=INT32)

    def tile(self, x, times, name="Tile"):
        return self.op("Tile", [x, times], name, Tmultiples=INT32)

    def gather(self, x, indices, name="GatherV2"):
        return self.op("GatherV2", [x, indices, 0], name, T=None, Tparams=x.type, Tindices=INT32, Taxis=INT32)

    def element(self, x, index, name="strided_slice"):
        """x[index] of a vector."""
        return self.op("StridedSlice", [x, [index], [index + 1], [1]], name, Index=INT32, begin_mask=0, end_mask=0, ellipsis_mask=0,
                       new_axis_mask=0, shrink_axis_mask=1)

    def column(self, x, index, rank, name="strided_slice"):
        """x[…, index] of the last axis, which goes."""
        return self.op("StridedSlice", [x, [0] * (rank - 1) + [index], [0] * (rank - 1) + [index + 1], [1] * rank], name, Index=INT32,
                       begin_mask=2 ** (rank - 1) - 1, end_mask=2 ** (rank - 1) - 1, ellipsis_mask=0, new_axis_mask=0,
                       shrink_axis_mask=2 ** (rank - 1))

    def convolution(self, x, depth, channels, kernel, stride, name, scale, activation=None, bias=0.1):
        """name/Conv2D, name/BiasAdd and an activation."""
        with self.scope(name):
            made = self.op("Conv2D", [x, self.noise([kernel, kernel, depth, channels], scale, "weights")], strides=[1, stride, stride, 1],
                           padding="SAME", data_format="NHWC", dilations=[1, 1, 1, 1], use_cudnn_on_gpu=True)
            made = self.op("BiasAdd", [made, self.noise([channels], bias, "biases")], data_format="NHWC")
            return self.op(activation, [made]) if activation else made

    def dense(self, x, depth, channels, name, scale):
        with self.scope(name):
            made = self.op("MatMul", [x, self.noise([depth, channels], scale, "weights")], transpose_a=False, transpose_b=False)
            return self.op("BiasAdd", [made, self.noise([channels], 0.1, "biases")], data_format="NHWC")

    # -- loops

    def range(self, limit, name="range"):
        with self.scope(name):
            start, delta = self.const(0, "start"), self.const(1, "delta")
        full = self.prefix + name if (self.prefix + name + "/start") == start else start.rsplit("/", 1)[0]
        limit = self.entered(limit, full)
        self.write(full, "Range", [start, limit, delta], Tidx=INT32)
        return Tensor(full, INT32, self.frame)

    def array(self, size, type):
        made = self.op("TensorArrayV3", [size], "TensorArray", RESOURCE, T=None, dtype=type, element_shape=UNKNOWN, dynamic_size=False,
                       clear_after_read=True, identical_element_shapes=True, tensor_array_name="")
        return made, self.output(made, 1, FLOAT)

    def map_fn(self, function, elements, types, name="map"):
        """tf.map_fn: TensorArrays of the elements, a loop that reads them, TensorArrays of the results."""
        with self.scope(name):
            count = self.element(self.shape(elements[0]), 0)
            arrays = [self.array(count, x.type) for x in elements]
            read = []
            for x, (handle, flow) in zip(elements, arrays):
                with self.scope("TensorArrayUnstack"):
                    indices = self.range(self.element(self.shape(x), 0))
                    with self.scope("TensorArrayScatter"):
                        read.append((handle, self.op("TensorArrayScatterV3", [handle, indices, x, flow], type=FLOAT, T=x.type), x.type))
            first = self.const(0)
            written = [self.array(count, type) for type in types]
            with self.scope("while"):
                ends = self.while_loop(count, first, function, read, written, types)
            results = []
            for (handle, _), end, type in zip(written, ends, types):
                with self.scope("TensorArrayStack"):
                    size = self.op("TensorArraySizeV3", [handle, end], type=INT32, T=None)
                    indices = self.range(size)
                    results.append(self.op("TensorArrayGatherV3", [handle, indices, end], type=type, T=None, dtype=type, element_shape=UNKNOWN))
            return results

    def while_loop(self, count, first, function, read, written, types):
        frame = self.prefix + "while_context"
        enters = [self.op("Enter", [v], frame_name=frame, is_constant=False, parallel_iterations=32) for v in [first, *(f for _, f in written)]]
        self.frame = frame
        for x in enters:
            x.frame = frame
        suffixes = ["" if i == 0 else f"_{i}" for i in range(len(enters))]
        merges = [self.op("Merge", [x, Tensor(self.prefix + "NextIteration" + s, x.type, frame)], N=2) for x, s in zip(enters, suffixes)]
        condition = self.op("LoopCond", [self.op("Less", [merges[0], count], type=BOOL)], T=None)
        switches = [self.op("Switch", [x, condition]) for x in merges]
        inside = [self.identity(self.output(x, 1)) for x in switches]
        self.pivot = inside[0]
        # TensorFlow makes the next counter after the body.
        values = [self.op("TensorArrayReadV3", [handle, inside[0], flow], type=type, T=None, dtype=type) for handle, flow, type in read]
        made = function(*values)
        made = made if isinstance(made, (list, tuple)) else [made]
        following = []
        for i, (value, (handle, _)) in enumerate(zip(made, written)):
            with self.scope("TensorArrayWrite"):
                following.append(self.op("TensorArrayWriteV3", [handle, inside[0], value, inside[i + 1]], type=FLOAT, T=value.type))
        counter = self.add(inside[0], 1)
        for value in [counter, *following]:
            self.op("NextIteration", [value])
        self.pivot = None
        ends = [self.op("Exit", [x]) for x in switches]
        self.frame = None
        for x in ends:
            x.frame = None
        return ends[1:]
