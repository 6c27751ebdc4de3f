#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "driver/builtins.hpp"
#include "driver/pipeline.hpp"
#include "frontends/tensorflow/reader.hpp"
#include "tests/e2e/run_many.hpp"

namespace mo::test {

/// All phases of a conversion but the writing of files, for thousands of small models in one process.
class TensorFlowPipeline {
 public:
  TensorFlowPipeline() {
    register_builtins(registry_, "tf");
    auto made = make_pipeline(registry_, "tf", Options{});
    if (!made) throw std::logic_error(made.error().first().format());  // ends the test
    manager_ = *std::move(made);
    manager_->verify_each = true;
  }

  const OperatorTable& operators() const { return *registry_.find_operators("tf"); }

  Expected<void> run(Expected<std::unique_ptr<Graph>> graph) {
    if (!graph) return std::move(graph).error();
    DiagnosticList sink;
    PassContext context{sink, settings_, &manager_->config};
    for (const Phase phase : kPhases) MO_TRY(manager_->run(phase, **graph, context));
    return {};
  }
  Expected<void> run_text(const std::string& text) {
    DiagnosticList sink;
    return run(tensorflow::read_graph_text(text, sink));
  }
  Expected<void> run_bytes(std::string_view bytes) {
    DiagnosticList sink;
    return run(tensorflow::read_graph_bytes(bytes, sink));
  }

 private:
  Registry registry_;
  std::unique_ptr<PassManager> manager_;
  Settings settings_ = settings_of(Options{});
};

/// The models of tests/frontends/tensorflow/*.test, by file.
inline std::map<std::string, std::vector<std::string>> models_of_tests() {
  std::map<std::string, std::vector<std::string>> models;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(MO_TESTS_DIR) / "frontends/tensorflow")) {
    if (entry.path().extension() != ".test") continue;
    std::ifstream file(entry.path());
    std::string* text = nullptr;
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with("===") || line.starts_with("---")) {
        text = line == "--- pbtxt" ? &models[entry.path().stem()].emplace_back() : nullptr;
      } else if (text) {
        *text += line + "\n";
      }
    }
  }
  return models;
}

}  // namespace mo::test
