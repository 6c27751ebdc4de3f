#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/tensor/buffer.hpp"

namespace mo::frontends {

/// How a field of a protobuf message is encoded. Groups are skipped as a whole; their end never shows.
enum class WireType : std::uint8_t { varint = 0, fixed64 = 1, bytes = 2, group = 3, fixed32 = 5 };

std::string_view to_string(WireType type);

/// One field of a message. `offset` and `size` tell where its payload lies in the source: the content of a string,
/// message or packed array, or the bytes of the number itself.
struct WireField {
  std::uint32_t number = 0;
  WireType type = WireType::varint;
  std::uint64_t value = 0;  ///< of varint, fixed32 and fixed64
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

/// A stretch of a buffer: what a tensor can be made of without a copy.
struct BufferRange {
  BufferPtr buffer;
  std::uint64_t offset = 0;
};

/// The bytes as a buffer of their own, to be scanned from memory. Error MO-CORE-0001.
Expected<BufferPtr> copy_to_buffer(std::string_view bytes);

/// The bytes that are scanned: a file seen through a bounded window (pread, no mapping), or memory. All readers of the
/// messages of one file share one source. The window grows while reading goes on sequentially and starts small after a
/// jump, so that skipping over large tensors reads next to nothing of them.
class WireSource {
 public:
  /// The most that `fetch` gives in one piece.
  static constexpr std::uint64_t kWindow = std::uint64_t{1} << 20;

  explicit WireSource(FilePtr file);
  /// `memory` is in memory (asserted); `name` is for messages.
  WireSource(BufferPtr memory, std::string name);
  WireSource(const WireSource&) = delete;
  WireSource& operator=(const WireSource&) = delete;

  std::uint64_t size() const { return size_; }
  const std::string& name() const { return name_; }

  /// `count` bytes from `offset` in one piece, valid until the next call. They lie in the source and in kWindow
  /// (asserted). Error MO-IO-0003 when reading fails.
  Expected<const std::byte*> fetch(std::uint64_t offset, std::uint64_t count) {
    if (offset >= window_offset_ && offset - window_offset_ <= window_size_ &&
        count <= window_size_ - (offset - window_offset_))
      return window_ + (offset - window_offset_);
    return refill(offset, count);
  }
  /// The byte at `offset`, when it is in the window; else null.
  const std::byte* near_byte(std::uint64_t offset) const {
    return offset >= window_offset_ && offset - window_offset_ < window_size_ ? window_ + (offset - window_offset_)
                                                                              : nullptr;
  }
  /// Fills `out` from `offset`, of any size. Error MO-IO-0003.
  Expected<void> read(std::uint64_t offset, std::span<std::byte> out) const;
  /// The bytes as a buffer, without copying: a range of the file, or the memory itself. Error MO-IO-0004.
  Expected<BufferRange> share(std::uint64_t offset, std::uint64_t size) const;

 private:
  Expected<const std::byte*> refill(std::uint64_t offset, std::uint64_t count);

  FilePtr file_;
  BufferPtr memory_;
  std::string name_;
  std::uint64_t size_ = 0;
  std::unique_ptr<std::byte[]> block_;
  std::uint64_t block_size_ = 0;
  const std::byte* window_ = nullptr;
  std::uint64_t window_offset_ = 0;
  std::uint64_t window_size_ = 0;
  std::uint64_t next_read_ = 0;
};

/// Iterates over the fields of one message. Cheap to make; nothing is allocated per field. Whatever is malformed is an
/// error that names the offset in the file: MO-PB-0001 (truncated, or a length beyond the message), MO-PB-0002 (field
/// number 0 or too large), MO-PB-0003 (unknown wire type), MO-PB-0004 (endless varint), MO-PB-0005 (groups that do not
/// match or are nested too deeply).
class WireReader {
 public:
  static constexpr std::size_t kGroupDepth = 100;

  /// The message that is `size` bytes at `offset`; they lie in the source (asserted).
  WireReader(WireSource& source, std::uint64_t offset, std::uint64_t size);
  /// The whole source as one message.
  explicit WireReader(WireSource& source) : WireReader(source, 0, source.size()) {}

  /// Reads the next field; false at the end of the message.
  Expected<bool> next(WireField& field);

  /// Calls `fn(field)`, which returns Expected<void>, for all remaining fields.
  template <class Fn>
  Expected<void> each(Fn&& fn) {
    WireField field;
    for (;;) {
      auto more = next(field);
      if (!more) return std::move(more).error();
      if (!*more) return {};
      if (auto done = fn(std::as_const(field)); !done) return std::move(done).error();
    }
  }

