#!/usr/bin/env python3
"""Reads, compiles and computes IRs with the OpenVINO of this interpreter (2021.x to the newest), on the CPU, in f32. The protocol is that of serving.py."""
import sys
import xml.etree.ElementTree as et

import small_types
from serving import bfloat16_bits, from_bfloat16_bits, np, serve

TYPES = {"boolean": np.bool_, "f16": np.float16, "f32": np.float32, "f64": np.float64, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64,
         "u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "u64": np.uint64}
ENDS = ("Parameter", "Constant", "Const", "Result")


class Core2021:
    """OpenVINO 2021.x: IECore."""

    name = "openvino"

    def __init__(self):
        from openvino.inference_engine import IECore, get_version
        self.version, self.core = get_version(), IECore()
        self.forget()

    def forget(self):
        self.path = self.net = self.exe = None
        self.wanted, self.shown = set(), []

    def read(self, job):
        self.path = job["model"]
        self.net = self.core.read_network(self.path, *[job[key] for key in ("weights",) if job.get(key)])

    def expose(self, names):
        """Adds outputs for the layers that are called so, or whose tensors are."""
        for layer in et.parse(self.path).getroot().find("layers"):
            if layer.get("type") in ENDS:
                continue
            for at, port in enumerate(layer.findall("output/port")):
                called = {layer.get("name"), "{}.{}".format(layer.get("name"), at), *(port.get("names") or "").split(",")}
                if called & names:
                    try:
                        self.net.add_outputs([(layer.get("name"), at)])
                        self.wanted.add((layer.get("name"), at))
                    except RuntimeError:
                        pass  # it is an output already, or has none

    def compile(self):
        try:
            self.exe = self.core.load_network(self.net, "CPU", {"ENFORCE_BF16": "NO"})  # else processors with bf16 compute in it
        except RuntimeError as error:
            if "BF16" not in str(error):
                raise
            self.exe = self.core.load_network(self.net, "CPU")

    def inputs(self):
        self.keys = list(self.net.input_info)
        return [[key] + self.tensor_names("Parameter").get(key, []) for key in self.keys]

    def reshape(self, shapes):
        self.net.reshape({self.keys[port]: shape for port, shape in shapes.items()})

    def tensor_names(self, kind):
        """{friendly name of the layer: tensor names of its first output}"""
        found = {}
        for layer in et.parse(self.path).getroot().find("layers"):
            if layer.get("type") == kind:
                port = next(layer.iter("port"), None)
                found[layer.get("name")] = [name for name in (port.get("names") or "").split(",") if name] if port is not None else []
        return found

    def infer(self, feed):
        blobs = self.exe.infer({self.keys[port]: self.converted(self.keys[port], array) for port, array in feed.items()})
        for name, at in self.wanted:
            key = next((k for k in (name, "{}.{}".format(name, at)) if k in blobs), None)
            if key is not None:
                self.shown.append(([key], str(blobs[key].dtype), np.array(blobs[key])))
        return [(names, str(blobs[key].dtype), np.array(blobs[key])) for key, names in self.results(blobs)]

    def exposed(self):
        return self.shown

    def converted(self, key, array):
        tensor = self.net.input_info[key].tensor_desc
        if list(tensor.dims) != list(array.shape) and int(np.prod(tensor.dims)) == array.size:
            array = array.reshape(tensor.dims)  # this API has no scalars
        return bfloat16_bits(array) if tensor.precision == "BF16" else array  # which it copies as they are

    def results(self, blobs):
        """[(key of the blob, names)] of the Results of the IR, in the order of the file."""
        root = et.parse(self.path).getroot()
        layers = {layer.get("id"): layer for layer in root.find("layers")}
        found = []
        for edge in root.find("edges"):
            if layers[edge.get("to-layer")].get("type") == "Result":
                layer = layers[edge.get("from-layer")]
                ports = layer.find("output").findall("port")
                at = next(i for i, port in enumerate(ports) if port.get("id") == edge.get("from-port"))
                key = next(k for k in (layer.get("name"), "{}.{}".format(layer.get("name"), at)) if k in blobs)
                names = [key] + [name for name in (ports[at].get("names") or "").split(",") if name]
                found.append((list(layers).index(edge.get("to-layer")), key, names))
        return [(key, names) for _, key, names in sorted(found)]

    def nodes(self):
        import ngraph
        return len(ngraph.function_from_cnn(self.exe.get_exec_graph_info()).get_ops())


class Core2022:
    """OpenVINO 2022.1 and later: Core."""

    name = "openvino"

    def __init__(self):
        try:
            import openvino as ov
            ov.Core
        except AttributeError:
            from openvino import runtime as ov
        self.ov = ov
        self.version, self.core = ov.get_version(), ov.Core()
        known = self.core.get_property("CPU", "SUPPORTED_PROPERTIES")
        wanted = {"INFERENCE_PRECISION_HINT": "f32", "DYNAMIC_QUANTIZATION_GROUP_SIZE": "0", "KV_CACHE_PRECISION": "f32"}
        self.settings = {key: value for key, value in wanted.items() if key in known}
        self.add_tokenizers()
        self.forget()

    def add_tokenizers(self):
        """The ops of openvino-tokenizers, where the package is installed."""
        try:
            from openvino_tokenizers import _ext_path
            self.core.add_extension(str(_ext_path))
        except Exception:  # noqa: BLE001 - not there, or for another release
            pass

    def forget(self):
        self.model = self.exe = None
        self.bits, self.shown, self.own_outputs = [], [], 0

    def read(self, job):
        self.model = self.core.read_model(job["model"], *[job[key] for key in ("weights",) if job.get(key)])
        self.own_outputs = len(self.model.outputs)

    def expose(self, names):
        """Adds Results for the tensors that are called so, or whose layers are."""
        wanted = []
        for op in self.model.get_ordered_ops():
            if op.get_type_name() not in ENDS:
                wanted += [port for port in op.outputs() if names.intersection(self.names_of(port))]
        if wanted:
            self.model.add_outputs(wanted)

    def compile(self):
        self.exe = self.core.compile_model(self.model, "CPU", self.settings)

    def inputs(self):
        return [[port.get_node().get_friendly_name()] + sorted(port.get_names()) for port in (self.exe or self.model).inputs]

    def reshape(self, shapes):
        self.model.reshape({self.model.inputs[port]: self.ov.PartialShape(shape) for port, shape in shapes.items()})

    def infer(self, feed):
        request = self.exe.create_infer_request()
        tensors = {port: self.tensor(self.exe.inputs[port], array) for port, array in feed.items()}  # some releases share their memory: keep them
        request.infer(tensors)
        self.shown = []
        for i in range(self.own_outputs, len(self.exe.outputs)):
            try:
                self.shown.append(self.result(self.exe.outputs[i], request.get_output_tensor(i)))
            except Exception:  # noqa: BLE001 - a type that arrays do not have
                pass
        return [self.result(self.exe.outputs[i], request.get_output_tensor(i)) for i in range(self.own_outputs)]

    def exposed(self):
        return self.shown

    def tensor(self, port, array):
        kind = port.get_element_type()
        name = kind.get_type_name()
        if name == "bf16":
            return self.packed(bfloat16_bits(array), array, kind)
        if name in small_types.BITS:
            return self.packed(small_types.packed(name, array), array, kind)
        if name == "string":
            return self.ov.Tensor(array)
        wanted = TYPES[name]
        if array.dtype != wanted:
            with np.errstate(over="ignore", invalid="ignore"):
                made = array.astype(wanted)
            if array.dtype.kind != "f" and not np.array_equal(made.astype(array.dtype), array):
                raise ValueError("the input {} is {}: the array does not fit".format(self.names(port)[0], name))
            array = made
        array = np.array(array, order="C")
        if array.ndim == 0:  # 2023.3 forgets the memory of a numpy scalar
            tensor = self.ov.Tensor(kind, self.ov.Shape([]))
            tensor.data[...] = array
            return tensor
        return array

    def packed(self, bits, array, kind):
        shape = self.ov.Shape(list(array.shape))
        if not bits.size:  # no release makes a tensor of an array without elements
            return self.ov.Tensor(kind, shape)
        self.bits.append(bits)
        try:
            return self.ov.Tensor(bits, shape, kind)
        except TypeError:  # 2022.1 has no tensors of arrays of another type
            tensor = self.ov.Tensor(kind, shape)
            tensor.data[...] = bits.view(tensor.data.dtype).reshape(tensor.data.shape)
            return tensor

    def names(self, port):
        """The names of a result: those of its producer's port and its own tensor names."""
        names = self.names_of(port.get_node().input_value(0))
        return names + sorted(set(port.get_names()).difference(names))

    def names_of(self, port):
        """The name of the node, with the port where it has several outputs, and the tensor names."""
        node = port.get_node()
        return [node.get_friendly_name() + (".{}".format(port.get_index()) if node.get_output_size() > 1 else "")] + sorted(port.get_names())

    def result(self, port, tensor):
        kind = tensor.element_type.get_type_name()
        if kind == "string":
            return self.names(port), kind, np.array(tensor.str_data)
        array = tensor.data
        shape = list(tensor.shape)
        if kind == "bf16":
            array = from_bfloat16_bits(np.array(array).view(np.uint16)).reshape(shape)
        elif kind in small_types.BITS:
            array = small_types.unpacked(kind, np.array(array), int(np.prod(shape))).reshape(shape)
        elif kind == "u1":
            raise ValueError("results of {} cannot be read".format(kind))
        return self.names(port), kind, np.array(array)

    def nodes(self):
        return len(self.exe.get_runtime_model().get_ops())


def make_engine():
    try:
        return Core2022()
    except ImportError:
        return Core2021()


if __name__ == "__main__":
    sys.exit(serve(make_engine))
