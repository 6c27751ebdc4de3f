#include "fuzz/harness/conversion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/inference/infer.hpp"
#include "driver/convert.hpp"
#include "frontends/ir/reader.hpp"
#include "fuzz/harness/check.hpp"
#include "fuzz/harness/ops.hpp"
#include "fuzz/harness/scratch.hpp"

namespace mo::fuzz {
namespace {

constexpr std::string_view kOutput = "out";

/// Custom operations are in the IR as they are called there; mo itself does not know them.
constexpr std::string_view kUnknownOps = "MO-IR-0010";

}  // namespace

std::unique_ptr<Graph> converted(Options options) {
  const Scratch& scratch = Scratch::instance();
  options.output_dir = scratch.empty_folder(kOutput);
  options.model_name = "model";
  options.silent = true;
  DiagnosticList notes;
  const Expected<Report> report = convert(options, notes);
  const std::vector<std::string> files = scratch.files(kOutput);
  for (const Diagnostic& note : notes.items) require(!note.message.empty(), "a warning without a text");
  if (!done_or_explained(report)) {
    require(files.empty(),
            fmt::format("{} left files behind: {}", report.error().first().code, fmt::join(files, ", ")));
    return nullptr;
  }
  require(files == std::vector<std::string>{"model.bin", "model.xml"},
          fmt::format("the output folder has {}", fmt::join(files, ", ")));
  return read_own_ir(report->xml_path);
}

std::unique_ptr<Graph> read_own_ir(const std::string& xml) {
  DiagnosticList notes;
  auto graph = ir::read_ir(xml, "", ops(), notes);
  if (!graph && graph.error().first().code == kUnknownOps) return nullptr;
  if (!graph) finding("an IR that we wrote cannot be read: " + graph.error().first().format());
  if (const auto inferred = infer_graph(**graph); !inferred)
    finding("an IR that we wrote cannot be inferred: " + inferred.error().first().format());
  return *std::move(graph);
}

Options options_for(std::string_view framework, std::string_view file_name, std::string_view bytes) {
  Options options;
  options.framework = framework;
  options.input_model = Scratch::instance().write(file_name, bytes);
  return options;
}

}  // namespace mo::fuzz
