#include <algorithm>
#include <array>

#include "ops/build/tensors.hpp"
#include "ops/reshape.hpp"
#include "ops/select.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/matching.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

constexpr std::size_t kMostSelectDimensions = 5;

using Sizes = Shape;
constexpr std::int64_t kUnknown = -1;  ///< as Reshape writes it

std::ptrdiff_t unknown_count(const Sizes& sizes) { return std::count(sizes.begin(), sizes.end(), kUnknown); }

Sizes sizes_of(const PartialShape& shape) {
  Sizes sizes;
  for (const Dimension& size : shape) sizes.push_back(size.is_known() ? size.value() : kUnknown);
  return sizes;
}

/// The sizes of an input, with ones in front; nothing where an unknown size may be that of the result, or be stretched
/// to it.
std::optional<Sizes> sizes_within(const PartialShape& shape, const PartialShape& result) {
  if (!shape.has_rank() || shape.size() > result.size()) return std::nullopt;
  const std::size_t missing = result.size() - shape.size();
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (!shape[i].is_known() && !shape[i].same_value(result[missing + i])) return std::nullopt;
  Sizes sizes = sizes_of(shape);
  sizes.insert(sizes.begin(), static_cast<std::ptrdiff_t>(missing), 1);
  return sizes;
}

/// Puts neighbouring dimensions together along which each of the `shapes` either has the size of `result` or is
/// stretched to it. Dimensions of size 1 go.
void join_dimensions(const Sizes& result, std::array<Sizes, 3>& shapes) {
  std::array<Sizes, 3> joined;
  for (std::size_t axis = 0; axis < result.size(); ++axis) {
    if (result[axis] == 1) continue;
    const auto continues = [&](std::size_t i) { return (joined[i].back() == 1) == (shapes[i][axis] == 1); };
    const bool joins = !joined[0].empty() && continues(0) && continues(1) && continues(2);
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      if (!joins) joined[i].push_back(1);
      std::int64_t& size = joined[i].back();
      size = size == kUnknown || shapes[i][axis] == kUnknown ? kUnknown : size * shapes[i][axis];
    }
  }
  shapes = std::move(joined);
}

/// What gives the result its shape again; empty where no input tells it.
Value shape_of_result(const Node& node, const Sizes& result, Rewriter& rw) {
  if (unknown_count(result) <= 1) return rw.integers(result);
  for (const std::size_t i : {1U, 2U, 0U})
    if (same_shape(node.input_type(i).shape, node.output_type().shape)) return build::shape_of(rw, node.input(i));
  return {};
}

/// Select of many dimensions -> Reshape of the inputs to few, Select, Reshape to the shape that the result has.
Replacement select_of_joined(const Node& node, Rewriter& rw) {
  const auto& op = *node.as<ops::Select>();
  const PartialShape& shape = node.output_type().shape;
  if (!shape.has_rank() || shape.size() <= kMostSelectDimensions)
    return declined("the rank is unknown, or it has few dimensions");
  if (op.auto_broadcast == ops::AutoBroadcast::pdpd || shape.element_count() == 0)
    return declined("aligned at an axis, or without elements");
  const Sizes result = sizes_of(shape);
  std::array<Sizes, 3> shapes;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    auto sizes = sizes_within(node.input_type(i).shape, shape);
    if (!sizes) return declined("the shape of an input is unknown, or an unknown size is maybe stretched");
    shapes[i] = *std::move(sizes);
  }
  join_dimensions(result, shapes);
  if (shapes[0].size() > kMostSelectDimensions) return declined("inputs are stretched along too many dimensions");
  if (std::any_of(shapes.begin(), shapes.end(), [](const Sizes& sizes) { return unknown_count(sizes) > 1; }))
    return declined("unknown sizes stay apart");
  const Value target = shape_of_result(node, result, rw);
  if (!target) return declined("no input has the unknown sizes of the result");
  std::vector<Value> inputs;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    Sizes& sizes = shapes[i];
    sizes.erase(sizes.begin(), std::find_if(sizes.begin(), sizes.end(), [](std::int64_t size) { return size != 1; }));
    const bool stays = unknown_count(sizes) == 0 && node.input_type(i).shape == PartialShape(sizes);
    inputs.push_back(stays ? node.input(i) : rw.fold(ops::Reshape{}, node.input(i), rw.integers(sizes)));
  }
  return rw.create(ops::Reshape{}, rw.create(op, inputs), target);
}

}  // namespace

void register_select_of_six_dimensions(PassRegistry& passes) {
  passes.add(
      avoid_fault("SelectOfSixDimensions", {.form = "Select of six or more dimensions",
                                            .symptom = "a crash while the model is compiled or run",
                                            .first = "2021.4",
                                            .last = "2022.3",
                                            .replacement = "Reshape to at most five dimensions, Select, Reshape"})
          .add(lowering<ops::Select>("SelectOfJoined", select_of_joined)));
}

}  // namespace mo::transformations
