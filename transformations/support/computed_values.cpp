#include "transformations/support/computed_values.hpp"

#include <vector>

namespace mo::transformations {

bool is_computed(const Value& value) {
  // quantised weights and numbers of shapes are a few; a search that takes longer counts as computed
  constexpr int kMostNodes = 64;
  std::vector<Value> open = {value};
  for (int i = 0; !open.empty(); ++i) {
    const Node node = open.back().node();
    open.pop_back();
    if (node.is<Const>() || (node.op_type().traits.shape_of && node.input_type(0).shape.is_static())) continue;
    if (i == kMostNodes || node.in_port_count() == 0) return true;
    for (std::size_t p = 0; p < node.in_port_count(); ++p)
      if (node.input(p)) open.push_back(node.input(p));
  }
  return false;
}

bool has_computed_weights(const Node& node, std::size_t first) {
  constexpr std::size_t kWeights = 3;
  for (std::size_t i = first; i < node.in_port_count() && i < first + kWeights; ++i)
    if (node.input(i) && is_computed(node.input(i))) return true;
  return false;
}

}  // namespace mo::transformations
