#include "frontends/onnx/model_proto/side_tensors.hpp"

#include <array>

#include "core/execution/constant_reader.hpp"
#include "core/support/budget.hpp"

namespace mo::onnx {
namespace {

/// As the helpers of ONNX (onnx.external_data_helper): smaller tensors stay in the model.
constexpr std::uint64_t kSmallest = 1024;
/// ONNX: "offset values SHOULD be multiples of the page size (usually 4kb) to enable mmap support".
constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kSmallestMapped = std::uint64_t{1} << 20;
/// What vector loads like.
constexpr std::uint64_t kAlignment = 64;

std::uint64_t padded(std::uint64_t offset, std::uint64_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

}  // namespace

bool SideTensors::takes(const Tensor& tensor) {
  return tensor.byte_size() >= kSmallest && tensor.element_type() != ElementType::string;
}

ExternalPlace SideTensors::place(const Tensor& tensor) {
  const std::uint64_t size = tensor.byte_size();
  const FileRange* const range = tensor.buffer()->file_range();
  // No device has the number -1.
  const Identity identity =
      range
          ? Identity{range->file->device(), range->file->inode(), range->offset + tensor.offset(), size}
          : Identity{~std::uint64_t{0}, reinterpret_cast<std::uintptr_t>(tensor.buffer().get()), tensor.offset(), size};
  const auto [known, is_new] = offsets_.try_emplace(identity, 0);
  if (is_new) {
    known->second = padded(bytes_, size >= kSmallestMapped ? kPage : kAlignment);
    bytes_ = known->second + size;
    tensors_.push_back({known->second, tensor});
  }
  return {location_, known->second};
}

Expected<void> EncodedModel::write(OutputFile& model) const {
  model.reserve(message.size());
  return message.write(model);
}

Expected<void> EncodedModel::write_beside(OutputFile& data) const {
  static constexpr std::array<std::byte, kPage> kZeros = {};
  data.reserve(beside_bytes);
  for (const Beside& each : beside) {
    const std::uint64_t size = each.tensor.byte_size();
    MO_TRY(spend(size));
    MO_TRY(data.write(std::span(kZeros).first(static_cast<std::size_t>(each.offset - data.size()))));
    MO_ASSIGN(const ConstantReader reader, ConstantReader::open(each.tensor));
    MO_TRY(reader.append_to(data));
  }
  return {};
}

}  // namespace mo::onnx
