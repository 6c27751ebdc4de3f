#include "driver/convert.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <new>

#include "core/graph/bodies.hpp"
#include "core/op/runtimes.hpp"
#include "core/support/budget.hpp"
#include "core/support/log.hpp"
#include "core/support/stopwatch.hpp"
#include "driver/assembly.hpp"
#include "driver/builtins.hpp"
#include "driver/conversion.hpp"
#include "driver/depfile.hpp"
#include "driver/emission.hpp"
#include "driver/framework.hpp"
#include "driver/given_model.hpp"
#include "driver/ir_to_onnx.hpp"
#include "driver/onnx_output.hpp"
#include "driver/pipeline.hpp"
#include "driver/replacements.hpp"
#include "driver/usage.hpp"
#include "driver/version.hpp"
#include "driver/work_meter.hpp"
#include "frontends/tensorflow/event_file.hpp"
#include "ir_emitter/emitter.hpp"
#include "phases/back/element_type_release.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo {
namespace {

namespace fs = std::filesystem;

/// Files that the user named and that need not be read: they are inputs all the same.
void add_named_files(const Options& options, InputFiles& inputs) {
  const CaffeOptions& caffe = options.caffe;
  for (const std::string* path :
       {&model_path(options), &caffe.input_proto, &caffe.mean_file, &caffe.custom_layers_mapping})
    if (!path->empty()) inputs.add_path(*path);
}

std::string ranges_of(std::vector<OperatorTable::Row> rows) {
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.versions.first < b.versions.first; });
  std::vector<std::string> ranges;
  for (const OperatorTable::Row& row : rows) {
    const auto [first, last] = row.versions;
    if (last == VersionRange{}.last)
      ranges.push_back(first == 0 ? "any" : fmt::format("{}+", first));
    else
      ranges.push_back(first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last));
  }
  return fmt::format("{}", fmt::join(ranges, ", "));
}

/// Why a refused op is refused: what its extractor says of a node without inputs and attributes, so that the list and
/// the error agree.
std::string reason_of(const std::string& op, const OperatorTable::Row& row) {
  Graph graph;
  const Node node = graph.create_node(Op(op, AttributeMap{}), {});
  const auto refused = row.extract(FrameworkNode(node));
  return refused ? std::string() : refused.error().first().message;
}

/// What `--list-ops` prints: one line for each op of a framework, sorted by name. ONNX, whose ops have versions, says
/// the ranges that are read and whether the op is supported, and of refused ones the reason: "Softmax (1-12, 13+)
/// supported". Other frameworks list the names of supported ops only.
std::string describe_ops(const OperatorTable& table, const std::string& framework) {
  std::string text;
  for (const auto& [op, rows] : table.rows()) {
    const bool refused =
        std::all_of(rows.begin(), rows.end(), [](const OperatorTable::Row& row) { return row.refuses; });
    if (framework != "onnx")
      text += refused ? "" : op + "\n";
    else if (refused)
      text += fmt::format("{} ({})  refused: {}\n", op, ranges_of(rows), reason_of(op, rows.front()));
    else
      text += fmt::format("{} ({})  supported\n", op, ranges_of(rows));
  }
  return text;
}

/// What `--list-ops ir` prints: each class of an op of the IR, its op set, and the first release that reads it:
/// "TopK-11  opset11  2023.0".
std::string describe_ir_ops(const OpRegistry& ops) {
  std::vector<std::string> lines;
  for (const OpType* type : ops.all()) {
    if (!type->opset_name.empty()) continue;
    const RuntimeRelease* since = first_runtime_with(type->opset, type->name);
    lines.push_back(fmt::format("{}-{}  opset{}  {}\n", type->name, type->version, type->opset,
                                since ? since->name : "no release yet"));
  }
  std::sort(lines.begin(), lines.end());
  return fmt::format("{}", fmt::join(lines, ""));
}

std::string describe_timings(const PassManager& manager) {
  std::string text;
  double total = 0;
  for (const PassTiming& timing : manager.timings()) {
    text += fmt::format("{:9.3f} ms  {}{}\n", timing.seconds * 1e3, timing.name, timing.changed ? "" : " (unchanged)");
    total += timing.seconds;
  }
  return fmt::format("{}{:9.3f} ms  all passes\n", text, total * 1e3);
}

