"""Models that are objects of a framework: saved to a temporary folder with the framework's own exporter. A framework is used only if the caller has imported it."""
from __future__ import annotations

import contextlib
import inspect
import os
import sys
import tempfile
from typing import Any, Iterator

from ._errors import MoTypeError, usage_error

EXAMPLE = "give example_input: a tensor or an array, a tuple of them, or a dictionary by the names of the parameters"


def is_a(value: Any, name: str, module: str) -> bool:
    """Whether the value is of the class, or of one that inherits from it, without importing its module."""
    return any(each.__name__ == name and each.__module__.split(".")[0] == module for each in type(value).__mro__)


def is_object_of_a_framework(model: Any) -> bool:
    return is_of_torch(model) or is_of_tensorflow(model) or is_of_keras(model)


def is_of_torch(model: Any) -> bool:
    return is_a(model, "Module", "torch") or is_a(model, "ExportedProgram", "torch")


def is_of_keras(model: Any) -> bool:
    return is_a(model, "Layer", "keras") or is_a(model, "Layer", "tf_keras")


def is_of_tensorflow(model: Any) -> bool:
    return any(is_a(model, name, "tensorflow") for name in ("Module", "Function", "ConcreteFunction"))


@contextlib.contextmanager
def saved(model: Any, example_input: Any) -> Iterator[Any]:
    """What mo reads in place of the model: a path, which is there until the end of the block; other models as they are."""
    if not is_object_of_a_framework(model):
        if example_input is not None:
            raise usage_error("MO-PYTHON-0003", "example_input cannot be given", "it is for models that are objects of PyTorch or TensorFlow; a file needs none")
        yield model
        return
    with tempfile.TemporaryDirectory(prefix="mo_") as folder:
        if is_of_torch(model):
            yield save_torch(model, example_input, os.path.join(folder, "model.onnx"))
        elif is_of_keras(model):
            yield save_keras(model, os.path.join(folder, "model"))
        else:
            yield save_tensorflow(model, example_input, os.path.join(folder, "model"))


def save_torch(model: Any, example_input: Any, path: str) -> str:
    torch = sys.modules["torch"]
    if is_a(model, "ExportedProgram", "torch"):
        torch.onnx.export(model, (), path, dynamo=True, verbose=False)
        return path
    if example_input is None:
        raise usage_error("MO-PYTHON-0006", "a torch.nn.Module is traced, which needs an example of its inputs", EXAMPLE, MoTypeError)
    arguments, by_name = examples(example_input, torch.as_tensor)
    was_training = [(each, each.training) for each in model.modules()]
    try:
        model.eval()
        known = inspect.signature(torch.onnx.export).parameters
        if by_name and "kwargs" not in known:  # before PyTorch 2.6
            arguments, by_name = (by_name,), {}
        settings: dict[str, Any] = {"kwargs": by_name} if by_name else {}
        if is_a(model, "ScriptModule", "torch") and "dynamo" in known:  # torch.export refuses what torch.jit compiled
            settings["dynamo"] = False
        torch.onnx.export(model, arguments, path, verbose=False, **settings)
    except ModuleNotFoundError as error:
        raise usage_error("MO-PYTHON-0006", f"PyTorch's exporter needs a package: {error}", f"pip install {error.name}") from error
    finally:
        for each, training in was_training:
            each.training = training
    return path


def save_keras(model: Any, folder: str) -> str:
    if hasattr(model, "export"):
        model.export(folder, **({"verbose": False} if "verbose" in inspect.signature(model.export).parameters else {}))
    else:
        sys.modules["tensorflow"].saved_model.save(model, folder)
    return folder


def save_tensorflow(model: Any, example_input: Any, folder: str) -> str:
    tf = sys.modules["tensorflow"]
    if is_a(model, "Module", "tensorflow") and example_input is None:
        tf.saved_model.save(model, folder)
        return folder
    function = model
    if not is_a(model, "ConcreteFunction", "tensorflow"):
        if not is_a(model, "Function", "tensorflow"):
            function = tf.function(model.__call__)
        if example_input is None and getattr(function, "input_signature", None) is None:
            raise usage_error("MO-PYTHON-0006", "a tf.function without a signature is traced, which needs an example of its inputs", EXAMPLE, MoTypeError)
        arguments, by_name = ((), {}) if example_input is None else examples(example_input, tf.convert_to_tensor)
        function = function.get_concrete_function(*arguments, **by_name)
    holder = model if is_a(model, "Module", "tensorflow") else tf.Module()
    if holder is not model:
        holder.function = function  # keeps its variables
    tf.saved_model.save(holder, folder, signatures=function)
    return folder


def examples(example_input: Any, tensor: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Arguments in order, and by name. What has no shape is passed as it is."""
    def made(value: Any) -> Any:
        if isinstance(value, (list, tuple)):
            return type(value)(made(each) for each in value)
        return tensor(value) if hasattr(value, "__array__") else value

    if isinstance(example_input, dict):
        return (), {name: made(value) for name, value in example_input.items()}
    if isinstance(example_input, (list, tuple)):
        return tuple(made(each) for each in example_input), {}
    return (made(example_input),), {}
