#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/diagnostics/exit_code.hpp"
#include "core/execution/executor.hpp"
#include "core/files/output_folder.hpp"
#include "core/files/output_set.hpp"
#include "core/files/temporaries.hpp"
#include "core/log.hpp"
#include "frontends/ir/reader.hpp"
#include "ops/register_all.hpp"
#include "tools/common/accelerated.hpp"
#include "tools/common/console.hpp"
#include "tools/common/npy.hpp"
#include "tools/run/inputs.hpp"

namespace mo::tools {
namespace {

struct RunOptions {
  std::string model;
  std::string weights;
  std::vector<std::string> inputs;
  std::string output_dir = ".";
  bool portable = false;
  std::string log_level = "ERROR";
};

/// Name of a model output: that of the node that computes it, with ".<port>" when the node has several outputs.
std::string output_name(const Value& source) {
  const Node node = source.node();
  if (node.out_port_count() <= 1) return std::string(node.name());
  return fmt::format("{}.{}", node.name(), source.index());
}

Expected<std::string> run(const RunOptions& options) {
  OpRegistry registry;
  ops::register_all(registry);
  ConsoleSink sink;
  InputFiles read_files;
  const InputFiles::Recording recording(read_files);
  MO_ASSIGN(const std::unique_ptr<Graph> graph, ir::read_ir(options.model, options.weights, registry, sink, {.check_weights = true}));
  MO_ASSIGN(const std::vector<std::string> files, match_inputs(*graph, options.inputs));
  const std::vector<Node> parameters = graph->parameters();
  std::vector<Tensor> inputs;
  for (std::size_t i = 0; i < files.size(); ++i) {
    MO_ASSIGN(const Tensor array, read_npy(files[i]));
    MO_ASSIGN(Tensor fitted, fit_input(parameters[i], array, sink));
    inputs.push_back(std::move(fitted));
  }

  // Before the work, so that a place that cannot be written is told at once.
  MO_ASSIGN(const std::unique_ptr<OutputFolder> folder, OutputFolder::create(options.output_dir));
  const std::vector<Node> results = graph->results();
  std::vector<std::string> names;
  for (std::size_t i = 0; i < results.size(); ++i) names.push_back(fmt::format("{}.npy", i));
  MO_ASSIGN(const std::unique_ptr<OutputSet> set, OutputSet::create(options.output_dir, "mo_run", names, {.inputs = &read_files}));

  const ExecutorOptions how{options.portable ? nullptr : accelerated_kernels()};
  MO_ASSIGN(const std::vector<Tensor> outputs, execute(*graph, inputs, how));

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
  MO_TRY(folder->keep());
  // Names come from models and need not be UTF-8.
  return nlohmann::ordered_json{{"outputs", std::move(rows)}}.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

ExitCode run_program(int argc, char** argv) {
  remove_unfinished_output_on_signals();
  std::signal(SIGPIPE, SIG_IGN);
  RunOptions options;
  CLI::App app{
      "Runs a model in OpenVINO IR (.xml and .bin) with the reference executor.\n"
      "The last line of the output is a JSON object that lists the outputs and their files."};
  app.name("mo_run");
  app.add_option("model", options.model, "the .xml file")->required()->type_name("MODEL.xml");
  app.add_option("--weights", options.weights, "the .bin file; default: beside the .xml file, with the same name")->type_name("FILE.bin");
  app.add_option("--input", options.inputs, "value of one input, by tensor name or friendly name; without a name: the next input in order")
      ->type_name("[NAME=]FILE.npy")
      ->allow_extra_args(false);
  app.add_option("--output_dir,--output-dir", options.output_dir, "folder for the results 0.npy, 1.npy …; default: the current one")
      ->type_name("DIR");
  app.add_flag("--portable", options.portable, "use only the portable kernels: slower, the same bytes on every machine");
  app.add_option("--log_level,--log-level", options.log_level, "CRITICAL, ERROR, WARN, WARNING, INFO, DEBUG or NOTSET; default: ERROR")
      ->check([](const std::string& level) { return log::set_level(level) ? std::string() : level + " is not a level"; })
      ->type_name("LEVEL");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& problem) { return app.exit(problem) == 0 ? ExitCode::ok : ExitCode::usage; }
  const auto line = run(options);
  if (!line) {
    print(line.error());
    return exit_code_of(line.error());
  }
  const bool printed = std::printf("%s\n", line->c_str()) > 0 && std::fflush(stdout) == 0;
  return printed ? ExitCode::ok : ExitCode::output_unwritable;
}

}  // namespace
}  // namespace mo::tools

int main(int argc, char** argv) {
  mo::ExitCode code = mo::ExitCode::conversion_failed;
  try {
    code = mo::tools::run_program(argc, argv);
  } catch (const std::bad_alloc&) {
    const mo::Error failed = mo::error("MO-RUN-0009", "out of memory").hint("run a smaller batch, or on a machine with more memory");
    mo::tools::print(failed);
    code = mo::exit_code_of(failed);
  }
  return static_cast<int>(code);
}