/// What options that convert nothing ask to see.
Expected<std::string> listing(const Options& options) {
  if (!options.print_config.empty()) return text_of_config(options.print_config);
  if (options.list_extensions || options.list_ops == "ir" || options.list_ops == "ir-faults" ||
      options.list_ops == "onnx-output") {
    MO_ASSIGN(const std::unique_ptr<Assembly> all, assemble_for(options, ""));
    if (options.list_extensions) return describe_extensions(*all);
    if (options.list_ops == "onnx-output") return describe_onnx_output(all->registry.ops());
    return options.list_ops == "ir" ? describe_ir_ops(all->registry.ops())
                                    : transformations::describe_faults(all->registry.passes().passes());
  }
  const std::string framework = !options.list_ops.empty()   ? options.list_ops
                                : options.framework.empty() ? std::string(usual_framework())
                                                            : options.framework;
  MO_ASSIGN(const std::unique_ptr<Assembly> assembly, assemble_for(options, framework));
  Registry& registry = assembly->registry;
  if (!registry.frontends().contains(framework)) {
    if (const Framework* known = find_framework(framework); known && known->supported) return reader_left_out(*known);
    const bool plugins = options.has_plugins();
    return error("MO-DRIVER-0005", "there are no ops of framework \"{}\" to list", framework)
        .hint("supported: onnx, tf, caffe, ir, ir-faults, onnx-output{}",
              plugins ? ", and those of the plugins (see --list-extensions)" : "");
  }
  if (!options.list_ops.empty()) {
    const OperatorTable* table = registry.find_operators(framework);
    return table ? describe_ops(*table, framework) : std::string();
  }
  MO_ASSIGN(const std::unique_ptr<PassManager> manager, make_pipeline(registry, framework, options));
  return manager->describe();
}

/// What --tensorboard_logdir asks for, and a line about it.
Expected<std::string> write_for_tensorboard(const Options& options, const std::string& framework,
                                            [[maybe_unused]] const Graph& graph) {
  const std::string& folder = options.tensorflow.tensorboard_logdir;
  if (folder.empty() || framework != "tf") return std::string();
#if MO_READS_TENSORFLOW
  MO_ASSIGN(const std::string path, tensorflow::write_event_file(graph, folder, output_name(options)));
  return fmt::format("The graph for TensorBoard: {}\n", path);
#else
  return std::string();
#endif
}

/// The oldest release that reads the ops and element types of `graph` and its bodies, as far as op sets of OpenVINO
/// have the ops, and the version of the IR; null when none does yet.
const RuntimeRelease* oldest_reader_of(Graph& graph, int ir_version) {
  const RuntimeRelease* oldest = first_runtime_with(ir_version == 10 ? 1 : 8, {});
  for (const Graph* part : with_bodies(graph))
    for (const Node& node : part->nodes()) {
      if (const OpType& type = node.op_type(); type.opset_name.empty()) {
        const RuntimeRelease* const since = first_runtime_with(type.opset, type.name);
        if (!since) return nullptr;
        oldest = std::max(oldest, since);  // of one array, oldest first
      }
      for (std::size_t i = 0; i < node.out_port_count(); ++i)
        if (const auto first = phases::first_release_with_type(node.out_port(i)))
          oldest = std::max(oldest, find_runtime(*first));
    }
  return oldest;
}

/// The .xml and the .bin of a graph that is ready.
Expected<Report> write_ir(const Options& options, Graph& graph, const InputFiles& inputs, const ConversionWatch& watch,
                          DiagnosticSink& sink) {
  const std::string name = output_name(options);
  const fs::path xml_path = fs::path(options.output_dir) / (name + ".xml");
  const fs::path bin_path = fs::path(options.output_dir) / (name + ".bin");
  ir_emitter::EmitOptions emission = emit_options(settings_of(options), xml_path.string());
  emission.model_name = name;
  emission.rt_info = conversion_metadata(graph, options);
  emission.inputs = &inputs;
  emission.constant_written = watch.constant_written;
  emission.durable = options.durable;
  emission.in_memory = options.keeps_in_memory;
  // Before the files exist: a later failure would not remove them.
  Report report;
  report.ir_version = options.written_ir_version();
  if (const RuntimeRelease* oldest = oldest_reader_of(graph, report.ir_version)) report.oldest_runtime = oldest->name;
  report.inputs = inputs.paths();
  if (!options.keeps_in_memory) {
    report.xml_path = fs::absolute(xml_path).lexically_normal().string();
    report.bin_path = fs::absolute(bin_path).lexically_normal().string();
  }
  std::optional<Depfile> depfile;
  if (!options.depfile.empty()) {
    MO_ASSIGN(depfile, Depfile::write(options.depfile, {xml_path.string(), bin_path.string()}, inputs));
  }
  const Stopwatch emitting;
  MO_ASSIGN(const ir_emitter::EmitReport emitted, ir_emitter::emit(graph, emission));
  if (depfile) MO_TRY(depfile->commit());
  log::info("emission: IR version {}, {} layers, .xml {} bytes, .bin {} bytes, {:.3f} s", options.written_ir_version(),
            emitted.layers, emitted.xml_bytes, emitted.bin_bytes, emitting.seconds());
  log::debug("emission: {} constants, {} of them share the bytes of others, {} recipes evaluated", emitted.constants,
             emitted.shared_constants, emitted.recipes);
  if (emitted.four_bit_constants > 0 && options.target_runtime.empty())
    sink.report(warning("MO-EMIT-0013",
                        "{} constants of 4 bits are packed for runtimes of {} and later, older ones take the "
                        "halves of a byte in the other order",
                        emitted.four_bit_constants, first_release::with_low_half_first)
                    .hint("say which release will read the IR with --target_runtime"));
  report.layers = emitted.layers;
  report.xml = emitted.xml;
  report.bin = emitted.bin;
  report.xml_bytes = emitted.xml_bytes;
  report.bin_bytes = emitted.bin_bytes;
  return report;
}

