#include "driver/onnx_output.hpp"

#include <filesystem>

#include "core/files/output_folder.hpp"
#include "core/files/output_set.hpp"
#include "core/support/log.hpp"
#include "core/support/stopwatch.hpp"
#include "driver/framework.hpp"
#include "driver/version.hpp"
#if MO_READS_ONNX
#include "frontends/onnx/model_proto/model_proto.hpp"
#include "onnx_emitter/emitter.hpp"
#endif

namespace mo {

namespace fs = std::filesystem;

#if MO_READS_ONNX
Expected<Report> write_onnx_file(const std::string& file_path, const Options& options, const Graph& graph,
                                 const InputFiles& inputs) {
  const Stopwatch emitting;
  const fs::path path(file_path);
  onnx_emitter::EmitOptions emission;
  if (options.onnx_opset) emission.opset = *options.onnx_opset;
  MO_ASSIGN(const std::unique_ptr<Graph> made, onnx_emitter::to_onnx(graph, emission));
  made->name = path.stem().string();
  made->properties.set("producer_name", "mo");
  made->properties.set("producer_version", std::string(version()));
  MO_ASSIGN(const std::unique_ptr<OutputFolder> folder, OutputFolder::create(path.parent_path().string()));
  MO_ASSIGN(const std::unique_ptr<OutputSet> set,
            OutputSet::create(path.parent_path().string(), path.stem().string(), {path.filename().string()},
                              {.inputs = &inputs, .durable = options.durable}));
  MO_ASSIGN(OutputFile* const file, set->open(0));
  MO_TRY(onnx::write_model_proto(*made, *file));
  Report report;
  report.onnx_bytes = file->size();
  MO_TRY(file->close());
  MO_TRY(set->commit());
  MO_TRY(folder->keep(options.durable));
  report.onnx_path = fs::absolute(path).lexically_normal().string();
  report.onnx_opset = emission.opset;
  report.layers = made->node_count();
  report.inputs = inputs.paths();
  log::info("emission: ONNX, op set {}, {} nodes, {} bytes, {:.3f} s", emission.opset, report.layers, report.onnx_bytes,
            emitting.seconds());
  return report;
}
#else
Expected<Report> write_onnx_file(const std::string& /*path*/, const Options& /*options*/, const Graph& /*graph*/,
                                 const InputFiles& /*inputs*/) {
  return reader_left_out(*find_framework("onnx"));
}
#endif

Expected<Report> write_onnx(const Options& options, const Graph& graph, const InputFiles& inputs) {
  const fs::path path = fs::path(options.output_dir) / (output_name(options) + ".onnx");
  return write_onnx_file(path.string(), options, graph, inputs);
}

}  // namespace mo
