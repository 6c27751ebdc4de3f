#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "core/diagnostics/exit_code.hpp"
#include "tools/common/console.hpp"
#include "tools/common/subcommand.hpp"
#include "tools/common/subcommand_line.hpp"
#include "tools/explain/layer.hpp"
#include "tools/explain/why_not.hpp"

namespace mo::tools {
namespace {

struct ExplainOptions : SubcommandOptions {
  std::string model;
  std::string layer;
  std::string source;                ///< the model that an IR was made of
  std::vector<std::string> why_not;  ///< pass, node
  bool json = false;
};

using ExplainRow = OptionOf<ExplainOptions>;

constexpr SubcommandText kExplainText = {
    "MO-EXPLAIN-0001", "MODEL [LAYER]",
    "Says where a layer comes from: the nodes of the model that it stands for, and the passes that made or changed "
    "it. With --why-not, why a pass "
    "did\n"
    "not replace a node: the deepest partial match of its patterns, and what failed there. `mo explain CODE` says "
    "what an error means.\n"
    "All options of mo that say how a model is read and converted are understood as well."};

constexpr std::array kExplainRows = {
    ExplainRow{{.name = "why-not",
                .takes = Takes::pair,
                .metavar = "PASS NODE",
                .help = "why the pass did not replace the node"},
               add_value<&ExplainOptions::why_not>},
    ExplainRow{{.name = "model",
                .takes = Takes::value,
                .metavar = "MODEL",
                .help = "where MODEL is an IR: the model that it was made of, which tells passes and operators"},
               set_text<&ExplainOptions::source>},
    ExplainRow{{.name = "json", .help = "print the answer as JSON"}, set_flag<&ExplainOptions::json>},
};

Expected<ExplainOptions> read_words(const Invocation& invocation) {
  ExplainOptions options;
  MO_TRY(parse_subcommand_line(kExplainText, kExplainRows, invocation, options, {&options.model, &options.layer}));
  return options;
}

Expected<ExplainOptions> parse_explain_options(const Invocation& invocation) {
  MO_ASSIGN(ExplainOptions options, read_words(invocation));
  if (!options.help && options.layer.empty() == options.why_not.empty())
    return error("MO-EXPLAIN-0001", "{}: expected either a layer or --why-not", invocation.name)
        .hint("{} MODEL LAYER, or {} MODEL --why-not PASS NODE", invocation.name, invocation.name);
  return options;
}

/// `mo explain CODE` has one word, and perhaps options of the console; whatever asks about a model has more of ours.
/// What is wrong with those is for us to say as well.
bool asks_about_model(const std::vector<std::string>& words) {
  const auto options = read_words({"mo explain", words, nullptr});
  return !options || options->help || !options->layer.empty() || !options->source.empty() ||
         !options->why_not.empty() || std::filesystem::exists(options->model);
}

Expected<Options> model_options(const Invocation& invocation, const ExplainOptions& options, const std::string& model,
                                bool with_words) {
  std::vector<std::string> words = with_words ? options.model_words : std::vector<std::string>();
  if (!model.empty()) {
    words.emplace_back("--input_model");
    words.push_back(model);
  }
  return invocation.parse_model_options(words);
}

Expected<std::string> explain(const Invocation& invocation) {
  MO_ASSIGN(const ExplainOptions options, parse_explain_options(invocation));
  if (options.help) return options.help_text;
  const bool two = !options.source.empty();
  // The words say how a model is converted: that is the source, where there is one.
  MO_ASSIGN(const Options model, model_options(invocation, options, options.model, !two));
  ConsoleSink sink;
  if (!options.why_not.empty()) {
    MO_ASSIGN(const WhyNot answer, why_not(model, options.why_not[0], options.why_not[1], sink));
    return options.json ? json_of(answer) : text_of(answer);
  }
  std::optional<Options> source;
  if (two) { MO_ASSIGN(source, model_options(invocation, options, options.source, true)); }
  MO_ASSIGN(const LayerOrigin origin, origin_of_layer(model, options.layer, source ? &*source : nullptr, sink));
  return options.json ? json_of(origin) : text_of(origin);
}

ExitCode run_explain(const Invocation& invocation) {
  const auto text = explain(invocation);
  if (!text) {
    print(text.error());
    return exit_code_of(text.error());
  }
  fmt::print("{}", *text);
  return ExitCode::ok;
}

}  // namespace

Subcommand subcommand_explain() {
  return {.name = "explain",
          .links = {},
          .summary = "where a layer comes from, and why a pass left a node alone",
          .run = [](const Invocation& invocation) { return static_cast<int>(run_explain(invocation)); },
          .applies = asks_about_model,
          .also_tried = {"why"}};
}

}  // namespace mo::tools
