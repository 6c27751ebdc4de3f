#include "driver/onnx_output.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/files/output_set.hpp"
#include "core/op/op_registry.hpp"
#include "core/pass/pass.hpp"
#include "core/support/log.hpp"
#include "core/support/stopwatch.hpp"
#include "driver/conversion.hpp"
#include "driver/depfile.hpp"
#include "driver/emission.hpp"
#include "driver/framework.hpp"
#include "driver/version.hpp"
#if MO_READS_ONNX
#include "frontends/onnx/model_proto/model_proto.hpp"
#include "onnx_emitter/emitter.hpp"
#include "transformations/cleanup/constant_folding.hpp"
#include "transformations/control_flow/support/freed_states.hpp"
#include "transformations/support/constant_folding_settings.hpp"
#endif

namespace mo {

namespace fs = std::filesystem;

#if MO_READS_ONNX
namespace {

Diagnostic newer_opset(const onnx_emitter::OnnxGraph& model) {
  constexpr std::size_t kShown = 3;
  const std::vector<std::string>& nodes = model.need_newer_opset;
  const std::size_t shown = std::min(nodes.size(), kShown);
  Diagnostic note = warning("MO-EMIT-0043", "the ONNX model is of op set {}, because op set {} has no form of {}{}",
                            model.opset, onnx_emitter::kUsualOpset,
                            fmt::join(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                            nodes.size() > shown ? fmt::format(" and {} more", nodes.size() - shown) : std::string())
                        .hint("nothing needs to be done; an op set that is given with --onnx-opset is kept");
  note.severity = Severity::note;
  return note;
}

/// Adds the entries of a record of a conversion: "conversion_parameters.framework" for a nested one.
void flatten(const AttributeMap& record, const std::string& prefix, AttributeMap& properties) {
  for (const AttributeMap::Item& item : record)
    if (const AttributeMap* const nested = item.value.map())
      flatten(*nested, prefix + item.name + ".", properties);
    else if (const std::string* const text = item.value.get_if<std::string>())
      properties.set(prefix + item.name, *text);
}

/// Returns the metadata of the model: what the source said of itself under its own keys, as other programs look for it
/// (names of classes, strides), and the record that an IR has of its conversion.
AttributeMap metadata_properties(const Graph& graph, const Options& options) {
  AttributeMap record = conversion_metadata(graph, options);
  AttributeMap properties;
  const AttributeMap& known = record;
  for (const AttributeValue* const said : {known.find("framework"), graph.properties.find("metadata")})
    if (said && said->map()) flatten(*said->map(), "", properties);
  // The source is described by its own keys; the others are for programs that read an IR.
  for (const char* const key : {"framework", "Runtime_version", "legacy_frontend"}) record.erase(key);
  flatten(record, "", properties);
  return properties;
}

/// What known shapes tell becomes constant. ONNX Runtime follows sizes through other operators and refuses some models
/// for what it finds (Range of reals, since 1.24); a state variable whose initial value has a known shape gets a
/// default.
Expected<void> fold_sizes(Graph& graph, DiagnosticSink& sink) {
  Settings settings;
  settings.set(transformations::ConstantFoldingSettings{.shapes = true, .constants = false});
  PassContext context{sink, settings};
  MO_TRY(run_pass(transformations::constant_folding(), graph, context));
  return {};
}

}  // namespace

Expected<Report> write_onnx_file(const std::string& file_path, const Options& options, Graph& graph,
                                 const OnnxForms* forms, const InputFiles& inputs, DiagnosticSink& sink,
                                 bool needs_ranks) {
  const Stopwatch emitting;
  const fs::path path(file_path);
  MO_TRY(fold_sizes(graph, sink));
  MO_ASSIGN(transformations::FreedStates freed, transformations::states_to_inputs(graph));
  MO_ASSIGN(const onnx_emitter::OnnxGraph model,
            onnx_emitter::to_onnx(graph, {.opset = options.onnx_opset,
                                          .forms = forms,
                                          .defaults = std::move(freed.first_values),
                                          .needs_ranks = needs_ranks}));
  if (!model.need_newer_opset.empty()) sink.report(newer_opset(model));
  Graph* const made = model.graph.get();
  made->name = path.stem().string();
  made->properties.set("producer_name", "mo");
  made->properties.set("producer_version", std::string(version()));
  made->properties.set("metadata", metadata_properties(graph, options));
  const std::string file = path.filename().string();
  const onnx::SideFile side{.location = file + ".data", .always = options.is_given("external-data")};
  MO_ASSIGN(const onnx::EncodedModel encoded, onnx::encode_model_proto(*made, side));
  // As for .xml and .bin: the file that readers look for first is the last one.
  std::vector<std::string> files = {file};
  if (!encoded.beside.empty()) files.insert(files.begin(), side.location);
  const fs::path directory = path.parent_path();
  MO_ASSIGN(const std::unique_ptr<OutputSet> set, OutputSet::create(directory.string(), path.stem().string(), files,
                                                                    {.inputs = &inputs, .durable = options.durable}));
  Report report;
  for (std::size_t i = 0; i < files.size(); ++i) {
    MO_ASSIGN(OutputFile* const output, set->open(i));
    const bool is_model = i + 1 == files.size();
    MO_TRY(is_model ? encoded.write(*output) : encoded.write_beside(*output));
    (is_model ? report.onnx_bytes : report.onnx_data_bytes) = output->size();
    MO_TRY(output->close());
  }
  std::optional<Depfile> depfile;
  if (!options.depfile.empty()) {
    std::vector<std::string> targets;
    for (const std::string& each : files) targets.push_back((directory / each).string());
    MO_ASSIGN(depfile, Depfile::write(options.depfile, targets, inputs));
  }
  MO_TRY(set->commit());
  if (depfile) MO_TRY(depfile->commit());
  report.onnx_path = fs::absolute(path).lexically_normal().string();
  if (files.size() > 1) report.onnx_data_path = report.onnx_path + ".data";
  report.onnx_opset = model.opset;
  report.layers = made->node_count();
  report.inputs = inputs.paths();
  log::info("emission: ONNX, op set {}, {} nodes, {} bytes, {} bytes beside it, {:.3f} s", model.opset, report.layers,
            report.onnx_bytes, report.onnx_data_bytes, emitting.seconds());
  return report;
}

Expected<std::string> describe_onnx_output(const OpRegistry& ops) {
  std::vector<std::string> lines;
  for (const OpType* type : ops.all())
    if (type->opset_name.empty())
      lines.push_back(fmt::format("{}-{}  {}\n", type->name, type->version,
                                  onnx_emitter::has_onnx_form(*type) ? "written" : "refused"));
  std::sort(lines.begin(), lines.end());
  return fmt::format("{}", fmt::join(lines, ""));
}
#else
Expected<std::string> describe_onnx_output(const OpRegistry& /*ops*/) {
  return reader_left_out(*find_framework("onnx"));
}

Expected<Report> write_onnx_file(const std::string& /*path*/, const Options& /*options*/, Graph& /*graph*/,
                                 const OnnxForms* /*forms*/, const InputFiles& /*inputs*/, DiagnosticSink& /*sink*/,
                                 bool /*needs_ranks*/) {
  return reader_left_out(*find_framework("onnx"));
}
#endif

const OnnxForms* onnx_forms_of(const Conversion& conversion) {
  return conversion.assembly ? &conversion.assembly->registry.onnx_forms() : nullptr;
}

Expected<Report> write_onnx(const Options& options, Graph& graph, const OnnxForms* forms, const InputFiles& inputs,
                            DiagnosticSink& sink) {
  const fs::path path = fs::path(options.output_dir) / (output_name(options) + ".onnx");
  return write_onnx_file(path.string(), options, graph, forms, inputs, sink);
}

}  // namespace mo
