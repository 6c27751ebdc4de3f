#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace mo::benchmarks {

/// One attribute of an ONNX node.
struct OnnxAttribute {
  enum class Kind { integer, real, integers };
  std::string_view name;
  Kind kind = Kind::integer;
  std::vector<std::int64_t> integers;
  float real = 0;

  static OnnxAttribute of(std::string_view name, std::int64_t value) { return {name, Kind::integer, {value}, 0}; }
  static OnnxAttribute of(std::string_view name, std::vector<std::int64_t> values) {
    return {name, Kind::integers, std::move(values), 0};
  }
  static OnnxAttribute of(std::string_view name, float value) { return {name, Kind::real, {}, value}; }
};

/// A dimension of a graph input or output: a size, or the name of an unknown one.
struct OnnxDim {
  std::int64_t value = 0;
  std::string_view symbol;
  OnnxDim(std::int64_t v) : value(v) {}  // NOLINT: implicit on purpose
  OnnxDim(const char* s) : symbol(s) {}  // NOLINT
};

/// TensorProto.DataType
enum class OnnxType : std::int32_t { f32 = 1, u8 = 2, i32 = 6, i64 = 7 };

/// Writes ONNX files without protobuf: messages are encoded into memory, but weights only when they are streamed to the
/// file, so that a model of any size takes little memory. Weights are noise from a seed: the same arguments give the
/// same bytes.
class OnnxWriter {
 public:
  OnnxWriter(std::string_view graph_name, std::int64_t opset);

  void input(std::string_view name, OnnxType type, const std::vector<OnnxDim>& dims);
  void output(std::string_view name, OnnxType type, const std::vector<OnnxDim>& dims);
  /// A node with one output, named as its output. Returns that name. An operator of another domain than that of ONNX is
  /// called "com.microsoft::MatMulNBits".
  std::string node(std::string_view op, std::initializer_list<std::string_view> inputs, std::string_view output,
                   const std::vector<OnnxAttribute>& attributes = {});
  void node_with_outputs(std::string_view op, const std::vector<std::string_view>& inputs,
                         const std::vector<std::string_view>& outputs, std::string_view name,
                         const std::vector<OnnxAttribute>& attributes);

  /// An f32 initializer of `centre` + noise in [-spread, spread], as raw_data. Returns its name.
  std::string weight(std::string_view name, const std::vector<std::int64_t>& dims, float spread, float centre = 0);
  /// A u8 initializer of noise.
  std::string packed_weight(std::string_view name, const std::vector<std::int64_t>& dims);
  /// A small initializer as raw_data.
  std::string constant(std::string_view name, const std::vector<std::int64_t>& dims,
                       const std::vector<std::int64_t>& values);
  std::string constant(std::string_view name, float value);

  /// Writes the model. False, with a message on stderr, when the file cannot be written.
  bool write(const std::string& path) const;
  std::uint64_t weight_bytes() const;

 private:
  struct Weight {
    std::string head;  ///< the TensorProto up to and without the bytes of raw_data
    std::uint64_t bytes = 0;
    float spread = 0;
    float centre = 0;
  };
  void value_info(int field, std::string_view name, OnnxType type, const std::vector<OnnxDim>& dims);
  void small_tensor(std::string_view name, OnnxType type, const std::vector<std::int64_t>& dims, std::string_view raw);

  std::string graph_;  ///< encoded fields of GraphProto, all but the weights
  std::vector<Weight> weights_;
  std::int64_t opset_;
  std::vector<std::string> domains_;  ///< besides that of ONNX
};

}  // namespace mo::benchmarks
