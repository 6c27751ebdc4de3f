#include <algorithm>
#include <numeric>

#include "ops/elementwise_binary.hpp"
#include "ops/unsqueeze.hpp"
#include "transformations/runtime_faults/support/branch_results.hpp"
#include "transformations/runtime_faults/support/remade.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

template <class... T>
bool broadcasts(const Node& node) {
  return ((node.is<T>() && node.as<T>()->auto_broadcast == ops::AutoBroadcast::numpy) || ...);
}

/// A reader that gives the same result when the tensor has up to `rank` dimensions, leading ones of size 1.
bool takes_leading_ones(const InPort& reader, std::int64_t rank) {
  const Node node = reader.node();
  if (!broadcasts<ops::Add, ops::Subtract, ops::Multiply, ops::Divide, ops::Maximum, ops::Minimum>(node)) return false;
  return node.input_type(1 - reader.index()).rank().value_or(-1) >= rank;
}

/// Prepends `count` dimensions of 1 to the tensor of `result`.
void add_leading_ones(const Node& result, std::int64_t count) {
  if (count <= 0) return;
  Rewriter inner(result.graph());
  std::vector<std::int64_t> axes(static_cast<std::size_t>(count));
  std::iota(axes.begin(), axes.end(), 0);
  inner.set_input(result, 0, inner.create(ops::Unsqueeze{}, result.input(0), inner.integers(axes)));
}

/// if(c) a else b -> if(c) unsqueeze(a) else b, where b has more dimensions and readers broadcast.
Replacement same_ranks(const Match& m, Rewriter& rw, PassContext&) {
  const Node node = m.root().node();
  const auto* const conditional = node.as<ops::If>();
  if (!conditional) return Replacement::declined();
  bool changed = false;
  for (std::size_t i = 0; i < node.out_port_count(); ++i) {
    const Node yes = result_of(conditional->then_body.graph(), conditional->then_output_map, i);
    const Node no = result_of(conditional->else_body.graph(), conditional->else_output_map, i);
    const auto yes_rank = yes ? yes.input_type(0).rank() : std::nullopt;
    const auto no_rank = no ? no.input_type(0).rank() : std::nullopt;
    if (!yes_rank || !no_rank || yes_rank == no_rank) continue;
    const std::int64_t rank = std::max(*yes_rank, *no_rank);
    const std::vector<InPort> readers = node.out_port(i).get_destinations();
    if (!std::all_of(readers.begin(), readers.end(),
                     [&](const InPort& reader) { return takes_leading_ones(reader, rank); }))
      continue;
    add_leading_ones(yes, rank - *yes_rank);
    add_leading_ones(no, rank - *no_rank);
    changed = true;
  }
  if (!changed) return declined("the ranks are the same or unknown, or a reader does not broadcast");
  return remade(node, rw);
}

}  // namespace

void register_branches_of_unlike_rank(PassRegistry& passes) {
  passes.add(
      avoid_fault("BranchesOfUnlikeRank", {.form = "If with branches of different ranks, whose outputs are broadcast",
                                           .symptom = "not compiled: an If of dynamic rank",
                                           .first = "2022.1",
                                           .last = "2022.1",
                                           .replacement = "Unsqueeze of the smaller rank in its branch"})
          .add(RewriteRule("SameRanks", {"If"}, std::nullopt, same_ranks)));
}

}  // namespace mo::transformations
