#include "tools/run/inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>

#include "core/support/nearest.hpp"
#include "core/tensor/convert.hpp"
#include "tools/run/sources.hpp"

namespace mo::tools {
namespace {

/// Names by which an input can be addressed, and its place among the Parameters.
class InputNames {
 public:
  explicit InputNames(const std::vector<Node>& parameters) {
    for (std::size_t i = 0; i < parameters.size(); ++i)
      for (const std::string_view name : parameters[i].output().data().tensor_names()) places_.emplace(name, i);
    for (std::size_t i = 0; i < parameters.size(); ++i) places_.emplace(parameters[i].name(), i);
  }
  std::optional<std::size_t> find(std::string_view name) const {
    const auto it = places_.find(name);
    return it == places_.end() ? std::nullopt : std::optional<std::size_t>(it->second);
  }
  std::string nearest_to(std::string_view name) const {
    std::vector<std::string> all;
    for (const auto& [known, place] : places_) all.push_back(known);
    return nearest(name, all);
  }

 private:
  std::map<std::string, std::size_t, std::less<>> places_;
};

std::string list_names(const std::vector<Node>& parameters) {
  constexpr std::size_t kShown = 10;
  if (parameters.empty()) return "the model has no inputs";
  std::string text = "the model's inputs are ";
  for (std::size_t i = 0; i < parameters.size() && i < kShown; ++i)
    text += fmt::format("{}'{}'", i == 0 ? "" : ", ", parameters[i].name());
  if (parameters.size() > kShown) text += fmt::format(" and {} more", parameters.size() - kShown);
  return text;
}

struct Split {
  std::optional<std::size_t> place;  ///< no value: the argument has no name
  std::string file;
};

Expected<Split> split(const std::string& argument, const InputNames& names, const std::vector<Node>& parameters) {
  // From the right: the longest prefix that is a name.
  for (std::size_t at = argument.rfind('='); at != std::string::npos && at > 0; at = argument.rfind('=', at - 1))
    if (const auto place = names.find(std::string_view(argument).substr(0, at)))
      return Split{place, argument.substr(at + 1)};
  const std::size_t first = argument.find('=');
  std::error_code ignored;
  if (first == std::string::npos || std::filesystem::exists(argument, ignored)) return Split{std::nullopt, argument};
  const std::string name = argument.substr(0, first);
  const std::string similar = names.nearest_to(name);
  return error("MO-RUN-0001", "the model has no input '{}'", name)
      .hint("{}{}", similar.empty() ? "" : fmt::format("did you mean '{}'? ", similar), list_names(parameters));
}

bool loses_range(ElementType from, ElementType to) { return bit_width(to) < bit_width(from) || to == ElementType::f16; }

/// Whether the conversion kept each integer, and each finite real finite.
Expected<bool> kept_values(const Tensor& given, const Tensor& converted) {
  if (is_integral(given.element_type())) {
    // Signed to unsigned of the same width would come back unchanged: compare the numbers, not the bits.
    MO_ASSIGN(const Tensor back, convert(converted, given.element_type()));
    const std::span<const std::byte> a = given.bytes();
    const std::span<const std::byte> b = back.bytes();
    if (!a.empty() && std::memcmp(a.data(), b.data(), a.size()) != 0) return false;
    if (is_signed(given.element_type()) == is_signed(converted.element_type())) return true;
    const Tensor& with_sign = is_signed(given.element_type()) ? given : converted;
    MO_ASSIGN(const Tensor wide, convert(with_sign, ElementType::i64));
    for (const std::int64_t value : wide.values<std::int64_t>())
      if (value < 0) return false;
    return true;
  }
  if (!loses_range(given.element_type(), converted.element_type())) return true;
  MO_ASSIGN(const Tensor before, convert(given, ElementType::f64));
  MO_ASSIGN(const Tensor after, convert(converted, ElementType::f64));
  const auto a = before.values<double>();
  const auto b = after.values<double>();
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::isfinite(a[i]) && !std::isfinite(b[i])) return false;
  return true;
}

Expected<Tensor> fit_type(const Node& parameter, ElementType wanted, const Tensor& given, DiagnosticSink& sink,
                          bool untyped) {
  const ElementType have = given.element_type();
  if (wanted == ElementType::dynamic || wanted == have) return given;
  const bool integers = is_integral(have) && is_integral(wanted);
  const bool reals = holds_reals(have) && holds_reals(wanted);
  if (untyped && is_integral(have) && holds_reals(wanted)) {  // as if each had been written with a point
    MO_ASSIGN(const Tensor numbers, convert(given, ElementType::f64));
    return fit_type(parameter, wanted, numbers, sink, false);
  }
  if (!integers && !reals)
    return error("MO-RUN-0005", "input '{}' expects {}, got {}", parameter.name(), to_string(wanted), to_string(have))
        .hint("convert the array: array.astype");
  MO_ASSIGN(const Tensor converted, convert(given, wanted));
  MO_ASSIGN(const bool kept, kept_values(given, converted));
  if (!kept)
    return error("MO-RUN-0005", "input '{}' expects {}, got {} with values that do not fit", parameter.name(),
                 to_string(wanted), to_string(have))
        .hint("convert the array: array.astype");
  Diagnostic note = error("MO-RUN-0007", "input '{}' was converted from {} to {}", parameter.name(), to_string(have),
                          to_string(wanted));
  note.severity = Severity::note;
  sink.report(std::move(note));
  return converted;
}

}  // namespace

