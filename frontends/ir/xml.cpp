#include "frontends/ir/xml.hpp"

#include <algorithm>
#include <charconv>
#include <vector>

namespace mo::ir {
namespace {

/// About ten million layers; the document takes a multiple of it in memory.
constexpr std::uint64_t kMaxFile = std::uint64_t{4} << 30;
constexpr std::size_t kShown = 80;

/// The line of `offset`; reads the file again, because parsing in place has changed the bytes.
Expected<std::size_t> line_of(const File& file, std::shared_ptr<HeapBuffer> bytes, std::ptrdiff_t offset) {
  MO_TRY(file.read(0, {bytes->mutable_bytes(), bytes->size()}));
  const std::byte* begin = bytes->bytes();
  const std::ptrdiff_t length = std::clamp<std::ptrdiff_t>(offset, 0, static_cast<std::ptrdiff_t>(bytes->size()));
  return 1 + static_cast<std::size_t>(std::count(begin, begin + length, std::byte{'\n'}));
}

}  // namespace

Expected<std::unique_ptr<Document>> load_document(const std::string& path) {
  auto document = std::make_unique<Document>();
  MO_ASSIGN(document->file, File::open(path));
  const FilePtr& file = document->file;
  if (file->size() > kMaxFile)
    return error("MO-IR-0001", "\"{}\" has {} bytes, at most {} are read", path, file->size(), kMaxFile)
        .hint("give the .xml of an IR, not the .bin");
  MO_ASSIGN(document->bytes, HeapBuffer::allocate(file->size()));
  const std::shared_ptr<HeapBuffer>& bytes = document->bytes;
  MO_TRY(file->read(0, {bytes->mutable_bytes(), bytes->size()}));
  // The document type is asked for only in order to refuse it. pugixml expands the five entities of XML itself and no
  // others, and reads nothing from elsewhere.
  const unsigned flags = pugi::parse_default | pugi::parse_doctype;
  const pugi::xml_parse_result result = document->xml.load_buffer_inplace(bytes->mutable_bytes(), bytes->size(), flags);
  if (result.status == pugi::status_out_of_memory) throw std::bad_alloc();
  if (!result) {
    MO_ASSIGN(const std::size_t line, line_of(*file, bytes, result.offset));
    return error("MO-IR-0001", "\"{}\" is not well-formed XML: {} in line {}", path, result.description(), line)
        .hint("give the .xml of an IR; if this is one, it is corrupt: convert the model again");
  }
  for (const pugi::xml_node& child : document->xml.children())
    if (child.type() == pugi::node_doctype)
      return error("MO-IR-0002", "\"{}\" declares a document type", path)
          .hint("an IR has none: entities and external files are not read");
  return document;
}

Expected<pugi::xml_node> only_child(const pugi::xml_node& parent, const char* name) {
  const pugi::xml_node child = parent.child(name);
  if (child && child.next_sibling(name)) return error("MO-IR-0003", "<{}> has several <{}>", parent.name(), name);
  return child;
}

Expected<void> check_attributes(const pugi::xml_node& node) {
  std::vector<std::string_view> names;
  for (const pugi::xml_attribute& attribute : node.attributes()) names.emplace_back(attribute.name());
  std::sort(names.begin(), names.end());
  if (const auto twice = std::adjacent_find(names.begin(), names.end()); twice != names.end())
    return error("MO-IR-0003", "<{}> has the attribute {} twice", node.name(), shortened(*twice));
  return {};
}

Expected<std::string_view> required(const pugi::xml_node& node, const char* name) {
  const pugi::xml_attribute attribute = node.attribute(name);
  if (!attribute) return error("MO-IR-0003", "<{}> has no attribute {}", node.name(), name);
  return std::string_view(attribute.value());
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  std::int64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  return status == std::errc() && end == text.data() + text.size() ? std::optional<std::int64_t>(value) : std::nullopt;
}

Expected<std::int64_t> required_integer(const pugi::xml_node& node, const char* name) {
  MO_ASSIGN(const std::string_view text, required(node, name));
  if (const auto value = parse_integer(text)) return *value;
  return error("MO-IR-0003", "<{}>: {}=\"{}\" is not a whole number", node.name(), name, shortened(text));
}

Expected<std::optional<std::int64_t>> optional_integer(const pugi::xml_node& node, const char* name) {
  if (!node.attribute(name)) return std::optional<std::int64_t>();
  MO_ASSIGN(const std::int64_t value, required_integer(node, name));
  return std::optional<std::int64_t>(value);
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

std::string shortened(std::string_view text) {
  if (text.size() <= kShown) return std::string(text);
  return std::string(text.substr(0, kShown / 2)) + "…" + std::string(text.substr(text.size() - kShown / 2));
}

}  // namespace mo::ir
