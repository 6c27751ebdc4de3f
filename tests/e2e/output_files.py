"""Small models, programs that convert and run them, and folders to do that in: what the tests of output files share."""
import os
import struct
import subprocess
import tempfile
import unittest

BIN = ""  # folder of the programs; the test that is run says which

# Type numbers of ONNX.
FLOAT, BOOL = 1, 9


def onnx(nodes, inputs, tensors, outputs=("y",), size=1):
    """A model in ONNX text form."""
    def value(name):
        return f'{{ name: "{name}" type {{ tensor_type {{ elem_type: 1 shape {{ dim {{ dim_value: {size} }} }} }} }} }}'
    parts = [f"node {{ {node} }}" for node in nodes]
    parts += [f"initializer {{ {tensor} }}" for tensor in tensors]
    parts += [f"input {value(name)}" for name in inputs] + [f"output {value(name)}" for name in outputs]
    return f'ir_version: 8 opset_import {{ version: 13 }} graph {{ name: "g" {" ".join(parts)} }}'


def external(name, dims, location, kind=FLOAT):
    sizes = " ".join(f"dims: {d}" for d in dims)
    return (f'name: "{name}" data_type: {kind} {sizes} data_location: EXTERNAL '
            f'external_data {{ key: "location" value: "{location}" }}')


def node(op, inputs, outputs):
    return f'op_type: "{op}" ' + " ".join(f'input: "{i}"' for i in inputs) + " " + " ".join(f'output: "{o}"' for o in outputs)


def write(path, content):
    with open(path, "wb" if isinstance(content, bytes) else "w") as file:
        file.write(content)
    return path


def read(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def floats(count, value=1.5):
    return struct.pack("<f", value) * count


def program(name):
    return os.path.join(os.path.abspath(BIN), name)


def mo(*arguments, **how):
    return subprocess.run([program("mo"), "--silent", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300, **how)


def mo_run(*arguments, **how):
    return subprocess.run([program("mo_run"), *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300, **how)


def npy(count):
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({count},), }}".encode()
    header += b" " * (63 - (10 + len(header)) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + floats(count)


class Folder(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = holder.name

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def files(self, folder=None):
        return sorted(os.listdir(folder or self.folder))

    def model(self, name, weights, ops=("Add",), kind="data"):
        """x + w …, the weights in a file of their own: returns the path of the model."""
        count = len(weights) // 4
        write(self.path(f"{name}.{kind}"), weights)
        names = ["x"] + [f"t{i}" for i in range(len(ops) - 1)] + ["y"]
        nodes = [node(op, [names[i], "w"], [names[i + 1]]) for i, op in enumerate(ops)]
        return write(self.path(f"{name}.onnxtxt"), onnx(nodes, ["x"], [external("w", [count], f"{name}.{kind}")], size=count))


class Pairs(Folder):
    """Two models that are written under one name into one folder."""
    FILES = ("m.xml", "m.bin")  # the first one is what readers look for
    OPTIONS = ()
    FLOATS = 64  # of the smaller model

    def setUp(self):
        super().setUp()
        self.models = [self.model("A", floats(self.FLOATS, 3.0)), self.model("B", floats(1 << 21, 5.0), ("Add", "Mul"))]
        self.pairs = []
        for i, model in enumerate(self.models):
            self.assertEqual(mo(*self.conversion(model, f"alone{i}")).returncode, 0)
            self.pairs.append(self.pair(f"alone{i}"))
        self.assertNotEqual(self.pairs[0], self.pairs[1])

    def conversion(self, model, folder="out"):
        return "--input_model", model, "--model_name", "m", "--output_dir", self.path(folder), *self.OPTIONS

    def pair(self, folder="out"):
        return tuple(read(self.path(folder, name)) for name in self.FILES)

    def state(self, folder="out"):
        """0, 1: the pair of that model; "no .xml"; "mixed"."""
        pair = self.pair(folder)
        return self.pairs.index(pair) if pair in self.pairs else "no .xml" if pair[0] is None else "mixed"

    def leftovers(self, folder="out"):
        return [name for name in self.files(self.path(folder)) if name not in self.FILES]
