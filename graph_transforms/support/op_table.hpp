#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/attributes/attribute_value.hpp"
#include "core/graph/graph.hpp"

namespace mo::graph_transforms {

/// What TensorFlow's registry says of an op: how its outputs are typed, which attributes have defaults, whether it has
/// a state.
struct OpDefinition {
  struct Attribute {
    std::string name;
    AttributeValue value;  ///< the default; none: it has to be given
  };
  /// An output, or several that an attribute counts (`count`) or lists (`is_list`).
  struct Output {
    std::string type;   ///< a type ("float"), or the attribute that holds it ("T")
    std::string count;  ///< attribute; empty: one
    bool is_list = false;
  };
  std::string name;
  std::vector<Output> outputs;
  std::vector<Attribute> attributes;
  bool is_stateful = false;
};

/// Null for an op that we know nothing of. O(log ops).
const OpDefinition* find_op_definition(std::string_view op);

/// Types of all outputs of a node, as attribute values hold types; nothing when the op is unknown or the node lacks the
/// attributes that say it.
std::optional<std::vector<AttributeValue>> output_types_of(const Node& node);

}  // namespace mo::graph_transforms
