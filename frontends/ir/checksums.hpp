#pragma once

#include <string>

#include "frontends/ir/xml.hpp"

namespace mo::ir {

/// Compares the .bin with the hash that the .xml has of it (`checksums` in `<rt_info>` or `<meta_data>`;
/// ir_emitter/emitter.hpp says what they are of). An .xml without such an entry, or one whose own lines were changed
/// since (tools copy entries that they do not know), has no valid hash and passes. Errors: MO-IR-0014 (another .bin),
/// MO-IO-0003.
Expected<void> check_checksums(const Document& document, const pugi::xml_node& net, const std::string& bin_path);

}  // namespace mo::ir
