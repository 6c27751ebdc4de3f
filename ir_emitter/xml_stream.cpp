#include "ir_emitter/xml_stream.hpp"

#include <span>
#include <string>

namespace mo::ir_emitter {

void XmlStream::write(std::string_view markup) {
  if (error_) return;
  if (auto done = out_.write(std::as_bytes(std::span(markup))); !done) error_ = std::move(done).error();
}

void XmlStream::line(unsigned depth, std::string_view markup) {
  write(std::string(depth, '\t').append(markup).append(1, '\n'));
}

Expected<void> XmlStream::status() const {
  if (error_) return *error_;
  return {};
}

}  // namespace mo::ir_emitter
