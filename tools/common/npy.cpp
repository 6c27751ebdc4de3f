#include "tools/common/npy.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <charconv>
#include <cstring>

#include "core/files/file.hpp"
#include "core/tensor/convert.hpp"
#include "core/tensor/packing.hpp"

namespace mo::tools {
namespace {

static_assert(std::endian::native == std::endian::little, "tensors and .npy files are copied byte by byte");

constexpr std::string_view kMagic = "\x93NUMPY";
/// numpy itself writes a few hundred bytes; version 2 would allow 4 GB.
constexpr std::size_t kMaxHeader = 64 * 1024;
constexpr std::size_t kMaxRank = 64;

struct TypeRow {
  std::string_view code;  ///< descr without the byte order
  ElementType type;
};
constexpr std::array<TypeRow, 12> kTypes{{{"b1", ElementType::boolean},
                                          {"i1", ElementType::i8},
                                          {"i2", ElementType::i16},
                                          {"i4", ElementType::i32},
                                          {"i8", ElementType::i64},
                                          {"u1", ElementType::u8},
                                          {"u2", ElementType::u16},
                                          {"u4", ElementType::u32},
                                          {"u8", ElementType::u64},
                                          {"f2", ElementType::f16},
                                          {"f4", ElementType::f32},
                                          {"f8", ElementType::f64}}};

struct Header {
  std::string descr;
  bool fortran_order = false;
  Shape shape;
};

/// Reads the Python dictionary literal `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }`.
class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : text_(text) {}

  Expected<Header> parse() {
    Header header;
    std::array<bool, 3> seen{};
    if (!take('{')) return fail("'{'");
    while (!take('}')) {
      std::string key;
      if (!string(key)) return fail("a key in quotes");
      if (!take(':')) return fail("':'");
      const int which = key == "descr" ? 0 : key == "fortran_order" ? 1 : key == "shape" ? 2 : -1;
      if (which < 0 || seen[static_cast<std::size_t>(which)])
        return fail("each of 'descr', 'fortran_order' and 'shape' once");
      seen[static_cast<std::size_t>(which)] = true;
      if (which == 0) {
        skip_spaces();
        if (peek() == '[')
          return error("MO-NPY-0003", "the array has a structured element type")
              .hint("save a plain array of numbers: numpy.save(file, array['field'])");
        if (!string(header.descr)) return fail("the element type in quotes");
      } else if (which == 1) {
        if (!boolean(header.fortran_order)) return fail("True or False");
      } else if (!tuple(header.shape)) {
        return fail("a tuple of sizes");
      }
      if (!take(',')) {
        if (take('}')) break;
        return fail("',' or '}'");
      }
    }
    skip_spaces();
    if (at_ != text_.size() || !(seen[0] && seen[1] && seen[2]))
      return fail("exactly 'descr', 'fortran_order' and 'shape'");
    return header;
  }

 private:
  Diagnostic fail(std::string_view wanted) const {
    return error("MO-NPY-0002", "the header is malformed at character {}: expected {}", at_, wanted)
        .hint("write the file again with numpy.save");
  }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_spaces() {
    while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r') ++at_;
  }
  bool take(char c) {
    skip_spaces();
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  bool word(std::string_view w) {
    skip_spaces();
    if (text_.substr(at_, w.size()) != w) return false;
    at_ += w.size();
    return true;
  }
  bool boolean(bool& out) {
    out = word("True");
    return out || word("False");
  }
  bool string(std::string& out) {
    skip_spaces();
    const char quote = peek();
    if (quote != '\'' && quote != '"') return false;
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) return false;
    out = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return true;
  }
  bool tuple(Shape& out) {
    if (!take('(')) return false;
    while (!take(')')) {
      skip_spaces();
      std::int64_t size = 0;
      const auto [end, problem] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), size);
      if (problem != std::errc() || size < 0 || out.size() == kMaxRank) return false;
      at_ = static_cast<std::size_t>(end - text_.data());
      out.push_back(size);
      if (!take(',')) return take(')');
    }
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

Expected<ElementType> element_type(const std::string& descr) {
  const std::string_view code = std::string_view(descr).substr(descr.empty() ? 0 : 1);
  for (const TypeRow& row : kTypes) {
    if (row.code != code) continue;
    const char order = descr.front();
    const bool one_byte = bit_width(row.type) == 8;
    if (order == '<' || order == '=' || (order == '|' && one_byte) || (order == '>' && one_byte)) return row.type;
    if (order == '>')
      return error("MO-NPY-0003", "the array is big-endian ('{}')", descr)
          .hint("convert it: array.astype(array.dtype.newbyteorder('<'))");
  }
  return error("MO-NPY-0003", "element type '{}' is not supported", descr)
      .hint("supported are b1, i1, i2, i4, i8, u1, u2, u4, u8, f2, f4, f8: convert with array.astype");
}

/// Column-major to row-major: walks the target in order and keeps the source's offset up to date, digit by digit.
template <class Word>
void to_row_major(const Shape& shape, const Word* from, Word* to, std::size_t count) {
  std::vector<std::size_t> stride(shape.size(), 1);
  for (std::size_t i = 1; i < shape.size(); ++i) stride[i] = stride[i - 1] * static_cast<std::size_t>(shape[i - 1]);
  std::vector<std::int64_t> index(shape.size(), 0);
  std::size_t source = 0;
  for (std::size_t k = 0; k < count; ++k) {
    to[k] = from[source];
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      source += stride[axis];
      if (++index[axis] < shape[axis]) break;
      source -= stride[axis] * static_cast<std::size_t>(shape[axis]);
      index[axis] = 0;
    }
  }
}

