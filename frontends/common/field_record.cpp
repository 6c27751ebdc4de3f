#include "frontends/common/field_record.hpp"

namespace mo::frontends {
namespace {

/// A short payload is copied: a stretch of a file costs more than its bytes.
constexpr std::uint64_t kCopied = 4096;

}  // namespace

// A record is [number, wire type, payload]; the payload of a number is the number.
Expected<AttributeValue> record_of(WireSource& source, const WireField& field) {
  AttributeList record{std::int64_t{field.number}, static_cast<std::int64_t>(field.type)};
  if (field.type != WireType::bytes && field.type != WireType::group) {
    record.emplace_back(static_cast<std::int64_t>(field.value));
    return AttributeValue(std::move(record));
  }
  const Shape shape{static_cast<std::int64_t>(field.size)};
  if (field.size <= kCopied) {
    MO_ASSIGN(Tensor copy, Tensor::allocate(ElementType::u8, shape));
    MO_TRY(source.read(field.offset, copy.mutable_bytes()));
    record.emplace_back(std::move(copy));
  } else {
    MO_ASSIGN(BufferRange range, source.share(field.offset, field.size));
    MO_ASSIGN(Tensor stretch, Tensor::from_buffer(ElementType::u8, shape, std::move(range.buffer), range.offset));
    record.emplace_back(std::move(stretch));
  }
  return AttributeValue(std::move(record));
}

Expected<AttributeList> records_but(WireSource& source, const WireField& message,
                                    std::initializer_list<std::uint32_t> left_out) {
  AttributeList records;
  MO_ASSIGN(WireReader reader, message_of(source, message));
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    if (std::find(left_out.begin(), left_out.end(), field.number) != left_out.end()) return {};
    MO_ASSIGN(AttributeValue record, record_of(source, field));
    records.push_back(std::move(record));
    return {};
  }));
  return records;
}

std::uint32_t number_of_record(const AttributeValue& record) {
  const AttributeList* const parts = record.get_if<AttributeList>();
  const std::int64_t* const number = parts && parts->size() == 3 ? (*parts)[0].get_if<std::int64_t>() : nullptr;
  return number ? static_cast<std::uint32_t>(*number) : 0;
}

const Tensor* payload_of_record(const AttributeValue& record) {
  const AttributeList* const parts = record.get_if<AttributeList>();
  return parts && parts->size() == 3 ? (*parts)[2].get_if<Tensor>() : nullptr;
}

bool is_as_read(const AttributeValue& now, const AttributeValue& read) {
  const Tensor* const a = now.get_if<Tensor>();
  const Tensor* const b = read.get_if<Tensor>();
  if (a && b)
    return a->buffer() == b->buffer() && a->offset() == b->offset() && a->element_type() == b->element_type() &&
           a->shape() == b->shape();
  return now == read;
}

void encode_record(const AttributeValue& record, Encoding& out) {
  const std::uint32_t number = number_of_record(record);
  if (number == 0) return;
  const AttributeList& parts = *record.get_if<AttributeList>();
  const auto type = static_cast<WireType>(*parts[1].get_if<std::int64_t>());
  if (const Tensor* payload = payload_of_record(record)) {
    if (type == WireType::bytes) return out.tensor_bytes(number, *payload);
    // A group: its end is a tag of type 4.
    out.tag(number, type);
    out.append(*payload);
    return out.tag(number, static_cast<WireType>(4));
  }
  const auto value = static_cast<std::uint64_t>(*parts[2].get_if<std::int64_t>());
  out.tag(number, type);
  if (type == WireType::varint) return out.varint(value);
  out.fixed(&value, type == WireType::fixed32 ? 4 : 8);
}

}  // namespace mo::frontends
