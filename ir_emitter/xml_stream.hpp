#pragma once

#include <optional>
#include <pugixml.hpp>

#include "core/files/output_file.hpp"

namespace mo::ir_emitter {

/// Puts what pugixml prints into a file. pugixml cannot be told of an error: the first one is kept, the rest is dropped.
class XmlStream final : public pugi::xml_writer {
 public:
  explicit XmlStream(OutputFile& out) : out_(out) {}

  void write(const void* data, std::size_t size) override;
  /// A line of markup that needs no escaping.
  void line(unsigned depth, std::string_view markup);
  /// The element, indented, and a line end.
  void element(unsigned depth, const pugi::xml_node& node);
  /// Only the start tag of `node` (attributes, no children).
  void start_tag(unsigned depth, const pugi::xml_node& node);
  bool failed() const { return error_.has_value(); }
  Expected<void> status() const;

 private:
  OutputFile& out_;
  std::optional<Error> error_;
};

}  // namespace mo::ir_emitter
