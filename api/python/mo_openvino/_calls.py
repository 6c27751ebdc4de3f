"""convert_model, inspect, verify, run."""
from __future__ import annotations

import contextlib
import os
import sys
from typing import Any, Callable, Iterator, Mapping, Sequence

from . import _arguments, _frameworks, _libmo
from ._errors import MoError, MoTypeError, checked, usage_error
from ._model import Model, Outputs, run_request

Progress = Callable[[float, str], Any]

# What has no meaning in a call that returns a model in memory, with what to do instead. libmo refuses the options of the program (MO-API-0007).
LISTING = "it prints a list and converts nothing: run the program mo"
IMPOSSIBLE = {
    "example_output": "PyTorch's exporter does not need it",
    "output_dir": "nothing is written: use Model.save",
    "keep_in_memory": "it always is: use Model.save",
    "durable": "nothing is written: use Model.save",
    "depfile": "nothing is written: the files that were read are in Model.report[\"conversion\"][\"inputs\"]",
    **{name: LISTING for name in ("print_pipeline", "print_config", "list_ops", "list_extensions")},
}
# Parameters that say how the call itself behaves; the driver neither prints nor keeps a log.
OF_THE_CALL = ("help", "version", "silent", "verbose", "log_level", "progress", "stream_output", "share_weights", "disable_mmap")


def content(model: Any) -> Any:
    """What an open file holds; everything else as it is. A request may need the model twice, and a file is read once."""
    return model.read() if hasattr(model, "read") and hasattr(model, "readable") else model


def set_model(request: _libmo.Request, model: Any, option: str = "input_model") -> None:
    """A path, the bytes of a model, or a message of protobuf (onnx.ModelProto, GraphDef, SavedModel)."""
    if isinstance(model, (str, os.PathLike)):
        request.set(option, os.fspath(model))
    elif isinstance(model, (bytes, bytearray, memoryview)):
        request.set_bytes(option, "model", model)
    elif isinstance(model, Model):
        request.set_bytes(option, "model.xml", model._xml)
        request.set_bytes("weights", "model.bin", model._bin)
    elif hasattr(model, "SerializeToString"):
        request.set_bytes(option, "model", model.SerializeToString())
    elif model is not None:
        raise usage_error("MO-PYTHON-0002", f"{option} is a {type(model).__module__}.{type(model).__qualname__}, which mo does not know",
                          "give a path, bytes, an onnx.ModelProto, or a model of PyTorch, Keras or TensorFlow; save others first (paddle2onnx)", MoTypeError)


TEXTS: dict[str, Callable[[Any], str]] = {
    "input_shape": _arguments.shapes,
    "output": lambda value: _arguments.words("output", value),
    "mean_values": lambda value: _arguments.numbers("mean_values", value),
    "scale_values": lambda value: _arguments.numbers("scale_values", value),
    "layout": _arguments.layouts,
    "source_layout": _arguments.layouts,
    "target_layout": _arguments.layouts,
    "transform": _arguments.transforms,
}


def text_of(name: str, value: Any) -> str | None:
    """The text of an option. An abbreviated name takes the same values as the whole one; libmo refuses an ambiguous one."""
    whole = name.replace("-", "_")
    if whole not in TEXTS and not isinstance(value, (str, int, float)):
        meant = [each for each in TEXTS if each.startswith(whole)]
        whole = meant[0] if len(meant) == 1 else whole
    return TEXTS[whole](value) if whole in TEXTS else _arguments.plain(name, value)


def set_options(request: _libmo.Request, options: Mapping[str, Any]) -> None:
    """Everything but `input`, which may have to ask the model for names."""
    for name, value in options.items():
        if name in OF_THE_CALL or value is None or value is False or isinstance(value, (str, tuple, list)) and len(value) == 0:
            continue
        if name.replace("-", "_") in IMPOSSIBLE:
            raise usage_error("MO-PYTHON-0003", f"{name} cannot be given", IMPOSSIBLE[name.replace("-", "_")])
        try:
            request.set(name, text_of(name, value))
        except MoError:
            check_name(name)  # a name that does not exist is wrong before its value is
            raise


def check_name(name: str) -> None:
    """Error MO-CLI-0001 for a parameter that isn't an option of mo."""
    asked = _libmo.Request()
    asked.set(name)
    result = asked.verify()  # it knows the options of all calls
    if result.error_code == "MO-CLI-0001":
        checked(result)


