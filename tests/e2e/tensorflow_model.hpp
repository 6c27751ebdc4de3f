#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/e2e/isolated.hpp"
#include "tests/frontends/tensorflow/model_text.hpp"

/// TensorFlow models written down in tests, most of them wrong.
namespace mo::test {

using tensorflow::testing::attribute;
using tensorflow::testing::ModelFolder;
using tensorflow::testing::node;

// -- text form --------------------------------------------------------------------------------------------------------

/// "2,-1,4" -> dim { size: 2 } …; "" is a scalar.
inline std::string shape_text(std::string_view dims) {
  std::string text;
  while (!dims.empty()) {
    const std::string_view size = dims.substr(0, dims.find(','));
    dims.remove_prefix(std::min(dims.size(), size.size() + 1));
    text += "dim { size: " + std::string(size) + " } ";
  }
  return text;
}
inline std::string number_attr(std::string_view key, std::int64_t value) {
  return attribute(key, "i: " + std::to_string(value));
}
inline std::string text_attr(std::string_view key, std::string_view value) {
  return attribute(key, "s: '" + std::string(value) + "'");
}
inline std::string type_attr(std::string_view key, std::string_view value) {
  return attribute(key, "type: " + std::string(value));
}
/// `values`: "1,2,2,1".
inline std::string list_attr(std::string_view key, std::string_view values) {
  return attribute(key, "list { i: [" + std::string(values) + "] }");
}
/// A Placeholder; "?" is an unknown rank.
inline std::string input(std::string_view name, std::string_view dims, std::string_view type = "DT_FLOAT") {
  const std::string shape = dims == "?" ? "unknown_rank: true" : shape_text(dims);
  return node(name, "Placeholder", "", type_attr("dtype", type) + attribute("shape", "shape { " + shape + " }"));
}
inline std::string constant(std::string_view name, std::string_view type, std::string_view dims,
                            std::string_view values) {
  return node(
      name, "Const", "",
      type_attr("dtype", type) + attribute("value", "tensor { dtype: " + std::string(type) + " tensor_shape { " +
                                                        shape_text(dims) + " } " + std::string(values) + " }"));
}
/// Constants: `values` are separated by ','; few of them fill the tensor.
inline std::string floats(std::string_view name, std::string_view dims, std::string_view values = "1") {
  return constant(name, "DT_FLOAT", dims, "float_val: [" + std::string(values) + "]");
}
inline std::string ints(std::string_view name, std::string_view dims, std::string_view values) {
  return constant(name, "DT_INT32", dims, "int_val: [" + std::string(values) + "]");
}
inline std::string longs(std::string_view name, std::string_view dims, std::string_view values) {
  return constant(name, "DT_INT64", dims, "int64_val: [" + std::string(values) + "]");
}

// -- wire form --------------------------------------------------------------------------------------------------------

inline std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7U) bytes += static_cast<char>((value & 0x7FU) | 0x80U);
  return bytes + static_cast<char>(value);
}
inline std::string varint_field(std::uint32_t number, std::uint64_t value) {
  return varint(number << 3U) + varint(value);
}
/// A field that is text, bytes or a message.
inline std::string bytes_field(std::uint32_t number, std::string_view content) {
  return varint(number << 3U | 2U) + varint(content.size()) + std::string(content);
}
/// One entry of NodeDef.attr; `value` is the content of an AttrValue.
inline std::string wire_attribute(std::string_view key, std::string_view value) {
  return bytes_field(5, bytes_field(1, key) + bytes_field(2, value));
}
/// One node of a GraphDef.
inline std::string wire_node(std::string_view name, std::string_view op, const std::vector<std::string>& inputs = {},
                             std::string_view attributes = {}) {
  std::string content = bytes_field(1, name) + bytes_field(2, op);
  for (const std::string& text : inputs) content += bytes_field(3, text);
  return bytes_field(1, content + std::string(attributes));
}
inline std::string wire_shape(const std::vector<std::uint64_t>& dims) {
  std::string content;
  for (const std::uint64_t size : dims) content += bytes_field(2, varint_field(1, size));
  return content;
}
inline std::string wire_input(std::string_view name, const std::vector<std::uint64_t>& dims = {2}) {
  return wire_node(
      name, "Placeholder", {},
      wire_attribute("dtype", varint_field(6, 1)) + wire_attribute("shape", bytes_field(7, wire_shape(dims))));
}
/// A Const; `rest` are further fields of its TensorProto.
inline std::string wire_constant(std::string_view name, std::uint64_t type, const std::vector<std::uint64_t>& dims,
                                 std::string_view rest) {
  const std::string tensor = varint_field(1, type) + bytes_field(2, wire_shape(dims)) + std::string(rest);
  return wire_node(name, "Const", {},
                   wire_attribute("dtype", varint_field(6, type)) + wire_attribute("value", bytes_field(8, tensor)));
}

// -- conversion -------------------------------------------------------------------------------------------------------

/// A folder for models with an empty folder for output in it.
class BadInput : public ::testing::Test {
 protected:
  BadInput() { std::filesystem::create_directory(folder_ / "out"); }

  /// How this content is converted.
  Options model(std::string_view content, std::string_view name) const {
    Options options;
    options.input_model = folder_.write(name, content);
    options.framework = "tf";
    options.output_dir = folder_ / "out";
    return options;
  }
  static Outcome run(const Options& options, const Bounds& bounds = {}) {
    return run_isolated([&](DiagnosticSink& sink) { return convert(options, sink); }, bounds);
  }
  Outcome run_text(const std::string& text, const Bounds& bounds = {}) const {
    return run(model(text, "m.pbtxt"), bounds);
  }
  Outcome run_bytes(std::string_view bytes, const Bounds& bounds = {}) const {
    return run(model(bytes, "m.pb"), bounds);
  }

  std::vector<std::string> written() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "out"))
      names.push_back(entry.path().filename());
    return names;
  }
  /// The contract for bad input: an error of that code, whose text has `part` in it; nothing is written; bounded time
  /// and memory.
  void refused(const Outcome& outcome, std::string_view code, std::string_view part = {}) const {
    EXPECT_EQ(outcome.failure, "");
    EXPECT_EQ(outcome.code, code) << outcome.text;
    EXPECT_NE(outcome.text.find(part), std::string::npos) << "no \"" << part << "\" in:\n" << outcome.text;
    EXPECT_EQ(written(), std::vector<std::string>{});
    clean();
  }
  /// The same for what turns out to be legal.
  void converted(const Outcome& outcome) const {
    EXPECT_EQ(outcome.failure, "");
    EXPECT_EQ(outcome.code, "") << outcome.text;
    EXPECT_EQ(written().size(), 2U);
    clean();
  }
  void clean() const {
    for (const std::string& name : written()) std::filesystem::remove(std::filesystem::path(folder_ / "out") / name);
  }
  /// Converts a text that must be refused at node "y".
  void refused_text(std::string_view title, const std::string& text, std::string_view code,
                    std::string_view part = "'y'") const {
    SCOPED_TRACE(title);
    refused(run_text(text), code, part);
  }
  void converted_text(std::string_view title, const std::string& text) const {
    SCOPED_TRACE(title);
    converted(run_text(text));
  }

  ModelFolder folder_;
};

}  // namespace mo::test
