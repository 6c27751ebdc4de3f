#include "benchmarks/onnx_writer.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "benchmarks/wire_writer.hpp"

namespace mo::benchmarks {
namespace {

using namespace wire;  // NOLINT: the encoding is all that this file is about

// Field numbers of onnx.proto.
namespace onnx_field {
constexpr int model_ir_version = 1, model_producer = 2, model_graph = 7, model_opset_import = 8;
constexpr int opset_domain = 1, opset_version = 2;
constexpr int graph_node = 1, graph_name = 2, graph_initializer = 5, graph_input = 11, graph_output = 12;
constexpr int node_input = 1, node_output = 2, node_name = 3, node_op_type = 4, node_attribute = 5, node_domain = 7;
constexpr int attribute_name = 1, attribute_float = 2, attribute_int = 3, attribute_ints = 8, attribute_type = 20;
constexpr int tensor_dims = 1, tensor_type = 2, tensor_name = 8, tensor_raw_data = 9;
constexpr int value_name = 1, value_type = 2, type_tensor = 1, tensor_type_element = 1, tensor_type_shape = 2;
constexpr int shape_dim = 1, dim_value = 1, dim_symbol = 2;
}  // namespace onnx_field

std::string encode(const OnnxAttribute& attribute) {
  std::string out;
  text(out, onnx_field::attribute_name, attribute.name);
  // AttributeProto.AttributeType: FLOAT 1, INT 2, INTS 7
  switch (attribute.kind) {
    case OnnxAttribute::Kind::integer:
      number(out, onnx_field::attribute_int, static_cast<std::uint64_t>(attribute.integers.front()));
      number(out, onnx_field::attribute_type, 2);
      break;
    case OnnxAttribute::Kind::real:
      real(out, onnx_field::attribute_float, attribute.real);
      number(out, onnx_field::attribute_type, 1);
      break;
    case OnnxAttribute::Kind::integers:
      for (const std::int64_t value : attribute.integers)
        number(out, onnx_field::attribute_ints, static_cast<std::uint64_t>(value));
      number(out, onnx_field::attribute_type, 7);
      break;
  }
  return out;
}

std::string tensor_head(std::string_view name, OnnxType type, const std::vector<std::int64_t>& dims,
                        std::uint64_t bytes) {
  std::string out;
  for (const std::int64_t dim : dims) number(out, onnx_field::tensor_dims, static_cast<std::uint64_t>(dim));
  number(out, onnx_field::tensor_type, static_cast<std::uint64_t>(type));
  text(out, onnx_field::tensor_name, name);
  length(out, onnx_field::tensor_raw_data, bytes);
  return out;
}

}  // namespace

OnnxWriter::OnnxWriter(std::string_view graph_name, std::int64_t opset) : opset_(opset) {
  text(graph_, onnx_field::graph_name, graph_name);
}

void OnnxWriter::value_info(int field_number, std::string_view name, OnnxType type, const std::vector<OnnxDim>& dims) {
  std::string shape;
  for (const OnnxDim& dim : dims) {
    std::string one;
    if (dim.symbol.empty())
      number(one, onnx_field::dim_value, static_cast<std::uint64_t>(dim.value));
    else
      text(one, onnx_field::dim_symbol, dim.symbol);
    text(shape, onnx_field::shape_dim, one);
  }
  std::string tensor;
  number(tensor, onnx_field::tensor_type_element, static_cast<std::uint64_t>(type));
  text(tensor, onnx_field::tensor_type_shape, shape);
  std::string type_message;
  text(type_message, onnx_field::type_tensor, tensor);
  std::string value;
  text(value, onnx_field::value_name, name);
  text(value, onnx_field::value_type, type_message);
  text(graph_, field_number, value);
}

void OnnxWriter::input(std::string_view name, OnnxType type, const std::vector<OnnxDim>& dims) {
  value_info(onnx_field::graph_input, name, type, dims);
}
void OnnxWriter::output(std::string_view name, OnnxType type, const std::vector<OnnxDim>& dims) {
  value_info(onnx_field::graph_output, name, type, dims);
}

std::string OnnxWriter::node(std::string_view op, std::initializer_list<std::string_view> inputs,
                             std::string_view output, const std::vector<OnnxAttribute>& attributes) {
  node_with_outputs(op, {inputs.begin(), inputs.end()}, {output}, output, attributes);
  return std::string(output);
}

void OnnxWriter::node_with_outputs(std::string_view op, const std::vector<std::string_view>& inputs,
                                   const std::vector<std::string_view>& outputs, std::string_view name,
                                   const std::vector<OnnxAttribute>& attributes) {
  std::string message;
  for (const std::string_view input : inputs) text(message, onnx_field::node_input, input);
  for (const std::string_view output : outputs) text(message, onnx_field::node_output, output);
  text(message, onnx_field::node_name, name);
  const std::size_t end_of_domain = op.find("::");
  const bool has_domain = end_of_domain != std::string_view::npos;
  text(message, onnx_field::node_op_type, has_domain ? op.substr(end_of_domain + 2) : op);
  for (const OnnxAttribute& attribute : attributes) text(message, onnx_field::node_attribute, encode(attribute));
  if (has_domain) {
    const std::string_view domain = op.substr(0, end_of_domain);
    text(message, onnx_field::node_domain, domain);
    if (std::find(domains_.begin(), domains_.end(), domain) == domains_.end()) domains_.emplace_back(domain);
  }
  text(graph_, onnx_field::graph_node, message);
}

std::string OnnxWriter::weight(std::string_view name, const std::vector<std::int64_t>& dims, float spread,
                               float centre) {
  std::uint64_t bytes = sizeof(float);
  for (const std::int64_t dim : dims) bytes *= static_cast<std::uint64_t>(dim);
  weights_.push_back({tensor_head(name, OnnxType::f32, dims, bytes), bytes, spread, centre});
  return std::string(name);
}

std::string OnnxWriter::packed_weight(std::string_view name, const std::vector<std::int64_t>& dims) {
  std::uint64_t bytes = 1;
  for (const std::int64_t dim : dims) bytes *= static_cast<std::uint64_t>(dim);
  weights_.push_back({tensor_head(name, OnnxType::u8, dims, bytes), bytes, 1.0F, 0});
  return std::string(name);
}

void OnnxWriter::small_tensor(std::string_view name, OnnxType type, const std::vector<std::int64_t>& dims,
                              std::string_view raw) {
  std::string message = tensor_head(name, type, dims, raw.size());
  message += raw;
  text(graph_, onnx_field::graph_initializer, message);
}

std::string OnnxWriter::constant(std::string_view name, const std::vector<std::int64_t>& dims,
                                 const std::vector<std::int64_t>& values) {
  small_tensor(name, OnnxType::i64, dims,
               {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(std::int64_t)});
  return std::string(name);
}

std::string OnnxWriter::constant(std::string_view name, float value) {
  small_tensor(name, OnnxType::f32, {}, {reinterpret_cast<const char*>(&value), sizeof value});
  return std::string(name);
}

std::uint64_t OnnxWriter::weight_bytes() const {
  std::uint64_t bytes = 0;
  for (const Weight& weight : weights_) bytes += weight.bytes;
  return bytes;
}

bool OnnxWriter::write(const std::string& path) const {
  std::uint64_t graph_bytes = graph_.size();
  for (const Weight& weight : weights_) {
    const std::uint64_t message = weight.head.size() + weight.bytes;
    graph_bytes += 1 + varint_size(message) + message;  // a key below field 16 takes one byte
  }
  std::string start;
  number(start, onnx_field::model_ir_version, 8);
  text(start, onnx_field::model_producer, "mo_generate");
  const auto import = [&](std::string_view domain, std::int64_t version) {
    std::string opset;
    text(opset, onnx_field::opset_domain, domain);
    number(opset, onnx_field::opset_version, static_cast<std::uint64_t>(version));
    text(start, onnx_field::model_opset_import, opset);
  };
  import("", opset_);
  for (const std::string& domain : domains_) import(domain, 1);
  length(start, onnx_field::model_graph, graph_bytes);

  FilePtr file(std::fopen(path.c_str(), "wb"));
  bool good = file && put(file.get(), start.data(), start.size()) && put(file.get(), graph_.data(), graph_.size());
  std::uint64_t seed = 1;
  for (const Weight& weight : weights_) {
    std::string head;
    length(head, onnx_field::graph_initializer, weight.head.size() + weight.bytes);
    head += weight.head;
    good = good && put(file.get(), head.data(), head.size()) &&
           put_noise(file.get(), weight.bytes, weight.spread, weight.centre, seed++ << 32);
  }
  good = file && std::fclose(file.release()) == 0 && good;
  if (!good) std::fprintf(stderr, "cannot write \"%s\": %s\n", path.c_str(), std::strerror(errno));
  return good;
}

}  // namespace mo::benchmarks
