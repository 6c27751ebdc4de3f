#include "frontends/common/encoding.hpp"

#include <cstring>

#include "core/execution/constant_reader.hpp"

namespace mo::frontends {
namespace {

/// Tensors up to this size become part of the bytes.
constexpr std::uint64_t kInlined = 4096;

bool is_same_stretch(const Tensor& tensor, const BufferRange& range) {
  const FileRange* const here = tensor.buffer()->file_range();
  const FileRange* const there = range.buffer->file_range();
  if (here && there) return here->file == there->file && here->offset + tensor.offset() == there->offset + range.offset;
  return tensor.buffer() == range.buffer && tensor.offset() == range.offset;
}

}  // namespace

void Encoding::clear() {
  bytes_.clear();
  inserts_.clear();
  inserted_ = 0;
}

void Encoding::varint(std::uint64_t value) {
  while (value >= 0x80) {
    bytes_.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  bytes_.push_back(static_cast<char>(value));
}

void Encoding::tag(std::uint32_t field, WireType type) {
  varint(std::uint64_t{field} << 3 | static_cast<std::uint64_t>(type));
}

void Encoding::integer(std::uint32_t field, std::int64_t value) {
  tag(field, WireType::varint);
  varint(static_cast<std::uint64_t>(value));
}

void Encoding::real(std::uint32_t field, float value) {
  tag(field, WireType::fixed32);
  fixed(&value, sizeof value);
}

void Encoding::bytes(std::uint32_t field, std::string_view value) {
  tag(field, WireType::bytes);
  varint(value.size());
  bytes_.append(value);
}

void Encoding::message(std::uint32_t field, const Encoding& inner) {
  tag(field, WireType::bytes);
  varint(inner.size());
  append(inner);
}

void Encoding::append(const Encoding& other) {
  for (const Insert& insert : other.inserts_) inserts_.push_back({bytes_.size() + insert.position, insert.tensor});
  bytes_.append(other.bytes_);
  inserted_ += other.inserted_;
}

void Encoding::append(const Tensor& tensor) {
  if (tensor.byte_size() == 0) return;
  if (tensor.in_memory() && tensor.byte_size() <= kInlined) {
    const auto bytes = tensor.bytes();
    fixed(bytes.data(), bytes.size());
    return;
  }
  inserts_.push_back({bytes_.size(), tensor});
  inserted_ += tensor.byte_size();
}

void Encoding::tensor_bytes(std::uint32_t field, const Tensor& tensor) {
  tag(field, WireType::bytes);
  varint(tensor.byte_size());
  append(tensor);
}

Expected<void> Encoding::write(OutputFile& file) const {
  std::size_t done = 0;
  const auto write_until = [&](std::size_t end) {
    const std::size_t begin = std::exchange(done, end);
    return file.write(std::as_bytes(std::span(bytes_.data() + begin, end - begin)));
  };
  for (const Insert& insert : inserts_) {
    MO_TRY(write_until(insert.position));
    MO_ASSIGN(const ConstantReader reader, ConstantReader::open(insert.tensor));
    MO_TRY(reader.append_to(file));
  }
  return write_until(bytes_.size());
}

Expected<void> Encoding::append_to(std::string& text) const {
  std::size_t done = 0;
  for (const Insert& insert : inserts_) {
    text.append(bytes_, done, insert.position - done);
    done = insert.position;
    MO_ASSIGN(const Tensor loaded, insert.tensor.load());
    text.append(reinterpret_cast<const char*>(loaded.bytes().data()), loaded.bytes().size());
  }
  text.append(bytes_, done);
  return {};
}

Expected<bool> Encoding::is_at(WireSource& source, const WireField& place) const {
  if (size() != place.size) return false;
  std::uint64_t at = place.offset;
  std::size_t done = 0;
  const auto is_equal_until = [&](std::size_t end) -> Expected<bool> {
    while (done < end) {
      const std::uint64_t piece = std::min<std::uint64_t>(end - done, WireSource::kWindow);
      MO_ASSIGN(const std::byte* const there, source.fetch(at, piece));
      if (std::memcmp(there, bytes_.data() + done, piece) != 0) return false;
      at += piece;
      done += piece;
    }
    return true;
  };
  for (const Insert& insert : inserts_) {
    MO_ASSIGN(const bool equal, is_equal_until(insert.position));
    if (!equal) return false;
    MO_ASSIGN(const BufferRange range, source.share(at, insert.tensor.byte_size()));
    if (!is_same_stretch(insert.tensor, range)) return false;
    at += insert.tensor.byte_size();
  }
  return is_equal_until(bytes_.size());
}

}  // namespace mo::frontends
