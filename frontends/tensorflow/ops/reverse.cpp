#include <algorithm>
#include <limits>

#include "frontends/tensorflow/ops/support/tensorflow_movement.hpp"
#include "ops/reverse_sequence.hpp"
#include "ops/slice.hpp"

namespace mo::tensorflow {
namespace {

/// x backwards along these axes: one slice from the last element to the first.
Replacement backwards(const FrameworkNode& node, Rewriter& rw, Integers axes) {
  if (axes.empty()) return node.input(0);
  for (std::int64_t& axis : axes) axis = with_hidden_axis(node, axis);
  const Integers last(axes.size(), -1);
  const Integers beyond_first(axes.size(), std::numeric_limits<std::int64_t>::min());
  return rw.create(ops::Slice{}, node.input(0), rw.integers(last), rw.integers(beyond_first), rw.integers(last),
                   rw.integers(axes));
}

/// One boolean for each dimension.
Replacement reverse_where(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(expect_tensor(node));
  MO_ASSIGN(const Integers marks, known_list(node, 1, "what to reverse"));
  Integers axes;
  for (std::size_t i = 0; i < marks.size(); ++i)
    if (marks[i] != 0) axes.push_back(static_cast<std::int64_t>(i));
  return backwards(node, rw, std::move(axes));
}

Replacement reverse_along(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(expect_tensor(node));
  MO_ASSIGN(Integers axes, known_list(node, 1, "the list of axes"));
  Integers sorted = axes;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    return node.error("MO-TF-0556", "an axis is listed twice").hint("each axis is reversed once");
  return backwards(node, rw, std::move(axes));
}

}  // namespace

void register_reverse(OperatorTable& table) {
  table.translate("Reverse", reverse_where);
  table.translate("ReverseV2", reverse_along);
  table.extract("ReverseSequence", [](const FrameworkNode& node) -> Expected<Op> {
    MO_TRY(expect_tensor(node));
    const auto sequence = node.required<std::int64_t>("seq_dim");
    const auto batch = node.attr<std::int64_t>("batch_dim", 0);
    if (sequence < 0 || batch < 0 || (sequence == batch && !node.failure()))
      return node.error("MO-TF-0553", "seq_dim is {} and batch_dim {}", sequence, batch)
          .hint("they are two different axes, counted from the front");
    return ops::ReverseSequence{.batch_axis = batch, .seq_axis = sequence};
  });
}

}  // namespace mo::tensorflow
