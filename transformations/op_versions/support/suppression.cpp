#include "transformations/op_versions/support/suppression.hpp"

namespace mo::transformations {

Replacement suppressed_by_opset5(const Node& node, ops::v5::NonMaxSuppression op, Rewriter& rw) {
  std::vector<Value> inputs;
  for (std::size_t i = 0; i < 5; ++i) {
    const Value given = i < node.in_port_count() ? node.input(i) : Value();
    inputs.push_back(given ? given : i == 2 ? rw.scalar<std::int64_t>(0) : rw.scalar<float>(0));
  }
  return rw.create_node(std::move(op), inputs, 3).output(0);
}

}  // namespace mo::transformations
