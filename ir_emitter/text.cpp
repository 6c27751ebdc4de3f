#include "ir_emitter/text.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace mo::ir_emitter {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// Bytes of the well-formed UTF-8 sequence at the start of `text` that XML 1.0 allows; 0 when there is none.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
  std::uint32_t code = lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
    code = (code << 6U) | (byte(i) & 0x3FU);
  }
  constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  const bool allowed = code <= 0x10FFFF && code != 0xFFFE && code != 0xFFFF;
  return code >= kLeast[length] && !surrogate && allowed ? length : 0;
}

}  // namespace

bool is_plain(std::string_view text) {
  // Names are most of an IR: sixteen characters at a time. The last ones may be looked at twice.
  using Bytes [[gnu::vector_size(16)]] = unsigned char;
  using Halves [[gnu::vector_size(16)]] = std::uint64_t;
  const auto load = [&]<class T>(T, std::size_t from) {
    T value;
    std::memcpy(&value, text.data() + from, sizeof value);
    return value;
  };
  const auto special = [](Bytes b) { return Halves((b < 0x20) | (b >= 0x7F) | (b == '"') | (b == '&') | (b == '<')); };
  Halves found = {};
  const std::size_t size = text.size();
  if (size >= sizeof(Bytes)) {
    for (std::size_t i = 0; i < size - sizeof(Bytes); i += sizeof(Bytes)) found |= special(load(Bytes(), i));
    found |= special(load(Bytes(), size - sizeof(Bytes)));
  } else if (size >= 8) {
    found = special(Bytes(Halves{load(std::uint64_t(), 0), load(std::uint64_t(), size - 8)}));
  } else if (size >= 4) {
    const std::uint64_t both = load(std::uint32_t(), 0) | std::uint64_t{load(std::uint32_t(), size - 4)} << 32U;
    found = special(Bytes(Halves{both, both}));
  } else if (size > 0) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    Bytes few = Bytes{} + static_cast<unsigned char>(' ');
    few[0] = byte(0);
    few[1] = byte(size / 2);
    few[2] = byte(size - 1);
    found = special(few);
  }
  return (found[0] | found[1]) == 0;
}

std::string xml_safe(std::string_view text, bool keep_blanks) {
  std::string safe;
  safe.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    const auto c = static_cast<unsigned char>(text.front());
    const bool blank = c == '\t' || c == '\n' || c == '\r';
    if (length == 0)
      safe += kReplacement;
    else if ((c < 0x20 && !(blank && keep_blanks)) || c == 0x7F)
      safe += '_';
    else
      safe += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  return safe;
}

bool is_xml_name(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  if (text.empty() || !letter(text.front())) return false;
  return std::all_of(text.begin(), text.end(),
                     [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '.'; });
}

std::string_view precision_of(ElementType type) {
  switch (type) {
    case ElementType::dynamic: return "dynamic";
    case ElementType::boolean: return "BOOL";
    case ElementType::bf16: return "BF16";
    case ElementType::f16: return "FP16";
    case ElementType::f32: return "FP32";
    case ElementType::f64: return "FP64";
    case ElementType::i4: return "I4";
    case ElementType::i8: return "I8";
    case ElementType::i16: return "I16";
    case ElementType::i32: return "I32";
    case ElementType::i64: return "I64";
    case ElementType::u1: return "BIN";
    case ElementType::u2: return "U2";
    case ElementType::u3: return "U3";
    case ElementType::u4: return "U4";
    case ElementType::u6: return "U6";
    case ElementType::u8: return "U8";
    case ElementType::u16: return "U16";
    case ElementType::u32: return "U32";
    case ElementType::u64: return "U64";
    case ElementType::nf4: return "NF4";
    case ElementType::f4e2m1: return "F4E2M1";
    case ElementType::f8e4m3: return "F8E4M3";
    case ElementType::f8e5m2: return "F8E5M2";
    case ElementType::f8e8m0: return "F8E8M0";
    case ElementType::string: return "STRING";
  }
  return {};
}

std::string named_precision(std::string_view type) {
  std::string upper(type);
  for (char& c : upper) {
    if (c >= 'A' && c <= 'Z') return std::string(type);
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return upper;
}

std::string join_escaped(const std::vector<std::string>& items, std::string_view separator) {
  std::string joined;
  for (const std::string& item : items) {
    if (!joined.empty()) joined += separator;
    for (const char c : item) {
      if (c == ',') joined += '\\';
      joined += c;
    }
    if (joined.ends_with('\\')) joined.back() = '_';
  }
  return joined;
}

}  // namespace mo::ir_emitter
