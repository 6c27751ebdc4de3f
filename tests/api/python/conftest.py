"""Models as text, which mo reads as it does binary ones."""
import pytest

VALUE = '{} {{ name: "{}" type {{ tensor_type {{ elem_type: 1 shape {{ {} }} }} }} }}'


def end(kind, name, shape):
    dims = " ".join(f"dim {{ dim_value: {dim} }}" if isinstance(dim, int) else f'dim {{ dim_param: "{dim}" }}' for dim in shape)
    return VALUE.format(kind, name, dims)


def text(nodes, ends):
    rows = [f'node {{ op_type: "{op}" name: "{name}" {" ".join(f"input: {chr(34)}{each}{chr(34)}" for each in reads)} output: "{makes}" }}'
            for op, name, reads, makes in nodes]
    weights = 'initializer { name: "w" data_type: 1 dims: 3 float_data: 1 float_data: -2 float_data: 3 }'
    return "\n".join(['ir_version: 8 opset_import { version: 13 } graph { name: "g"', *rows, weights, *ends, "}"]).encode()


@pytest.fixture
def add_relu():
    """y = Relu(x + w), x: f32[2,3]"""
    return text([("Add", "sum", ["x", "w"], "s"), ("Relu", "act", ["s"], "y")], [end("input", "x", (2, 3)), end("output", "y", (2, 3))])


@pytest.fixture
def two_inputs():
    """y = a * b + w, a and b of open batch"""
    return text([("Mul", "product", ["a", "b"], "p"), ("Add", "sum", ["p", "w"], "y")],
                [end("input", "a", ("n", 3)), end("input", "b", ("n", 3)), end("output", "y", ("n", 3))])


@pytest.fixture
def image():
    """y = Relu(x), x: f32[1,3,4,4]"""
    return text([("Relu", "act", ["x"], "y")], [end("input", "x", (1, 3, 4, 4)), end("output", "y", (1, 3, 4, 4))])


@pytest.fixture
def refused():
    return text([("Add", "sum", ["x", "w"], "s"), ("NoSuchOp", "odd", ["s"], "y")], [end("input", "x", (2, 3)), end("output", "y", (2, 3))])
