"""Where the package finds libmo and mo, its other name, and its errors as exceptions of Python."""
import os
import pickle
import subprocess
import sys
from pathlib import Path

import mo_openvino as mo
import numpy
import pytest

PACKAGE = Path(mo.__file__).parent


def python(*arguments, **environment):
    """Another Python, with the same packages."""
    return subprocess.run([sys.executable, *arguments], env={**os.environ, **environment}, capture_output=True, text=True, check=False)


def raised_by(call):
    with pytest.raises(mo.MoError) as raised:
        call()
    return raised.value


def test_mo_is_another_name():
    """In another process: a test that imports `mo` shall not find it by accident."""
    done = python("-c", "import mo, mo_openvino; assert mo.convert_model is mo_openvino.convert_model; print(*mo.__all__); print(mo.__version__)")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [" ".join(mo.__all__), mo.__version__]


def test_the_module_is_the_program(tmp_path, add_relu):
    assert f": {mo.__version__}\n" in python("-m", "mo_openvino", "--version").stdout
    (tmp_path / "net.onnxtxt").write_bytes(add_relu)
    done = python("-m", "mo_openvino", str(tmp_path / "net.onnxtxt"), "--output_dir", str(tmp_path))
    assert done.returncode == 0 and (tmp_path / "net.xml").exists(), done.stderr
    assert python("-m", "mo_openvino", "--no-such-option").returncode == 2, "the exit code is the program's"


def test_a_script_is_not_the_program(tmp_path):
    """openvino-dev has a script of the same name."""
    from mo_openvino import _places
    (tmp_path / "mo").write_text("#!/usr/bin/python3\n")
    assert not _places.is_native(str(tmp_path / "mo")) and not _places.is_native(str(tmp_path / "none"))
    assert _places.is_native(next(path for path in _places.programs() if os.path.exists(path)))


def test_it_says_that_a_shell_finds_the_mo_of_openvino(tmp_path):
    script = tmp_path / "mo"
    for text, is_told in (("from openvino.tools.mo.main import main", True), ("from mo.__main__ import main", True), ("exec /opt/mo", False)):
        script.write_text(f"#!/usr/bin/python3\n{text}\n")
        script.chmod(0o755)
        done = python("-m", "mo_openvino", "--version", PATH=f"{tmp_path}:{os.environ['PATH']}")
        assert done.returncode == 0 and (str(script) in done.stderr) == is_told, done.stderr


def test_warnings_go_to_logging(add_relu, caplog):
    with caplog.at_level("INFO", logger="mo_openvino"):
        mo.convert_model(add_relu, scale=0.5)
    assert [record.levelname for record in caplog.records if "MO-CLI-0032" in record.getMessage()] == ["WARNING"], caplog.text
    done = python("-c", f"import mo_openvino as mo; mo.convert_model({add_relu!r}, scale=0.5)")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), "nothing is printed unless logging is set up"


def test_a_notebook_shows_a_model(add_relu):
    shown = mo.convert_model(add_relu)._repr_html_()
    assert shown.startswith("<table>") and shown.count("<tr>") == 1 + len(mo.convert_model(add_relu).inputs) + 1, shown
    assert "f32[" in shown


def test_without_openvino_there_is_no_model_of_it(add_relu):
    done = python("-c", f"import sys, mo_openvino as mo; sys.modules['openvino'] = None; mo.convert_model({add_relu!r}).to_openvino()")
    assert "MO-PYTHON-0006" in done.stderr and "pip install openvino" in done.stderr, done.stderr


def copy_of_the_package(folder):
    """Without anything of mo beside it or above."""
    package = folder / "a" / "b" / "c" / "d" / "mo_openvino"
    package.mkdir(parents=True)
    for source in PACKAGE.glob("*.py"):
        (package / source.name).write_bytes(source.read_bytes())
    return package


def libmo():
    from mo_openvino import _places
    return next(path for path in _places.libraries() if os.path.exists(path))


def import_of(package, **environment):
    return python("-c", "import mo_openvino as mo; print(mo.__file__, mo.__version__)", PYTHONPATH=str(package.parent), **environment)


def test_libmo_is_found_below_the_prefix(tmp_path):
    for place in ("../libexec/mo", "../lib", "../../lib64", "../../../lib", "../../../libexec/mo"):
        package = copy_of_the_package(tmp_path / place.replace("/", "_"))
        folder = package.parent / place
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "libmo.so.1").symlink_to(libmo())
        done = import_of(package)
        assert done.stdout.split() == [str(package / "__init__.py"), mo.__version__], done.stderr


def test_libmo_is_found_through_the_environment(tmp_path):
    package = copy_of_the_package(tmp_path)
    assert import_of(package, MO_LIBRARY=libmo()).returncode == 0
    done = import_of(package, MO_LIBRARY=str(tmp_path / "libmo.so.1"))
    assert done.returncode == 1 and "ImportError: cannot load libmo.so.1" in done.stderr and "MO_LIBRARY" in done.stderr
    wrong = tmp_path / "libmo.so.1"
    wrong.write_bytes(b"no library")
    assert "ImportError: cannot load libmo.so.1" in import_of(package, MO_LIBRARY=str(wrong)).stderr


