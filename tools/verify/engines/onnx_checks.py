"""What ONNX itself says of a model: its checker, and its inference of shapes, which compares them with those that the model says."""
import os

LARGEST_MESSAGE = 2**31  # of protobuf


def check(path):
    """Raises what the onnx package finds.

    An input or output of unknown rank has no shape, as the format says; the checker wants one all the same, and is not asked about such models.
    """
    import onnx

    model = onnx.load(path, load_external_data=False)
    if all(value.type.tensor_type.HasField("shape") for value in list(model.graph.input) + list(model.graph.output)):
        onnx.checker.check_model(path)
    if os.path.getsize(path) < LARGEST_MESSAGE:
        onnx.shape_inference.infer_shapes(model, check_type=True, strict_mode=True, data_prop=True)
