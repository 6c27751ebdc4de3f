#pragma once

#include <memory>
#include <string_view>

#include "core/graph/graph.hpp"
#include "core/op/op_registry.hpp"

namespace mo {

struct ParseOptions {
  /// Infer types while parsing and keep them (otherwise only Parameters and constants have types).
  bool infer = false;
  /// Read `elided(…)` as zeros instead of refusing it.
  bool allow_elided = false;
};

/// Reads the text form (docs/text_form.md). Error MO-TEXT-0001 with line and column.
Expected<std::unique_ptr<Graph>> parse_graph(std::string_view text, const OpRegistry& ops,
                                             const ParseOptions& options = {});

/// One literal or attribute value, for tests and tools: `[1, 2]:i64`. A tensor comes out for typed literals.
Expected<AttributeValue> parse_attribute(std::string_view text, const OpRegistry& ops);

}  // namespace mo
