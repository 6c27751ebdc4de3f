#include "frontends/tensorflow/checkpoint/slice_spec.hpp"
#include "frontends/tensorflow/fields.hpp"

#include <algorithm>
#include <bit>
#include <charconv>

namespace mo::tensorflow {

using frontends::WireField;
using frontends::WireReader;
using frontends::WireSource;

namespace {

std::optional<std::int64_t> parse_integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, cause] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (cause != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The part of `text` before `separator`; `text` becomes the rest, and empty with the last part.
std::string_view take(std::string_view& text, char separator) {
  const std::size_t at = text.find(separator);
  const std::string_view part = text.substr(0, at);
  text = at == std::string_view::npos ? std::string_view() : text.substr(at + 1);
  return part;
}

std::optional<Extent> parse_extent(std::string_view text) {
  if (text == "-") return Extent{};
  const auto start = parse_integer(take(text, ','));
  const auto length = parse_integer(text);
  if (!start || !length || *start < 0 || *length <= 0) return std::nullopt;
  return Extent{*start, *length};
}

/// Ordered code of an unsigned number: how many bytes, then the bytes, highest first.
void put_unsigned(std::string& out, std::uint64_t value) {
  const int bytes = (std::bit_width(value) + 7) / 8;
  out += static_cast<char>(bytes);
  for (int i = bytes - 1; i >= 0; --i) out += static_cast<char>((value >> (8 * i)) & 0xFFU);
}

/// Ordered code of a signed number of n bytes: the highest n bits are ones (all bits are inverted when it is negative),
/// a zero follows, and the rest is the number, highest byte first. n bytes hold 7 n - 1 bits and the sign.
void put_signed(std::string& out, std::int64_t value) {
  const bool is_negative = value < 0;
  const std::uint64_t magnitude = is_negative ? ~static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
  const int bytes = std::bit_width(magnitude) / 7 + 1;
  for (int i = 0; i < bytes; ++i) {
    const int shift = 8 * (bytes - 1 - i);
    const std::uint64_t number = shift < 64 ? magnitude >> shift : 0;
    const int ones = std::clamp(bytes - 8 * i, 0, 8);  // of the mark, in this byte
    const auto byte = static_cast<unsigned>(number & 0xFFU) | (0xFF00U >> ones & 0xFFU);
    out += static_cast<char>(is_negative ? ~byte : byte);
  }
}

/// Ordered code of text: zeros and 255s are escaped, and 0 1 ends it.
void put_text(std::string& out, std::string_view text) {
  for (const char c : text) {
    out += c;
    if (c == '\0') out += '\xFF';
    if (c == '\xFF') out += '\0';
  }
  out += '\0';
  out += '\1';
}

}  // namespace

std::string encode_slice_key(std::string_view name, const std::vector<Extent>& extents) {
  std::string key;
  put_unsigned(key, 0);  // so that no name of a variable looks like it
  put_text(key, name);
  put_unsigned(key, extents.size());
  for (const Extent& extent : extents) {
    put_signed(key, extent.start);
    put_signed(key, extent.length);
  }
  return key;
}

std::string to_string(const std::vector<Extent>& extents) {
  std::string text;
  for (const Extent& extent : extents) {
    if (!text.empty()) text += ':';
    text += extent.length == Extent::kFull ? "-" : fmt::format("{},{}", extent.start, extent.length);
  }
  return text;
}

std::optional<std::vector<Extent>> resolve_extents(const std::vector<Extent>& extents, const Shape& shape) {
  if (extents.size() != shape.size()) return std::nullopt;
  std::vector<Extent> resolved = extents;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    Extent& extent = resolved[i];
    if (extent.length == Extent::kFull && extent.start == 0) {
      extent.length = shape[i];
      continue;
    }
    // As many whole dimensions are empty as the tensor has; a stated length is not.
    const bool is_whole = extent.start == 0 && extent.length == shape[i];
    if (extent.start < 0 || (extent.length <= 0 && !is_whole) || extent.start > shape[i] ||
        extent.length > shape[i] - extent.start)
      return std::nullopt;
  }
  return resolved;
}

Expected<std::optional<SliceSpec>> parse_shape_and_slice(std::string_view text) {
  if (text.empty()) return std::optional<SliceSpec>();
  const auto wrong = [&](std::string_view why) {
    return error("MO-TF-0420", "\"{}\" is not a shape and slice: {}", text.substr(0, 200), why)
        .hint(
            "it looks like \"10 20 0,5:-\": sizes, then start and length (or \"-\") of each dimension; save the "
            "checkpoint again");
  };
  SliceSpec spec;
  const std::size_t last = text.rfind(' ');
  if (last == std::string_view::npos) return wrong("there is no space between shape and slice");
  std::string_view sizes = text.substr(0, last);
  do {
    const auto size = parse_integer(take(sizes, ' '));
    if (!size || *size < 0) return wrong("a size is not a number");
    spec.shape.push_back(*size);
  } while (!sizes.empty() && spec.shape.size() <= kMostDimensions);
  if (spec.shape.size() > kMostDimensions || !element_count(spec.shape)) return wrong("the shape is too large");
  std::vector<Extent> extents;
  std::string_view slice = text.substr(last + 1);
  while (!slice.empty() && extents.size() <= kMostDimensions) {
    const std::string_view part = take(slice, ':');
    if (part.empty()) continue;  // TensorFlow skips empty parts
    const auto extent = parse_extent(part);
    if (!extent) return wrong("a part is neither \"-\" nor \"start,length\"");
    extents.push_back(*extent);
  }
  auto resolved = resolve_extents(extents, spec.shape);
  if (!resolved) return wrong("the slice does not lie in the shape");
  spec.extents = *std::move(resolved);
  return std::optional(std::move(spec));
}

Expected<std::vector<Extent>> read_extents(WireSource& source, const WireField& message) {
  std::vector<Extent> extents;
  MO_ASSIGN(WireReader reader, message_of(source, message));
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    if (field.number != slice_field::kExtent) return {};
    Extent extent;
    MO_ASSIGN(WireReader parts, message_of(source, field));
    bool has_length = false;
    MO_TRY(parts.each([&](const WireField& part) -> Expected<void> {
      if (part.number == extent_field::kStart) {
        MO_ASSIGN(extent.start, integer_of(part));
      } else if (part.number == extent_field::kLength) {
        MO_ASSIGN(extent.length, integer_of(part));
        has_length = true;
      }
      return {};
    }));
    if (extents.size() == kMostDimensions || extent.start < 0 || (has_length ? extent.length <= 0 : extent.start != 0))
      return error("MO-TF-0417", "a slice of a variable begins at {} and has length {} in dimension {}", extent.start,
                   extent.length, extents.size())
          .hint("the checkpoint is corrupt: copy or save it again");
    extents.push_back(extent);
    return {};
  }));
  return extents;
}

}  // namespace mo::tensorflow
