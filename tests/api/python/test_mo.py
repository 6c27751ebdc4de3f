"""Conversions, runs, checks and reports through Python."""
import inspect as python_inspect
import io
import json
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import mo_openvino as mo
import numpy
import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests" / "support"))
import json_schema  # noqa: E402

X = numpy.array([[-3, 5, 1], [2, 2, -9]], numpy.float32)
Y = numpy.array([[0, 3, 4], [3, 0, 0]], numpy.float32)


def test_bytes_become_a_model(add_relu):
    model = mo.convert_model(add_relu, model_name="net")
    assert model.xml.startswith(b"<?xml") and b'<net name="net"' in model.xml and len(model.bin) == 12
    assert model.inputs == (mo.Port("x", ("x",), "f32", (2, 3)),)
    assert model.outputs == (mo.Port("y", ("y",), "f32", (2, 3)),)
    assert repr(model) == "<mo_openvino.Model x: f32[2, 3] -> y: f32[2, 3]>"
    assert mo.convert_model(bytearray(add_relu), model_name="net").xml == model.xml


def test_a_file_becomes_files(add_relu, tmp_path):
    source = tmp_path / "net.onnxtxt"
    source.write_bytes(add_relu)
    model = mo.convert_model(source, compress_to_fp16=True)
    assert [Path(path).name for path in model.report["conversion"]["inputs"]] == ["net.onnxtxt"]
    assert len(model.bin) == 6
    model.save(tmp_path / "ir" / "net.xml")
    assert sorted(path.name for path in (tmp_path / "ir").iterdir()) == ["net.bin", "net.xml"]
    again = mo.Model.read(tmp_path / "ir" / "net.xml")
    assert (again.xml, again.bin) == (model.xml, model.bin)
    with pytest.raises(mo.MoError, match="MO-PYTHON-0004"):
        model.save(tmp_path / "net.bin")


@pytest.mark.parametrize("inputs", [{"x": X}, [X], X, {"x": X.tolist()}, {"x": numpy.asfortranarray(X)}, {"x": X.astype(">f4")}, {"x": X.astype(numpy.float64)}])
def test_arrays_go_in_and_come_out(add_relu, inputs):
    outputs = mo.convert_model(add_relu).run(inputs, portable=True)
    assert list(outputs) == ["y"] and outputs["y"].dtype == numpy.float32, "the model's name of the output, not the node's"
    assert numpy.array_equal(outputs["y"], Y)


class Message:
    """As protobuf has them."""

    def __init__(self, content):
        self.SerializeToString = lambda: content


def test_models_of_the_onnx_package(add_relu):
    """As the message that `onnx.load` gives."""
    model = mo.convert_model(Message(add_relu), model_name="net", verbose=True)
    assert model.xml == mo.convert_model(add_relu, model_name="net").xml
    assert numpy.array_equal(mo.run(Message(add_relu), X)["y"], Y)


def test_the_short_forms_of_openvino(add_relu, two_inputs, tmp_path):
    model = mo.convert_model(add_relu)
    assert numpy.array_equal(model(X)["y"], Y) and numpy.array_equal(model({"x": X})["y"], Y)
    mo.save_model(model, tmp_path / "net.xml")
    assert mo.Model.read(tmp_path / "net.xml").xml == model.xml
    assert numpy.array_equal(model(X)[0], Y) and model(X)[-1] is not None
    with pytest.raises(IndexError):
        model(X)[1]
    mo.save_model(model, tmp_path / "net.xml", compress_to_fp16=False)
    with pytest.raises(mo.MoError, match="MO-PYTHON-0003.*compress_to_fp16") as raised:
        mo.save_model(model, tmp_path / "half.xml", compress_to_fp16=True)
    assert "convert_model" in raised.value.hint
    model = mo.convert_model(two_inputs, input={"b": [2, 3], "a": ([2, 3], "f32")})
    assert {port.name: port.shape for port in model.inputs} == {"a": (2, 3), "b": (2, 3)}


def test_models_in_open_files(add_relu):
    assert mo.convert_model(io.BytesIO(add_relu), model_name="net").xml == mo.convert_model(add_relu, model_name="net").xml
    inputs = mo.convert_model(io.BytesIO(add_relu), input=[2, 3]).inputs  # reads the model twice: once for the name of the input
    assert inputs[0].shape == (2, 3)


