#pragma once

#include "extensions/config/descriptor.hpp"
#include "extensions/config/json_document.hpp"

namespace mo::config {

/// Descriptors, and what is suspicious about them.
struct ReadDescriptors {
  std::vector<Descriptor> descriptors;
  /// MO-CONFIG-0010 (a key that is not read), MO-CONFIG-0016 (a key without effect here)
  std::vector<Diagnostic> warnings;
};

/// Reads a configuration, checks it against docs/schemas/transformations_config.schema.json, and reports everything
/// that is wrong at once: what JsonView reports, and MO-CONFIG-0011 (no regular expression that we take), 0012 (an
/// empty list or text), 0013 (a port out of range), 0014 (a point listed twice), 0015 (keys that exclude each other).
Expected<ReadDescriptors> read_descriptors(const JsonValue& document, const std::string& file);
/// The same for files.
Expected<ReadDescriptors> read_descriptors(const std::vector<std::string>& files);

}  // namespace mo::config
