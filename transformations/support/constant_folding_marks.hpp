#pragma once

#include "core/rewrite.hpp"

/// The mark of nodes that ConstantFolding leaves alone, with all that is computed from them.
namespace mo::transformations {

inline constexpr const char* kDisableConstantFolding = "disable_constant_folding";

inline bool is_folding_disabled(const Node& node) {
  const AttributeMap* const info = node.rt_info();
  return info && info->find(kDisableConstantFolding);
}

/// The mark of decompressions that may be folded all the same: EnableDecompressionConvertConstantFolding sets it.
inline constexpr const char* kAllowConstantFolding = "allow_constant_folding";

/// Convert(constant of 2 to 8 bits) that a Subtract, Multiply or FakeQuantize reads: quantised weights.
bool is_of_quantized_weights(const Node& node);
/// Whether the node belongs to what makes a compressed constant large: quantised weights (build::stays_compressed, two
/// dimensions and more), their zero points, or a Convert {decompression} that is not marked as foldable.
bool is_decompression(const Node& node);

/// Says whether the mark is new.
inline bool disable_folding(const Node& node) {
  if (is_folding_disabled(node)) return false;
  node.set_rt_info(kDisableConstantFolding);
  return true;
}

/// A transformation that marks the nodes for which `wanted` holds.
inline Pass folding_mark(std::string name, std::string what, bool (*wanted)(const Node&)) {
  return graph_pass(std::move(name))
      .described(what, what + " {disable_constant_folding}")
      .asks_nodes()
      .run([=](Graph& graph, PassContext& context) -> Expected<bool> {
        bool changed = false;
        for (const Node node : graph.nodes())
          if (wanted(node) && !is_folding_disabled(node) && !context.skips(node))
            changed = disable_folding(node) || changed;
        return changed;
      });
}

}  // namespace mo::transformations
