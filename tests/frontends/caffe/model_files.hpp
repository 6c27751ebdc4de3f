#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.hpp"
#include "frontends/caffe/reader.hpp"

namespace mo::caffe::testing {

/// What came of reading a model.
struct Read {
  Expected<std::unique_ptr<Graph>> graph;
  DiagnosticList sink;

  std::string code() const { return graph ? std::string() : graph.error().first().code; }
  std::string text() const { return graph ? std::string() : graph.error().first().format(); }
  Node node(std::string_view name) const { return (*graph)->find_node(name); }
  bool warned_of(std::string_view code) const {
    for (const Diagnostic& d : sink.items)
      if (d.code == code) return true;
    return false;
  }
};

inline Read read_text(std::string_view text) {
  DiagnosticList sink;
  auto graph = read_net_text(text, sink);
  return {std::move(graph), std::move(sink)};
}
inline Read read_source(const ModelSource& source) {
  DiagnosticList sink;
  auto graph = read_model(source, sink);
  return {std::move(graph), std::move(sink)};
}

/// A net with an input "data" of shape [1,2,4,4].
inline std::string net(std::string_view layers) {
  return "name: 'n' input: 'data' input_shape { dim: 1 dim: 2 dim: 4 dim: 4 }\n" + std::string(layers);
}
/// A layer with one bottom and one top, which has its name.
inline std::string layer(std::string_view name, std::string_view type, std::string_view bottom,
                         std::string_view rest = "") {
  return "layer { name: '" + std::string(name) + "' type: '" + std::string(type) + "' bottom: '" + std::string(bottom) +
         "' top: '" + std::string(name) + "' " + std::string(rest) + " }\n";
}

// -- protobuf messages by hand ----------------------------------------------------------------------------------------

inline std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7U) bytes += static_cast<char>(value | 0x80U);
  return bytes + static_cast<char>(value);
}
inline std::string number(std::uint32_t field, std::int64_t value) {
  return varint(field << 3U) + varint(static_cast<std::uint64_t>(value));
}
inline std::string bytes(std::uint32_t field, std::string_view content) {
  return varint((field << 3U) | 2U) + varint(content.size()) + std::string(content);
}

template <class T>
std::string raw(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}
inline std::string packed(const std::vector<float>& values) { return bytes(5, raw(values)); }
/// A shape in the current form.
inline std::string shape(const std::vector<std::int64_t>& dims) {
  std::string content;
  for (const std::int64_t dim : dims) content += varint(static_cast<std::uint64_t>(dim));
  return bytes(7, bytes(1, content));
}
/// A blob of ones.
inline std::string blob(const std::vector<std::int64_t>& dims) {
  std::int64_t count = 1;
  for (const std::int64_t dim : dims) count *= dim;
  return shape(dims) + packed(std::vector<float>(static_cast<std::size_t>(count), 1.0F));
}
/// A layer of a .caffemodel in the current form.
inline std::string stored(std::string_view name, const std::vector<std::string>& blobs) {
  std::string content = bytes(1, name) + bytes(2, "Convolution");
  for (const std::string& one : blobs) content += bytes(7, one);
  return bytes(100, content);
}

/// A folder of its own with a topology and weights in it.
class ModelFiles : public ::testing::Test {
 protected:
  ModelFiles() : folder_(std::filesystem::path(::testing::TempDir()) / ("mo_caffe_" + std::to_string(::getpid()))) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~ModelFiles() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, std::string_view content) const {
    std::ofstream(folder_ / name, std::ios::binary) << content;
    return path(name);
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string content(const std::string& name) const {
    std::ifstream in(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }
  /// Reads m.prototxt and m.caffemodel of these contents.
  Read read(std::string_view topology, std::string_view weights) const {
    return read_source({write("m.caffemodel", weights), write("m.prototxt", topology), false, {}, {}});
  }

  std::filesystem::path folder_;
};

}  // namespace mo::caffe::testing
