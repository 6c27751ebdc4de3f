#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/diagnostics/exit_code.hpp"
#include "core/execution/executor.hpp"
#include "core/files/output_set.hpp"
#include "core/support/log.hpp"
#include "core/support/printable.hpp"
#include "driver/model_graph.hpp"
#include "tools/common/accelerated.hpp"
#include "tools/common/console.hpp"
#include "tools/common/npy.hpp"
#include "tools/common/subcommand.hpp"
#include "tools/common/subcommand_line.hpp"
#include "tools/run/inputs.hpp"
#include "tools/run/prints.hpp"
#include "tools/run/watch.hpp"

namespace mo::tools {
namespace {

struct RunOptions : SubcommandOptions {
  std::string weights;
  std::vector<std::string> inputs;
  std::string output_dir = ".";
  std::string dump;
  bool profile = false;
  bool check_numbers = false;
  int threads = 0;
  bool portable = false;
  std::string log_level = "ERROR";
};

/// Runs the graph with the observers that the user asked for.
Expected<std::vector<Tensor>> execute_watched(const Graph& graph, const std::vector<Tensor>& inputs,
                                              const RunOptions& options, const InputFiles& read_files,
                                              Profile& profile) {
  std::optional<TensorDump> dump;
  if (!options.dump.empty()) { MO_ASSIGN(dump, TensorDump::create(options.dump, read_files)); }
  NumberCheck check(graph);
  ExecutorOptions how{options.portable ? nullptr : accelerated_kernels(options.threads)};
  const auto look = [&](const Value& value, const Tensor& tensor) -> Expected<void> {
    if (dump) MO_TRY(dump->add(value, tensor));
    if (options.check_numbers) MO_TRY(check.add(value, tensor));
    return {};
  };
  if (dump || options.check_numbers) {
    for (std::size_t i = 0; i < inputs.size(); ++i) MO_TRY(look(graph.parameters()[i].output(), inputs[i]));
    how.on_tensor = look;
  }
  if (options.profile) how.on_step = [&](const ExecutionStep& step) { profile.add(step); };
  auto outputs = execute(graph, inputs, how);
  // Also after a failure: the dump shows what led to it.
  if (dump) MO_TRY(dump->keep());
  return outputs;
}

Expected<std::string> run(const RunOptions& options, const Options& model_options) {
  ConsoleSink sink;
  InputFiles read_files;
  const InputFiles::Recording recording(read_files);
  Prints prints;
  LoadOptions how{.stage = ModelStage::inferred, .weights = options.weights, .check_weights = true};
  how.watch.read = [&](Conversion& conversion) { prints.collect(*conversion.graph, sink); };
  MO_ASSIGN(ModelGraph model, load_model(model_options, how, sink));
  const std::unique_ptr<Graph>& graph = model.graph;
  MO_ASSIGN(const std::vector<Tensor> inputs, read_inputs(*graph, options.inputs, sink));

  std::vector<Node> results = graph->results();
  std::erase_if(results, [&](const Node& result) { return prints.owns(result); });
  std::vector<std::string> names;
  for (std::size_t i = 0; i < results.size(); ++i) names.push_back(fmt::format("{}.npy", i));
  // Before the work, so that a place that cannot be written is told at once.
  MO_ASSIGN(const std::unique_ptr<OutputSet> set,
            OutputSet::create(options.output_dir, "mo_run", names, {.inputs = &read_files}));

  Profile profile;
  MO_ASSIGN(std::vector<Tensor> outputs, execute_watched(*graph, inputs, options, read_files, profile));
  MO_ASSIGN(const std::vector<std::string> log, prints.take_lines(*graph, outputs));
  for (const std::string& line : log) fmt::print(stderr, "{}\n", printable(line));
  if (options.profile) fmt::print("{}", printable(profile.table()));

  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    MO_ASSIGN(OutputFile* const file, set->open(i));
    MO_TRY(write_npy(*file, outputs[i]));
    MO_TRY(file->close());
    const Value source = results[i].input(0);
    nlohmann::ordered_json row;
    row["index"] = i;
    row["name"] = output_name(source);
    row["tensor_names"] = nlohmann::ordered_json::array();
    for (const std::string_view name : source.data().tensor_names()) row["tensor_names"].push_back(std::string(name));
    row["file"] = (std::filesystem::path(options.output_dir) / names[i]).string();
    row["shape"] = outputs[i].shape();
    row["element_type"] = std::string(to_string(outputs[i].element_type()));
    rows.push_back(std::move(row));
  }
  MO_TRY(set->commit());
  leave(std::move(model));
  // Names come from models and need not be UTF-8.
  return nlohmann::ordered_json{{"outputs", std::move(rows)}}.dump(-1, ' ', false,
                                                                   nlohmann::ordered_json::error_handler_t::replace);
}

Expected<void> set_threads(RunOptions& options, std::string_view text) {
  MO_TRY((set_number<Sign::positive, &RunOptions::threads>(options, text)));
  if (options.threads > 1024) return error("MO-CLI-0005", "{} is not from 1 to 1024", in_quotes(text));
  return {};
}

Expected<void> set_log_level(RunOptions& options, std::string_view text) {
  options.log_level = text;
  if (!log::set_level(options.log_level)) return error("MO-CLI-0005", "{} is not a level", in_quotes(text));
  return {};
}

using RunRow = OptionOf<RunOptions>;

constexpr SubcommandText kRunText = {
    "MO-RUN-0010", "MODEL",
    "Runs a model: OpenVINO IR (.xml and .bin), a text form, or anything that mo converts, as it stands before "
    "fusions.\n"
    "All options of mo that say how a model is read are understood as well.\n"
    "The last line of the output is a JSON object that lists the outputs and their files."};

constexpr std::array kRunRows = {
    RunRow{{.name = "weights",
            .takes = Takes::value,
            .metavar = "FILE.bin",
            .is_path = true,
            .help = "of an IR: the .bin file; default: beside the .xml file, with the same name"},
           set_text<&RunOptions::weights>},
    RunRow{
        {.name = "input",
         .other_names = "array",  // as mo verify calls it, whose --input cuts the model
         .takes = Takes::list,
         .metavar = "[NAME=]SOURCE",
         .help = "value of one input, by tensor name or friendly name; without a name: the next input in order. A .npy "
                 "file, a .npz archive (without a name: "
                 "all of its arrays), a .png or .jpg of the input's size, random[:SEED] or zeros (without a name: for "
                 "all inputs that are left)"},
        add_value<&RunOptions::inputs>},
    RunRow{{.name = "output_dir",
            .takes = Takes::value,
            .metavar = "DIR",
            .is_path = true,
            .help = "folder for the results 0.npy, 1.npy …; default: the current one"},
           set_text<&RunOptions::output_dir>},
    RunRow{{.name = "dump",
            .takes = Takes::value,
            .metavar = "DIR",
            .is_path = true,
            .help = "write all tensors of the run to this folder, as NAME.npy"},
           set_text<&RunOptions::dump>},
    RunRow{
        {.name = "profile",
         .help = "print time and bytes of each layer, the slowest first, and the most memory of tensors at one time"},
        set_flag<&RunOptions::profile>},
    RunRow{{.name = "check-numbers", .help = "stop at the first layer that makes NaN or infinity of finite numbers"},
           set_flag<&RunOptions::check_numbers>},
    RunRow{{.name = "threads",
            .takes = Takes::value,
            .metavar = "N",
            .help = "of the accelerated kernels; default: as many as there are processors"},
           set_threads},
    RunRow{{.name = "portable", .help = "use only the portable kernels: slower, the same bytes on every machine"},
           set_flag<&RunOptions::portable>},
    RunRow{{.name = "log_level",
            .takes = Takes::value,
            .metavar = "LEVEL",
            .help = "CRITICAL, ERROR, WARN, WARNING, INFO, DEBUG or NOTSET; default: ERROR"},
           set_log_level},
};

/// The line as it was given; words that this program does not know say how a model is read.
Expected<RunOptions> parse_run_options(const Invocation& invocation) {
  RunOptions options;
  MO_TRY(parse_subcommand_line(kRunText, kRunRows, invocation, options));
  return options;
}

ExitCode run_program(const Invocation& invocation) {
  const auto options = parse_run_options(invocation);
  const auto fail = [](const Error& error) {
    print(error);
    return exit_code_of(error);
  };
  if (!options) return fail(options.error());
  if (options->help) {
    std::printf("%s", options->help_text.c_str());
    return ExitCode::ok;
  }
  const auto model = invocation.parse_model_options(options->model_words);
  if (!model) return fail(model.error());
  const auto line = run(*options, *model);
  if (!line) return fail(line.error());
  const bool printed = std::printf("%s\n", line->c_str()) > 0 && std::fflush(stdout) == 0;
  return printed ? ExitCode::ok : ExitCode::output_unwritable;
}

}  // namespace

Subcommand subcommand_run() {
  return {.name = "run",
          .links = {"mo_run"},
          .summary = "run a model with the reference executor",
          .run = [](const Invocation& invocation) { return static_cast<int>(run_program(invocation)); },
          .also_tried = {"infer", "inference", "predict", "execute", "benchmark"}};
}

}  // namespace mo::tools
