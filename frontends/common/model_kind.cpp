#include "frontends/common/model_kind.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "frontends/common/message_kind.hpp"
#include "frontends/common/zip_names.hpp"

namespace mo::frontends {
namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

/// Enough to find the first field of a text form after its comments, and a name in a JSON file.
constexpr std::size_t kHead = 64 << 10;

struct KindRow {
  ModelKind kind;
  std::string_view title;
  std::string_view framework = {};
};

constexpr std::array kKinds{
    KindRow{ModelKind::onnx, "an ONNX model", "onnx"},
    KindRow{ModelKind::onnx_text, "an ONNX model in protobuf text form", "onnx"},
    KindRow{ModelKind::tensorflow_graph, "a TensorFlow graph (GraphDef)", "tf"},
    KindRow{ModelKind::tensorflow_graph_text, "a TensorFlow graph (GraphDef) in text form", "tf"},
    KindRow{ModelKind::tensorflow_meta_graph, "a TensorFlow MetaGraph", "tf"},
    KindRow{ModelKind::tensorflow_meta_graph_text, "a TensorFlow MetaGraph in text form", "tf"},
    KindRow{ModelKind::saved_model, "the graph of a TensorFlow SavedModel", "tf"},
    KindRow{ModelKind::saved_model_text, "the graph of a TensorFlow SavedModel in text form", "tf"},
    KindRow{ModelKind::saved_model_folder, "a TensorFlow SavedModel", "tf"},
    KindRow{ModelKind::caffe_weights, "the weights of a Caffe model", "caffe"},
    KindRow{ModelKind::caffe_topology, "the topology of a Caffe model", "caffe"},
    KindRow{ModelKind::tensorflow_checkpoint, "a TensorFlow checkpoint: values of variables without a graph"},
    KindRow{ModelKind::tensorflow_checkpoint_record, "a list of TensorFlow checkpoints"},
    KindRow{ModelKind::caffe_solver, "a Caffe solver: how to train a net, which it only names"},
    KindRow{ModelKind::caffe_solver_state, "a Caffe solver state: how far training got"},
    KindRow{ModelKind::caffe_mean_image, "a Caffe mean image"},
    KindRow{ModelKind::pipeline_config, "a pipeline.config of the TensorFlow Object Detection API"},
    KindRow{ModelKind::label_map, "a list of labels"},
    KindRow{ModelKind::onnx_tensor, "an ONNX tensor"},
    KindRow{ModelKind::safetensors, "a safetensors file: weights without a graph"},
    KindRow{ModelKind::json, "a JSON file"},
    KindRow{ModelKind::numpy_array, "a NumPy array"},
    KindRow{ModelKind::openvino_ir, "an OpenVINO IR already"},
    KindRow{ModelKind::keras_hdf5, "an HDF5 file (Keras)"},
    KindRow{ModelKind::keras_weights, "an HDF5 file with weights only (Keras)"},
    KindRow{ModelKind::keras_archive, "a Keras model"},
    KindRow{ModelKind::pytorch, "a PyTorch file (pickled weights or module)"},
    KindRow{ModelKind::torchscript, "a TorchScript module (PyTorch)"},
    KindRow{ModelKind::torch_export, "a program exported by torch.export (PyTorch)"},
    KindRow{ModelKind::tensorflow_lite, "a TensorFlow Lite model"},
    KindRow{ModelKind::tensorflow_js, "a TensorFlow.js model"},
    KindRow{ModelKind::paddle, "a PaddlePaddle model"},
    KindRow{ModelKind::mxnet_symbol, "the topology of an MXNet model"},
    KindRow{ModelKind::mxnet_parameters, "the parameters of an MXNet model"},
    KindRow{ModelKind::kaldi, "a Kaldi model"},
    KindRow{ModelKind::darknet, "a Darknet configuration"},
    KindRow{ModelKind::coreml, "a Core ML model"},
    KindRow{ModelKind::gguf, "a GGUF file (llama.cpp)"},
    KindRow{ModelKind::onnx_runtime, "a model in ONNX Runtime's own format (ORT)"},
    KindRow{ModelKind::tensorrt, "a TensorRT engine"},
    KindRow{ModelKind::ncnn, "an ncnn model"},
    KindRow{ModelKind::pickle, "a Python pickle"},
    KindRow{ModelKind::hugging_face_folder, "a folder of a Hugging Face model"},
    KindRow{ModelKind::coreml_folder, "a Core ML package"},
    KindRow{ModelKind::checkpoint_folder, "a folder of TensorFlow checkpoints"},
    KindRow{ModelKind::folder, "a folder"},
    KindRow{ModelKind::zip, "a zip archive"},
    KindRow{ModelKind::gzip, "gzip-compressed"},
    KindRow{ModelKind::bzip2, "bzip2-compressed"},
    KindRow{ModelKind::xz, "xz-compressed"},
    KindRow{ModelKind::zstd, "zstd-compressed"},
    KindRow{ModelKind::seven_zip, "a 7z archive"},
    KindRow{ModelKind::tar, "a tar archive"},
    KindRow{ModelKind::server_answer, "an error message of a server"},
    KindRow{ModelKind::program, "a program or shared library"},
    KindRow{ModelKind::pdf, "a PDF document"},
    KindRow{ModelKind::png, "a PNG image"},
    KindRow{ModelKind::jpeg, "a JPEG image"},
};

const KindRow* row_of(ModelKind kind) {
  const auto row = std::ranges::find(kKinds, kind, &KindRow::kind);
  return row == kKinds.end() ? nullptr : &*row;
}

struct Signature {
  std::string_view bytes;
  ModelKind kind;
  std::size_t offset = 0;
};

/// Files of these formats begin with these bytes, or have them at an offset. Longer signatures come before their
/// prefixes.
constexpr std::array kSignatures{
    Signature{"PK\x03\x04"sv, ModelKind::zip},
    Signature{"PK\x05\x06"sv, ModelKind::zip},
    Signature{"\x1F\x8B"sv, ModelKind::gzip},
    Signature{"BZh"sv, ModelKind::bzip2},
    Signature{"\xFD\x37zXZ\0"sv, ModelKind::xz},
    Signature{"\x28\xB5\x2F\xFD"sv, ModelKind::zstd},
    Signature{"7z\xBC\xAF\x27\x1C"sv, ModelKind::seven_zip},
    Signature{"ustar"sv, ModelKind::tar, 257},
    Signature{"\x93NUMPY"sv, ModelKind::numpy_array},
    Signature{"\x89HDF\r\n\x1A\n"sv, ModelKind::keras_hdf5},
    Signature{"TFL3"sv, ModelKind::tensorflow_lite, 4},
    Signature{"ORTM"sv, ModelKind::onnx_runtime, 4},
    Signature{"ptrt"sv, ModelKind::tensorrt},
    Signature{"ftrt"sv, ModelKind::tensorrt},
    Signature{"GGUF"sv, ModelKind::gguf},
    // PyTorch before 1.6: a pickle of its magic number, 0x1950a86a20f9469cfc6c.
    Signature{"\x80\x02\x8A\x0Al\xFC\x9C\x46\xF9 j\xA8P\x19."sv, ModelKind::pytorch},
    Signature{"\x80\x02"sv, ModelKind::pickle},
    Signature{"\x80\x03"sv, ModelKind::pickle},
    Signature{"\x80\x04\x95"sv, ModelKind::pickle},
    Signature{"\x80\x05\x95"sv, ModelKind::pickle},
    // mxnet.nd.save: the magic number 0x112 and a reserved one.
    Signature{"\x12\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0"sv, ModelKind::mxnet_parameters},
    Signature{"\0B<Nnet"sv, ModelKind::kaldi},
    Signature{"\0B<TransitionModel>"sv, ModelKind::kaldi},
    Signature{"\x7F\x45LF"sv, ModelKind::program},
    Signature{"%PDF-"sv, ModelKind::pdf},
    Signature{"\x89PNG"sv, ModelKind::png},
    Signature{"\xFF\xD8\xFF"sv, ModelKind::jpeg},
};

/// A length in eight bytes, and a JSON object of that length.
bool is_safetensors(std::string_view head, std::uint64_t size) {
  if (head.size() < 10 || head.substr(8, 2) != "{\"") return false;
  std::uint64_t length = 0;
  for (std::size_t i = 8; i-- > 0;) length = length << 8 | static_cast<unsigned char>(head[i]);
  return length <= size - 8;
}

/// The footer of the sorted table (LevelDB's) that indexes a checkpoint ends with this number.
bool is_checkpoint_table(const File& file) {
  constexpr std::string_view kMagic = "\x57\xFB\x80\x8B\x24\x75\x47\xDB";
  if (file.size() < 48) return false;
  std::string tail(kMagic.size(), '\0');
  return file.read(file.size() - kMagic.size(), std::as_writable_bytes(std::span(tail))) && tail == kMagic;
}

ModelKind kind_of_zip(const File& file) {
  const std::vector<std::string> names = names_in_zip(file);
  const auto holds = [&](std::string_view ending) {
    return std::ranges::any_of(
        names, [&](const std::string& name) { return name == ending.substr(1) || name.ends_with(ending); });
  };
  if (holds("/model.weights.h5") && holds("/config.json")) return ModelKind::keras_archive;
  if (holds("/archive_format") || holds("/serialized_exported_program.json")) return ModelKind::torch_export;
  if (holds("/data.pkl")) return holds("/constants.pkl") ? ModelKind::torchscript : ModelKind::pytorch;
  return ModelKind::zip;
}

/// HDF5 files of whole models have a group "model_weights", and an attribute "model_config", the network. The names of
/// both lie in the first objects of the file.
ModelKind kind_of_hdf5(const File& file) {
  std::string head(static_cast<std::size_t>(std::min<std::uint64_t>(file.size(), kHead)), '\0');
  if (!file.read(0, std::as_writable_bytes(std::span(head)))) return ModelKind::unknown;
  for (const std::string_view name : {"model_weights"sv, "model_config"sv})
    if (head.find(name) != std::string::npos) return ModelKind::keras_hdf5;
  return ModelKind::keras_weights;
}

bool has_file(const fs::path& folder, std::string_view name) {
  std::error_code failure;
  return fs::is_regular_file(folder / name, failure);
}

ModelKind kind_of_folder(const fs::path& folder) {
  if (has_file(folder, "saved_model.pb") || has_file(folder, "saved_model.pbtxt")) return ModelKind::saved_model_folder;
  if (has_file(folder, "Manifest.json") && has_file(folder, "Data/com.apple.CoreML/model.mlmodel"))
    return ModelKind::coreml_folder;
  if (has_file(folder, "inference.pdmodel") || has_file(folder, "__model__")) return ModelKind::paddle;
  if (!models_in_folder(folder.string(), 1).empty()) return ModelKind::folder;
  if (has_file(folder, "config.json")) return ModelKind::hugging_face_folder;
  return has_file(folder, "checkpoint") ? ModelKind::checkpoint_folder : ModelKind::folder;
}

}  // namespace

