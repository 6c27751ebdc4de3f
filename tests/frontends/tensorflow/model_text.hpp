#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>

#include "core/graph/graph.hpp"
#include "frontends/tensorflow/reader.hpp"
#include "tensorflow.pb.h"

namespace mo::tensorflow::testing {

using GraphPtr = std::unique_ptr<Graph>;

/// What came of reading a model.
struct Read {
  Expected<GraphPtr> graph;
  DiagnosticList sink;

  /// The code of the first error; "" when there is none.
  std::string code() const { return graph ? std::string() : graph.error().first().code; }
  /// Message and hint of the first error.
  std::string text() const { return graph ? std::string() : graph.error().first().format(); }
  Node node(std::string_view name) const { return (*graph)->find_node(name); }
};

inline Read read_text(const std::string& text) {
  DiagnosticList sink;
  auto graph = read_graph_text(text, sink);
  return {std::move(graph), std::move(sink)};
}
inline Read read_bytes(std::string_view bytes) {
  DiagnosticList sink;
  auto graph = read_graph_bytes(bytes, sink);
  return {std::move(graph), std::move(sink)};
}
inline Read read_source(const ModelSource& source) {
  DiagnosticList sink;
  auto graph = read_model(source, sink);
  return {std::move(graph), std::move(sink)};
}

/// One NodeDef in text form: `inputs` are separated by blanks, `attributes` are attr entries in text form.
inline std::string node(std::string_view name, std::string_view op, std::string_view inputs = "",
                        std::string_view attributes = "") {
  std::string text = "node { name: '" + std::string(name) + "' op: '" + std::string(op) + "'";
  while (!inputs.empty()) {
    const std::string_view input = inputs.substr(0, inputs.find(' '));
    inputs.remove_prefix(std::min(inputs.size(), input.size() + 1));
    text += " input: '" + std::string(input) + "'";
  }
  return text + " " + std::string(attributes) + " }\n";
}
inline std::string attribute(std::string_view key, std::string_view value) {
  return "attr { key: '" + std::string(key) + "' value { " + std::string(value) + " } } ";
}
inline std::string placeholder(std::string_view name) {
  return node(name, "Placeholder", "",
              attribute("dtype", "type: DT_FLOAT") + attribute("shape", "shape { dim { size: 2 } dim { size: -1 } }"));
}
/// A folder of its own that vanishes with the object.
class ModelFolder {
 public:
  ModelFolder() {
    std::string pattern = ::testing::TempDir() + "mo_tf_XXXXXX";
    path_ = ::mkdtemp(pattern.data());
  }
  ~ModelFolder() { std::filesystem::remove_all(path_); }
  ModelFolder(const ModelFolder&) = delete;
  ModelFolder& operator=(const ModelFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string operator/(std::string_view name) const { return path_ + "/" + std::string(name); }
  std::string write(std::string_view name, std::string_view content) const {
    const std::string path = *this / name;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }

 private:
  std::string path_;
};

}  // namespace mo::tensorflow::testing
