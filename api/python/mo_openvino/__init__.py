"""The Model Optimizer: trained models (ONNX, TensorFlow, Caffe) to OpenVINO IR.

    >>> import mo_openvino as mo
    >>> import numpy
    >>> model = mo.convert_model("net.onnx", input_shape=[1, 3, 224, 224], compress_to_fp16=True)
    >>> model.save("ir/net.xml")
    >>> model.run({"image": numpy.ones((1, 3, 224, 224))})["scores"].tolist()
    [[2.0, 2.0]]

The examples in the other docstrings assume these two imports. Their models: net.onnx computes two scores from the averages of the colours of an image,
two.onnx computes y = a * b + [1, -2, 3], and odd.onnx has an unknown operator.

`convert_model` has the signature of the original's, as far as a converter that needs no framework can: models are files or bytes. `inspect`, `verify` and `run`
are what `mo inspect`, `mo verify` and `mo run` are. Errors are `MoError`, with a stable code and a hint. Nothing is printed.
"""
from ._arguments import InputCutInfo, LayoutMap
from ._calls import convert_model, inspect, run, save_model, verify
from ._errors import MoError, MoFileNotFoundError, MoOSError, MoTypeError, MoValueError
from ._libmo import version as _version
from ._model import Model, Outputs, Port

__version__ = _version()
__all__ = ["InputCutInfo", "LayoutMap", "Model", "MoError", "MoFileNotFoundError", "MoOSError", "MoTypeError", "MoValueError",
           "Outputs", "Port", "convert_model", "inspect", "run", "save_model", "verify"]
