#include "frontends/tensorflow/checkpoint/saved_values.hpp"

#include <algorithm>

#include "frontends/tensorflow/fields.hpp"
#include "frontends/tensorflow/tensor_reader.hpp"

namespace mo::tensorflow {

using frontends::WireField;
using frontends::WireReader;
using frontends::WireSource;
using frontends::WireType;

namespace {

/// How a list of values in a TensorProto is written.
struct ValueList {
  std::uint32_t number = 0;
  std::uint64_t width = 0;  ///< bytes of each; 0: varints; strings are one field each
};

ValueList list_of(const StoredType& stored) {
  using namespace tensor_field;
  switch (stored.element_type) {
    case ElementType::f32: return {stored.is_complex ? kComplexFloats : kFloats, 4};
    case ElementType::f64: return {stored.is_complex ? kComplexDoubles : kDoubles, 8};
    case ElementType::string: return {kStrings, 0};
    case ElementType::i64: return {kInt64s, 0};
    case ElementType::boolean: return {kBools, 0};
    case ElementType::f16:
    case ElementType::bf16: return {kHalves, 0};
    case ElementType::u32: return {kUint32s, 0};
    case ElementType::u64: return {kUint64s, 0};
    default: return {kInts, 0};
  }
}

void put_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7U) out += static_cast<char>((value & 0x7FU) | 0x80U);
  out += static_cast<char>(value);
}

/// The type and shape fields of a TensorProto.
std::string header_of(std::int64_t data_type, const StoredType& stored) {
  std::string dims;
  for (std::size_t i = 0; i + (stored.is_complex ? 1 : 0) < stored.shape.size(); ++i) {
    std::string size("\x08");
    put_varint(size, static_cast<std::uint64_t>(stored.shape[i]));
    dims += '\x12';
    put_varint(dims, size.size());
    dims += size;
  }
  std::string header("\x08");
  put_varint(header, static_cast<std::uint64_t>(data_type));
  header += '\x12';
  put_varint(header, dims.size());
  return header + dims;
}

/// What the values of a message look like.
struct Found {
  std::uint64_t count = 0;
  std::size_t fields = 0;
  WireField first;
  bool has_content = false;
};

Expected<Found> look_at(WireSource& source, const WireField& message, const ValueList& list) {
  Found found;
  MO_ASSIGN(WireReader reader, message_of(source, message));
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    found.has_content |= field.number == tensor_field::kContent && field.size > 0;
    if (field.number != list.number) return {};
    if (++found.fields == 1) found.first = field;
    if (list.number == tensor_field::kStrings) {
      ++found.count;
    } else if (list.width > 0) {
      found.count += field.size / list.width;
    } else {
      return each_varint(source, field,
                         [&](std::uint64_t) -> Expected<void> { return ++found.count, Expected<void>(); });
    }
    return {};
  }));
  return found;
}

}  // namespace

Expected<Tensor> read_saved_values(WireSource& source, const WireField& message, std::int64_t data_type,
                                   const StoredType& stored) {
  const ValueList list = list_of(stored);
  MO_ASSIGN(const Found found, look_at(source, message, list));
  const auto count = static_cast<std::uint64_t>(element_count(stored.shape).value_or(0));
  // A model may leave out values that repeat the last one; a checkpoint has all of them.
  if (!found.has_content && found.count != count)
    return error("MO-TF-0423", "a slice of type {} has {} values", stored.type().to_string(), found.count)
        .hint("the checkpoint is corrupt or was not copied completely: copy or save it again");
  const bool is_stored_so = list.width > 0 && found.fields == 1 && found.first.type == WireType::bytes &&
                            found.first.size == count * list.width;
  if (!found.has_content && is_stored_so && found.first.size > kCopiedTensor) {
    MO_ASSIGN(frontends::BufferRange range, source.share(found.first.offset, found.first.size));
    const bool is_aligned = !range.buffer->in_memory() ||
                            (reinterpret_cast<std::uintptr_t>(range.buffer->bytes()) + range.offset) % list.width == 0;
    if (is_aligned)
      return Tensor::from_buffer(stored.element_type, stored.shape, std::move(range.buffer), range.offset);
    MO_ASSIGN(Tensor copy, Tensor::allocate(stored.element_type, stored.shape));
    MO_TRY(source.read(found.first.offset, copy.mutable_bytes()));
    return copy;
  }
  // Fields of a message may come in any order, and the last one counts: the values, then type and shape.
  const std::string header = header_of(data_type, stored);
  MO_ASSIGN(std::shared_ptr<HeapBuffer> whole,
            HeapBuffer::allocate(message.size + header.size(), HeapBuffer::Content::any));
  MO_TRY(source.read(message.offset, {whole->mutable_bytes(), static_cast<std::size_t>(message.size)}));
  std::copy_n(reinterpret_cast<const std::byte*>(header.data()), header.size(), whole->mutable_bytes() + message.size);
  WireSource complete(std::move(whole), source.name());
  const WireField all{.number = 0, .type = WireType::bytes, .offset = 0, .size = complete.size()};
  return read_tensor(complete, all);
}

}  // namespace mo::tensorflow