Expected<std::vector<std::string>> match_inputs(const Graph& graph, const std::vector<std::string>& arguments,
                                                InputsAre what) {
  const std::vector<Node> parameters = graph.parameters();
  const InputNames names(parameters);
  std::vector<std::string> files(parameters.size());
  std::vector<std::string> unnamed;
  std::string for_the_rest;
  for (const std::string& argument : arguments) {
    if (is_generated(argument)) {
      for_the_rest = argument;
      continue;
    }
    MO_ASSIGN(Split part, split(argument, names, parameters));
    if (!part.place) {
      unnamed.push_back(std::move(part.file));
      continue;
    }
    std::string& file = files[*part.place];
    if (!file.empty())
      return error("MO-RUN-0002", "input '{}' is given twice: \"{}\" and \"{}\"", parameters[*part.place].name(), file,
                   part.file)
          .hint("give each input once");
    if (part.file.empty())
      return error("MO-RUN-0004", "input '{}' has no file", parameters[*part.place].name())
          .hint("give --array NAME=FILE.npy, or NAME=random, NAME=zeros");
    file = std::move(part.file);
  }
  std::size_t next = 0;
  for (std::string& file : unnamed) {
    while (next < files.size() && !files[next].empty()) ++next;
    if (next == files.size() && what == InputsAre::tensors_of_a_call)
      return error("MO-RUN-0003", "expected {} {}, got {}", parameters.size(),
                   parameters.size() == 1 ? "input" : "inputs", arguments.size())
          .hint("{}", list_names(parameters));
    if (next == files.size())
      return error("MO-RUN-0003", "\"{}\" has no input to go to, the model has {}", file, parameters.size())
          .hint("{}", list_names(parameters));
    files[next] = std::move(file);
  }
  if (!for_the_rest.empty()) std::replace(files.begin(), files.end(), std::string(), for_the_rest);
  std::vector<Diagnostic> missing;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (!files[i].empty()) continue;
    missing.push_back(error("MO-RUN-0004", "input '{}' ({}) is missing", parameters[i].name(),
                            parameters[i].output_type().to_string()));
    missing.back().hint_text = what == InputsAre::files
                                   ? fmt::format("add --array '{}'=FILE.npy (or =random, =zeros)", parameters[i].name())
                                   : "give all inputs, by name or in the order of the model";
  }
  if (!missing.empty()) return Error(std::move(missing));
  return files;
}

Expected<Tensor> fit_input(const Node& parameter, const Tensor& given, DiagnosticSink& sink, bool untyped) {
  const Parameter* declared = parameter.as<Parameter>();
  MO_ASSERT(declared != nullptr, "an input is a Parameter");
  if (!declared->shape.compatible(PartialShape(given.shape())))
    return error("MO-RUN-0006", "input '{}' expects shape {}, got {}", parameter.name(), declared->shape.to_string(),
                 mo::to_string(given.shape()))
        .hint("reshape the array, or convert the model with --input_shape");
  return fit_type(parameter, declared->element_type, given, sink, untyped);
}

Expected<std::vector<Tensor>> read_inputs(const Graph& graph, const std::vector<std::string>& arguments,
                                          DiagnosticSink& sink) {
  MO_ASSIGN(const std::vector<std::string> expanded, expand_archives(arguments));
  MO_ASSIGN(const std::vector<std::string> sources, match_inputs(graph, expanded));
  const std::vector<Node> parameters = graph.parameters();
  std::vector<Tensor> inputs;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    MO_ASSIGN(const Tensor array, read_source(graph, i, sources[i]));
    MO_ASSIGN(Tensor fitted, fit_input(parameters[i], array, sink));
    inputs.push_back(std::move(fitted));
  }
  return inputs;
}

std::string output_name(const Value& source) {
  const Node node = source.node();
  if (node.out_port_count() <= 1) return std::string(node.name());
  return fmt::format("{}.{}", node.name(), source.index());
}

}  // namespace mo::tools
