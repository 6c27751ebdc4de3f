#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "core/files/input_files.hpp"
#include "core/support/printable.hpp"
#include "driver/given_model.hpp"
#include "driver/model_graph.hpp"
#include "frontends/tensorflow/graph_def/graph_def.hpp"
#include "tools/common/arguments.hpp"
#include "tools/common/console.hpp"
#include "tools/common/picture.hpp"
#include "tools/common/subcommand.hpp"
#include "tools/common/subcommand_line.hpp"
#include "tools/diff/compare.hpp"
#include "tools/diff/report.hpp"
#include "tools/report/pair.hpp"
#include "tools/report/recorder.hpp"
#include "tools/report/report.hpp"

namespace mo::tools {
namespace {

using Json = nlohmann::ordered_json;

// As diff and cmp end.
constexpr int kSame = 0;
constexpr int kDifferent = 1;
constexpr int kCouldNot = 2;

struct DiffOptions : SubcommandOptions {
  std::array<std::string, 2> models;
  std::vector<std::string> ignored;
  std::string stage = "read";
  std::string picture;
  std::string report;
  bool json = false;

  bool ignores(std::string_view what) const { return std::find(ignored.begin(), ignored.end(), what) != ignored.end(); }
};

using DiffRow = OptionOf<DiffOptions>;

constexpr SubcommandText kDiffText = {
    "MO-DIFF-0001", "A B",
    "Says what differs between two models, of any formats that mo reads: IRs, text forms, models of frameworks.\n"
    "Options of mo that say how a model is read follow the models and apply to both."};

constexpr std::array kDiffRows = {
    DiffRow{{.name = "ignore",
             .takes = Takes::list,
             .metavar = "WHAT,…",
             .words = "names order constants metadata",
             .is_choice = true,
             .help = "no differences: names (nodes are found by structure), order (of inputs and outputs), constants, "
                     "metadata"},
            add_words<&DiffOptions::ignored>},
    DiffRow{
        {.name = "stage",
         .takes = Takes::value,
         .metavar = "read|inferred|converted",
         .words = "read inferred converted",
         .is_choice = true,
         .help = "of frameworks' models: read (what the file says), inferred (with types) or converted; default: read"},
        set_text<&DiffOptions::stage>},
    DiffRow{{.name = "output",
             .letters = "o",
             .takes = Takes::value,
             .metavar = "FILE",
             .is_path = true,
             .help = "a picture of both: .html, .dot, .svg, .png, .pdf …"},
            set_text<&DiffOptions::picture>},
    DiffRow{{.name = "report",
             .takes = Takes::value,
             .metavar = "FILE",
             .is_path = true,
             .help = "write a report: .html (a page with both graphs) or .json (docs/schemas/report.schema.json)"},
            set_text<&DiffOptions::report>},
    DiffRow{{.name = "json", .help = "the differences as JSON (docs/schemas/diff.schema.json)"},
            set_flag<&DiffOptions::json>},
};

Expected<DiffOptions> parse_diff_options(const Invocation& invocation) {
  DiffOptions options;
  MO_TRY(parse_subcommand_line(kDiffText, kDiffRows, invocation, options, {&options.models[0], &options.models[1]}));
  if (options.help) return options;
  if (options.models[1].empty())
    return error("MO-DIFF-0001", "{}: two models are needed", invocation.name)
        .hint("give them first: {} before.onnx after.onnx", invocation.name);
  return options;
}

/// A GraphDef by itself can be read as it stands; with a checkpoint, and of other forms, it has to be linked.
bool is_plain_graph_def(const Options& options) {
  const frontends::ModelKind kind = kind_of_input_model(options);
  const bool is_graph =
      kind == frontends::ModelKind::tensorflow_graph || kind == frontends::ModelKind::tensorflow_graph_text;
  return is_graph && options.tensorflow.input_checkpoint.empty() && !options.has_plugins();
}

Expected<ModelGraph> load(const Options& options, const DiffOptions& how, bool plain, DiagnosticSink& sink) {
  const ModelStage stage = how.stage == "read"       ? ModelStage::read
                           : how.stage == "inferred" ? ModelStage::inferred
                                                     : ModelStage::converted;
  if (!plain || stage != ModelStage::read)
    return load_model(options, {.stage = stage, .carries_unknown_ops = true}, sink);
  MO_ASSIGN(std::unique_ptr<Graph> graph, tensorflow::read_graph_def(options.input_model, sink));
  return ModelGraph{{.graph = std::move(graph)}, ModelSource::framework};
}

Expected<int> diff(const Invocation& invocation) {
  MO_ASSIGN(const DiffOptions options, parse_diff_options(invocation));
  if (options.help) {
    fmt::print("{}", options.help_text);
    return kSame;
  }
  if (!options.report.empty()) MO_TRY(check_report_path(options.report));
  ConsoleSink console;
  RecordingSink sink(console);
  InputFiles read_files;
  const InputFiles::Recording recording(read_files);
  std::vector<Options> given;
  for (const std::string& model : options.models) {
    std::vector<std::string> words = {"--input_model", model};
    words.insert(words.end(), options.model_words.begin(), options.model_words.end());
    MO_ASSIGN(Options parsed, invocation.parse_model_options(words));
    given.push_back(std::move(parsed));
  }
  const bool plain = is_plain_graph_def(given[0]) && is_plain_graph_def(given[1]);
  MO_ASSIGN(const ModelGraph before, load(given[0], options, plain, sink));
  MO_ASSIGN(const ModelGraph after, load(given[1], options, plain, sink));
  const ChangeOptions what{.names = !options.ignores("names"),
                           .order = !options.ignores("order"),
                           .constants = !options.ignores("constants"),
                           .properties = !options.ignores("metadata")};
  MO_ASSIGN(const std::vector<GraphChange> changes, changes_between(*before.graph, *after.graph, what));
  if (!options.picture.empty())
    MO_TRY(write_picture(options.picture, diff_picture(*before.graph, *after.graph, changes, what.names), &read_files));
  if (!options.report.empty()) {
    ReportRecord& record = sink.record;
    record.kind = ReportRecord::Kind::comparison;
    record.title = fmt::format("{} and {}", output_name(given[0]), output_name(given[1]));
    record.status = changes.empty() ? "same" : "different";
    record.options = given[0].given;
    record.comparison = std::make_shared<const Json>(diff_json(changes));
    add_before_and_after(record, before, after, changes, what.names);
    MO_TRY(write_report(record, options.report, &read_files));
  }
  // Names come from models and need not be UTF-8.
  fmt::print("{}", options.json ? diff_json(changes).dump(2, ' ', false, Json::error_handler_t::replace) + "\n"
                                : printable(diff_text(changes)));
  return changes.empty() ? kSame : kDifferent;
}

int run_diff(const Invocation& invocation) {
  if (invocation.name == "compare_graphs")
    return with_arguments(invocation, [](int argc, char** argv) { return compare_main(argc, argv); });
  const auto done = diff(invocation);
  if (done) return *done;
  print(done.error());
  return kCouldNot;
}

}  // namespace

Subcommand subcommand_diff() {
  return {.name = "diff",
          .links = {"compare_graphs"},
          .summary = "what differs between two models",
          .run = run_diff,
          .also_tried = {"compare"}};
}

}  // namespace mo::tools
