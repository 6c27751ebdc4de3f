#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/wire_writer.hpp"

namespace mo::benchmarks {

/// One attribute of a TensorFlow node.
struct TensorFlowAttribute {
  std::string_view name;
  std::string value;  ///< an encoded AttrValue

  static TensorFlowAttribute type(std::string_view name);  ///< DT_FLOAT
  static TensorFlowAttribute of(std::string_view name, std::string_view text);
  static TensorFlowAttribute of(std::string_view name, float value);
  static TensorFlowAttribute of(std::string_view name, bool value);
  static TensorFlowAttribute of(std::string_view name, const std::vector<std::int64_t>& list);
  static TensorFlowAttribute shape(std::string_view name, const std::vector<std::int64_t>& dims);
};

/// Writes a GraphDef node by node, without protobuf: a model of any size takes little memory. Weights are noise: the
/// same calls give the same bytes. Failures are kept and told by `finish`.
class TensorFlowWriter {
 public:
  explicit TensorFlowWriter(const std::string& path);

  std::string placeholder(std::string_view name, const std::vector<std::int64_t>& dims);
  /// A node; gives its name.
  std::string node(std::string_view op, const std::vector<std::string_view>& inputs, std::string_view name,
                   const std::vector<TensorFlowAttribute>& attributes = {});
  /// A Const of f32 noise as tensor_content.
  std::string weight(std::string_view name, const std::vector<std::int64_t>& dims, float spread, float centre = 0);
  /// A Const of i32.
  std::string integers(std::string_view name, const std::vector<std::int64_t>& values, bool is_scalar = false);

  /// Says whether all was written; prints why not.
  bool finish();

 private:
  void put(const std::string& bytes);

  std::string path_;
  wire::FilePtr file_;
  bool good_ = true;
  std::uint64_t seed_ = 1;
};

/// One f32 tensor of a checkpoint.
struct CheckpointTensor {
  std::string key;
  std::vector<std::int64_t> dims;
};

/// Writes a V2 checkpoint `<prefix>.index` and its shards, tensors dealt out in turn; they are noise.
bool write_checkpoint(const std::string& prefix, std::vector<CheckpointTensor> tensors, int shards);

}  // namespace mo::benchmarks
