#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace mo::ir_emitter {

/// Elements as text, laid out and escaped as pugixml prints them (a test compares). The layers of a large model are
/// half a gigabyte of small elements: a tree of each costs several times what writing its text does, and pugixml leaves
/// out without a word what it has no memory for.
class XmlText {
 public:
  /// Elements are indented by `depth` tabs and more.
  void clear(unsigned depth);
  /// Valid until it grows.
  std::string_view text() const { return {text_.get(), size_}; }
  /// By how many tabs an element that starts now is indented.
  unsigned depth() const { return depth_ + static_cast<unsigned>(open_.size()); }

  /// `name` must live until `end`.
  void start(std::string_view name);
  /// Of the element that was started last, before anything else in it. `value` may be any bytes: see `xml_safe`.
  void attribute(std::string_view name, std::string_view value, bool keep_blanks = false);
  void attribute(std::string_view name, std::int64_t value);
  void attribute(std::string_view name, std::uint64_t value) { attribute(name, static_cast<std::int64_t>(value)); }
  /// Attributes that are text already: ` type="Add" version="opset1"`.
  void attributes(std::string_view markup) { append(markup); }
  /// <name>value</name>
  void element(std::string_view name, std::int64_t value);
  /// Elements that are text already, whole lines.
  void elements(std::string_view markup);
  void end();
  /// Only the start tag of an element whose content others write.
  void end_start_tag() { close_start_tag(); }

 private:
  /// Where so many bytes can be put after the text.
  char* place_for(std::size_t bytes) {
    if (bytes > room_ - size_) enlarge(bytes);
    return text_.get() + size_;
  }
  void enlarge(std::size_t bytes);
  template <class... Pieces>
  void append(const Pieces&... pieces) {
    put(std::string_view(pieces)...);
  }
  template <class... Pieces>
  void put(Pieces... pieces) {
    char* to = place_for((pieces.size() + ...));
    ((to = std::copy(pieces.begin(), pieces.end(), to)), ...);
    size_ = static_cast<std::size_t>(to - text_.get());
  }
  void close_start_tag();
  void indent();
  void number(std::int64_t value);

  std::unique_ptr<char[]> text_;  ///< of a size that only grows: room is asked for once for each element
  std::size_t size_ = 0;
  std::size_t room_ = 0;
  std::vector<std::string_view> open_;
  unsigned depth_ = 0;
  bool in_start_tag_ = false;
};

/// Appends `value` between the quotation marks of an attribute.
void append_attribute_text(std::string& text, std::string_view value, bool keep_blanks = false);

}  // namespace mo::ir_emitter
