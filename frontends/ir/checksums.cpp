#include "frontends/ir/checksums.hpp"

#include "core/files/content_hash.hpp"

namespace mo::ir {
namespace {

/// Bytes of the file before the line of `element`, when that can be told.
Expected<std::optional<std::uint64_t>> line_start(const File& file, const pugi::xml_node& element) {
  constexpr std::ptrdiff_t kMostIndentation = 16;
  const std::ptrdiff_t name = element.offset_debug();  // that of the name after '<'
  if (name < 1 || static_cast<std::uint64_t>(name) > file.size()) return std::optional<std::uint64_t>();
  char before[kMostIndentation];
  const std::ptrdiff_t length = std::min(name, kMostIndentation);
  MO_TRY(file.read(static_cast<std::uint64_t>(name - length),
                   std::as_writable_bytes(std::span(before, static_cast<std::size_t>(length)))));
  const std::size_t end = std::string_view(before, static_cast<std::size_t>(length)).rfind('\n');
  if (end == std::string_view::npos) return std::optional<std::uint64_t>();
  return std::optional<std::uint64_t>(name - length + static_cast<std::ptrdiff_t>(end) + 1);
}

}  // namespace

Expected<void> check_checksums(const Document& document, const pugi::xml_node& net, const std::string& bin_path) {
  for (const char* place : {"rt_info", "meta_data"}) {
    const pugi::xml_node info = net.child(place);
    const pugi::xml_node checksums = info.child("checksums");
    const std::string_view expected = checksums.child("bin_xxh64").attribute("value").value();
    if (expected.empty()) continue;
    MO_ASSIGN(const std::optional<std::uint64_t> start, line_start(*document.file, info));
    if (!start) return {};
    MO_ASSIGN(const std::uint64_t xml_hash, content_hash(*document.file, *start));
    if (hash_text(xml_hash) != checksums.child("xml_xxh64").attribute("value").value()) return {};
    const auto bin = File::open(bin_path);
    if (!bin) return {};  // a model without constants needs none; one with constants finds out by itself
    MO_ASSIGN(const std::uint64_t bin_hash, content_hash(**bin, (*bin)->size()));
    if (hash_text(bin_hash) != expected)
      return error("MO-IR-0014", "\"{}\" is not the file that the .xml was written with: its XXH64 is {} instead of {}",
                   bin_path, hash_text(bin_hash), expected)
          .hint("the file is corrupt, or belongs to another model: convert the original model again");
  }
  return {};
}

}  // namespace mo::ir
