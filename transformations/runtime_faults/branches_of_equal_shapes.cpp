#include "ops/concat.hpp"
#include "ops/gather.hpp"
#include "ops/unsqueeze.hpp"
#include "transformations/runtime_faults/support/branch_results.hpp"
#include "transformations/runtime_faults/support/remade.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// What a Result gets from now on: one copy of its tensor, or two, along a new first dimension.
void set_copies(Graph& body, const Node& result, std::size_t count) {
  Rewriter inner(body);
  const Value copy = inner.create(ops::Unsqueeze{}, result.input(0), inner.integers({0}));
  inner.set_input(result, 0, count == 1 ? copy : inner.create(ops::Concat{.axis = 0}, std::vector<Value>(count, copy)));
}

bool is_doubled(const Value& value) {
  const Node& concat = value.node();
  return concat.is<ops::Concat>() && concat.in_port_count() == 2 && concat.input(0) == concat.input(1) &&
         concat.input(0).node().is<ops::Unsqueeze>();
}

/// if(c) y else z -> (if(c) [y] else [z, z])[0], so that no shape of one branch is one of the other.
Replacement tell_branches_apart(const Match& m, Rewriter& rw, PassContext&) {
  const Node node = m.root().node();
  auto* const op = node.as<ops::If>();
  if (!op) return Replacement::declined();
  std::vector<std::size_t> changed;
  for (std::size_t i = 0; i < node.out_port_count(); ++i) {
    const TensorType& type = node.output_type(i);
    if (node.output(i).disconnected() || type.shape.is_static() || !type.rank() ||
        type.element_type == ElementType::string)
      continue;
    const Node then_result = result_of(op->then_body.graph(), op->then_output_map, i);
    const Node else_result = result_of(op->else_body.graph(), op->else_output_map, i);
    if (!then_result || !else_result || is_doubled(else_result.input(0))) continue;
    set_copies(op->then_body.graph(), then_result, 1);
    set_copies(op->else_body.graph(), else_result, 2);
    changed.push_back(i);
  }
  if (changed.empty())
    return declined("its outputs are of static shape or unknown rank, or their branches are distinguished");
  Outputs outputs = remade(node, rw);
  for (const std::size_t i : changed)
    outputs[i] = rw.create(ops::v1::Gather{}, outputs[i], rw.scalar<std::int64_t>(0), rw.scalar<std::int64_t>(0));
  return outputs;
}

}  // namespace

void register_branches_of_equal_shapes(PassRegistry& passes) {
  passes.add(
      avoid_fault("BranchesOfEqualShapes",
                  {.form = "If with an output of unknown sizes, both branches of which may give the same shape",
                   .symptom = "after the condition has changed, the output is what the other branch gave before",
                   .first = "2022.1",
                   .last = "2025.4",
                   .replacement = "branches that give one copy and two along a new dimension, Gather of the first"})
          .add(RewriteRule("TellBranchesApart", {"If"}, std::nullopt, tell_branches_apart)));
}

}  // namespace mo::transformations
