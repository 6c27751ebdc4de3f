#include <zlib.h>

#include <array>

#include "tools/report/page_template.hpp"
#include "tools/report/report.hpp"

namespace mo::tools {
namespace {

/// Longer JSON is packed.
constexpr std::size_t kLargestPlain = std::size_t{1} << 20;

/// JSON that may stand in a script element: no text of a model can end the element or begin a comment, and no line
/// separator of JavaScript is left.
/// '<' and these separators occur in strings only, where an escape means the same.
std::string safe_in_page(std::string_view json) {
  std::string text;
  text.reserve(json.size() + json.size() / 64);
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (json[i] == '<') {
      text += "\\u003c";
    } else if (json.substr(i).starts_with("\xE2\x80\xA8") || json.substr(i).starts_with("\xE2\x80\xA9")) {
      text += json[i + 2] == '\xA8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      text += json[i];
    }
  }
  return text;
}

std::string packed(std::string_view json) {
  uLongf size = compressBound(json.size());
  std::string bytes(size, '\0');
  // The buffer is as large as the bound: this cannot fail but for want of memory.
  if (compress2(reinterpret_cast<Bytef*>(bytes.data()), &size, reinterpret_cast<const Bytef*>(json.data()), json.size(),
                6) != Z_OK)
    throw std::bad_alloc();
  bytes.resize(size);
  return bytes;
}

std::string base64(std::string_view bytes) {
  static constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve(bytes.size() / 3 * 4 + 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8U | (k < left ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) text += k <= left ? kDigits[group >> (18 - 6 * k) & 63U] : '=';
  }
  return text;
}

}  // namespace

std::string report_page(const ReportRecord& record) {
  const std::string json = report_json(record);
  const PageTemplate& page = page_template();
  std::string text(page.head);
  if (json.size() <= kLargestPlain)
    text += "<script type=\"application/json\" id=\"report\">" + safe_in_page(json) + "</script>\n";
  else
    text += "<script type=\"text/plain\" id=\"report\" data-packed=\"deflate\">" + base64(packed(json)) + "</script>\n";
  return text += page.tail;
}

}  // namespace mo::tools