def test_a_converted_model_is_not_converted_again(add_relu):
    with pytest.raises(mo.MoError, match="MO-PYTHON") as raised:
        mo.convert_model(mo.convert_model(add_relu), compress_to_fp16=True)
    assert "first call" in raised.value.hint


def test_a_model_runs_without_a_conversion(add_relu):
    outputs = mo.run(add_relu, {"x": X})
    assert numpy.array_equal(outputs["y"], Y) and "y" in outputs and outputs.get("y") is outputs["y"], "the name of the tensor"
    assert list(outputs) == ["act"], "its node"
    assert "z" not in outputs and outputs.get("z", 1) == 1
    with pytest.raises(KeyError):
        outputs["z"]


def test_lists_of_integers_take_the_type_of_the_input(add_relu, two_inputs):
    assert numpy.array_equal(mo.run(add_relu, {"x": X.astype(int).tolist()})["y"], Y)
    assert numpy.array_equal(mo.run(two_inputs, [[[1, 2, 3]], [[2.0, 2, 2]]])["y"], [[3, 2, 9]])
    graph = b'graph(%x: f16[] "x", %i: u8[2] "i") {\n  %y = Convert(%i) {destination_type=f16} "h"\n  %z = Add(%x, %y) "z"\n  return %z\n}\n'
    assert mo.run(graph, {"x": 2, "i": [1, 2]})["z"].tolist() == [3, 4]
    for inputs in ({"x": 2, "i": [1, 256]}, {"x": 70000, "i": [1, 2]}, {"x": numpy.int64(2), "i": [1, 2]}, {"x": 2, "i": [1.0, 2.0]}):
        with pytest.raises(mo.MoError, match="MO-RUN-0005.*expects"):
            mo.run(graph, inputs)


def test_bad_arrays(add_relu):
    model = mo.convert_model(add_relu)
    for inputs, code in (({"z": X}, "MO-RUN-0001"), ({}, "MO-RUN-0004"), ({"x": X[:1]}, "MO-RUN-0006"), ({"x": X.astype(str)}, "MO-API-0003")):
        with pytest.raises(mo.MoError) as raised:
            model.run(inputs)
        assert raised.value.code == code
    for inputs, text in (({}, "MO-RUN-0004: input 'x' (f32[2,3]) is missing\n  hint    give all inputs, by name or in the order of the model"),
                         ([X, X], "MO-RUN-0003: expected 1 input, got 2"), (X[:1], "MO-RUN-0006: input 'x' expects shape [2,3], got [1,3]")):
        with pytest.raises(mo.MoError) as raised:
            model.run(inputs)
        assert str(raised.value).startswith(text)


def test_scalars_and_empty_shapes_and_types():
    graph = b'graph(%x: f32[] "x", %i: i64[2] "i") {\n  %y = Add(%x, 1.5:f32) "y"\n  %n = Convert(%i) {destination_type=f16} "h"\n' \
            b'  %b = Convert(%i) {destination_type=bf16} "b"\n  return %y, %n, %b\n}\n'
    outputs = mo.run(graph, {"x": numpy.float32(2), "i": [1, 2]})
    assert outputs["y"].shape == () and outputs["y"] == 3.5
    assert outputs["h"].dtype == numpy.float16 and outputs["b"].dtype == numpy.float32 and outputs["b"].tolist() == [1, 2]


