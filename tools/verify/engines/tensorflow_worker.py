#!/usr/bin/env python3
"""Computes TensorFlow models with the TensorFlow of this interpreter, on the CPU, in f32. The protocol is that of serving.py.

A SavedModel, a meta graph with its checkpoint and a frozen graph (binary or text) are all run as one graph without functions, so that its
tensors have the names that a converter sees. A frozen graph has no outputs of its own: `tensors` says what is wanted.
"""
import os
import sys

for setting in ("TF_CPP_MIN_LOG_LEVEL=3", "TF_ENABLE_ONEDNN_OPTS=0", "CUDA_VISIBLE_DEVICES=-1"):
    os.environ.setdefault(*setting.split("="))

from serving import np, serve, without_port  # noqa: E402

ARRAYS = (np.ndarray, np.generic)


def in_control_flow(op):
    """Inside of a branch or loop of TensorFlow 1, whose tensors cannot be fetched from outside."""
    return op._get_control_flow_context() is not None or op.type in ("Switch", "Merge", "Enter", "Exit", "NextIteration", "LoopCond")  # noqa: SLF001


class Engine:
    name = "tensorflow"
    needs_all_inputs = False  # but those that lead to what is asked for

    def __init__(self):
        global tf, compat
        import tensorflow as tf
        compat = tf.compat.v1
        self.version = tf.__version__
        self.forget()

    def forget(self):
        self.graph = self.session = None
        self.ends, self.results, self.wanted, self.shown = [], [], [], []

    def read(self, job):
        path = job["model"]
        if os.path.isdir(path):
            self.read_saved_model(path, job)
        elif path.endswith(".meta"):
            self.read_meta_graph(path, job.get("checkpoint") or path[:-len(".meta")])
        else:
            self.read_graph(path, job.get("checkpoint"))
        if not self.ends:
            ops = [op for op in self.graph.get_operations() if op.type in ("Placeholder", "PlaceholderWithDefault")]
            self.ends = [([op.name, op.name + ":0"], op.outputs[0]) for op in ops]
        self.cut(job.get("inputs", []))

    def cut(self, given):
        """Inputs that the model computes itself: where a conversion was told to begin. What only led to them is not asked for."""
        known = {name for names, _ in self.ends for name in names}
        others = [(entry["names"], self.tensor(entry["names"])) for entry in given if not known.intersection(entry["names"])]
        inside = [(names, tensor) for names, tensor in others if tensor is not None]
        if inside:
            asked = {name for entry in given for name in entry["names"]}
            self.ends = [end for end in self.ends if asked.intersection(end[0])] + inside

    def tensor(self, names):
        for name in names:
            try:
                return self.graph.get_tensor_by_name(name if ":" in name else name + ":0")
            except (KeyError, ValueError):
                pass
        return None

    def settings(self):
        config = compat.ConfigProto(intra_op_parallelism_threads=0)
        config.graph_options.rewrite_options.disable_meta_optimizer = True  # what is asked is what the model means
        return config

    def start(self, graph):
        self.graph, self.session = graph, compat.Session(graph=graph, config=self.settings())

    def read_graph(self, path, checkpoint):
        with open(path, "rb") as file:
            data = file.read()
        definition = compat.GraphDef()
        try:
            definition.ParseFromString(data)
        except Exception:  # noqa: BLE001 - the text form
            from google.protobuf import text_format
            definition = text_format.Parse(data.decode(), compat.GraphDef())
        self.run_graph(definition, checkpoint)

    def read_meta_graph(self, path, checkpoint):
        meta = compat.MetaGraphDef()
        with open(path, "rb") as file:
            meta.ParseFromString(file.read())
        self.run_graph(meta.graph_def, checkpoint)

    def run_graph(self, definition, checkpoint):
        """The graph with the values of its variables, whether or not it has operations of a saver."""
        for node in definition.node:
            node.device = ""
        graph = tf.Graph()
        with graph.as_default():
            tf.import_graph_def(definition, name="")
        self.start(graph)
        if not checkpoint:
            return
        reader = tf.train.load_checkpoint(checkpoint)
        with graph.as_default():
            for op in graph.get_operations():
                if op.type in ("Variable", "VariableV2", "VarHandleOp") and reader.has_tensor(op.name):
                    value = reader.get_tensor(op.name)
                    assign = compat.raw_ops.AssignVariableOp(resource=op.outputs[0], value=value) if op.type == "VarHandleOp" \
                        else compat.raw_ops.Assign(ref=op.outputs[0], value=value)
                    self.session.run(assign)

    def read_saved_model(self, path, job):
        from tensorflow.core.protobuf import saved_model_pb2
        saved = saved_model_pb2.SavedModel()
        with open(os.path.join(path, "saved_model.pb"), "rb") as file:
            saved.ParseFromString(file.read())
        tags = job.get("tags") or next((list(m.meta_info_def.tags) for m in saved.meta_graphs if "serve" in m.meta_info_def.tags),
                                       list(saved.meta_graphs[0].meta_info_def.tags))
        self.start(tf.Graph())
        with self.graph.as_default():
            meta = compat.saved_model.load(self.session, tags, path)
        known = {key: entry for key, entry in meta.signature_def.items() if not key.startswith("__")}
        key = job.get("signature") or ("serving_default" if "serving_default" in known else next(iter(known), ""))
        if key not in known:
            raise ValueError("the SavedModel has no signature '{}'".format(key))
        inputs, outputs = ({k: entry.name for k, entry in part.items()} for part in (known[key].inputs, known[key].outputs))
        if not any("PartitionedCall" in node.op for node in meta.graph_def.node) or not self.freeze(path, tags, key, inputs):
            self.ends, self.results = ([([name, without_port(name), k], self.graph.get_tensor_by_name(name)) for k, name in sorted(part.items())]
                                       for part in (inputs, outputs))

    def freeze(self, path, tags, key, inputs):
        """Inlines the functions, so that what is inside of them has names. False where that cannot be done: the graph is then run as it is."""
        from tensorflow.python.framework import convert_to_constants
        try:
            model = tf.saved_model.load(path, tags=tags)  # owns the variables: must live until they are constants
            function = model.signatures[key]
            frozen = convert_to_constants.convert_variables_to_constants_v2(function, lower_control_flow=False)
            inlined = tf.Graph()
            with inlined.as_default():
                tf.import_graph_def(frozen.graph.as_graph_def(), name="")
        except Exception as error:  # noqa: BLE001
            print("functions are not inlined: {}".format(error), file=sys.stderr)
            return False
        self.start(inlined)
        self.ends = []
        for tensor in frozen.inputs:
            name = inputs.get(tensor.op.name, tensor.name)
            self.ends.append(([tensor.name, tensor.op.name, name, without_port(name)], inlined.get_tensor_by_name(tensor.name)))
        self.results = [([tensor.name, tensor.op.name, k], inlined.get_tensor_by_name(tensor.name))
                        for k, tensor in zip(sorted(function.structured_outputs), frozen.outputs)]
        return True

    def expose(self, names):
        found = {}
        for name in names:
            tensor = self.tensor([name])
            if tensor is not None:
                found.setdefault(tensor.name, (tensor, []))[1].append(name)
        self.wanted = list(found.values())

    def compile(self):
        pass  # the session does it when it runs

    def inputs(self):
        return [names for names, _ in self.ends]

    def infer(self, feed):
        values = {self.ends[at][1]: self.value(self.ends[at], array) for at, array in feed.items()}
        outputs, inner = self.session.run([[tensor for _, tensor in self.results], [tensor for tensor, _ in self.runnable()]], values)
        self.shown = [(names, tensor.dtype.name, self.array(value)) for (tensor, names), value in zip(self.wanted, inner) if isinstance(value, ARRAYS)]
        return [(names, tensor.dtype.name, self.array(value)) for (names, tensor), value in zip(self.results, outputs)]

    def runnable(self):
        """What can be fetched: neither handles nor tensors inside of branches and loops."""
        self.wanted = [(tensor, names) for tensor, names in self.wanted
                       if self.graph.is_fetchable(tensor) and tensor.dtype.base_dtype not in (tf.resource, tf.variant) and not in_control_flow(tensor.op)]
        return self.wanted

    def value(self, end, array):
        names, tensor = end
        if tensor.dtype == tf.string:
            return array.astype(object)
        return array.astype(tensor.dtype.base_dtype.as_numpy_dtype)

    def array(self, value):
        array = np.array(value)
        return array.astype(str) if array.dtype == object else array.astype(np.float32) if array.dtype.name == "bfloat16" else array

    def exposed(self):
        return self.shown

    def nodes(self):
        return len(self.graph.get_operations())


if __name__ == "__main__":
    sys.exit(serve(Engine))
