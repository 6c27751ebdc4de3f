#include "frontends/caffe/blob_reader.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "core/tensor/convert.hpp"
#include "frontends/caffe/fields.hpp"
#include "frontends/caffe/net.hpp"

namespace mo::caffe {
namespace {

using frontends::WireField;
using frontends::WireReader;
using frontends::WireSource;
using frontends::WireType;

/// Packed data up to this size is copied, so that a small blob costs no file range.
constexpr std::uint64_t kCopied = 256;

struct Header {
  std::optional<Shape> shape;
  Shape legacy = {0, 0, 0, 0};
  bool is_legacy = false;
};

/// The shape that a blob of `count` values has.
Expected<Shape> settled(const Header& header, std::uint64_t count, const std::string& owner) {
  Header h = header;
  if (count > 0 && h.legacy[0] == 0) h.legacy[0] = 1;  // mean images leave out the number of images
  Shape shape = h.shape ? *h.shape : h.is_legacy ? h.legacy : Shape{static_cast<std::int64_t>(count)};
  const bool is_negative = std::any_of(shape.begin(), shape.end(), [](std::int64_t d) { return d < 0; });
  const auto elements = is_negative ? std::nullopt : element_count(shape);
  if (!elements || !byte_size(ElementType::f32, *elements) || shape.size() > limits::kRank)
    return error("MO-CAFFE-0022", "{} has the impossible shape {}", owner, to_string(shape))
        .hint("the file is corrupt: compare its checksum, and copy or download it again");
  if (static_cast<std::uint64_t>(*elements) != count)
    return error("MO-CAFFE-0023", "{} has the shape {} and {} values", owner, to_string(shape), count)
        .hint("the file is corrupt or was edited: compare its checksum, and download it again");
  return shape;
}

Diagnostic no_values(const std::string& owner) {
  return error("MO-CAFFE-0024", "{} has no values", owner).hint("the weights were stripped from the file");
}

Expected<Tensor> from_packed(WireSource& source, const WireField& field, Shape shape) {
  MO_ASSIGN(frontends::BufferRange range, source.share(field.offset, field.size));
  MO_ASSIGN(Tensor tensor,
            Tensor::from_buffer(ElementType::f32, std::move(shape), std::move(range.buffer), range.offset));
  const bool is_aligned =
      !tensor.in_memory() || reinterpret_cast<std::uintptr_t>(tensor.bytes().data()) % alignof(float) == 0;
  if (is_aligned && tensor.byte_size() > kCopied) return tensor;
  MO_ASSIGN(const Tensor loaded, tensor.load());
  MO_ASSIGN(Tensor copy, Tensor::allocate(ElementType::f32, tensor.shape()));
  const auto bytes = loaded.bytes();
  std::copy(bytes.begin(), bytes.end(), copy.mutable_bytes().begin());
  return copy;
}

Expected<void> read_header(WireSource& source, const WireField& field, Header& header) {
  if (field.number >= blob_field::kNum && field.number <= blob_field::kWidth) {
    MO_ASSIGN(header.legacy[field.number - blob_field::kNum], integer_of(field));
    header.is_legacy = true;
    return {};
  }
  Shape shape;
  bool too_long = false;
  MO_ASSIGN(WireReader dims, frontends::message_of(source, field));
  MO_TRY(dims.each([&](const WireField& dim) -> Expected<void> {
    if (dim.number != blob_shape_field::kDim) return {};
    return frontends::each_varint(source, dim, [&](std::uint64_t value) -> Expected<void> {
      too_long = too_long || shape.size() == limits::kRank;
      if (!too_long) shape.push_back(static_cast<std::int64_t>(value));
      return {};
    });
  }));
  if (too_long) shape.push_back(-1);  // refused with the shape
  header.shape = std::move(shape);
  return {};
}

}  // namespace

Expected<Tensor> read_blob(WireSource& source, const WireField& message, const std::string& owner) {
  Header header;
  WireField packed;
  std::uint64_t pieces = 0;
  std::uint64_t singles = 0;
  std::uint64_t doubles = 0;
  bool is_raw = false;
  MO_ASSIGN(WireReader reader, frontends::message_of(source, message));
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    switch (field.number) {
      case blob_field::kNum:
      case blob_field::kChannels:
      case blob_field::kHeight:
      case blob_field::kWidth:
      case blob_field::kShape: return read_header(source, field, header);
      case blob_field::kData:
        if (field.type != WireType::bytes && field.type != WireType::fixed32)
          return frontends::wrong_wire_type(field, "packed floats");
        if (field.size % sizeof(float) != 0) return frontends::malformed_packed(field);
        packed = field;
        ++pieces;
        singles += field.size / sizeof(float);
        return {};
      case blob_field::kDoubleData:
        if (field.type != WireType::bytes && field.type != WireType::fixed64)
          return frontends::wrong_wire_type(field, "packed doubles");
        if (field.size % sizeof(double) != 0) return frontends::malformed_packed(field);
        doubles += field.size / sizeof(double);
        return {};
      case blob_field::kRawData: is_raw = true; return {};
      default: return {};
    }
  }));
  if (singles + doubles == 0 && is_raw)
    return error("MO-CAFFE-0024", "{} has its values in a form that only a fork of Caffe supports", owner)
        .hint("load the model with that fork and save it with 32-bit weights");
  // Caffe: doubles count when there are any.
  const bool is_double = doubles > 0;
  MO_ASSIGN(Shape shape, settled(header, is_double ? doubles : singles, owner));
  if (singles + doubles == 0 && !header.shape && !header.is_legacy) return no_values(owner);
  if (!is_double && pieces == 1 && packed.type == WireType::bytes) return from_packed(source, packed, std::move(shape));

  // Values one by one, in several pieces, or doubles: written out. The size is that of values that are in the file.
  MO_ASSIGN(Tensor tensor, Tensor::allocate(ElementType::f32, std::move(shape)));
  const auto out = tensor.mutable_values<float>();
  std::size_t done = 0;
  MO_ASSIGN(WireReader values, frontends::message_of(source, message));
  MO_TRY(values.each([&](const WireField& field) -> Expected<void> {
    if (field.number != (is_double ? blob_field::kDoubleData : blob_field::kData)) return {};
    const auto store = [&](auto value) -> Expected<void> {
      out[done++] = static_cast<float>(value);
      return {};
    };
    if (is_double) return frontends::each_fixed<double>(source, field, store);
    return frontends::each_fixed<float>(source, field, store);
  }));
  return tensor;
}

