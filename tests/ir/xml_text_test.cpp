#include "ir_emitter/xml_text.hpp"

#include <gtest/gtest.h>

#include <pugixml.hpp>

#include "ir_emitter/text.hpp"

namespace mo::ir_emitter {
namespace {

class StringOf final : public pugi::xml_writer {
 public:
  void write(const void* data, std::size_t size) override { text.append(static_cast<const char*>(data), size); }
  std::string text;
};

std::string printed(const pugi::xml_node& node, unsigned depth) {
  StringOf writer;
  node.print(writer, "\t", pugi::format_indent, pugi::encoding_utf8, depth);
  return writer.text;
}

TEST(XmlText, EscapesAttributesLikePugixml) {
  std::vector<std::string> values = {"",
                                     "block_1/Relu",
                                     "a & b < c > d \"e\" 'f'",
                                     "&amp;",
                                     "Gr\xC3\xB6\xC3\x9F"
                                     "e",
                                     "broken \xC3",
                                     "\xEF\xBF\xBD"};
  for (unsigned c = 1; c < 256; ++c) values.push_back(std::string("x") + static_cast<char>(c) + "y");
  for (const bool keep_blanks : {false, true})
    for (const std::string& value : values) {
      pugi::xml_document document;
      pugi::xml_node node = document.append_child("node");
      node.append_attribute("name").set_value(xml_safe(value, keep_blanks).c_str());
      XmlText text;
      text.clear(2);
      text.start("node");
      text.attribute("name", value, keep_blanks);
      text.end();
      EXPECT_EQ(text.text(), printed(node, 2)) << value;
    }
}

TEST(XmlText, LaysOutElementsLikePugixml) {
  pugi::xml_document document;
  pugi::xml_node layer = document.append_child("layer");
  layer.append_attribute("id").set_value(18446744073709551615ULL >> 1U);
  pugi::xml_node data = layer.append_child("data");
  data.append_attribute("shape").set_value("");
  pugi::xml_node input = layer.append_child("input");
  pugi::xml_node port = input.append_child("port");
  port.append_child("dim").text().set(-1LL);
  port.append_child("dim").text().set(224LL);
  input.append_child("port");

  XmlText text;
  text.clear(1);
  text.start("layer");
  text.attribute("id", std::uint64_t{18446744073709551615ULL >> 1U});
  text.start("data");
  text.attribute("shape", "");
  text.end();
  text.start("input");
  text.start("port");
  text.element("dim", -1);
  text.element("dim", 224);
  text.end();
  text.start("port");
  text.end();
  text.end();
  text.end();
  EXPECT_EQ(text.text(), printed(layer, 1));
}

TEST(XmlText, TakesMarkupAsItIs) {
  XmlText part;
  part.clear(2);
  part.element("dim", 7);
  XmlText text;
  text.clear(1);
  text.start("port");
  EXPECT_EQ(text.depth(), 2U);
  text.attributes(" id=\"1\"");
  text.elements("");
  text.elements(part.text());
  text.end();
  EXPECT_EQ(text.text(), "\t<port id=\"1\">\n\t\t<dim>7</dim>\n\t</port>\n");
}

TEST(XmlText, PlainTextIsWhatNeitherXmlNorTheEmitterChanges) {
  for (unsigned c = 1; c < 128; ++c) {
    const std::string value(1, static_cast<char>(c));
    std::string written;
    append_attribute_text(written, value);
    EXPECT_EQ(is_plain(value), written == value) << c;
  }
  EXPECT_TRUE(is_plain(""));
  for (std::size_t size = 1; size < 20; ++size)
    for (std::size_t place = 0; place < size; ++place)
      for (const char* const special : {"\"", "&", "<", "\n", "\x1f", "\x7f", "\x80", "\xff"}) {
        std::string text(size, '~');
        EXPECT_TRUE(is_plain(text));
        text[place] = *special;
        EXPECT_FALSE(is_plain(text)) << text;
      }
}

}  // namespace
}  // namespace mo::ir_emitter
