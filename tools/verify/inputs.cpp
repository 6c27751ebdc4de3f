#include "tools/verify/inputs.hpp"

#include <algorithm>
#include <optional>

#include "core/graph/model_ends.hpp"
#include "core/tensor/convert.hpp"
#include "core/tensor/permute.hpp"
#include "tools/verify/needed_sizes.hpp"

namespace mo::tools {
namespace {

bool belong_together(const Node& a, const Node& b) {
  const auto names = a.output().data().tensor_names();
  return is_called(b, a.name()) ||
         std::any_of(names.begin(), names.end(), [&](std::string_view name) { return is_called(b, name); });
}

Expected<std::vector<std::size_t>> matched(const std::vector<Node>& source, const std::vector<Node>& checked) {
  constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::vector<std::size_t> places(checked.size(), kNone);
  std::vector<bool> taken(source.size());
  for (std::size_t i = 0; i < checked.size(); ++i)
    for (std::size_t j = 0; j < source.size() && places[i] == kNone; ++j)
      if (!taken[j] && belong_together(checked[i], source[j])) places[i] = j, taken[j] = true;
  std::size_t next = 0;
  for (std::size_t i = 0; i < checked.size(); ++i) {
    if (places[i] != kNone) continue;
    while (next < source.size() && taken[next]) ++next;
    if (checked.size() != source.size() || next == source.size())
      return error("MO-VERIFY-0005", "input '{}' of the checked model has no counterpart in the source",
                   checked[i].name())
          .hint("inputs belong together by their names; cut both models at the same places (--input)");
    places[i] = next;
    taken[next] = true;
  }
  return places;
}

/// The orders in which the dimensions of a source's input may stand in the checked model.
std::vector<std::vector<std::int64_t>> orders(std::size_t rank) {
  std::vector<std::int64_t> same;
  for (std::size_t i = 0; i < rank; ++i) same.push_back(static_cast<std::int64_t>(i));
  return {same, order_to_channels_first(rank), order_to_channels_last(rank)};
}

/// What is known when both hold, in the source's order.
PartialShape narrowed(const PartialShape& source, const PartialShape& checked) {
  if (!source.has_rank()) return checked;
  if (!checked.has_rank() || checked.rank() != source.rank()) return source;
  for (const auto& order : orders(source.size())) {
    const PartialShape there = permuted(source, order);
    if (!there.compatible(checked)) continue;
    PartialShape made = source;
    for (std::size_t i = 0; i < order.size(); ++i) {
      Dimension& dim = made[static_cast<std::size_t>(order[i])];
      if (const auto both = dim.merge(checked[i])) dim = *both;
    }
    return made;
  }
  return source;
}

/// With sizes where the shape leaves them open.
PartialShape filled(PartialShape shape, const PartialShape& sizes) {
  if (!shape.has_rank()) return sizes;
  if (!sizes.has_rank() || sizes.size() != shape.size()) return shape;
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (const auto both = shape[i].merge(sizes[i]); both && sizes[i].is_known()) shape[i] = *both;
  return shape;
}

Expected<std::optional<Tensor>> moved_to(const PartialShape& wanted, const Tensor& input) {
  for (const auto& order : orders(static_cast<std::size_t>(input.rank()))) {
    if (!wanted.compatible(permuted(PartialShape(input.shape()), order))) continue;
    if (is_identity_order(order)) return std::optional(input);
    MO_ASSIGN(Tensor moved, permuted(input, order));
    return std::optional(std::move(moved));
  }
  return std::optional<Tensor>();
}

}  // namespace

Expected<InputPlan> plan_inputs(const Graph& source, const Graph& checked) {
  const std::vector<Node> own = source.parameters();
  const std::vector<Node> others = checked.parameters();
  InputPlan plan;
  MO_ASSIGN(plan.source_of, matched(own, others));
  for (const Node& parameter : own) plan.shapes.push_back(parameter.as<Parameter>()->shape);
  for (std::size_t i = 0; i < others.size(); ++i) {
    PartialShape& shape = plan.shapes[plan.source_of[i]];
    shape = narrowed(shape, others[i].as<Parameter>()->shape);
  }
  const std::vector<PartialShape> needed = shapes_that_readers_need(source);
  for (std::size_t i = 0; i < own.size(); ++i) plan.needed.push_back(filled(plan.shapes[i], needed[i]));
  return plan;
}

Expected<std::vector<Tensor>> inputs_for(const Graph& checked, const InputPlan& plan,
                                         const std::vector<Tensor>& inputs) {
  std::vector<Tensor> made;
  for (const Node& parameter : checked.parameters()) {
    const Tensor& input = inputs[plan.source_of[made.size()]];
    const Parameter& declared = *parameter.as<Parameter>();
    MO_ASSIGN(std::optional<Tensor> moved, moved_to(declared.shape, input));
    if (!moved)
      return parameter
          .error("MO-VERIFY-0005", "input '{}' is {} in the source and {} in the checked model", parameter.name(),
                 input.type().to_string(), parameter.output_type().to_string())
          .hint("convert with the shapes that are compared, or give them with --input_shape");
    if (declared.element_type != ElementType::dynamic && declared.element_type != moved->element_type()) {
      MO_ASSIGN(moved, convert(*moved, declared.element_type));
    }
    made.push_back(*std::move(moved));
  }
  return made;
}

}  // namespace mo::tools
