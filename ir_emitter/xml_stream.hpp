#pragma once

#include <optional>
#include <string_view>

#include "core/files/output_file.hpp"
#include "ir_emitter/xml_text.hpp"

namespace mo::ir_emitter {

/// Puts markup into a file. The first error is kept, the rest is dropped.
class XmlStream {
 public:
  explicit XmlStream(OutputFile& out) : out_(out) {}

  void write(std::string_view markup);
  void write(const XmlText& elements) { write(elements.text()); }
  /// A line of markup that needs no escaping.
  void line(unsigned depth, std::string_view markup);
  bool failed() const { return error_.has_value(); }
  Expected<void> status() const;

 private:
  OutputFile& out_;
  std::optional<Error> error_;
};

}  // namespace mo::ir_emitter
