"""Models of frameworks for one-line commands of the documentation: files in the current folder, and variables."""


def torch_models():
    """model.pt is not among them: that row of the README is about a network in the reader's code."""
    import torch
    model = torch.nn.Sequential(torch.nn.Linear(4, 2), torch.nn.ReLU())
    example_input = torch.zeros(1, 4)
    torch.jit.trace(model.eval(), example_input).save("m.pt")
    torch.export.save(torch.export.export(model.eval(), (example_input,)), "m.pt2")
    return {"torch": torch, "model": model, "example_input": example_input}


def keras_models():
    import keras
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(2)])
    model.save("model.keras")
    model.save_weights("m.weights.h5")
    return {"keras": keras, "model": model}
