#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "core/files/file.hpp"
#include "core/support/shell.hpp"
#include "driver/given_model.hpp"
#include "frontends/common/file_kind.hpp"
#include "frontends/common/zip_names.hpp"

namespace mo {
namespace {

namespace fs = std::filesystem;
using frontends::ModelKind;

/// A path, and the words that command lines make of it.
struct Place {
  fs::path path;

  explicit Place(const std::string& text) : path(text) {}

  std::string word() const { return shell_word(path.string()); }
  /// The same path with another ending.
  std::string with(std::string_view ending) const {
    return shell_word(fs::path(path).replace_extension(ending).string());
  }
  std::string file(std::string_view name) const { return shell_word((path / name).string()); }
  std::string folder() const { return path.has_parent_path() ? shell_word(path.parent_path().string()) : "."; }
  /// A name beside it for what is made of it, and not that of a file that is there: an exporter would overwrite it.
  std::string fresh(std::string_view ending) const {
    const fs::path named = path.has_filename() ? path : path.parent_path();  // "folder/"
    const std::string stem =
        named.stem().string().find_first_not_of('.') == std::string::npos ? "model" : named.stem().string();
    const std::string made = (named.parent_path() / (stem + std::string(ending))).string();
    std::error_code failure;
    return fs::exists(made, failure) ? (named.parent_path() / (stem + "_exported" + std::string(ending))).string()
                                     : made;
  }
  bool has_sibling(std::string_view ending) const {
    std::error_code failure;
    return fs::is_regular_file(fs::path(path).replace_extension(ending), failure);
  }
};

/// The words of Python that make a SavedModel of what Keras saved. Keras tells its formats by the name of the file.
std::string keras_line(const Place& at, ModelKind kind) {
  const std::string suffix = kind == ModelKind::keras_archive ? ".keras"
                             : kind == ModelKind::keras_hdf5  ? ".h5"
                                                              : ".weights.h5";
  const std::string ending = at.path.extension().string();
  const bool is_named = kind == ModelKind::keras_archive ? ending == suffix : ending == ".h5" || ending == ".hdf5";
  const std::string file = is_named ? at.path.string() : at.fresh(suffix);
  const std::string copy =
      is_named ? "" : fmt::format("give it a name that Keras reads: cp {} {}; then ", at.word(), shell_word(file));
  Place whole = at;  // of net.weights.h5: net
  if (whole.path.stem().extension() == ".weights") whole.path.replace_extension();
  const std::string folder = whole.fresh("");
  if (kind == ModelKind::keras_weights)
    return fmt::format(
        "{}build the model in Python, whose layers the file does not have: model.load_weights(\"{}\"); "
        "model.export(\"{}\"); then: mo {}",
        copy, file, folder, shell_word(folder));
  return fmt::format("{}save it as a SavedModel in Python: keras.models.load_model(\"{}\").export(\"{}\"); then: mo {}",
                     copy, file, folder, shell_word(folder));
}

/// How a model of another tool becomes one that mo reads; empty when nothing is known but to go back to where it came
/// from.
std::string way_to_onnx(const Place& at, ModelKind kind) {
  const std::string file = at.fresh(".onnx");
  const std::string onnx = shell_word(file);
  switch (kind) {
    case ModelKind::tensorflow_lite:
      return fmt::format(
          "export it to ONNX (pip install tf2onnx tensorflow): python3 -m tf2onnx.convert --tflite {} --output {}; "
          "then: mo {}",
          at.word(), onnx, onnx);
    case ModelKind::keras_hdf5:  // tf2onnx reads no models of Keras 3
    case ModelKind::keras_weights:
    case ModelKind::keras_archive: return keras_line(at, kind);
    case ModelKind::pytorch:
      return fmt::format(
          "weights come without the network's code; in Python, with the model loaded: torch.onnx.export(model.eval(), "
          "example_input, \"{}\"); then: mo {}",
          file, onnx);
    case ModelKind::torchscript:
      return fmt::format(
          "export it to ONNX in Python: torch.onnx.export(torch.jit.load(\"{}\"), example_input, \"{}\", "
          "dynamo=False); "
          "then: mo {}",
          at.path.string(), file, onnx);
    case ModelKind::torch_export:
      return fmt::format(
          "export it to ONNX in Python: torch.onnx.export(torch.export.load(\"{}\"), (), \"{}\", dynamo=True); then: "
          "mo {}",
          at.path.string(), file, onnx);
    case ModelKind::paddle: {
      const bool is_folder = fs::is_directory(at.path);
      return fmt::format(
          "export it to ONNX (pip install paddle2onnx): paddle2onnx --model_dir {} --model_filename {} "
          "--params_filename {} --save_file {}; then: mo {}",
          is_folder ? at.word() : at.folder(),
          is_folder ? "inference.pdmodel" : shell_word(at.path.filename().string()),
          is_folder ? "inference.pdiparams" : shell_word(at.path.filename().replace_extension(".pdiparams").string()),
          onnx, onnx);
    }
    case ModelKind::tensorflow_js: {
      const std::string graph = shell_word(at.fresh(".pb"));
      return fmt::format(
          "turn it into a frozen graph (pip install tfjs-graph-converter): tfjs_graph_converter {} {}; then: mo {}",
          at.folder(), graph, graph);
    }
    case ModelKind::mxnet_symbol:
    case ModelKind::mxnet_parameters:
      return fmt::format(
          "export it to ONNX in Python: mxnet.onnx.export_model(symbol_json, params, [input_shape], "
          "onnx_file_path=\"{}\"); then: mo {}",
          file, onnx);
    case ModelKind::safetensors:
    case ModelKind::hugging_face_folder:
      return fmt::format(
          "export it to ONNX (pip install optimum[onnxruntime]): optimum-cli export onnx --model {} onnx; then: mo "
          "onnx/model.onnx",
          kind == ModelKind::safetensors ? at.folder() : at.word());
    case ModelKind::kaldi:
    case ModelKind::darknet:
    case ModelKind::coreml:
    case ModelKind::coreml_folder:
    case ModelKind::gguf:
    case ModelKind::onnx_runtime:
    case ModelKind::tensorrt:
    case ModelKind::ncnn:
    case ModelKind::pickle: return "export the model that it was made from to ONNX, and convert that: mo model.onnx";
    default: return {};
  }
}

/// The checkpoint's name: a command line gives it without ".index".
std::string meta_graph_line(const Place& at) {
  if (at.has_sibling(".meta"))
    return fmt::format("its graph lies beside it: mo --input_meta_graph {}", at.with(".meta"));
  return fmt::format("give the graph as well: mo --input_model GRAPH.pb --input_checkpoint {}",
                     at.path.extension() == ".index" ? at.with("") : at.word());
}

/// What to do with a file that belongs to a model but is none.
std::string way_with_part(const Place& at, ModelKind kind) {
  switch (kind) {
    case ModelKind::tensorflow_checkpoint: return meta_graph_line(at);
    case ModelKind::tensorflow_checkpoint_record:
    case ModelKind::checkpoint_folder: {
      const std::string folder =
          kind == ModelKind::checkpoint_folder ? at.path.string() : at.path.parent_path().string();
      for (const std::string& name : frontends::models_in_folder(folder.empty() ? "." : folder, 100))
        if (name.ends_with(".meta"))
          return fmt::format("give the MetaGraph: mo --input_meta_graph {}",
                             shell_word((fs::path(folder) / name).string()));
      return "give the graph, and the checkpoint's name: mo --input_model GRAPH.pb --input_checkpoint NAME";
    }
    case ModelKind::caffe_topology:
      return fmt::format("give it with its weights: mo --input_proto {} --input_model {}", at.word(),
                         at.has_sibling(".caffemodel") && at.path.extension() != ".caffemodel" ? at.with(".caffemodel")
                                                                                               : "WEIGHTS.caffemodel");
    case ModelKind::caffe_solver:
    case ModelKind::caffe_solver_state:
      return "give the net: mo --input_proto NET.prototxt --input_model WEIGHTS.caffemodel";
    case ModelKind::caffe_mean_image:
      return fmt::format("give it beside the model: mo --input_model MODEL.caffemodel --mean_file {}", at.word());
    case ModelKind::pipeline_config:
      return fmt::format(
          "give it beside the model: mo --input_model frozen_inference_graph.pb "
          "--tensorflow_object_detection_api_pipeline_config {}",
          at.word());
    case ModelKind::saved_model:
    case ModelKind::saved_model_text: {
      const std::string_view name = kind == ModelKind::saved_model ? "saved_model.pb" : "saved_model.pbtxt";
      std::error_code failure;
      if (fs::exists(at.path.parent_path() / name, failure)) {  // another model's
        const std::string folder = at.fresh("");
        return fmt::format(
            "give it a folder of its own, and its variables with it: mkdir {0}; mv {1} {2}; then: mo {0}",
            shell_word(folder), at.word(), shell_word((fs::path(folder) / name).string()));
      }
      return fmt::format("call it {0} and give its folder: mv {1} {2}; then: mo --saved_model_dir {3}", name, at.word(),
                         shell_word((at.path.parent_path() / name).string()), at.folder());
    }
    case ModelKind::json:
      return "a replacement configuration goes beside a model: mo --input_model MODEL.pb --transformations_config "
             "CONFIG.json";
    case ModelKind::openvino_ir:
      return fmt::format(
          "there is nothing to convert; run it with: mo_run {0}, or make an ONNX model of it: mo {0} --to onnx",
          at.word());
    case ModelKind::label_map:
    case ModelKind::onnx_tensor: return "give the model: mo --input_model MODEL";
    default: return {};
  }
}

/// How to get at what is packed. The first file that looks like a model is the one to give.
std::string way_to_unpack(const Place& at, ModelKind kind) {
  switch (kind) {
    case ModelKind::zip: {
      const auto file = File::open(at.path.string());
      for (const std::string& name : file ? frontends::names_in_zip(**file) : std::vector<std::string>())
        for (const std::string_view ending : {".onnx", ".pb", ".caffemodel", ".meta"})
          if (name.ends_with(ending))
            return fmt::format("unpack it and give the model that is inside: unzip {}; then: mo {}", at.word(),
                               shell_word(name));
      return fmt::format("unpack it and give the model that is inside: unzip {}", at.word());
    }
    case ModelKind::gzip:
    case ModelKind::bzip2:
    case ModelKind::xz:
    case ModelKind::zstd:
    case ModelKind::tar: {
      const std::string name = at.path.filename().string();
      const bool is_tar = kind == ModelKind::tar || name.find(".tar") != std::string::npos || name.ends_with(".tgz");
      const std::string_view tool = kind == ModelKind::gzip    ? "gunzip -k"
                                    : kind == ModelKind::bzip2 ? "bunzip2 -k"
                                    : kind == ModelKind::xz    ? "unxz -k"
                                                               : "unzstd";
      return fmt::format("unpack it and give the model that is inside: {} {}", is_tar ? "tar xf" : tool, at.word());
    }
    default: return fmt::format("unpack it and give the model that is inside: 7z x {}", at.word());
  }
}

std::string way_into_folder(const Place& at) {
  const std::vector<std::string> models = frontends::models_in_folder(at.path.string(), 5);
  if (models.empty()) return "give the path of a model file, or the folder of a SavedModel (it holds saved_model.pb)";
  if (models.size() == 1) return fmt::format("give what it holds: mo {}", at.file(models.front()));
  return fmt::format("it holds {}; give one of them, for example: mo {}", fmt::join(models, ", "),
                     at.file(models.front()));
}

}  // namespace

std::optional<Diagnostic> why_no_model(const std::string& path, ModelKind kind) {
  const Place at(path);
  const std::string_view what = frontends::title(kind);
  if (kind == ModelKind::unknown) return std::nullopt;
  if (frontends::is_archive(kind))
    return error("MO-IO-0023", "\"{}\" is {}", path, what).hint("{}", way_to_unpack(at, kind));
  if (kind == ModelKind::folder)
    return error("MO-CLI-0071", "\"{}\" is a folder, and no SavedModel", path).hint("{}", way_into_folder(at));
  if (const std::string way = way_to_onnx(at, kind); !way.empty())
    return error("MO-CLI-0021", "\"{}\" is {}, which mo does not read", path, what).hint("{}", way);
  if (const std::string way = way_with_part(at, kind); !way.empty())
    return error("MO-CLI-0071", "\"{}\" is {}", path, what).hint("{}", way);
  if (kind == ModelKind::server_answer)
    if (const auto file = File::open(path)) {
      std::string head(static_cast<std::size_t>(std::min<std::uint64_t>((*file)->size(), 512)), '\0');
      if ((*file)->read(0, std::as_writable_bytes(std::span(head)))) return frontends::server_answer(path, head);
    }
  if (frontends::framework_of(kind).empty())
    return error("MO-IO-0025", "\"{}\" is {}, not a model", path, what).hint("give the path of the model file");
  return std::nullopt;
}

}  // namespace mo
