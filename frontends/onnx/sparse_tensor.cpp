#include <cstring>
#include <optional>

#include "core/support/budget.hpp"
#include "frontends/onnx/fields.hpp"
#include "frontends/onnx/tensor_reader.hpp"

namespace mo::onnx {

using frontends::WireField;
using frontends::WireReader;

Expected<NamedTensor> TensorReader::read_sparse(const WireField& message) {
  std::optional<NamedTensor> values;
  std::optional<NamedTensor> indices;
  Shape dims;
  MO_ASSIGN(WireReader reader, message_of(*source_, message));
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    if (field.number == sparse_tensor_field::kValues || field.number == sparse_tensor_field::kIndices) {
      MO_ASSIGN((field.number == sparse_tensor_field::kValues ? values : indices), read(field));
      return {};
    }
    if (field.number != sparse_tensor_field::kDims) return {};
    return each_varint(*source_, field, [&](std::uint64_t v) -> Expected<void> {
      if (dims.size() <= kMaxRank) dims.push_back(static_cast<std::int64_t>(v));
      return {};
    });
  }));
  const auto malformed = [&](const std::string& why) {
    return error("MO-ONNX-0036", "sparse tensor '{}' is malformed: {}", values ? values->name : "", why)
        .hint("the file is corrupt: compare its checksum, and download or export it again");
  };
  if (!values) return malformed("it has no values");
  const ElementType type = values->tensor.element_type();
  const auto count = dims.size() <= kMaxRank ? element_count(dims) : std::nullopt;
  if (!count) return malformed("its shape is impossible");
  if (values->tensor.rank() != 1) return malformed("its values are not a vector");
  if (bit_width(type) < 8) return malformed("its values have a type that cannot be sparse");
  const auto size = byte_size(type, *count);
  if (!size || *size > kDenseLimit || !may_grow_constant(*size - std::min(*size, values->tensor.byte_size())))
    return error("MO-ONNX-0038", "sparse tensor '{}' of shape {} is too large to be stored densely", values->name,
                 to_string(dims))
        .hint("the limit is {} bytes, for all sparse tensors four times the size of the model or 1 GB", kDenseLimit);
  const std::int64_t given = values->tensor.shape()[0];
  const auto rank = static_cast<std::int64_t>(dims.size());
  if (!indices && given > 0) return malformed("it has no indices");
  MO_ASSIGN(Tensor dense, Tensor::allocate(type, dims));
  if (given == 0) return NamedTensor{std::move(values->name), std::move(dense)};
  const Shape& form = indices->tensor.shape();
  const bool is_linear = form == Shape{given};
  if (indices->tensor.element_type() != ElementType::i64 || (!is_linear && form != Shape{given, rank}))
    return malformed(fmt::format("its indices are {}, expected i64[{}] or i64[{},{}]",
                                 indices->tensor.type().to_string(), given, given, rank));
  MO_ASSIGN(const Tensor at, indices->tensor.load());
  MO_ASSIGN(const Tensor from, values->tensor.load());
  const auto places = at.values<std::int64_t>();
  const auto out = dense.mutable_bytes();
  const std::size_t width = bit_width(type) / 8;
  std::int64_t previous = -1;
  for (std::int64_t i = 0; i < given; ++i) {
    std::int64_t place = 0;
    if (is_linear) {
      place = places[static_cast<std::size_t>(i)];
    } else {
      for (std::int64_t d = 0; d < rank; ++d) {
        const std::int64_t coordinate = places[static_cast<std::size_t>(i * rank + d)];
        const std::int64_t dim = dims[static_cast<std::size_t>(d)];
        if (coordinate < 0 || coordinate >= dim)
          return malformed(fmt::format("index {} is outside of [0, {})", coordinate, dim));
        place = place * dim + coordinate;
      }
    }
    if (place < 0 || place >= *count) return malformed(fmt::format("index {} is outside of [0, {})", place, *count));
    // ONNX SparseTensorProto: indices are in ascending order, without duplicates.
    if (place <= previous) return malformed(fmt::format("index {} follows index {}", place, previous));
    previous = place;
    std::memcpy(out.data() + static_cast<std::size_t>(place) * width,
                from.bytes().data() + static_cast<std::size_t>(i) * width, width);
  }
  return NamedTensor{std::move(values->name), std::move(dense)};
}

}  // namespace mo::onnx
