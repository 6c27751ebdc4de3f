#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/execution/executor.hpp"
#include "core/inference/infer.hpp"
#include "core/pass/pass_manager.hpp"
#include "core/tensor/convert.hpp"
#include "core/text/parser.hpp"
#include "core/text/printer.hpp"
#include "extensions/config/descriptor_reader.hpp"
#include "extensions/config/shipped_configs.hpp"
#include "extensions/object_detection/pipeline_config.hpp"
#include "phases/partial_inference/partial_inference.hpp"
#include "tests/support/builtins.hpp"

namespace mo::test {

namespace fs = std::filesystem;

inline std::string text_of(const Error& error) {
  std::string text;
  for (const Diagnostic& d : error.items()) text += d.format() + "\n";
  return text;
}

inline const Pass* find_pass(std::string_view name) {
  for (const Pass& pass : builtins().passes().passes())
    if (pass.name == name) return &pass;
  return nullptr;
}

/// Replacers of a configuration on a graph in text form.
class Replacers : public testing::Test {
 protected:
  Replacers() : folder_(fs::path(testing::TempDir()) / ("mo_detectors_" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~Replacers() override { fs::remove_all(folder_); }

  void use_pipeline(const std::string& text) {
    const std::string path = (folder_ / "pipeline.config").string();
    std::ofstream(path) << text;
    settings_.set(object_detection::DetectionSettings{path});
  }
  void use_config(std::string_view text, const std::string& name = "c.json") {
    const auto document = config::parse_json(text, name);
    ASSERT_TRUE(document) << text_of(document.error());
    const auto read = config::read_descriptors(*document, name);
    ASSERT_TRUE(read) << text_of(read.error());
    settings_.set(config::Replacements{read->descriptors});
  }
  void use_shipped(std::string_view name) {
    const config::ShippedConfig* shipped = config::find_shipped_config(name);
    ASSERT_NE(shipped, nullptr);
    use_config(shipped->text, std::string(name));
  }
  void read(std::string_view text) {
    auto graph = parse_graph(text, builtins().ops());
    ASSERT_TRUE(graph) << text_of(graph.error());
    graph_ = *std::move(graph);
  }
  /// "changed", "unchanged", or the error and its code.
  std::string run(std::string_view pass) {
    const Pass* found = find_pass(pass);
    if (!found) return "no such pass";
    PassContext context{diagnostics_, settings_, nullptr};
    const auto changed = run_pass(*found, *graph_, context);
    if (!changed) return text_of(changed.error());
    if (const auto sound = verify(*graph_); !sound) return text_of(sound.error());
    return *changed ? "changed" : "unchanged";
  }
  /// What is left of the framework becomes ops: "changed", or the error and its code.
  std::string translate() {
    PassContext context{diagnostics_, settings_, nullptr};
    const auto changed = run_pass(phases::partial_inference(builtins().operators("tf"), "tf"), *graph_, context);
    return changed ? *changed ? "changed" : "unchanged" : text_of(changed.error());
  }
  /// Types of the Results, after inference.
  std::string types() {
    if (const auto inferred = infer_graph(*graph_); !inferred) return text_of(inferred.error());
    std::string text;
    for (const Node& result : graph_->results()) text += (text.empty() ? "" : ", ") + result.input_type(0).to_string();
    return text;
  }
  std::vector<std::vector<double>> evaluate(const std::vector<Tensor>& inputs) {
    std::vector<std::vector<double>> numbers;
    const auto results = execute(*graph_, inputs);
    EXPECT_TRUE(results) << text_of(results.error());
    if (results)
      for (const Tensor& tensor : *results) numbers.push_back(*to_reals(tensor));
    return numbers;
  }
  bool has(std::string_view op) const { return graph_->has_op(op); }
  std::string warnings() const {
    std::string text;
    for (const Diagnostic& d : diagnostics_.items) text += d.format() + "\n";
    return text;
  }

  fs::path folder_;
  std::unique_ptr<Graph> graph_;
  DiagnosticList diagnostics_;
  Settings settings_;
};

}  // namespace mo::test
