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
#include "frontends/common/wire.hpp"

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

/// Those whose models are read.
std::vector<std::string_view> supported_names() {
  std::vector<std::string_view> names;
  for (const Framework& framework : kFrameworks)
    if (framework.supported) names.push_back(framework.name);
  return names;
}

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

/// Why a file of an unknown kind is not a model of `framework`: it is empty, a page, text under the name
/// of a binary model, or no protobuf message at all. Nothing where the reader has to judge.
std::optional<Error> why_not_of(const Framework& framework, const std::string& path) {
  const auto file = File::open(path);
  if (!file) return std::nullopt;
  const auto problem = frontends::why_not_binary_model(*file);
  if (!problem) return std::nullopt;
  if (*problem) {
    const bool is_binary_by_name = path.ends_with(".onnx") || path.ends_with(".pb") || path.ends_with(".caffemodel");
    const auto text = (*problem)->text;
    if (text == frontends::NotBinaryModel::Text::none ||
        (text == frontends::NotBinaryModel::Text::other && is_binary_by_name))
      return Error((*problem)->reason).in_file(path).in_phase("read");
    return std::nullopt;
  }
  frontends::WireSource source(*file);
  frontends::WireReader reader(source);
  frontends::WireField field;
  constexpr std::size_t kLookedAt = 64;
  for (std::size_t count = 0; count < kLookedAt; ++count) {
    auto more = reader.next(field);
    if (more && !*more) return std::nullopt;
    if (more) continue;
    Error damage = std::move(more).error();
    Diagnostic& first = damage.items().front();
    first.add_note(std::move(first.message));
    first.message = fmt::format("\"{}\" is not {} {} model, or it is corrupt", path,
                                framework.title == "ONNX" ? "an" : "a", framework.title);
    first.hint_text = "download or export it again: it may be truncated, or a model of another tool";
    return std::move(damage).in_file(path).in_phase("read");
  }
  return std::nullopt;
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
        .hint("use one of: {}; export models of other tools to ONNX", fmt::join(supported_names(), ", "));
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

Expected<void> check_content(const Options& options, std::string_view framework) {
  const Framework* const known = find_framework(framework);
  // What a plugin reads, it knows.
  if (!known || !has_frontend(known->name) || options.input_model.empty() || options.has_plugins() ||
      kind_of_input_model(options) != frontends::ModelKind::unknown)
    return {};
  if (auto reason = why_not_of(*known, options.input_model)) return *std::move(reason);
  return {};
}

Diagnostic reader_left_out(const Framework& framework) {
  return error("MO-CLI-0092", "reading of {} models was left out of this build", framework.title)
      .hint(
          "use a mo that was built without MO_SELECTIVE, or record the usage with this model as well and build again");
}

}  // namespace mo
