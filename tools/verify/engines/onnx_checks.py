"""What ONNX itself says of a model: its checker, and its inference of shapes, which compares them with those that the model says."""
import os

LARGEST_MESSAGE = 2**31  # of protobuf


def check(path, needs_ranks=True):
    """Raises what the onnx package finds. `needs_ranks`: whether the checker, which wants the ranks of inputs and outputs, is asked about models without them."""
    import onnx

    model = onnx.load(path, load_external_data=False)
    if needs_ranks or all(value.type.tensor_type.HasField("shape") for value in list(model.graph.input) + list(model.graph.output)):
        onnx.checker.check_model(path)
    if os.path.getsize(path) < LARGEST_MESSAGE:
        onnx.shape_inference.infer_shapes(model, check_type=True, strict_mode=True, data_prop=True)