/// Tells `usage` of everything that happens to the graph.
void let_see(Usage& usage, Graph& graph, PassManager& manager) {
  usage.see(graph);
  manager.also_after_pass([&](const PassEvent& event) {
    if (!event.changed) return;
    usage.pass_changed_something(event.pass);
    usage.see(graph);
  });
}

/// A conversion that is too short for the budget to look up in between is cancelled before it leaves a trace. Error
/// MO-LIMIT-0004.
Expected<void> not_cancelled(const BudgetOptions& options) { return Budget({.cancel = options.cancel}).spend(0); }

/// Converts after all options were checked.
Expected<Report> convert_model(const Options& options, DiagnosticSink& sink, ProgressSink* progress,
                               const ConversionWatch& watch) {
  InputFiles inputs;
  add_named_files(options, inputs);
  const InputFiles::Recording recording(inputs);
  WorkMeter meter(progress);
  const bool is_watched = watch.read || watch.before_phase || watch.before_writing || watch.written;
  MO_ASSIGN(Conversion conversion, begin_conversion(options, meter, sink, !is_watched));
  if (watch.read) watch.read(conversion);
  const std::string& framework = conversion.assembly->framework;
  MO_ASSIGN(const std::string written, write_for_tensorboard(options, framework, *conversion.graph));
  conversion.text += written;
  Usage usage(framework);
  if (!options.record_usage.empty()) let_see(usage, *conversion.graph, *conversion.manager);
  if (!options.tensorflow.custom_operations_config_update.empty()) {
    PassContext context{sink, conversion.settings, &conversion.manager->config};
    MO_ASSIGN(const std::string updated,
              update_replacement_config(options, *conversion.manager, *conversion.graph, context));
    return Report{.text = conversion.text + updated};
  }
  MO_TRY(run_phases(conversion, Phase::finish, sink, watch));
  if (watch.before_writing) watch.before_writing(conversion);

  MO_TRY(not_cancelled(options.budget));
  meter.emission();
  MO_ASSIGN(Report report, options.to_onnx
                               ? write_onnx(options, *conversion.graph, onnx_forms_of(conversion), inputs, sink)
                               : write_ir(options, *conversion.graph, inputs, watch, sink));
  if (watch.written) watch.written(conversion);
  meter.finish();
  if (!options.record_usage.empty()) MO_TRY(usage.append_to(options.record_usage));
  report.text = conversion.text + (options.passes.time ? describe_timings(*conversion.manager) : "");
  if (options.ends_process) leave(std::move(conversion));
  return report;
}

Expected<Report> convert_on_account(const Options& options, DiagnosticSink& sink, ProgressSink* progress,
                                    const ConversionWatch& watch) {
  MO_TRY(validate(options));
  for (Diagnostic& warning : warnings_about(options)) sink.report(std::move(warning));
  if (!options.converts()) {
    MO_ASSIGN(std::string text, listing(options));
    return Report{.text = std::move(text)};
  }
  if (options.to_onnx && options.keeps_in_memory)
    return error("MO-API-0006", "an ONNX model is written to a file and cannot be kept in memory")
        .hint("do not keep the result in memory, or leave out --to onnx");
  if (is_ir_for_onnx(options)) return convert_ir(options, sink);
  Options adopted = options;
  adopt_model(adopted, kind_of_input_model(options));
  return convert_model(adopted, sink, progress, watch);
}

}  // namespace

Expected<Report> convert(const Options& options, DiagnosticSink& sink, ProgressSink* progress,
                         const ConversionWatch* watch) {
  Budget budget(options.budget);
  const BudgetScope scope(budget);  // until the graph is gone
  // Made while there is memory for it.
  Error no_memory = error("MO-LIMIT-0005", "there is not enough memory for this model")
                        .hint("raise the memory limit of the process (ulimit -v, container)");
  try {
    auto report = convert_on_account(options, sink, progress, watch ? *watch : ConversionWatch());
    log::debug(
        "budget: input {} bytes, at most {} of {} bytes in graphs and tensors, work {} of {}, constants from next to "
        "nothing {} of {} bytes",
        budget.input_bytes(), budget.peak_bytes(), budget.memory_limit(), budget.work(), budget.work_limit(),
        budget.grown_bytes(), budget.grown_limit());
    return report;
  } catch (const std::bad_alloc&) { return no_memory; }
}

}  // namespace mo
