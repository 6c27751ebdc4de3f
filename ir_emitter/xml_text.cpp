#include "ir_emitter/xml_text.hpp"

#include <algorithm>
#include <charconv>

#include "ir_emitter/text.hpp"

namespace mo::ir_emitter {
namespace {

constexpr std::size_t kLeastRoom = 4096;
/// "-9223372036854775808"
constexpr std::size_t kMostDigits = 20;

}  // namespace

void append_attribute_text(std::string& text, std::string_view value, bool keep_blanks) {
  if (is_plain(value)) {
    text += value;
    return;
  }
  for (const char c : xml_safe(value, keep_blanks)) switch (c) {
      case '"': text += "&quot;"; break;
      case '&': text += "&amp;"; break;
      case '<': text += "&lt;"; break;
      case '\t': text += "&#09;"; break;
      case '\n': text += "&#10;"; break;
      case '\r': text += "&#13;"; break;
      default: text += c;
    }
}

void XmlText::enlarge(std::size_t bytes) {
  const std::size_t room = std::max({kLeastRoom, 2 * room_, size_ + bytes});
  auto larger = std::make_unique_for_overwrite<char[]>(room);
  std::copy_n(text_.get(), size_, larger.get());
  text_ = std::move(larger);
  room_ = room;
}

void XmlText::clear(unsigned depth) {
  size_ = 0;
  open_.clear();
  depth_ = depth;
  in_start_tag_ = false;
}

void XmlText::start(std::string_view name) {
  close_start_tag();
  indent();
  append("<", name);
  open_.push_back(name);
  in_start_tag_ = true;
}

void XmlText::attribute(std::string_view name, std::string_view value, bool keep_blanks) {
  if (is_plain(value)) {
    append(" ", name, "=\"", value, "\"");
    return;
  }
  std::string escaped;
  append_attribute_text(escaped, value, keep_blanks);
  append(" ", name, "=\"", escaped, "\"");
}

void XmlText::attribute(std::string_view name, std::int64_t value) {
  append(" ", name, "=\"");
  number(value);
  append("\"");
}

void XmlText::element(std::string_view name, std::int64_t value) {
  close_start_tag();
  indent();
  append("<", name, ">");
  number(value);
  append("</", name, ">\n");
}

void XmlText::elements(std::string_view markup) {
  if (markup.empty()) return;
  close_start_tag();
  append(markup);
}

void XmlText::end() {
  const std::string_view name = open_.back();
  open_.pop_back();
  if (in_start_tag_) {
    append(" />\n");
  } else {
    indent();
    append("</", name, ">\n");
  }
  in_start_tag_ = false;
}

void XmlText::close_start_tag() {
  if (in_start_tag_) append(">\n");
  in_start_tag_ = false;
}

void XmlText::indent() {
  constexpr std::string_view kTabs = "\t\t\t\t\t\t\t\t";
  for (unsigned tabs = depth(); tabs > 0;) {
    char* const place = place_for(kTabs.size());
    std::copy(kTabs.begin(), kTabs.end(), place);  // of a known size, also when fewer count
    const unsigned counted = std::min(tabs, static_cast<unsigned>(kTabs.size()));
    size_ += counted;
    tabs -= counted;
  }
}

void XmlText::number(std::int64_t value) {
  char* const place = place_for(kMostDigits);
  size_ += static_cast<std::size_t>(std::to_chars(place, place + kMostDigits, value).ptr - place);
}

}  // namespace mo::ir_emitter
