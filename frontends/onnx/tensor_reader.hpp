#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "core/tensor/tensor.hpp"
#include "frontends/common/wire.hpp"
#include "frontends/onnx/external_data.hpp"

namespace mo::onnx {

struct NamedTensor {
  std::string name;
  Tensor tensor;
};

/// Reads TensorProto and SparseTensorProto messages of one source. Elements that are stored as a tensor stores them
/// become ranges of the file (raw_data, packed float_data and double_data, external data); others are decoded into
/// memory. Floating-point numbers of 4 and 8 bits become f16 (see SmallFloat), with note MO-ONNX-0471 for each type.
class TensorReader {
 public:
  /// Elements up to this size are copied, so that a small constant costs no file range.
  static constexpr std::uint64_t kCopied = 256;
  /// A shape with more dimensions is a damaged file.
  static constexpr std::size_t kMaxRank = 1024;
  /// A sparse tensor is made dense up to this size.
  static constexpr std::uint64_t kDenseLimit = std::uint64_t{1} << 30;

  TensorReader(frontends::WireSource& source, ExternalFiles& external, DiagnosticSink& sink)
      : source_(&source), external_(&external), sink_(&sink) {}

  /// Errors: MO-ONNX-0030 … MO-ONNX-0038, those of open_external, and MO-PB-*.
  Expected<NamedTensor> read(const frontends::WireField& message);
  /// Dense, zero where no value is given. Named as its values are.
  Expected<NamedTensor> read_sparse(const frontends::WireField& message);

  /// The data types of tensors that were widened.
  const std::set<std::int64_t>& widened_types() const { return widened_types_; }

 private:
  struct Header;
  Expected<Header> read_header(const frontends::WireField& message);
  Expected<Tensor> read_elements(const frontends::WireField& message, const Header& header);
  Expected<Tensor> from_range(const Header& header, BufferPtr buffer, std::uint64_t offset) const;
  Expected<Tensor> decode(const frontends::WireField& message, const Header& header);
  Expected<Tensor> decode_strings(const frontends::WireField& message, const Header& header);
  Expected<Tensor> widen(const Header& header, const Tensor& patterns);

  frontends::WireSource* source_;
  ExternalFiles* external_;
  DiagnosticSink* sink_;
  std::set<std::string> reported_;
  std::set<std::int64_t> widened_types_;
};

}  // namespace mo::onnx
