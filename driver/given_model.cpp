#include "driver/given_model.hpp"

#include <fmt/core.h>

#include <filesystem>

#include "core/files/file.hpp"
#include "core/support/shell.hpp"
#include "driver/framework.hpp"

namespace mo {
namespace {

namespace fs = std::filesystem;
using frontends::ModelKind;

std::string folder_of(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

/// The command that saves what a pipe brings, where the user can type it; empty for what is not a pipe.
std::string way_to_save(const std::string& path) {
  const bool is_standard_input = path == "-" || path == "/dev/stdin" || path == "/dev/fd/0";
  std::error_code failure;
  const fs::file_status status = fs::status(is_standard_input ? "/dev/stdin" : path, failure);
  if (fs::is_regular_file(status) || (!is_standard_input && !fs::is_fifo(status))) return {};
  if (is_standard_input) return "cat > model.onnx; mo model.onnx";
  if (path.starts_with("/dev/fd/") || path.starts_with("/proc/")) return "COMMAND > model.onnx; mo model.onnx";
  return fmt::format("cat {} > model.onnx; mo model.onnx", shell_word(path));
}

}  // namespace

const std::string& model_path(const Options& options) {
  const TensorFlowOptions& tf = options.tensorflow;
  if (!tf.saved_model_dir.empty()) return tf.saved_model_dir;
  if (!tf.input_meta_graph.empty()) return tf.input_meta_graph;
  return options.input_model.empty() ? options.caffe.input_proto : options.input_model;
}

Expected<void> find_model(const Options& options) {
  const std::string& path = model_path(options);
  std::error_code failure;
  // what a plugin's frontend takes for a path, it knows
  if (!find_framework(options.framework)) return {};
  if (path.empty() || fs::is_directory(path, failure)) return {};  // the reader knows whether it can be a folder
  MO_TRY(open_model(path));
  return {};
}

Expected<FilePtr> open_model(const std::string& path) {
  auto file = File::open(path);
  if (file) return file;
  if (const std::string way = way_to_save(path); !way.empty())
    file.error().items().front().hint_text = "a pipe cannot be read: save it first: " + way;
  return std::move(file.error()).in_file(path).in_phase("read");
}

ModelKind kind_of_input_model(const Options& options) {
  return options.input_model.empty() ? ModelKind::unknown : frontends::kind_of_path(options.input_model);
}

void adopt_model(Options& options, ModelKind kind) {
  TensorFlowOptions& tf = options.tensorflow;
  const bool may_be_tensorflow = options.framework.empty() || options.framework == "tf";
  if (!may_be_tensorflow || !tf.saved_model_dir.empty() || !tf.input_meta_graph.empty() ||
      !options.caffe.input_proto.empty())
    return;
  const std::string name = fs::path(options.input_model).filename().string();
  switch (kind) {
    case ModelKind::saved_model:
    case ModelKind::saved_model_text:
      if (name != (kind == ModelKind::saved_model ? "saved_model.pb" : "saved_model.pbtxt")) return;
      tf.saved_model_dir = folder_of(options.input_model);
      break;
    case ModelKind::saved_model_folder:
      tf.saved_model_dir = options.input_model;
      tf.saved_model_is_input_model = true;
      break;
    case ModelKind::tensorflow_meta_graph:
    case ModelKind::tensorflow_meta_graph_text: tf.input_meta_graph = options.input_model; break;
    default: return;
  }
  options.input_model.clear();
}

}  // namespace mo