@contextlib.contextmanager
def prepared(model: Any, inputs: Any, options: Mapping[str, Any]) -> Iterator[_libmo.Request]:
    """A request with all that was given. What an object of a framework was saved to is there until the end of the block."""
    options = dict(options)
    with _frameworks.saved(content(model), options.pop("example_input", None)) as source:
        request = _libmo.Request()
        set_everything(request, source, inputs, options)
        yield request


def set_everything(request: _libmo.Request, model: Any, inputs: Any, options: Mapping[str, Any]) -> None:
    set_model(request, model)
    set_options(request, options)
    if inputs is None or isinstance(inputs, (str, list, tuple, dict)) and len(inputs) == 0:
        return

    def names_of_inputs() -> list[str]:
        asked = _libmo.Request()
        set_model(asked, model)
        set_options(asked, options)
        facts = checked(asked.inspect())["inspection"]["model"]
        return [each["name"] for each in facts["inputs"]] if facts else []

    request.set("input", _arguments.inputs(inputs, names_of_inputs))


def show_progress(share: float, step: str) -> None:
    sys.stderr.write(f"\r{share:6.1%}  {step:.60}\033[K" + ("\n" if share >= 1 else ""))
    sys.stderr.flush()


def convert_model(  # noqa: PLR0913: the original's
        input_model: Any = None, help: bool = False, framework: str | None = None, input: Any = None, output: Any = None,  # noqa: A002
        input_shape: Any = None, example_input: Any = None, batch: Any = None, mean_values: Any = (), scale_values: Any = (), scale: float | None = None,
        reverse_input_channels: bool = False, source_layout: Any = (), target_layout: Any = (), layout: Any = (), compress_to_fp16: bool = False,
        extensions: Any = None, transform: Any = "", transformations_config: Any = None, silent: bool = True, log_level: str = "ERROR",
        version: bool | None = None, progress: bool | Progress = False, stream_output: bool = False, share_weights: bool = False, example_output: Any = None,
        input_model_is_text: bool | None = None, input_checkpoint: Any = None, input_meta_graph: Any = None, saved_model_dir: Any = None,
        saved_model_tags: Any = None, tensorflow_custom_operations_config_update: Any = None,
        tensorflow_object_detection_api_pipeline_config: Any = None, tensorboard_logdir: Any = None, tensorflow_custom_layer_libraries: Any = None,
        input_proto: Any = None, caffe_parser_path: Any = None, k: Any = None, disable_omitting_optional: bool = False,
        enable_flattening_nested_params: bool = False, counts: Any = None, remove_output_softmax: bool = False, remove_memory: bool = False,
        **args: Any) -> Model:
    """Converts a model, and gives the IR in memory. Parameters have the names and the meaning of the command line's options (docs/cli.md); `args` takes those that
    the original's signature does not have (ir_version, target_runtime, model_name, static_shape, freeze_placeholder_with_value …).

    input_model     path of the model, its bytes, a file that is open for reading them, or an onnx.ModelProto (then it must be whole: no external data); a SavedModel may be given as its folder; a
                    torch.nn.Module, a torch.export.ExportedProgram, a Keras model, a tf.Module or a tf.function, which their framework exports to a temporary folder
    example_input   of a torch.nn.Module or a tf.function: what it is traced with
    input           new inputs: text as on the command line; a name; a shape; a type; a tuple of these; an InputCutInfo; a list of such; a dictionary from names
                    to shapes or types. What has no name is the input of the model at the same place
    input_shape     text, a list of dimensions, or a list of such lists; None and -1 are open dimensions
    output          a name, or a list of names
    mean_values, scale_values   text, a list of numbers, a list of lists, or a dictionary from names to lists; arrays of numpy as well
    layout          text, a LayoutMap, a list, or a dictionary from names to these
    transform       text, a tuple of a name and a dictionary, or a list of such
    extensions      plugins are for the program mo only: MO-API-0001
    progress        True: shown on stderr; a function: called with the share that is done (0 to 1) and what is being done; when it returns False, the conversion ends
    silent, verbose, log_level, stream_output, share_weights   accepted, without a meaning here: nothing is printed, nothing is shared

    Raises MoError. Ctrl-C ends the conversion. With `help` or `version`, which print, there is no model: None.

    >>> mo.convert_model("net.onnx")
    <mo_openvino.Model image: f32[?, 3, 224, 224] -> scores: f32[?, 2]>
    >>> mo.convert_model("two.onnx", input={"a": [2, 3], "b": ([None, 3], "f32")}, output="product")
    <mo_openvino.Model a: f32[2, 3]; b: f32[?, 3] -> p: f32[2, 3]>
    >>> steps = []
    >>> mo.convert_model("two.onnx", input_shape=[[1, 3], [1, 3]], progress=lambda share, step: steps.append(share))
    <mo_openvino.Model a: f32[1, 3]; b: f32[1, 3] -> y: f32[1, 3]>
    >>> steps[-1]
    1.0
    """
    given = {name: value for name, value in locals().items() if name not in ("input_model", "input", "k", "args")}
    if isinstance(input_model, Model):
        raise _arguments.bad_value("input_model", input_model, "it is converted already: save it, or give all options to the first call of convert_model")
    if help:
        print(convert_model.__doc__)
        return None  # type: ignore[return-value]  # as the original does; all other calls would have to ask for None
    if version:
        print(f"mo {_libmo.version()}")
        return None  # type: ignore[return-value]
    with prepared(input_model, input, {**given, "custom_layers_mapping" if k else "k": k, **args}) as request:
        request.keep_in_memory(True)
        if progress:
            request.on_progress(progress if callable(progress) else show_progress)
        result = request.convert()
    return Model(result.part(_libmo.MO_XML), result.part(_libmo.MO_BIN), checked(result))