def test_an_old_libmo_is_refused(tmp_path):
    package = copy_of_the_package(tmp_path)
    module = package / "_libmo.py"
    module.write_text(module.read_text(encoding="utf-8").replace("API_VERSION = 1 ", "API_VERSION = 99 "), encoding="utf-8")
    done = import_of(package, MO_LIBRARY=libmo())
    assert "has version 1 of mo.h, expected 99 or later" in done.stderr


def file_of(folder):
    """A file where a folder is expected."""
    file = folder / "file"
    file.write_bytes(b"")
    return file


def test_errors_are_those_of_python_too(tmp_path, add_relu, refused):
    missing = raised_by(lambda: mo.convert_model(tmp_path / "none.onnx"))
    assert isinstance(missing, FileNotFoundError) and missing.code == "MO-IO-0001" and missing.status == 3
    assert missing.errno == 2 and missing.strerror == os.strerror(2) and "MO-IO-0001" in str(missing)
    assert isinstance(raised_by(lambda: mo.run(tmp_path / "none.xml", [])), FileNotFoundError)
    assert isinstance(raised_by(lambda: mo.convert_model(saved_model_dir=file_of(tmp_path))), OSError)
    assert isinstance(raised_by(lambda: mo.Model(b"<net/>", b"").save(tmp_path / "net.bin")), ValueError)
    assert isinstance(raised_by(lambda: mo.convert_model(b"\x08\x08\x3a\x7f nothing")), ValueError)
    assert isinstance(raised_by(lambda: mo.convert_model(add_relu, input_shape="[1,")), ValueError)
    assert isinstance(raised_by(lambda: mo.convert_model(add_relu, model_name="a\0b")), ValueError)
    assert isinstance(raised_by(lambda: mo.convert_model(object())), TypeError)
    unreadable = raised_by(lambda: mo.convert_model(file_of(tmp_path) / "net.onnx"))
    assert isinstance(unreadable, OSError) and not isinstance(unreadable, FileNotFoundError) and unreadable.errno == 20
    assert not isinstance(raised_by(lambda: mo.convert_model(refused)), (OSError, ValueError, TypeError))


def test_errors_name_the_node(refused):
    error = raised_by(lambda: mo.convert_model(refused))
    assert error.node == error.messages[-1]["node"] == "odd"


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_everything_that_is_returned_or_raised_can_be_pickled(add_relu, refused, tmp_path, protocol):
    model = mo.convert_model(add_relu)
    again = pickle.loads(pickle.dumps(model, protocol))
    assert (again.xml, again.bin, again.report, again.inputs) == (model.xml, model.bin, model.report, model.inputs)
    x = numpy.ones((2, 3), numpy.float32)
    outputs = pickle.loads(pickle.dumps(mo.run(add_relu, {"x": x}), protocol))
    assert list(outputs) == ["act"] and numpy.array_equal(outputs["y"], again.run([x])["y"])
    for call in (lambda: mo.convert_model(refused), lambda: mo.convert_model(tmp_path / "none.onnx"), lambda: mo.convert_model(object())):
        error = raised_by(call)
        copy = pickle.loads(pickle.dumps(error, protocol))
        assert type(copy) is type(error) and str(copy) == str(error) and vars(copy) == vars(error)


def test_the_weights_are_not_copied_for_a_pickle(add_relu):
    model = mo.convert_model(add_relu)
    buffers = []
    pickled = pickle.dumps(model, 5, buffer_callback=buffers.append)
    assert len(buffers) == 2 and model.xml not in pickled
    assert pickle.loads(pickled, buffers=buffers).bin == model.bin


def test_results_live_as_long_as_their_views(add_relu):
    outputs = mo.run(add_relu, {"x": numpy.ones((2, 3), numpy.float32)})
    array = outputs["y"]
    assert not array.flags.writeable and not array.flags.owndata, "the memory of libmo"
    del outputs
    mo.run(add_relu, {"x": numpy.zeros((2, 3), numpy.float32)})
    assert array.tolist() == [[2, 0, 4], [2, 0, 4]]


def test_bytes_of_every_kind(add_relu):
    for data in (bytearray(add_relu), memoryview(add_relu), memoryview(bytearray(add_relu)), memoryview(add_relu + b" ")[:-1]):
        assert mo.convert_model(data).outputs[0].name == "y"
    with pytest.raises(BufferError):
        mo.convert_model(memoryview(b" ".join(add_relu[i:i + 1] for i in range(len(add_relu))))[::2])
    assert raised_by(lambda: mo.convert_model(b"")).code.startswith("MO-")