Expected<Tensor> read_blob(const TextMessage& message, const std::string& owner) {
  Header header;
  const std::array<std::string_view, 4> legacy = {"num", "channels", "height", "width"};
  for (std::size_t i = 0; i < legacy.size(); ++i) {
    header.is_legacy = header.is_legacy || message.has(legacy[i]);
    MO_ASSIGN(header.legacy[i], integer_field(message, legacy[i], 0));
  }
  MO_TRY(message.each("shape", [&](const TextValue& value, const TextField& field) -> Expected<void> {
    MO_ASSIGN(const TextMessage* const dims, message_of(value, field));
    Shape shape;
    MO_TRY(dims->each("dim", [&](const TextValue& dim, const TextField& dim_field) -> Expected<void> {
      MO_ASSIGN(const std::int64_t size, integer_of(dim, dim_field));
      shape.push_back(size);
      return {};
    }));
    header.shape = std::move(shape);
    return {};
  }));
  std::vector<double> values;
  const std::string_view data = message.has("double_data") ? "double_data" : "data";
  MO_TRY(message.each(data, [&](const TextValue& value, const TextField& field) -> Expected<void> {
    MO_ASSIGN(const double number, real_of(value, field));
    values.push_back(number);
    return {};
  }));
  if (values.empty() && !header.shape && !header.is_legacy) return no_values(owner);
  MO_ASSIGN(Shape shape, settled(header, values.size(), owner));
  return from_reals(ElementType::f32, std::move(shape), values);
}

}  // namespace mo::caffe
