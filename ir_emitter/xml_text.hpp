#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mo::ir_emitter {

/// Elements as text, laid out and escaped as pugixml prints them (a test compares). The layers of a large model are a
/// hundred megabytes of small elements: a tree of each costs several times what writing its text does, and pugixml
/// leaves out without a word what it has no memory for.
class XmlText {
 public:
  /// Elements are indented by `depth` tabs and more.
  void clear(unsigned depth);
  const std::string& text() const { return text_; }

  /// `name` must live until `end`.
  void start(std::string_view name);
  /// Of the element that was started last, before anything else in it. `value` may be any bytes: see `xml_safe`.
  void attribute(std::string_view name, std::string_view value, bool keep_blanks = false);
  void attribute(std::string_view name, std::uint64_t value);
  void attribute(std::string_view name, std::int64_t value);
  /// Attributes that are text already: ` type="Add" version="opset1"`.
  void attributes(std::string_view markup) { text_ += markup; }
  /// <name>value</name>
  void element(std::string_view name, std::int64_t value);
  void end();
  /// Only the start tag of an element whose content others write.
  void end_start_tag() { close_start_tag(); }

 private:
  void close_start_tag();

  std::string text_;
  std::vector<std::string_view> open_;
  unsigned depth_ = 0;
  bool in_start_tag_ = false;
};

/// Appends `value` between the quotation marks of an attribute.
void append_attribute_text(std::string& text, std::string_view value, bool keep_blanks = false);
void append_number(std::string& text, std::int64_t value);

}  // namespace mo::ir_emitter
