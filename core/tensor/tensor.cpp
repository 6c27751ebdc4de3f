#include "core/tensor/tensor.hpp"

namespace mo {

Expected<Tensor> Tensor::allocate(ElementType type, Shape shape, HeapBuffer::Content content) {
  const auto count = mo::element_count(shape);
  const auto bytes = count ? mo::byte_size(type, *count) : std::nullopt;
  if (!bytes)
    return error("MO-CORE-0002", "a tensor {}{} has no size that can be stored", to_string(type), to_string(shape))
        .hint("{}", is_named(type) ? "mo knows this element type by name only, and computes nothing of it"
                                   : "check the shapes of the model");
  MO_ASSIGN(std::shared_ptr<HeapBuffer> heap, HeapBuffer::allocate(*bytes, content));
  return from_buffer(type, std::move(shape), std::move(heap));
}

Expected<Tensor> Tensor::from_buffer(ElementType type, Shape shape, BufferPtr buffer, std::uint64_t offset) {
  const auto count = mo::element_count(shape);
  if (!count || !buffer || offset > buffer->size())
    return error("MO-CORE-0003", "a tensor {}{} does not fit its data", to_string(type), to_string(shape));
  // Strings have no fixed size: their buffer is the packed form of the IR (count, offsets, characters). Nor have types
  // that are known by name only.
  const auto bytes =
      has_own_size(type) ? std::optional<std::size_t>(buffer->size() - offset) : mo::byte_size(type, *count);
  if (!bytes || *bytes > buffer->size() - offset)
    return error("MO-CORE-0003", "a tensor {}{} needs {} bytes, its data has {}", to_string(type), to_string(shape),
                 bytes.value_or(0), buffer->size() - offset)
        .hint("the file is truncated or inconsistent");
  Tensor tensor;
  tensor.element_type_ = type;
  tensor.shape_ = std::move(shape);
  tensor.count_ = *count;
  tensor.bytes_ = *bytes;
  tensor.buffer_ = std::move(buffer);
  tensor.offset_ = offset;
  return tensor;
}

Expected<Tensor> Tensor::load() const {
  MO_ASSERT(buffer_, "load of an empty tensor");
  if (buffer_->in_memory()) return *this;
  Tensor loaded = *this;
  if (const FileRange* range = buffer_->file_range(); range && bytes_ != range->size) {
    // Only the part that this tensor sees.
    MO_ASSIGN(BufferPtr part, FileBuffer::create(range->file, range->offset + offset_, bytes_));
    MO_ASSIGN(loaded.buffer_, part->load());
    loaded.offset_ = 0;
    return loaded;
  }
  MO_ASSIGN(loaded.buffer_, buffer_->load());
  return loaded;
}

std::span<const std::byte> Tensor::bytes() const {
  MO_ASSERT(in_memory(), "bytes of a tensor that is not in memory");
  return {buffer_->bytes() + offset_, static_cast<std::size_t>(bytes_)};
}

std::span<std::byte> Tensor::mutable_bytes() {
  MO_ASSERT(in_memory() && buffer_.use_count() == 1, "writing to a shared tensor");
  return {const_cast<std::byte*>(buffer_->bytes()) + offset_, static_cast<std::size_t>(bytes_)};
}

void Tensor::check_access(ElementType stored, std::size_t size) const {
  MO_ASSERT(stored == element_type_, "elements read as another type");
  MO_ASSERT(size * static_cast<std::size_t>(count_) == bytes_, "elements of another size");
}

Tensor Tensor::reshaped(Shape shape) const {
  MO_ASSERT(mo::element_count(shape) == count_, "reshape changes the number of elements");
  Tensor result = *this;
  result.shape_ = std::move(shape);
  return result;
}

Tensor Tensor::reinterpreted(ElementType type) const {
  MO_ASSERT(bit_width(type) == bit_width(element_type_), "reinterpretation changes the width");
  Tensor result = *this;
  result.element_type_ = type;
  return result;
}

}  // namespace mo
