#pragma once

#include "core/graph/graph.hpp"
#include "extensions/config/json_document.hpp"

namespace mo::config {

/// Fills in "inputs" and "outputs" of the descriptors of a configuration from a graph that was read and extracted
/// (--tensorflow_custom_operations_config_update). Keys that are there stay as they are, unknown ones too; a descriptor
/// of kind points gets its other keys with their defaults. Warnings go to `sink`. Errors: those of reading, of
/// matching, and MO-CONFIG-0031 (no pattern names a node).
Expected<JsonValue> updated_config(const JsonValue& document, const std::string& file, Graph& graph,
                                   DiagnosticSink& sink);

/// The same for a file, which is replaced at once or not at all. Error MO-CONFIG-0032 when it cannot be written.
Expected<void> update_config_file(const std::string& file, Graph& graph, DiagnosticSink& sink);

}  // namespace mo::config
