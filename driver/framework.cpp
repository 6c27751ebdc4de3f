#include "driver/framework.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "core/command_line/option_text.hpp"
#include "core/files/file.hpp"
#include "core/support/shell.hpp"
#include "driver/builtins.hpp"
#include "driver/given_model.hpp"
#include "frontends/common/file_kind.hpp"

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
    Extension{".onnx", "onnx"},  Extension{".onnxtxt", "onnx"},     Extension{".pb", "tf"},
    Extension{".pbtxt", "tf"},   Extension{".caffemodel", "caffe"}, Extension{".params", "mxnet"},
    Extension{".nnet", "kaldi"}, Extension{".mdl", "kaldi"},
};

/// The framework that an option speaks about, or "".
std::string_view framework_of_options(const Options& options) {
  if (!options.tensorflow.saved_model_dir.empty() || !options.tensorflow.input_meta_graph.empty()) return "tf";
  if (options.is_given("input_symbol") || options.is_given("pretrained_model_name")) return "mxnet";
  return options.caffe.input_proto.empty() ? "" : "caffe";
}

/// The framework that the name of the model suggests, or "".
std::string_view framework_of_suffix(const std::string& path) {
  const std::string suffix = std::filesystem::path(path).extension().string();
  const auto row = std::ranges::find(kExtensions, suffix, &Extension::suffix);
  return row == kExtensions.end() ? std::string_view() : row->framework;
}

/// Why there is no framework for a model that neither content nor name tells: the file may be missing, empty, or a page
/// that says so.
Error nobody_knows(const std::string& path) {
  const auto file = open_model(path);
  if (!file) return file.error();
  if (auto problem = frontends::why_not_binary_model(*file);
      problem && *problem && (*problem)->text != frontends::NotBinaryModel::Text::protobuf)
    return std::move((*problem)->reason);
  return error("MO-CLI-0020", "the framework of '{}' can be told neither from its name nor from its content", path)
      .hint("mo reads ONNX, TensorFlow and Caffe models; if this is one, say which: --framework onnx, tf or caffe");
}

/// `name`, which an option or the user gave, does not go with what the file is.
Diagnostic contradiction(const Options& options, std::string_view name, frontends::ModelKind kind) {
  const std::string_view right = frontends::framework_of(kind);
  return error("MO-CLI-0070", "\"{}\" is {}, but {} says {}", options.input_model, frontends::title(kind),
               options.framework.empty() ? "another option" : "--framework", find_framework(name)->title)
      .hint("mo --framework {} --input_model {}", right, shell_word(options.input_model));
}

}  // namespace

const Framework* find_framework(std::string_view name) {
  const auto found =
      std::find_if(kFrameworks.begin(), kFrameworks.end(), [&](const Framework& f) { return f.name == name; });
  return found == kFrameworks.end() ? nullptr : &*found;
}

std::vector<std::string_view> framework_names() {
  std::vector<std::string_view> names;
  for (const Framework& framework : kFrameworks) names.push_back(framework.name);
  return names;
}

Expected<const Framework*> choose_framework(const Options& options) {
  const frontends::ModelKind kind = kind_of_input_model(options);
  const std::string_view read_by = frontends::framework_of(kind);
  std::string_view name =
      options.framework.empty() ? framework_of_options(options) : std::string_view(options.framework);
  const Framework* framework = find_framework(name);
  if (!name.empty() && framework == nullptr)
    return error("MO-CLI-0005", "--framework: {} is not a known framework", in_quotes(name))
        .hint("use one of: {}", fmt::join(framework_names(), ", "));
  // A topology is not a model yet; the Caffe reader says so, too, but does not know where the weights are.
  if (read_by.empty() || kind == frontends::ModelKind::caffe_topology || kind == frontends::ModelKind::saved_model ||
      kind == frontends::ModelKind::saved_model_text)
    if (auto reason = why_no_model(options.input_model, kind)) return *std::move(reason);
  if (framework && framework->supported && !read_by.empty() && read_by != name)
    return contradiction(options, name, kind);
  if (!framework) {
    name = read_by.empty() ? framework_of_suffix(options.input_model) : read_by;
    if (name.empty()) return nobody_knows(options.input_model);
    framework = find_framework(name);
  }
  if (!framework->supported)
    return error("MO-CLI-0021", "this version of mo does not read {} models", framework->title)
        .hint("export the model to ONNX and convert that, or name the right importer with --framework");
  if (!has_frontend(framework->name)) return reader_left_out(*framework);
  return framework;
}

Diagnostic reader_left_out(const Framework& framework) {
  return error("MO-CLI-0092", "reading of {} models was left out of this build", framework.title)
      .hint(
          "use a mo that was built without MO_SELECTIVE, or record the usage with this model as well and build again");
}

}  // namespace mo