Expected<Tensor> row_major(const Tensor& columns) {
  MO_ASSIGN(Tensor rows, Tensor::allocate(columns.element_type(), columns.shape()));
  const auto run = [&]<class Word>(Word) {
    to_row_major(columns.shape(), reinterpret_cast<const Word*>(columns.bytes().data()),
                 reinterpret_cast<Word*>(rows.mutable_bytes().data()),
                 static_cast<std::size_t>(columns.element_count()));
  };
  switch (bit_width(columns.element_type())) {
    case 8: run(std::uint8_t{}); break;
    case 16: run(std::uint16_t{}); break;
    case 32: run(std::uint32_t{}); break;
    default: run(std::uint64_t{}); break;
  }
  return rows;
}

Expected<Tensor> read_array(const File& file) {
  std::array<std::byte, 12> start{};
  const std::size_t available = static_cast<std::size_t>(std::min<std::uint64_t>(file.size(), start.size()));
  MO_TRY(file.read(0, std::span(start).first(available)));
  const auto byte = [&](std::size_t i) { return std::to_integer<std::size_t>(start[i]); };
  if (available < 10 || std::memcmp(start.data(), kMagic.data(), kMagic.size()) != 0)
    return error("MO-NPY-0001", "this is not a .npy file")
        .hint("write it with numpy.save (not savez, savetxt or tofile)");
  const std::size_t version = byte(6);
  if (version < 1 || version > 3 || (version > 1 && available < 12))
    return error("MO-NPY-0001", "version {}.{} of the .npy format is not known", version, byte(7))
        .hint("write it with numpy.save");
  // Version 1 has a 16-bit header length, versions 2 and 3 a 32-bit one.
  const std::size_t prefix = version == 1 ? 10 : 12;
  std::size_t length = byte(8) | byte(9) << 8;
  if (version > 1) length |= byte(10) << 16 | byte(11) << 24;
  if (length > kMaxHeader || length > file.size() - prefix)
    return error("MO-NPY-0002", "the header is malformed: {} bytes are announced", length)
        .hint("write the file again with numpy.save");
  std::string text(length, '\0');
  MO_TRY(file.read(prefix, std::as_writable_bytes(std::span(text))));
  MO_ASSIGN(const Header header, HeaderParser(text).parse());
  MO_ASSIGN(const ElementType type, element_type(header.descr));

  const auto count = element_count(header.shape);
  const auto bytes = count ? byte_size(type, *count) : std::nullopt;
  const std::uint64_t present = file.size() - prefix - length;
  if (!bytes || *bytes != present)
    return error("MO-NPY-0004", "shape {} of {} does not fit the {} bytes of data", to_string(header.shape),
                 to_string(type), present)
        .hint("the file is truncated or has data after the array; write it again with numpy.save");
  MO_ASSIGN(Tensor tensor, Tensor::allocate(type, header.shape));
  MO_TRY(file.read(prefix + length, tensor.mutable_bytes()));
  if (type == ElementType::boolean)
    for (std::byte& b : tensor.mutable_bytes()) b = b == std::byte{0} ? std::byte{0} : std::byte{1};
  if (header.fortran_order && header.shape.size() > 1) return row_major(tensor);
  return tensor;
}

/// The tensor with an element type that numpy has.
Expected<Tensor> widened(const Tensor& tensor) {
  const ElementType type = tensor.element_type();
  if (type == ElementType::bf16 || is_small_real(type)) return convert(tensor, ElementType::f32);
  if (is_sub_byte(type)) return convert(tensor, is_signed(type) ? ElementType::i8 : ElementType::u8);
  return tensor.load();
}

}  // namespace

Expected<Tensor> read_npy(const File& file) { return read_array(file); }

Expected<Tensor> read_npy(const std::string& path) {
  MO_ASSIGN(const FilePtr file, File::open(path));
  auto tensor = read_npy(*file);
  if (!tensor) return std::move(tensor).error().in_file(path);
  return tensor;
}

Expected<void> write_npy(OutputFile& file, const Tensor& tensor) {
  MO_ASSIGN(const Tensor stored, widened(tensor));
  std::string_view code;
  for (const TypeRow& row : kTypes)
    if (row.type == stored.element_type()) code = row.code;
  if (code.empty())
    return error("MO-NPY-0006", "a tensor of {} cannot be stored as .npy", to_string(tensor.element_type()))
        .hint("cut the model so that its outputs are numbers, with mo --output");

  std::string header = fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': (",
                                   bit_width(stored.element_type()) == 8 ? '|' : '<', code);
  for (const std::int64_t size : stored.shape()) header += fmt::format("{}, ", size);
  if (stored.rank() > 1) header.resize(header.size() - 2);
  if (stored.rank() == 1) header.resize(header.size() - 1);
  header += "), }";
  // The data starts at a multiple of 64 bytes; the header ends with a line feed.
  header.append(63 - (kMagic.size() + 4 + header.size()) % 64, ' ');
  header += '\n';
  std::string start(kMagic);
  start += {'\x01', '\x00', static_cast<char>(header.size() & 0xFF), static_cast<char>(header.size() >> 8)};
  start += header;

  MO_TRY(file.write(std::as_bytes(std::span(start))));
  return file.write(stored.bytes());
}

}  // namespace mo::tools
