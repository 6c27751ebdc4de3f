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
  // Eight characters at a time: names are most of an IR. In each byte the highest bit says whether it is special.
  constexpr std::uint64_t kOnes = 0x0101010101010101ULL;
  constexpr std::uint64_t kHighest = 0x80 * kOnes;
  std::uint64_t special = 0;
  const auto look_at = [&](std::uint64_t word) {
    const auto has = [word](unsigned char c) {
      const std::uint64_t rest = word ^ (c * kOnes);
      return (rest - kOnes) & ~rest;
    };
    special |= word | ((word - 0x20 * kOnes) & ~word) | has(0x7F) | has('"') | has('&') | has('<');
  };
  for (; text.size() >= sizeof(std::uint64_t); text.remove_prefix(sizeof(std::uint64_t))) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), sizeof word);
    look_at(word);
  }
  std::uint64_t rest = 0x20 * kOnes;
  if (!text.empty()) std::memcpy(&rest, text.data(), text.size());
  look_at(rest);
  return (special & kHighest) == 0;
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
    case ElementType::dynamic: return {};
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