def save_model(model: Model, output_model: str | os.PathLike[str], compress_to_fp16: bool = False) -> None:
    """Saves a model as Model.save does, under the name that OpenVINO has for it. Weights are compressed by `convert_model`, not here: MO-PYTHON-0003.

    >>> mo.save_model(mo.convert_model("net.onnx"), "ir/net.xml")
    >>> mo.Model.read("ir/net.xml").outputs[0].name
    'scores'
    """
    if compress_to_fp16:
        raise usage_error("MO-PYTHON-0003", "compress_to_fp16 cannot be given", "give it to convert_model, which compresses the weights")
    model.save(output_model)


def inspect(input_model: Any = None, *, input: Any = None, **options: Any) -> dict[str, Any]:  # noqa: A002
    """Returns what is in a model, what would stop its conversion, and which options would help: docs/schemas/inspect.schema.json. Options are those of
    `convert_model`.

    >>> [each["name"] for each in mo.inspect("two.onnx")["model"]["inputs"]]
    ['a', 'b']
    >>> conversion = mo.inspect("odd.onnx")["conversion"]
    >>> conversion["converts"], conversion["refusals"][0]["op"]
    (False, 'NoSuchOp')
    >>> conversion["proposal"]["command"]
    'mo --input_model odd.onnx --output r'
    """
    if isinstance(input_model, Model):
        raise _arguments.bad_value("input_model", input_model, "save the model, and inspect its .xml")
    with prepared(input_model, input, options) as request:
        inspection: dict[str, Any] = checked(request.inspect())["inspection"]
    return inspection


def verify(input_model: Any, checked_model: Any = None, *, input: Any = None, **options: Any) -> dict[str, Any]:  # noqa: A002
    """Compares what a model computes with what its IR (a path, or a Model) computes; without an IR, with what a conversion writes. Options are those of
    `convert_model` and of `mo verify` (seed, seeds, rtol, atol, bisect, reference, portable, engine, and python: the one that has the engine, by default the
    one that runs). The options that changed what the IR computes (mean_values, scale …) are needed again. Returns the result as `mo verify --json` prints it;
    that they differ ("verdict": "different") is a result as well, and raises nothing.

    >>> model = mo.convert_model("net.onnx", scale=255)
    >>> mo.verify("net.onnx", model, scale=255)["verdict"]
    'equal'
    >>> mo.verify("net.onnx", model)["verdict"]
    'different'
    """
    if options.get("engine") and not options.get("python") and not os.environ.get("MO_ENGINE_PYTHON"):
        options["python"] = sys.executable or None  # the caller's own packages, whatever `python3` is
    with prepared(input_model, input, options) as request:
        set_model(request, content(checked_model), "checked")
        verification: dict[str, Any] = checked(request.verify(), "verification")["verification"]
    return verification


def run(input_model: Any, inputs: Any, *, portable: bool = False, **options: Any) -> Outputs:
    """Runs a model as its framework would (or an IR), with arrays by name, a list of arrays in the model's order, or the array of its only input. Returns
    arrays by the names of the nodes or tensors. Options are those of `convert_model`, and `weights`: the .bin of an IR.

    >>> mo.run("two.onnx", {"a": [[1.0, 2.0, 3.0]], "b": [[2.0, 2.0, 2.0]]})["y"]
    array([[3., 2., 9.]], dtype=float32)
    """
    with prepared(input_model, options.pop("input", None), options) as request:
        return run_request(request, inputs, portable)
