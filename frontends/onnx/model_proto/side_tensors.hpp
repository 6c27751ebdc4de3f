#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "core/tensor/tensor.hpp"
#include "frontends/onnx/encoding.hpp"
#include "frontends/onnx/model_proto/model_proto.hpp"

namespace mo::onnx {

/// Gives the tensors of a model their places in the file beside it.
class SideTensors {
 public:
  explicit SideTensors(std::string location) : location_(std::move(location)) {}

  /// Returns false for tensors that stay in the model: small ones and strings.
  static bool takes(const Tensor& tensor);
  /// The location is that of this object.
  ExternalPlace place(const Tensor& tensor);

  const std::vector<EncodedModel::Beside>& tensors() const { return tensors_; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  /// Where the bytes are: device, inode and offset of a file, or a buffer; and how many.
  using Identity = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>;

  std::string location_;
  std::map<Identity, std::uint64_t> offsets_;
  std::vector<EncodedModel::Beside> tensors_;
  std::uint64_t bytes_ = 0;
};

}  // namespace mo::onnx