def test_the_forms_of_parameters(two_inputs, image, tmp_path):
    model = mo.convert_model(two_inputs, input=[[2, 3], ("b", [2, 3])], output="product", transform=[])
    assert [port.shape for port in model.inputs] == [(2, 3), (2, 3)] and model.outputs[0].name == "p"
    model = mo.convert_model(two_inputs, input=["a", "b"], input_shape=[[2, 3], [(1, 4), 3]])
    assert [port.shape for port in model.inputs] == [(2, 3), ("1..4", 3)]
    model = mo.convert_model(two_inputs, input=[mo.InputCutInfo("a", [1, 3]), mo.InputCutInfo("b", (1, 3), value=2)])
    assert numpy.array_equal(model.run([numpy.ones((1, 3), numpy.float32)])["y"], [[3, 0, 5]])
    model = mo.convert_model(image, mean_values=numpy.array([1, 2, 3]), scale_values={"x": [2, 2, 2]}, layout="nchw", reverse_input_channels=True)
    expected = numpy.maximum((5 - numpy.array([3, 2, 1])) / 2, 0)
    given = numpy.full((1, 3, 4, 4), 5, numpy.float32)
    assert sorted(model.run([given])["y"][0, :, 0, 0].tolist()) == sorted(expected.tolist())
    model = mo.convert_model(image, layout={"x": mo.LayoutMap("nchw", "nhwc")})
    assert model.inputs[0].shape == (1, 4, 4, 3)
    assert b'version="10"' in mo.convert_model(image, ir_version=10, batch=2).xml


def test_abbreviated_parameters_take_the_same_values(image):
    whole = mo.convert_model(image, mean_values=[1, 2, 3], scale_values=[2, 2, 2], input_shape=[1, 3, 8, 8])
    assert mo.convert_model(image, **{"mean_value": [1, 2, 3], "scale-val": numpy.array([2, 2, 2]), "input_sh": [1, 3, 8, 8]}).xml == whole.xml
    with pytest.raises(mo.MoError, match="MO-CLI-0002"):
        mo.convert_model(image, mean=[1, 2, 3])


@pytest.mark.parametrize("ir_version", [10, 11])
def test_ports_have_types_in_both_versions_of_the_ir(add_relu, ir_version):
    """Only outputs of layers have a type in version 10."""
    model = mo.convert_model(add_relu, ir_version=ir_version)
    assert [port.element_type for port in (*model.inputs, *model.outputs)] == ["f32", "f32"]


def test_errors_have_code_and_hint(refused):
    with pytest.raises(mo.MoError) as raised:
        mo.convert_model(refused)
    assert raised.value.code == "MO-FRONT-0001" and raised.value.status == 5 and raised.value.hint
    assert raised.value.messages[-1]["node"] == "odd"
    assert "model" in str(raised.value) and "/proc/" not in str(raised.value)
    with pytest.raises(mo.MoError, match="MO-CLI-0006"):
        mo.convert_model()
    with pytest.raises(mo.MoError, match="MO-CLI-0001"):
        mo.convert_model(refused, no_such_parameter=1)
    with pytest.raises(mo.MoError, match="MO-API-0001"):
        mo.convert_model(refused, extensions="plugin.so")
    with pytest.raises(mo.MoError, match="MO-PYTHON-0002.*an onnx.ModelProto, or a model of PyTorch"):
        raise_flat(lambda: mo.convert_model(object()))
    for name in ("example_input", "output_dir"):
        with pytest.raises(mo.MoError, match="MO-PYTHON-0003"):
            mo.convert_model(refused, **{name: "x"})
    graph = b'graph(%x: u1[16] "x") {\n  return %x\n}\n'
    with pytest.raises(mo.MoError, match="MO-(PYTHON-0005|API-0003|RUN-0005)"):
        mo.run(graph, [numpy.zeros(16, numpy.uint8)])


# Options that change no byte of an IR, by what a call does with them. A new one belongs into one of these sets.
REFUSED = {"MO-PYTHON-0003": {"output_dir", "durable", "depfile", "print_pipeline", "print_config", "list_ops", "list_extensions"},
           "MO-API-0007": {"report", "verify", "check", "json", "list_options", "explain"}}
# The call itself acts on them, or they are documented to have no meaning in it.
OF_THE_CALL = {"help", "version", "silent", "log_level", "progress", "stream_output", "share_weights", "example_input"}
EFFECTIVE = {"framework": "tf", "allow_links": None, "max_memory": None, "max_time": "1e-9", "trusted": None, "ignore_attribute": "Relu.hint", "explain_pass": "EliminateNop",
             "dump_after": "Preprocessing", "time_passes": True, "verify_each": None, "record_usage": "usage", "input_model_is_text": None, "tensorboard_logdir": None}


