#include "driver/framework.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "driver/option_text.hpp"

namespace mo {
namespace {

constexpr std::array kFrameworks = {
    Framework{"tf", "TensorFlow", true}, Framework{"caffe", "Caffe", true}, Framework{"mxnet", "MXNet", false},
    Framework{"kaldi", "Kaldi", false},  Framework{"onnx", "ONNX", true},
};

struct Extension {
  std::string_view suffix;
  std::string_view framework;
};

constexpr std::array kExtensions = {
    Extension{".onnx", "onnx"},    Extension{".pb", "tf"},      Extension{".pbtxt", "tf"},  Extension{".caffemodel", "caffe"},
    Extension{".params", "mxnet"}, Extension{".nnet", "kaldi"}, Extension{".mdl", "kaldi"},
};

/// The framework that the options speak about, or "".
std::string_view deduced(const Options& options) {
  if (!options.tensorflow.saved_model_dir.empty() || !options.tensorflow.input_meta_graph.empty()) return "tf";
  if (!options.mxnet.input_symbol.empty() || !options.mxnet.pretrained_model_name.empty()) return "mxnet";
  if (!options.caffe.input_proto.empty()) return "caffe";
  // ONNX in protobuf text form: also known as .onnxtxt; no other framework uses it.
  const std::string suffix = std::filesystem::path(options.input_model).extension().string();
  if (suffix == ".onnxtxt") return "onnx";
  for (const Extension& row : kExtensions)
    if (row.suffix == suffix) return row.framework;
  return {};
}

}  // namespace

const Framework* find_framework(std::string_view name) {
  const auto found = std::find_if(kFrameworks.begin(), kFrameworks.end(), [&](const Framework& f) { return f.name == name; });
  return found == kFrameworks.end() ? nullptr : &*found;
}

std::vector<std::string_view> framework_names() {
  std::vector<std::string_view> names;
  for (const Framework& framework : kFrameworks) names.push_back(framework.name);
  return names;
}

Expected<const Framework*> choose_framework(const Options& options) {
  const std::string names = fmt::format("{}", fmt::join(framework_names(), ", "));
  const std::string name = options.framework.empty() ? std::string(deduced(options)) : options.framework;
  if (name.empty())
    return error("MO-CLI-0020", "the framework of '{}' cannot be told from its name", options.input_model)
        .hint("add --framework with one of: {}", names);
  const Framework* framework = find_framework(name);
  if (framework == nullptr) return error("MO-CLI-0005", "--framework: {} is not a known framework", in_quotes(name)).hint("use one of: {}", names);
  if (!framework->supported)
    return error("MO-CLI-0021", "this version of mo does not read {} models", framework->title)
        .hint("export the model to ONNX and convert that, or name the right importer with --framework");
  return framework;
}

}  // namespace mo
