#include "ir_emitter/xml_text.hpp"

#include <charconv>

#include "ir_emitter/text.hpp"

namespace mo::ir_emitter {
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

void append_number(std::string& text, std::int64_t value) {
  char digits[24];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

void XmlText::clear(unsigned depth) {
  text_.clear();
  open_.clear();
  depth_ = depth;
  in_start_tag_ = false;
}

void XmlText::close_start_tag() {
  if (in_start_tag_) text_ += ">\n";
  in_start_tag_ = false;
}

void XmlText::start(std::string_view name) {
  close_start_tag();
  text_.append(depth_ + open_.size(), '\t').append(1, '<').append(name);
  open_.push_back(name);
  in_start_tag_ = true;
}

void XmlText::attribute(std::string_view name, std::string_view value, bool keep_blanks) {
  text_.append(1, ' ').append(name).append("=\"");
  append_attribute_text(text_, value, keep_blanks);
  text_ += '"';
}

void XmlText::attribute(std::string_view name, std::uint64_t value) {
  attribute(name, static_cast<std::int64_t>(value));
}

void XmlText::attribute(std::string_view name, std::int64_t value) {
  text_.append(1, ' ').append(name).append("=\"");
  append_number(text_, value);
  text_ += '"';
}

void XmlText::element(std::string_view name, std::int64_t value) {
  close_start_tag();
  text_.append(depth_ + open_.size(), '\t').append(1, '<').append(name).append(1, '>');
  append_number(text_, value);
  text_.append("</").append(name).append(">\n");
}

void XmlText::end() {
  const std::string_view name = open_.back();
  open_.pop_back();
  if (in_start_tag_)
    text_ += " />\n";
  else
    text_.append(depth_ + open_.size(), '\t').append("</").append(name).append(">\n");
  in_start_tag_ = false;
}

}  // namespace mo::ir_emitter
