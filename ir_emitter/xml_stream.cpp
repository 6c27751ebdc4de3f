#include "ir_emitter/xml_stream.hpp"

namespace mo::ir_emitter {
namespace {

class StringWriter final : public pugi::xml_writer {
 public:
  void write(const void* data, std::size_t size) override { text.append(static_cast<const char*>(data), size); }
  std::string text;
};

}  // namespace

void XmlStream::write(const void* data, std::size_t size) {
  if (error_) return;
  if (auto done = out_.write({static_cast<const std::byte*>(data), size}); !done) error_ = std::move(done).error();
}

void XmlStream::line(unsigned depth, std::string_view markup) {
  const std::string text = std::string(depth, '\t') + std::string(markup) + '\n';
  write(text.data(), text.size());
}

void XmlStream::element(unsigned depth, const pugi::xml_node& node) { node.print(*this, "\t", pugi::format_indent, pugi::encoding_utf8, depth); }

void XmlStream::start_tag(unsigned depth, const pugi::xml_node& node) {
  pugi::xml_document alone;
  pugi::xml_node copy = alone.append_child(node.name());
  for (const pugi::xml_attribute& attribute : node.attributes()) copy.append_copy(attribute);
  StringWriter writer;
  copy.print(writer, "", pugi::format_raw, pugi::encoding_utf8);
  std::string& text = writer.text;  // <layer id="1" …/>
  while (text.ends_with('\n')) text.pop_back();
  MO_ASSERT(text.ends_with("/>"), "an empty element does not end as expected");
  text.resize(text.size() - 2);
  while (text.ends_with(' ')) text.pop_back();
  line(depth, text + '>');
}

Expected<void> XmlStream::status() const {
  if (error_) return *error_;
  return {};
}

}  // namespace mo::ir_emitter
