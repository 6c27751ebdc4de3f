#include <algorithm>

#include "core/rewrite.hpp"
#include "ops/split.hpp"
#include "transformations/support/matching.hpp"
#include "transformations/support/slice_plans.hpp"

namespace mo::transformations {
namespace {

struct Part {
  Node slice;
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

struct Partition {
  std::size_t axis = 0;
  std::vector<Part> parts;  ///< from the front, without overlap
};

/// The slices as parts of one dimension of what all of them read.
std::optional<Partition> partition_of(const std::vector<Node>& slices) {
  if (slices.size() < 2) return std::nullopt;
  const Shape shape = slices.front().input_type(0).shape.to_shape().value_or(Shape{});
  std::optional<std::size_t> axis;
  std::vector<SlicePlan> plans;
  for (const Node& slice : slices) {
    const auto plan = slice_plan(slice);
    if (!plan || is_model_output(slice.output())) return std::nullopt;
    for (std::size_t i = 0; i < shape.size(); ++i) {
      if (plan->stride[i] != 1) return std::nullopt;
      if (plan->begin[i] == 0 && plan->end[i] == shape[i]) continue;
      if (axis && *axis != i) return std::nullopt;
      axis = i;
    }
    plans.push_back(*plan);
  }
  if (!axis) return std::nullopt;
  Partition partition{*axis, {}};
  for (std::size_t i = 0; i < slices.size(); ++i)
    partition.parts.push_back({slices[i], plans[i].begin[*axis], plans[i].end[*axis]});
  std::stable_sort(partition.parts.begin(), partition.parts.end(),
                   [](const Part& a, const Part& b) { return a.begin < b.begin; });
  for (std::size_t i = 0; i < partition.parts.size(); ++i) {
    const Part& part = partition.parts[i];
    if (part.end <= part.begin || (i > 0 && part.begin < partition.parts[i - 1].end)) return std::nullopt;
  }
  return partition;
}

void split(Rewriter& rw, const Partition& partition) {
  const Value data = partition.parts.front().slice.input(0);
  const std::int64_t size = data.type().shape[partition.axis].value();
  std::vector<std::int64_t> lengths;
  std::vector<std::size_t> outputs;
  std::int64_t done = 0;
  for (const Part& part : partition.parts) {
    if (part.begin > done) lengths.push_back(part.begin - done);  // not taken by any slice
    outputs.push_back(lengths.size());
    lengths.push_back(part.end - part.begin);
    done = part.end;
  }
  if (done < size) lengths.push_back(size - done);
  const Node made = rw.create_node(ops::VariadicSplit{},
                                   {data, rw.scalar(static_cast<std::int64_t>(partition.axis)), rw.integers(lengths)},
                                   lengths.size());
  for (std::size_t i = 0; i < partition.parts.size(); ++i)
    rw.replace(partition.parts[i].slice, {made.output(outputs[i])});
}

/// The slices of a tensor become one op together, or none of them does.
bool any_skipped(const std::vector<Node>& slices, const PassContext& context) {
  return std::any_of(slices.begin(), slices.end(), [&](const Node& slice) { return context.skips(slice); });
}

}  // namespace

void register_grouped_strided_slice_optimizer(PassRegistry& passes) {
  passes.offer(graph_pass("GroupedStridedSliceOptimizer")
                   .described("several StridedSlice(x)", "VariadicSplit(x)",
                              "all slices of a static x, by steps of 1, along one axis, without overlap; none is an "
                              "output of the model")
                   .asks_nodes()
                   .run([](Graph& graph, PassContext& context) -> Expected<bool> {
                     MO_ASSIGN(const auto groups, slices_by_source(graph));
                     Rewriter rw(graph);
                     for (const std::vector<Node>& group : groups)
                       if (const auto partition = partition_of(group); partition && !any_skipped(group, context))
                         split(rw, *partition);
                     if (rw.error()) return Error(*rw.error());
                     return rw.has_changed();
                   }));
}

}  // namespace mo::transformations
