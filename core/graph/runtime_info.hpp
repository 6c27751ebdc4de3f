#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/graph/node.hpp"

namespace mo {

/// How a runtime attribute (an entry of `rt_info`) behaves when nodes take the place of others. nGraph's
/// RuntimeAttribute.
struct RuntimeAttributeRule {
  enum class Merge : std::uint8_t {
    agree,        ///< several sources: kept when all that have it agree, otherwise dropped
    of_weighted,  ///< only convolutions and matrix products have a say
  };
  std::string_view name;
  bool copyable = true;    ///< a mark of the one node that has it when not
  bool serialized = true;  ///< written to IR v11
  Merge merge = Merge::agree;
};

/// Of a constant in f16: the number of elements that were beyond its range, in the field "elements". Stays in memory:
/// it is for reports.
inline constexpr std::string_view kClippedAttribute = "clipped";

/// Attributes whose names begin so are notes of passes for later ones: `node.set_rt_info("@acme_scale", …)`. They stay
/// in memory.
inline constexpr char kNotePrefix = '@';

/// Runtime attributes that an IR has at a port are kept at the node, under a key for each port with the attributes by
/// name. A tensor that another node computes has them no longer. Layouts of inputs and outputs of the model: see
/// tensor_layout.hpp.
inline constexpr std::string_view kPortInfoPrefix = "@port ";
enum class PortSide : bool { input, output };
std::string port_info_key(PortSide side, std::size_t port);
/// Null when the port has none.
const AttributeMap* port_info(const Node& node, PortSide side, std::size_t port);

/// The rule of an attribute; an undeclared one is copied and, unless it is a note, written, and kept where its
/// sources agree.
RuntimeAttributeRule runtime_attribute_rule(std::string_view name);

/// What nodes that stand for `sources` inherit of them. nGraph's copy_runtime_info, of one or several nodes; the names
/// of what was fused are the provenance (`Node::sources`), which is merged for itself.
AttributeMap merged_runtime_info(std::span<const Node> sources);

/// Gives `to` the attributes that it does not have yet.
void copy_runtime_info(std::span<const Node> from, const Node& to);

}  // namespace mo