 private:
  Expected<void> read_tag(WireField& field, bool& is_group_end);
  Expected<void> read_payload(WireField& field);
  Expected<void> skip_group(WireField& field);
  Expected<std::uint64_t> read_varint();

  WireSource* source_;
  std::uint64_t position_;
  std::uint64_t end_;
};

/// The whole source, as a field that holds a message.
inline WireField whole_of(const WireSource& source) {
  return {.number = 0, .type = WireType::bytes, .offset = 0, .size = source.size()};
}

// -- typed access to a field; each checks the wire type (error MO-PB-0006) --------------------------------------------

/// The message in the field.
Expected<WireReader> message_of(WireSource& source, const WireField& field);
/// int32, int64, enum, bool.
Expected<std::int64_t> integer_of(const WireField& field);
Expected<float> float_of(const WireField& field);
Expected<double> double_of(const WireField& field);
/// The number with the shortest decimal text that is this float: 0.001, not 0.00100000005. It is what the model's
/// author wrote, and it prints and parses as such.
double as_written(float narrow);
/// The bytes as text; at most `limit` of them (error MO-PB-0008).
Expected<std::string> text_of(WireSource& source, const WireField& field, std::uint64_t limit = std::uint64_t{1} << 31);
/// The same without a copy, valid until the next read of the source; at most 64 KB (error MO-PB-0008).
Expected<std::string_view> short_text_of(WireSource& source, const WireField& field);

/// Error MO-PB-0006: the field has another wire type than its schema says.
Diagnostic wrong_wire_type(const WireField& field, std::string_view wanted);
/// Error MO-PB-0007: a packed array that is no whole number of elements.
Diagnostic malformed_packed(const WireField& field);

namespace detail {

/// Bytes that the varint at [begin, end) takes: 0 when it is cut off, -1 when it is longer than ten bytes.
int decode_varint(const std::byte* begin, const std::byte* end, std::uint64_t& value);
Diagnostic bad_varint(int taken, std::uint64_t offset);

}  // namespace detail

/// Calls `fn(std::uint64_t)`, which returns Expected<void>, for each varint of a repeated field, packed or not.
template <class Fn>
Expected<void> each_varint(WireSource& source, const WireField& field, Fn&& fn) {
  if (field.type == WireType::varint) return fn(field.value);
  if (field.type != WireType::bytes) return wrong_wire_type(field, "varint");
  std::uint64_t position = field.offset;
  const std::uint64_t end = field.offset + field.size;
  while (position < end) {
    const std::uint64_t piece = std::min<std::uint64_t>(end - position, 16 * 1024);
    MO_ASSIGN(const std::byte* const begin, source.fetch(position, piece));
    const std::byte* at = begin;
    const std::byte* const stop = begin + piece;
    // A varint that is cut off by the end of the piece starts the next piece.
    while (at < stop && (stop - at >= 10 || position + piece == end || at == begin)) {
      std::uint64_t value = 0;
      const int taken = detail::decode_varint(at, stop, value);
      if (taken <= 0) return detail::bad_varint(taken, position + static_cast<std::uint64_t>(at - begin));
      at += taken;
      // `fn` must not read the source: the window would move away.
      if (auto done = fn(value); !done) return std::move(done).error();
    }
    position += static_cast<std::uint64_t>(at - begin);
  }
  return {};
}

/// Calls `fn(T)` for each fixed-size number of a repeated field, packed or not. T: float, double.
template <class T, class Fn>
Expected<void> each_fixed(WireSource& source, const WireField& field, Fn&& fn) {
  constexpr WireType single = sizeof(T) == 4 ? WireType::fixed32 : WireType::fixed64;
  if (field.type != WireType::bytes && field.type != single) return wrong_wire_type(field, to_string(single));
  if (field.size % sizeof(T) != 0) return malformed_packed(field);
  constexpr std::uint64_t step = 16 * 1024;
  for (std::uint64_t done = 0; done < field.size; done += step) {
    const std::uint64_t piece = std::min(field.size - done, step);
    MO_ASSIGN(const std::byte* const begin, source.fetch(field.offset + done, piece));
    for (std::uint64_t i = 0; i < piece; i += sizeof(T)) {
      T value;
      std::memcpy(&value, begin + i, sizeof value);
      if (auto result = fn(value); !result) return std::move(result).error();
    }
  }
  return {};
}

}  // namespace mo::frontends
