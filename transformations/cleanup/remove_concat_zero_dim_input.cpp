#include <algorithm>

#include "core/rewrite.hpp"
#include "ops/concat.hpp"

namespace mo::transformations {
namespace {

bool has_no_elements(const Value& value) {
  const PartialShape& shape = value.type().shape;
  return shape.has_rank() &&
         std::any_of(shape.begin(), shape.end(), [](const Dimension& d) { return d.is_known() && d.value() == 0; });
}

}  // namespace

void register_remove_concat_zero_dim_input(PassRegistry& passes) {
  const Pat concat = pattern::op<ops::Concat>();
  passes.offer(rewrite("RemoveConcatZeroDimInput")
                   .described("Concat(a, b, c), b without elements", "Concat(a, c)", "an input with elements is left")
                   .match(concat)
                   .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                     const Node node = m.node(concat);
                     std::vector<Value> left;
                     for (std::size_t i = 0; i < node.in_port_count(); ++i)
                       if (!has_no_elements(node.input(i))) left.push_back(node.input(i));
                     if (left.size() == node.in_port_count() || left.empty())
                       return declined("all inputs have elements, or none has");
                     return rw.copy_with_new_inputs(node, left).output();
                   }));
}

}  // namespace mo::transformations
