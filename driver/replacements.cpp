#include "driver/replacements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <initializer_list>

#include "core/support/log.hpp"
#include "driver/option_grammar.hpp"
#include "extensions/config/config_ops.hpp"
#include "extensions/config/config_replacement.hpp"
#include "extensions/config/config_update.hpp"
#include "extensions/config/descriptor_reader.hpp"
#include "extensions/config/shipped_configs.hpp"
#if !MO_IS_SELECTIVE
#include "extensions/library/library.hpp"
#endif
#include "extensions/object_detection/config_choice.hpp"
#include "extensions/object_detection/pipeline_config.hpp"
#include "phases/front/exported_shape.hpp"

namespace mo {
namespace {

/// In the place of a file: the one that fits the model.
constexpr std::string_view kAutomatic = "auto";

bool is_name_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// The number that all of `text` is.
template <class T>
std::optional<T> number(std::string_view text) {
  T value{};
  const auto [end, cause] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || cause != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

AttributeValue setting_value(std::string_view text) {
  if (text == "true" || text == "True") return true;
  if (text == "false" || text == "False") return false;
  if (const auto integer = number<std::int64_t>(text)) return *integer;
  if (const auto real = number<double>(text)) return *real;
  return text;
}

bool has_any(std::string_view text, std::initializer_list<std::string_view> marks) {
  return std::any_of(marks.begin(), marks.end(),
                     [&](std::string_view mark) { return text.find(mark) != std::string_view::npos; });
}

/// Those that word processors make of straight ones, and others that no value has.
bool has_foreign_quotation_mark(std::string_view text) {
  return has_any(text, {"`", "\u2018", "\u2019", "\u201c", "\u201d", "\u201e", "\u00ab", "\u00bb"});
}

/// Straight quotation marks belong to the names in {'input':'output'}, and nowhere else.
bool is_value(std::string_view text) {
  if (has_foreign_quotation_mark(text) || text.find('[') != std::string_view::npos) return false;
  return (text.starts_with('{') && text.ends_with('}')) || !has_any(text, {"\"", "'"});
}

class TransformParser {
 public:
  explicit TransformParser(std::string_view text) : text_(text) {}

  Expected<std::vector<TransformRequest>> parse() {
    std::vector<TransformRequest> requests;
    if (text_.empty()) return requests;
    while (true) {
      TransformRequest& request = requests.emplace_back();
      request.name = word();
      if (request.name.empty()) return problem("the name of a transformation is missing");
      const auto is_same = [&](const TransformRequest& other) {
        return &other != &request && other.name == request.name;
      };
      if (std::any_of(requests.begin(), requests.end(), is_same)) return problem("a transformation is listed twice");
      if (peek() == '[') MO_TRY(parse_settings(request));
      if (at_ == text_.size()) return requests;
      if (peek() != ',') return problem("a comma or [ is expected");
      ++at_;
    }
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  std::string word() {
    const std::size_t from = at_;
    while (at_ < text_.size() && is_name_letter(text_[at_])) ++at_;
    return std::string(text_.substr(from, at_ - from));
  }
  Diagnostic problem(std::string_view what) const {
    return error("MO-CONFIG-0040", "--transform: {}", what)
        .note("{}", text_)
        .note("{}^", std::string(at_, ' '))
        .hint("write Name, or Name[key=value;key=value], separated by commas");
  }
  Expected<void> parse_settings(TransformRequest& request) {
    do {
      ++at_;
      const std::string key = word();
      if (key.empty() || peek() != '=') return problem("key=value is expected");
      if (request.settings.contains(key)) return problem("a key is given twice");
      const std::size_t from = ++at_;
      while (at_ < text_.size() && text_[at_] != ';' && text_[at_] != ']') ++at_;
      if (at_ == from) return problem("a value is missing");
      const std::string_view value = text_.substr(from, at_ - from);
      if (!is_value(value)) {
        at_ = from;
        return problem("a value has no brackets, and quotation marks only in {'name':'other'}");
      }
      request.settings.set(key, setting_value(value));
    } while (peek() == ';');
    if (peek() != ']') return problem("the ] is missing");
    ++at_;
    return {};
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// Pruning is a pipeline of the library: it needs weights that are fused, and not yet compressed or lowered.
Expected<void> add_pruning([[maybe_unused]] PassManager& manager) {
#if !MO_IS_SELECTIVE
  const PassLibrary& library = library::transformations();
  MO_ASSIGN(const Pass* const pruning, library.get("Pruning"));
  Pass pass = as_pass(library, *pruning);
  pass.phase = Phase::middle;
  pass.after = {"MiddleFinish"};
  pass.enabled = false;
  MO_TRY(manager.add(std::move(pass)));
#endif
  return {};
}

}  // namespace

Expected<void> add_smart_reshape([[maybe_unused]] PassManager& manager) {
#if !MO_IS_SELECTIVE
  const PassLibrary& library = library::transformations();
  MO_ASSIGN(const Pass* const smart_reshape, library.get("SmartReshape"));
  Pass pass = as_pass(library, *smart_reshape);
  // Its passes take channels-first images, and fusions before it see the model as it was exported.
  pass.phase = Phase::middle;
  pass.after = {"MiddleFinish"};
  pass.before = {"KeptSizes"};
  pass.condition = [](const Graph& graph, const PassContext&) { return phases::has_changed_sizes(graph); };
  MO_TRY(manager.add(std::move(pass)));
#endif
  return {};
}

Expected<std::vector<TransformRequest>> parse_transforms(std::string_view text) {
  return TransformParser(text).parse();
}

Expected<void> enable_transforms(PassManager& manager, const Options& options) {
  MO_ASSIGN(const std::vector<TransformRequest> requests, parse_transforms(options.transform));
  if (requests.empty()) return {};
  MO_TRY(add_pruning(manager));
  std::vector<std::string> available;
  for (const Phase phase : kPhases) {
    MO_ASSIGN(const std::vector<const Pass*> passes, manager.order(phase));
    for (const Pass* pass : passes)
      if (!pass->enabled) available.push_back(pass->name);
  }
  std::vector<Diagnostic> failed;
  for (const TransformRequest& request : requests) {
    if (std::find(available.begin(), available.end(), request.name) != available.end()) {
      manager.config.enable(request.name);
      continue;
    }
    failed.push_back(error("MO-CONFIG-0041", "--transform: {}",
                           manager.find(request.name)
                               ? fmt::format("{} is no additional transformation: it runs anyway", request.name)
                               : fmt::format("there is no transformation {}", request.name))
                         .hint("{}", available.empty() ? std::string("none is available; a plugin may bring some")
                                                       : fmt::format("available: {}", fmt::join(available, ", "))));
  }
  if (!failed.empty()) return Error(std::move(failed));
  return {};
}

Expected<void> add_transform_settings(Settings& settings, const Options& options, const PassManager& manager) {
  MO_ASSIGN(const std::vector<TransformRequest> requests, parse_transforms(options.transform));
  std::vector<Diagnostic> failed;
  for (const TransformRequest& request : requests) {
    const Pass* pass = manager.find(request.name);
    if (!pass || request.settings.empty()) continue;  // a pass that does not exist was refused with the pipeline
    Expected<void> done =
        pass->configure
            ? pass->configure(settings, request.settings)
            : error("MO-PASS-0022", "{} has no settings", request.name).hint("leave out what stands in brackets");
    if (done) continue;
    for (Diagnostic& wrong : done.error().items()) {
      wrong.message = fmt::format("--transform: {}: {}", request.name, wrong.message);
      failed.push_back(std::move(wrong));
    }
  }
  if (!failed.empty()) return Error(std::move(failed));
  return {};
}

Expected<void> add_replacement_descriptors(Settings& settings, const Options& options, const PassManager& manager,
                                           DiagnosticSink& sink) {
  // Whether or not some replacement asks for it: a damaged file must not depend on what the model matches.
  if (const std::string& pipeline = options.tensorflow.object_detection_api_pipeline_config; !pipeline.empty())
    MO_TRY(object_detection::PipelineConfig::read_file(pipeline));
  std::vector<std::string> files = parse_words(options.transformations_config);
  std::erase(files, kAutomatic);
  if (files.empty()) return {};
  MO_ASSIGN(config::ReadDescriptors read, config::read_descriptors(files));
  for (const Diagnostic& warning : read.warnings) sink.report(warning);
  log::debug("configurations: {} descriptors of {}", read.descriptors.size(), fmt::join(files, ", "));
  MO_TRY(config::check_ids(read.descriptors, manager));
  settings.set(config::Replacements{std::move(read.descriptors)});
  return {};
}

Expected<void> choose_replacement_descriptors(Settings& settings, const Options& options, Graph& graph,
                                              DiagnosticSink& sink) {
  const std::vector<std::string> files = parse_words(options.transformations_config);
  if (std::find(files.begin(), files.end(), kAutomatic) == files.end()) return {};
  const std::vector<object_detection::ConfigFit> fits = object_detection::fitting_configs(graph, true);
  if (fits.empty())
    return error("MO-CONFIG-0242", "--transformations_config {}: none of the built-in configurations fits the model",
                 kAutomatic)
        .hint("leave the option out: the model is converted op by op");
  const std::string chosen(fits.front().name);
  MO_ASSIGN(config::ReadDescriptors read, config::read_descriptors({chosen}));
  config::Replacements all = settings.get<config::Replacements>();
  std::move(read.descriptors.begin(), read.descriptors.end(), std::back_inserter(all.descriptors));
  settings.set(std::move(all));
  Diagnostic note;
  note.severity = Severity::note;
  note.message = fmt::format("The configuration {} is used.\n", chosen);
  sink.report(std::move(note));
  return {};
}

Expected<std::string> text_of_config(const std::string& name) {
  if (const config::ShippedConfig* shipped = config::find_shipped_config(name)) return std::string(shipped->text);
  return config::unknown_config("MO-CONFIG-0243", name);
}

Expected<void> update_replacement_config(const Options& options, const PassManager& manager, Graph& graph,
                                         PassContext& context) {
  const Pass* extraction = manager.find("Extraction");
  MO_ASSERT(extraction != nullptr, "every pipeline has the pass Extraction");
  MO_TRY(run_pass(*extraction, graph, context));
  const std::string& file = options.tensorflow.custom_operations_config_update;
  MO_TRY(config::update_config_file(file, graph, context.diagnostics));
  Diagnostic note;
  note.severity = Severity::note;
  note.message = fmt::format("The configuration {} was updated. No IR was written.\n", file);
  context.diagnostics.report(std::move(note));
  return {};
}

}  // namespace mo
