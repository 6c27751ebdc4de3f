#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/types/element_type.hpp"

namespace mo::ir_emitter {

/// `text` as well-formed XML can hold it: what is not UTF-8 becomes U+FFFD, control characters become '_'. With
/// `keep_blanks`, tabs and line ends stay (XML escapes them).
std::string xml_safe(std::string_view text, bool keep_blanks = false);

/// Whether `text` stands in an attribute as it is: printable ASCII without anything that XML escapes.
bool is_plain(std::string_view text);

/// Whether `text` may name an element or an attribute (ASCII names only).
bool is_xml_name(std::string_view text);

/// Port precision: "FP32", "BOOL", "BIN" for u1; "dynamic" where it is open, which no runtime up to 2022.x reads.
std::string_view precision_of(ElementType type);
/// That of a type that mo knows by name only: in capitals, as all others; a name that has capitals stays as it is.
std::string named_precision(std::string_view type);

/// Items joined with `separator`; commas inside an item are written `\,`. An item cannot end in a backslash (readers
/// would take the comma after it for a part of the name): a last one becomes '_'.
std::string join_escaped(const std::vector<std::string>& items, std::string_view separator);

}  // namespace mo::ir_emitter
