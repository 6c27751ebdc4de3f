#!/usr/bin/env python3
"""Converts objects of PyTorch, Keras and TensorFlow with the Python package, and compares what the IR computes with what the object does. Run it with a Python that
has the framework; those that are missing are skipped, and all missing is an error.

usage: framework_objects.py PACKAGE      PACKAGE: folder with mo_openvino (build/release/python)
"""
import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, sys.argv[1] if len(sys.argv) > 1 else "")
import mo_openvino as mo  # noqa: E402
import numpy  # noqa: E402

X = numpy.random.default_rng(1).standard_normal((2, 4)).astype("float32")
CASES = []


def case(make):
    CASES.append(make)
    return make


def torch_module():
    import torch

    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.dense, self.rest = torch.nn.Linear(4, 3), torch.nn.Dropout(0.5)

        def forward(self, x, scale=None):
            y = self.rest(self.dense(x)).relu()
            return y if scale is None else y * scale

    net = Net()
    return torch, net, lambda *inputs: net.eval()(*(torch.tensor(each) for each in inputs)).detach().numpy()


@case
def module_of_torch():
    _, net, truth = torch_module()
    net.train()
    net.rest.eval()
    model = mo.convert_model(net, example_input=X)
    assert (net.training, net.rest.training) == (True, False), "training modes stay as they were"
    return model, [X], truth(X)


@case
def module_of_torch_by_name():
    _, net, truth = torch_module()
    scale = numpy.float32([2.0])
    return mo.convert_model(net, example_input={"x": X, "scale": scale}), [X, scale], truth(X, scale)


@case
def exported_program_of_torch():
    torch, net, truth = torch_module()
    return mo.convert_model(torch.export.export(net.eval(), (torch.tensor(X),))), [X], truth(X)


@case
def script_module_of_torch():
    torch, _, _ = torch_module()
    net = torch.jit.script(torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.ReLU()))
    return mo.convert_model(net, example_input=X), [X], net(torch.tensor(X)).detach().numpy()


@case
def module_without_an_example():
    _, net, _ = torch_module()
    try:
        mo.convert_model(net)
    except TypeError as error:
        assert error.code == "MO-PYTHON-0006" and "example_input" in error.hint, error
        return None
    raise AssertionError("it was converted")


@case
def model_of_keras():
    import keras
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3, activation="relu"), keras.layers.Dropout(0.5)])
    return mo.convert_model(model), [X], numpy.asarray(model(X))


@case
def function_of_tensorflow():
    import tensorflow as tf
    function = tf.function(lambda x: tf.nn.relu(x - 0.5))
    return mo.convert_model(function, example_input=X), [X], function(X).numpy()


@case
def function_of_tensorflow_with_a_signature():
    import tensorflow as tf
    function = tf.function(lambda x: tf.nn.relu(x - 0.5), input_signature=[tf.TensorSpec([None, 4], tf.float32)])
    return mo.convert_model(function), [X], function(X).numpy()


@case
def module_of_tensorflow():
    import tensorflow as tf

    class Net(tf.Module):
        def __init__(self):
            super().__init__()
            self.weights = tf.Variable(numpy.ones((4, 3), "float32"))

        def __call__(self, x):
            return tf.matmul(x, self.weights)

    net = Net()
    return mo.convert_model(net, example_input=X), [X], net(X).numpy()


def main():
    tried, failed = 0, 0
    for make in CASES:
        try:
            made = make()
        except ModuleNotFoundError as error:
            print(f"skipped  {make.__name__}: {error}")
            continue
        tried += 1
        if made:
            model, inputs, truth = made
            (found,) = model(inputs).values()
            if found.shape != truth.shape or not numpy.allclose(found, truth, rtol=1e-5, atol=1e-6):
                failed += 1
                print(f"FAILED   {make.__name__}: {found} where {truth} is right")
                continue
        print(f"ok       {make.__name__}")
    return 1 if failed or not tried else 0


if __name__ == "__main__":
    sys.exit(main())
