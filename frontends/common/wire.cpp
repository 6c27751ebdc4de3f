#include "frontends/common/wire.hpp"

#include <array>
#include <bit>
#include <charconv>

#include "core/support/progress.hpp"

namespace mo::frontends {

// Fixed-size numbers of the wire format are little-endian, and tensors refer to them in place.
static_assert(std::endian::native == std::endian::little, "mo runs on little-endian machines");

namespace {

constexpr std::uint64_t kFirstRead = 16 * 1024;
constexpr std::uint64_t kSmallSkip = 2 * 1024;
constexpr std::uint64_t kMaxFieldNumber = (std::uint64_t{1} << 29) - 1;
constexpr std::uint64_t kShortText = 64 * 1024;
constexpr std::string_view kDamaged = "the file is corrupt, truncated, or in another format";

}  // namespace

std::string_view to_string(WireType type) {
  switch (type) {
    case WireType::varint: return "varint";
    case WireType::fixed64: return "64-bit number";
    case WireType::bytes: return "bytes";
    case WireType::group: return "group";
    case WireType::fixed32: return "32-bit number";
  }
  return "unknown";
}

double as_written(float narrow) {
  char text[32];
  const auto printed = std::to_chars(text, text + sizeof text, narrow);
  double wide = narrow;
  if (std::from_chars(text, printed.ptr, wide).ec != std::errc()) return narrow;
  return wide;
}

Expected<BufferPtr> copy_to_buffer(std::string_view bytes) {
  MO_ASSIGN(std::shared_ptr<HeapBuffer> buffer, HeapBuffer::allocate(bytes.size()));
  if (!bytes.empty()) std::memcpy(buffer->mutable_bytes(), bytes.data(), bytes.size());
  return BufferPtr(std::move(buffer));
}

WireSource::WireSource(FilePtr file) : file_(std::move(file)), name_(file_->path()), size_(file_->size()) {}

WireSource::WireSource(BufferPtr memory, std::string name)
    : memory_(std::move(memory)), name_(std::move(name)), size_(memory_->size()) {
  MO_ASSERT(memory_->in_memory(), "a memory source that is not in memory");
  window_ = memory_->bytes();
  window_size_ = size_;
}

Expected<const std::byte*> WireSource::refill(std::uint64_t offset, std::uint64_t count) {
  MO_ASSERT(file_ && offset <= size_ && count <= size_ - offset && count <= kWindow, "a read outside of the source");
  // Going on about where the window ends (small messages are skipped): read ahead twice as much as before. Anywhere
  // else: start small.
  const bool sequential =
      window_size_ > 0 && offset >= window_offset_ && offset <= window_offset_ + window_size_ + kSmallSkip;
  next_read_ = sequential ? std::min(next_read_ * 2, kWindow) : kFirstRead;
  const std::uint64_t wanted = std::min(std::max(count, next_read_), size_ - offset);
  if (block_size_ < wanted) {
    block_size_ = std::bit_ceil(wanted);
    block_ = std::make_unique_for_overwrite<std::byte[]>(block_size_);
  }
  window_size_ = 0;
  progress::tell(offset, size_);
  MO_TRY(file_->read(offset, {block_.get(), static_cast<std::size_t>(wanted)}));
  window_ = block_.get();
  window_offset_ = offset;
  window_size_ = wanted;
  return window_;
}

Expected<void> WireSource::read(std::uint64_t offset, std::span<std::byte> out) const {
  if (file_) return file_->read(offset, out);
  MO_ASSERT(offset <= size_ && out.size() <= size_ - offset, "a read outside of the source");
  if (!out.empty()) std::memcpy(out.data(), memory_->bytes() + offset, out.size());
  return {};
}

Expected<BufferRange> WireSource::share(std::uint64_t offset, std::uint64_t size) const {
  if (!file_) return BufferRange{memory_, offset};
  MO_ASSIGN(BufferPtr range, FileBuffer::create(file_, offset, size));
  return BufferRange{std::move(range), 0};
}

WireReader::WireReader(WireSource& source, std::uint64_t offset, std::uint64_t size)
    : source_(&source), position_(offset), end_(offset + size) {
  MO_ASSERT(offset <= source.size() && size <= source.size() - offset, "a message outside of its source");
}

namespace detail {

int decode_varint(const std::byte* begin, const std::byte* end, std::uint64_t& value) {
  if (begin < end && std::to_integer<unsigned>(*begin) < 0x80U) {
    value = std::to_integer<std::uint64_t>(*begin);
    return 1;
  }
  std::uint64_t result = 0;
  for (int i = 0; i < 10; ++i) {
    if (begin + i >= end) return 0;
    const auto byte = std::to_integer<std::uint64_t>(begin[i]);
    result |= (byte & 0x7FU) << (7 * i);
    if (byte < 0x80U) {
      value = result;
      return i + 1;
    }
  }
  return -1;
}

Diagnostic bad_varint(int taken, std::uint64_t offset) {
  if (taken < 0)
    return error("MO-PB-0004", "a number at offset {} is longer than ten bytes", offset).hint("{}", kDamaged);
  return error("MO-PB-0001", "the data ends inside of a number at offset {}", offset).hint("{}", kDamaged);
}

}  // namespace detail

Expected<std::uint64_t> WireReader::read_varint() {
  // Nearly all tags and lengths are one byte.
  const std::byte* const near = position_ < end_ ? source_->near_byte(position_) : nullptr;
  if (near && std::to_integer<unsigned>(*near) < 0x80U) {
    ++position_;
    return std::to_integer<std::uint64_t>(*near);
  }
  const std::uint64_t available = std::min<std::uint64_t>(end_ - position_, 10);
  MO_ASSIGN(const std::byte* const at, source_->fetch(position_, available));
  std::uint64_t value = 0;
  const int taken = detail::decode_varint(at, at + available, value);
  if (taken <= 0) return detail::bad_varint(taken, position_);
  position_ += static_cast<std::uint64_t>(taken);
  return value;
}

Expected<void> WireReader::read_tag(WireField& field, bool& is_group_end) {
  const std::uint64_t start = position_;
  MO_ASSIGN(const std::uint64_t tag, read_varint());
  const std::uint64_t number = tag >> 3U;
  if (number == 0 || number > kMaxFieldNumber)
    return error("MO-PB-0002", "there is no field number {} (at offset {})", number, start).hint("{}", kDamaged);
  const auto type = static_cast<unsigned>(tag & 7U);
  if (type > 5)
    return error("MO-PB-0003", "field {} at offset {} has wire type {}, which does not exist", number, start, type)
        .hint("{}", kDamaged);
  is_group_end = type == 4;
  field.number = static_cast<std::uint32_t>(number);
  field.type = static_cast<WireType>(type);
  return {};
}

Expected<void> WireReader::read_payload(WireField& field) {
  field.offset = position_;
  switch (field.type) {
    case WireType::varint: {
      MO_ASSIGN(field.value, read_varint());
      field.size = position_ - field.offset;
      return {};
    }
    case WireType::fixed32:
    case WireType::fixed64: {
      field.size = field.type == WireType::fixed32 ? 4 : 8;
      if (field.size > end_ - position_)
        return error("MO-PB-0001", "the data ends inside of field {} at offset {}", field.number, position_)
            .hint("{}", kDamaged);
      MO_ASSIGN(const std::byte* const at, source_->fetch(position_, field.size));
      field.value = 0;
      std::memcpy(&field.value, at, static_cast<std::size_t>(field.size));
      position_ += field.size;
      return {};
    }
    case WireType::bytes: {
      MO_ASSIGN(field.size, read_varint());
      field.offset = position_;
      if (field.size > end_ - position_)
        return error("MO-PB-0001", "field {} at offset {} claims {} bytes, {} are left", field.number, position_,
                     field.size, end_ - position_)
            .hint("{}", kDamaged);
      field.value = 0;
      position_ += field.size;
      return {};
    }
    case WireType::group: return skip_group(field);
  }
  return {};
}

Expected<void> WireReader::skip_group(WireField& field) {
  const std::uint64_t start = position_;
  std::array<std::uint32_t, kGroupDepth> open{};
  std::size_t depth = 0;
  open[depth++] = field.number;
  std::uint64_t content_end = position_;
  while (depth > 0) {
    if (position_ >= end_)
      return error("MO-PB-0005", "group {} before offset {} is never closed", open[depth - 1], start)
          .hint("{}", kDamaged);
    content_end = position_;
    WireField inner;
    bool is_end = false;
    MO_TRY(read_tag(inner, is_end));
    if (is_end) {
      if (open[depth - 1] != inner.number)
        return error("MO-PB-0005", "group {} is closed as group {} at offset {}", open[depth - 1], inner.number,
                     content_end)
            .hint("{}", kDamaged);
      --depth;
    } else if (inner.type == WireType::group) {
      if (depth == kGroupDepth)
        return error("MO-PB-0005", "groups are nested more than {} deep at offset {}", kGroupDepth, content_end)
            .hint("{}", kDamaged);
      open[depth++] = inner.number;
    } else {
      MO_TRY(read_payload(inner));  // never a group: no recursion
    }
  }
  field.value = 0;
  field.offset = start;
  field.size = content_end - start;
  return {};
}

Expected<bool> WireReader::next(WireField& field) {
  if (position_ >= end_) return false;
  const std::uint64_t start = position_;
  bool is_group_end = false;
  MO_TRY(read_tag(field, is_group_end));
  if (is_group_end)
    return error("MO-PB-0005", "group {} ends at offset {} but was never opened", field.number, start)
        .hint("{}", kDamaged);
  MO_TRY(read_payload(field));
  return true;
}

Diagnostic wrong_wire_type(const WireField& field, std::string_view wanted) {
  return error("MO-PB-0006", "field {} at offset {} is encoded as {}, expected {}", field.number, field.offset,
               to_string(field.type), wanted)
      .hint("the file is a protobuf message of another type, or corrupt");
}

Diagnostic malformed_packed(const WireField& field) {
  return error("MO-PB-0007", "the {} bytes of field {} at offset {} are not a whole number of elements", field.size,
               field.number, field.offset)
      .hint("{}", kDamaged);
}

Expected<WireReader> message_of(WireSource& source, const WireField& field) {
  if (field.type != WireType::bytes) return wrong_wire_type(field, to_string(WireType::bytes));
  return WireReader(source, field.offset, field.size);
}

Expected<std::int64_t> integer_of(const WireField& field) {
  if (field.type != WireType::varint) return wrong_wire_type(field, to_string(WireType::varint));
  return static_cast<std::int64_t>(field.value);
}

Expected<float> float_of(const WireField& field) {
  if (field.type != WireType::fixed32) return wrong_wire_type(field, to_string(WireType::fixed32));
  return std::bit_cast<float>(static_cast<std::uint32_t>(field.value));
}

Expected<double> double_of(const WireField& field) {
  if (field.type != WireType::fixed64) return wrong_wire_type(field, to_string(WireType::fixed64));
  return std::bit_cast<double>(field.value);
}

namespace {

Expected<void> check_text(const WireField& field, std::uint64_t limit) {
  if (field.type != WireType::bytes) return wrong_wire_type(field, to_string(WireType::bytes));
  if (field.size > limit)
    return error("MO-PB-0008", "the string in field {} at offset {} has {} bytes, more than {}", field.number,
                 field.offset, field.size, limit)
        .hint("names of this length are not supported; export the model with shorter names");
  return {};
}

}  // namespace

Expected<std::string> text_of(WireSource& source, const WireField& field, std::uint64_t limit) {
  MO_TRY(check_text(field, limit));
  if (field.size <= kShortText) {  // through the window: most texts are short and lie in it
    MO_ASSIGN(const std::string_view view, short_text_of(source, field));
    return std::string(view);
  }
  std::string text(static_cast<std::size_t>(field.size), '\0');
  MO_TRY(source.read(field.offset, std::as_writable_bytes(std::span(text))));
  return text;
}

Expected<std::string_view> short_text_of(WireSource& source, const WireField& field) {
  MO_TRY(check_text(field, kShortText));
  MO_ASSIGN(const std::byte* const at, source.fetch(field.offset, field.size));
  return std::string_view(reinterpret_cast<const char*>(at), static_cast<std::size_t>(field.size));
}

}  // namespace mo::frontends