def options_of_mo():
    program = Path(mo.__file__).resolve().parents[2] / "bin" / "mo"
    listed = subprocess.run([program, "--list-options", "--json"], stdout=subprocess.PIPE, check=True).stdout
    return {option["name"].replace("-", "_"): option for option in json.loads(listed)}


def test_each_option_acts_or_is_refused_by_name(add_relu, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    options = options_of_mo()
    beside_ir = {name for name, option in options.items() if not option["affects_ir"] and option["framework"] not in ("mxnet", "kaldi")}
    silent = {name for name in beside_ir if options[name]["standing"] != "current" or name == "external_data"}  # warned about: below
    assert beside_ir - OF_THE_CALL - silent == set.union(*REFUSED.values()) | set(EFFECTIVE)
    for code, names in REFUSED.items():
        for name in names:
            for call in (mo.convert_model, mo.inspect, mo.verify, lambda model, **options: mo.run(model, X, **options)):
                with pytest.raises(mo.MoError, match=f"{code}: {name.replace('_', '.')} ") as raised:
                    call(add_relu, **{name: options[name]["takes"] == "nothing" or "x.html"})
                assert raised.value.hint
    for name in silent - OF_THE_CALL:
        report = mo.convert_model(add_relu, **{name: True if options[name]["takes"] == "nothing" else "x"}).report
        assert any(message["code"].startswith("MO-CLI-003") for message in report["messages"]), name
    plain = mo.convert_model(add_relu)
    for name, value in EFFECTIVE.items():
        if value is None:
            continue  # shows with certain models only: tests/lint/options.py
        capfd.readouterr()
        try:
            model = mo.convert_model(add_relu, **{name: value})
        except mo.MoError:
            continue
        shown = capfd.readouterr()
        assert model.report["conversion"]["text"] or model.report["messages"] != plain.report["messages"] or shown.out or shown.err or list(tmp_path.iterdir()), name


@pytest.mark.parametrize(("name", "value", "hint"), [("input_shpae", [1, 2], "did you mean 'input_shape'?"), ("input_shpae", "[1,2]", "did you mean 'input_shape'?"),
                                                     ("compress_to_fp61", True, "did you mean 'compress_to_fp16'?"), ("mean_valeus", {"x": [1]}, "did you mean 'mean_values'?"),
                                                     ("nonsense", object(), "")])
def test_a_name_is_checked_before_its_value(add_relu, name, value, hint):
    for call in (mo.convert_model, mo.verify):
        with pytest.raises(mo.MoError, match=f"MO-CLI-0001: unknown parameter '{name}'") as raised:
            call(add_relu, **{name: value})
        assert hint in raised.value.hint and hint in str(raised.value) and hint in raised.value.messages[0]["hint"]
    with pytest.raises(mo.MoError, match="MO-PYTHON-0001: ir_version"):
        mo.convert_model(add_relu, ir_version=object())


def test_an_engine_is_looked_for_in_the_python_that_runs(add_relu, monkeypatch):
    for given, wanted in (({}, sys.executable), ({"python": "other"}, "other")):
        monkeypatch.delenv("MO_ENGINE_PYTHON", raising=False)
        with pytest.raises(mo.MoError) as raised:
            mo.verify(add_relu, engine="onnxruntime@0.0", **given)
        assert wanted in str(raised.value)
    monkeypatch.setenv("MO_ENGINE_PYTHON", "of_the_environment")
    with pytest.raises(mo.MoError, match="of_the_environment"):
        mo.verify(add_relu, engine="onnxruntime@0.0")


def raise_flat(call):
    """A message in one line, for `match`."""
    try:
        call()
    except mo.MoError as error:
        raise mo.MoError(str(error).replace("\n", " "), error.code) from None


def test_an_unsupported_type_is_reported():
    graph = b'graph(%x: f32[2] "x") {\n  %y = Convert(%x) {destination_type=u4} "y"\n  return %y\n}\n'
    with pytest.raises(mo.MoError, match="MO-PYTHON-0005"):
        mo.run(graph, [numpy.zeros(2, numpy.float32)])


def test_inspect(add_relu, refused):
    schema = json.loads((ROOT / "docs/schemas/inspect.schema.json").read_text())
    for model, converts in ((add_relu, True), (refused, False)):
        facts = mo.inspect(model)
        assert json_schema.problems(facts, schema) == []
        assert facts["conversion"]["converts"] is converts
    assert facts["conversion"]["refusals"][0]["nodes"] == ["odd"]
    assert "--output" in facts["conversion"]["proposal"]["command"]
    with pytest.raises(mo.MoError, match="MO-PYTHON-0001"):
        mo.inspect(mo.convert_model(add_relu))


def test_the_report_has_its_schema(add_relu):
    schema = json.loads((ROOT / "docs/schemas/api_result.schema.json").read_text())
    model = mo.convert_model(add_relu)
    assert json_schema.problems(dict(model.report), schema) == []


def test_verify(add_relu):
    model = mo.convert_model(add_relu)
    assert mo.verify(add_relu, model, seeds=2)["verdict"] == "equal"
    assert mo.verify(add_relu)["verdict"] == "equal"
    other = mo.Model(model.xml, numpy.array([1, -2, 4], numpy.float32).tobytes())
    different = mo.verify(add_relu, other)
    assert different["verdict"] == "different" and different["layer"]["name"] in ("sum", "act")
    assert json_schema.problems(different, json_schema.schema_of("verify.schema.json")) == []
    with pytest.raises(mo.MoError):
        mo.verify(b"nothing", model)


def test_progress_and_its_end(add_relu):
    steps = []
    mo.convert_model(add_relu, progress=lambda share, step: steps.append((share, step)))
    shares = [share for share, _ in steps]
    assert shares == sorted(shares) and shares[-1] == 1 and all(step for _, step in steps)
    with pytest.raises(mo.MoError, match="MO-LIMIT-0004"):
        mo.convert_model(add_relu, progress=lambda share, step: False)
    with pytest.raises(ZeroDivisionError):
        mo.convert_model(add_relu, progress=lambda share, step: 1 / 0)


def test_ctrl_c_ends_a_conversion(add_relu):
    shares = []

    def interrupt(share, step):
        shares.append(share)
        if len(shares) == 2:
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
            time.sleep(0.5)  # so that the main thread, which waits, looks up

    with pytest.raises(KeyboardInterrupt):
        mo.convert_model(add_relu, progress=interrupt)
    assert len(shares) >= 2 and shares[-1] < 1, "it went on to its end"
    assert mo.convert_model(add_relu) is not None


def test_others_run_meanwhile(add_relu):
    made = []
    threads = [threading.Thread(target=lambda: made.append(mo.convert_model(add_relu, model_name="net").xml)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 4 and len(set(made)) == 1


def test_the_signature_is_the_original_s(capsys):
    """reference: openvino.tools.mo.convert_model of 2024.0, in this order."""
    names = ("input_model help framework input output input_shape example_input batch mean_values scale_values scale reverse_input_channels source_layout target_layout "
             "layout compress_to_fp16 extensions transform transformations_config silent log_level version progress stream_output share_weights example_output "
             "input_model_is_text input_checkpoint input_meta_graph saved_model_dir saved_model_tags tensorflow_custom_operations_config_update "
             "tensorflow_object_detection_api_pipeline_config tensorboard_logdir tensorflow_custom_layer_libraries input_proto caffe_parser_path k "
             "disable_omitting_optional enable_flattening_nested_params counts remove_output_softmax remove_memory args").split()
    assert list(python_inspect.signature(mo.convert_model).parameters) == names
    assert mo.convert_model(help=True) is None
    assert "input_shape" in capsys.readouterr().out


def test_everything_public_has_a_docstring_and_types():
    for name in mo.__all__:
        public = getattr(mo, name)
        assert public.__doc__, name
        functions = [each for each in vars(public).values() if python_inspect.isfunction(each)] if python_inspect.isclass(public) else [public]
        for function in functions:
            if function.__module__.startswith("mo_openvino"):  # not those of NamedTuple
                untyped = set(python_inspect.signature(function).parameters) - {"self", "cls"} - set(function.__annotations__)
                assert not untyped and "return" in function.__annotations__, function.__qualname__
    assert (Path(mo.__file__).parent / "py.typed").exists()
