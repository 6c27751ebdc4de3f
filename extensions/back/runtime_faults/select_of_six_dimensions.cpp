#include <algorithm>
#include <array>

#include "extensions/back/lowering.hpp"
#include "extensions/back/support/runtime_fault.hpp"
#include "ops/reshape.hpp"
#include "ops/select.hpp"

namespace mo::back {
namespace {

constexpr std::size_t kMostSelectDimensions = 5;

/// `shape` with ones in front, for `rank` dimensions.
Shape with_ones_in_front(Shape shape, std::size_t rank) {
  shape.insert(shape.begin(), rank - shape.size(), 1);
  return shape;
}

/// Puts neighbouring dimensions together along which each of the `shapes` either has the size of `result` or is stretched to it. Dimensions of size 1 go.
void join_dimensions(const Shape& result, std::array<Shape, 3>& shapes) {
  std::array<Shape, 3> joined;
  for (std::size_t axis = 0; axis < result.size(); ++axis) {
    if (result[axis] == 1) continue;
    const auto continues = [&](std::size_t i) { return (joined[i].back() == 1) == (shapes[i][axis] == 1); };
    const bool joins = !joined[0].empty() && continues(0) && continues(1) && continues(2);
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      if (!joins) joined[i].push_back(1);
      joined[i].back() *= shapes[i][axis];
    }
  }
  shapes = std::move(joined);
}

/// Select of many dimensions -> Reshape of the inputs to few, Select, Reshape to the shape that the result has.
Replacement select_of_joined(const Node& node, Rewriter& rw) {
  const auto& op = *node.as<ops::Select>();
  const auto result = node.output_type().shape.to_shape();
  if (!result || result->size() <= kMostSelectDimensions) return declined("the shape is not known, or has few dimensions");
  if (op.auto_broadcast == ops::AutoBroadcast::pdpd || element_count(*result) == 0) return declined("aligned at an axis, or without elements");
  std::array<Shape, 3> shapes;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    auto shape = node.input_type(i).shape.to_shape();
    if (!shape) return declined("the shape of an input is not known");
    shapes[i] = with_ones_in_front(*std::move(shape), result->size());
  }
  join_dimensions(*result, shapes);
  if (shapes[0].size() > kMostSelectDimensions) return declined("inputs are stretched along too many dimensions");
  std::vector<Value> inputs;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    Shape& shape = shapes[i];
    shape.erase(shape.begin(), std::find_if(shape.begin(), shape.end(), [](std::int64_t size) { return size != 1; }));
    const bool stays = node.input_type(i).shape == PartialShape(shape);
    inputs.push_back(stays ? node.input(i) : rw.fold(ops::Reshape{}, node.input(i), rw.integers(shape)));
  }
  return rw.create(ops::Reshape{}, rw.create(op, inputs), rw.integers(*result));
}

}  // namespace

void register_select_of_six_dimensions(PassRegistry& passes) {
  passes.add(avoid_fault("SelectOfSixDimensions", {.form = "Select of six or more dimensions",
                                                   .symptom = "a crash while the model is compiled or run",
                                                   .first = "2021.4",
                                                   .last = "2022.3",
                                                   .replacement = "Reshape to at most five dimensions, Select, Reshape"})
                 .add(lowering<ops::Select>("SelectOfJoined", select_of_joined)));
}

}  // namespace mo::back
