#pragma once

#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "core/tensor/buffer.hpp"

namespace mo::ir {

/// Bodies nested deeper than this are refused.
inline constexpr int kMaxBodyDepth = 32;

/// A parsed file. The strings of the document lie in `bytes`.
struct Document {
  FilePtr file;
  std::shared_ptr<HeapBuffer> bytes;
  pugi::xml_document xml;
};

/// Loads and parses a file. Errors: MO-IO-000x, MO-IR-0001 (too large, not XML), MO-IR-0002 (a document type: entities
/// are never expanded).
Expected<std::unique_ptr<Document>> load_document(const std::string& path);

/// The only child element of that name; an empty node when there is none. Error MO-IR-0003 when there are several.
Expected<pugi::xml_node> only_child(const pugi::xml_node& parent, const char* name);

/// Error MO-IR-0003 for a duplicate attribute. O(n log n).
Expected<void> check_attributes(const pugi::xml_node& node);

/// A required attribute. Error MO-IR-0003.
Expected<std::string_view> required(const pugi::xml_node& node, const char* name);
/// A required or optional whole number. Error MO-IR-0003.
Expected<std::int64_t> required_integer(const pugi::xml_node& node, const char* name);
Expected<std::optional<std::int64_t>> optional_integer(const pugi::xml_node& node, const char* name);
std::optional<std::int64_t> parse_integer(std::string_view text);

bool equal_ignoring_case(std::string_view a, std::string_view b);

/// `text` without the middle of it when it is too long for a message.
std::string shortened(std::string_view text);

}  // namespace mo::ir
