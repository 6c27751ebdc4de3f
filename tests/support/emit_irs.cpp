// Writes IRs or ONNX models of graphs in text form, as a conversion would from inference on: tests/peers lets real
// engines judge them.
//
// usage: mo_emit_irs          reads lines "TEXT_FILE<tab>FILE<tab>TARGET<tab>RELEASE" from the standard input and
// prints
//                             for each "ok", or the first error. TARGET: 10 or 11, the version of the IR, or onnx17,
//                             the op set of an ONNX model. RELEASE: of the runtime that reads the IR; may be empty
//        mo_emit_irs --ops    prints the declaration of each op, a line of JSON each: {"type", "version", "opset",
//        "attributes": {NAME: [CHOICES…]}}
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include "core/op.hpp"
#include "core/pass/pass_manager.hpp"
#include "core/text/parser.hpp"
#include "driver/builtins.hpp"
#include "driver/emission.hpp"
#include "driver/onnx_output.hpp"
#include "driver/pipeline.hpp"
#include "ir_emitter/emitter.hpp"
#include "tests/support/builtins.hpp"

namespace {

using Target = std::pair<std::string, std::string>;  ///< version of the IR, or op set of ONNX, and release

/// What a conversion for one target does from inference on.
class LastPhases {
 public:
  explicit LastPhases(const Target& target) : options_(options_of(target)), settings_(mo::settings_of(options_)) {
    mo::register_builtins(registry_, "");
    auto made = mo::make_pipeline(registry_, "", options_);
    if (made)
      pipeline_ = *std::move(made);
    else
      problem_ = text_of(made.error());
  }

  /// The first error, empty when there is none.
  std::string write(mo::Graph& graph, const std::string& path) const {
    if (!problem_.empty()) return problem_;
    mo::DiagnosticList diagnostics;
    mo::PassContext context{diagnostics, settings_, nullptr};
    for (const mo::Phase phase : {mo::Phase::inference, mo::Phase::middle, mo::Phase::back, mo::Phase::finish})
      if (const auto ran = options_.to_onnx && phase == mo::Phase::back ? decompress(graph, context)
                                                                        : pipeline_->run(phase, graph, context);
          !ran)
        return text_of(ran.error());
    if (options_.to_onnx) {
      const auto written = mo::write_onnx_file(path, options_, graph, nullptr, {}, diagnostics, /*needs_ranks=*/false);
      return written ? "" : text_of(written.error());
    }
    const auto emitted = mo::ir_emitter::emit(graph, mo::emit_options(settings_, path));
    return emitted ? "" : text_of(emitted.error());
  }

  template <class Error>
  static std::string text_of(const Error& error) {
    const mo::Diagnostic& first = error.first();
    return first.code + ": " + first.message.substr(0, first.message.find('\n'));
  }

 private:
  /// What a conversion to ONNX does of the phase back.
  mo::Expected<void> decompress(mo::Graph& graph, mo::PassContext& context) const {
    const mo::Pass* const pass = pipeline_->find("DecompressWeights");
    if (!pass) return {};
    if (const auto ran = mo::run_pass(*pass, graph, context); !ran) return ran.error();
    return {};
  }

  static mo::Options options_of(const Target& target) {
    mo::Options options;
    options.to_onnx = target.first.starts_with("onnx");
    if (options.to_onnx)
      options.onnx_opset = std::stoi(target.first.substr(4));
    else
      options.ir_version = target.first == "10" ? 10 : 11;
    options.target_runtime = target.second;
    return options;
  }

  mo::Options options_;
  mo::Registry registry_;
  mo::Settings settings_;
  std::unique_ptr<mo::PassManager> pipeline_;
  std::string problem_;
};

std::string emit(const std::string& line) {
  std::istringstream fields(line);
  std::string text_file;
  std::string xml;
  Target target;
  std::getline(fields, text_file, '\t');
  std::getline(fields, xml, '\t');
  std::getline(fields, target.first, '\t');
  std::getline(fields, target.second);
  std::ifstream file(text_file);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  auto graph = mo::parse_graph(text, mo::test::builtins().ops());
  if (!graph) return LastPhases::text_of(graph.error());
  static std::map<Target, LastPhases> pipelines;
  return pipelines.try_emplace(target, target).first->second.write(**graph, xml);
}

void print_ops() {
  for (const mo::OpType* type : mo::test::builtins().ops().all()) {
    std::string attributes;
    for (const mo::AttributeInfo& attribute : type->attributes) {
      if (attribute.internal) continue;
      std::vector<std::string> choices;
      for (const std::string_view choice : attribute.choices) choices.push_back(fmt::format("\"{}\"", choice));
      attributes +=
          fmt::format("{}\"{}\": [{}]", attributes.empty() ? "" : ", ", attribute.name, fmt::join(choices, ", "));
    }
    fmt::print(
        "{{\"type\": \"{}\", \"version\": {}, \"opset\": \"{}\", \"infers\": {}, \"evaluates\": {}, \"attributes\": "
        "{{{}}}}}\n",
        type->name, type->version,
        type->opset_name.empty() ? fmt::format("opset{}", type->opset) : std::string(type->opset_name),
        type->infer != nullptr, type->evaluate != nullptr, attributes);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--ops") {
    print_ops();
    return 0;
  }
  for (std::string line; std::getline(std::cin, line);) {
    const std::string problem = emit(line);
    std::printf("%s\n", problem.empty() ? "ok" : problem.c_str());
    std::fflush(stdout);
  }
  return 0;
}