std::string_view title(ModelKind kind) {
  const KindRow* row = row_of(kind);
  return row ? row->title : std::string_view();
}

std::string_view framework_of(ModelKind kind) {
  const KindRow* row = row_of(kind);
  return row ? row->framework : std::string_view();
}

bool is_archive(ModelKind kind) { return kind >= ModelKind::zip && kind <= ModelKind::tar; }

ModelKind kind_of(const FilePtr& file) {
  std::string head(static_cast<std::size_t>(std::min<std::uint64_t>(file->size(), 512)), '\0');
  if (!file->read(0, std::as_writable_bytes(std::span(head)))) return ModelKind::unknown;
  for (const Signature& signature : kSignatures) {
    if (head.size() < signature.offset || !std::string_view(head).substr(signature.offset).starts_with(signature.bytes))
      continue;
    if (signature.kind == ModelKind::zip) return kind_of_zip(*file);
    return signature.kind == ModelKind::keras_hdf5 ? kind_of_hdf5(*file) : signature.kind;
  }
  if (is_safetensors(head, file->size())) return ModelKind::safetensors;
  const bool has_controls =
      std::ranges::any_of(head, [](unsigned char c) { return c < 0x20 && c != 0x09 && c != 0x0A && c != 0x0D; });
  if (!has_controls) {
    head.resize(static_cast<std::size_t>(std::min<std::uint64_t>(file->size(), kHead)));
    if (!file->read(0, std::as_writable_bytes(std::span(head)))) return ModelKind::unknown;
    if (const ModelKind text = kind_of_text(head); text != ModelKind::unknown) return text;
  }
  WireSource source(file);
  if (const ModelKind message = kind_of_message(source); message != ModelKind::unknown) return message;
  return is_checkpoint_table(*file) ? ModelKind::tensorflow_checkpoint : ModelKind::unknown;
}

ModelKind kind_of_path(const std::string& path) {
  std::error_code failure;
  if (fs::is_directory(path, failure)) return kind_of_folder(path);
  const auto file = File::open(path);
  return file ? kind_of(*file) : ModelKind::unknown;
}

std::vector<std::string> models_in_folder(const std::string& folder, std::size_t limit) {
  constexpr std::array kSuffixes{".onnx"sv, ".pb"sv, ".pbtxt"sv, ".meta"sv, ".caffemodel"sv, ".onnxtxt"sv};
  constexpr std::size_t kLooked = 10'000;
  std::vector<std::string> found;
  std::error_code failure;
  fs::directory_iterator entry(folder, failure);
  for (std::size_t looked = 0; !failure && entry != fs::directory_iterator() && looked < kLooked;
       entry.increment(failure), ++looked) {
    const fs::path& path = entry->path();
    std::error_code ignored;
    const bool is_model = std::ranges::find(kSuffixes, path.extension().string()) != kSuffixes.end();
    if (is_model || (fs::is_directory(path, ignored) && has_file(path, "saved_model.pb")))
      found.push_back(path.filename().string());
  }
  std::ranges::sort(found);
  if (found.size() > limit) found.resize(limit);
  return found;
}

}  // namespace mo::frontends
