#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>

#include "core/graph/graph.hpp"
#include "frontends/onnx/reader.hpp"
#include "onnx.pb.h"

namespace mo::onnx::testing {

using GraphPtr = std::unique_ptr<Graph>;

/// The code of the first error; "" when there is none.
template <class T>
std::string code_of(const Expected<T>& result) {
  return result ? std::string() : result.error().first().code;
}

/// A model in text form: versions, then the graph with a float input "x" and an output "y".
inline std::string model_text(std::string_view graph, std::string_view rest = "") {
  return "ir_version: 8 opset_import { version: 13 } graph { name: 'g' "
         "input { name: 'x' type { tensor_type { elem_type: 1 shape { dim { dim_value: 2 } dim { dim_param: 'n' } } } "
         "} } output { name: 'y' } " +
         std::string(graph) + " } " + std::string(rest);
}

struct Read {
  Expected<GraphPtr> graph;
  DiagnosticList sink;

  std::string code() const { return code_of(graph); }
  bool warned_of(std::string_view code) const {
    for (const Diagnostic& d : sink.items)
      if (d.code == code) return true;
    return false;
  }
};

inline Read read_text(const std::string& text) {
  DiagnosticList sink;
  auto graph = read_model_text(text, sink);
  return {std::move(graph), std::move(sink)};
}
inline Read read_graph(std::string_view graph, std::string_view rest = "") {
  return read_text(model_text(graph, rest));
}
inline Read read_bytes(std::string_view bytes) {
  DiagnosticList sink;
  auto graph = read_model_bytes(bytes, sink);
  return {std::move(graph), std::move(sink)};
}
inline Read read_path(const std::string& path) {
  DiagnosticList sink;
  auto graph = read_model(path, sink);
  return {std::move(graph), std::move(sink)};
}

/// A folder of its own that vanishes with the object.
class Folder {
 public:
  Folder() {
    std::string pattern = ::testing::TempDir() + "mo_onnx_XXXXXX";
    path_ = ::mkdtemp(pattern.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string operator/(std::string_view name) const { return path_ + "/" + std::string(name); }
  std::string write(std::string_view name, std::string_view content) const {
    const std::string path = *this / name;
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }

 private:
  std::string path_;
};

/// A serialized model with one initializer "w" that `tensor` fills, and y = Identity(w).
inline std::string model_with_tensor(const TensorProto& tensor) {
  ModelProto model;
  model.set_ir_version(10);
  model.add_opset_import()->set_version(21);
  GraphProto& graph = *model.mutable_graph();
  graph.set_name("g");
  graph.add_output()->set_name("y");
  *graph.add_initializer() = tensor;
  graph.mutable_initializer(0)->set_name("w");
  NodeProto& node = *graph.add_node();
  node.set_op_type("Identity");
  node.add_input("w");
  node.add_output("y");
  return model.SerializeAsString();
}

}  // namespace mo::onnx::testing
