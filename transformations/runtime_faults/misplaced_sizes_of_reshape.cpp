#include <algorithm>

#include "core/graph/values.hpp"
#include "ops/concat.hpp"
#include "ops/convert.hpp"
#include "ops/gather.hpp"
#include "ops/reshape.hpp"
#include "ops/unsqueeze.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// The tensor before the elementwise ops of one input that lead to `x`: they do not change its shape.
Value same_shape_source(Value x) {
  constexpr int kMostSteps = 64;
  for (int i = 0; i < kMostSteps && x.node().op_type().traits.elementwise && x.node().in_port_count() == 1; ++i)
    x = x.node().input(0);
  return x;
}

/// A part of a shape that consists of sizes of one tensor.
struct Sizes {
  Value source;
  std::vector<std::int64_t> indices;
};

std::optional<Sizes> sizes_of(const Value& part) {
  Node node = part.node();
  if (node.is<ops::Unsqueeze>()) node = node.input(0).node();
  if (!node.is("Gather") || !node.input(0).node().is<ops::ShapeOf>()) return std::nullopt;
  const Value source = node.input(0).node().input(0);
  const auto rank = source.type().rank();
  auto indices = constant_integers_of(node.input(1));
  if (!rank || !indices) return std::nullopt;
  for (std::int64_t& index : *indices) index = normalize_axis(index, *rank).value_or(index);
  return Sizes{same_shape_source(source), *std::move(indices)};
}

/// For each part of `target` whether it holds sizes of `data` that the runtime takes for the sizes at their own places,
/// which special_zero copies. The runtime counts the places before the part, where all sizes of another tensor count as
/// one.
std::vector<bool> misplaced_parts(const Node& target, const Value& data) {
  std::vector<bool> misplaced(target.in_port_count());
  std::int64_t place = 0;
  std::int64_t counted = 0;
  Value last;
  for (std::size_t i = 0; i < misplaced.size(); ++i) {
    const auto length = target.input_type(i).shape.element_count();
    if (!length) return {};
    const auto sizes = sizes_of(target.input(i));
    const bool is_of_data = sizes && sizes->source == data;
    misplaced[i] = is_of_data && place != counted &&
                   std::find(sizes->indices.begin(), sizes->indices.end(), counted) != sizes->indices.end();
    place += *length;
    const Value source = sizes ? sizes->source : Value();
    if (!sizes || is_of_data)
      counted += *length;
    else if (source != last)
      ++counted;
    last = source;
  }
  return misplaced;
}

/// The sizes of `part` in a form that the runtime does not know: of the shape as i32.
Value hidden(Rewriter& rw, const Value& part) {
  const Node node = part.node();
  if (node.is<ops::Unsqueeze>())
    return rw.copy_with_new_inputs(node, {hidden(rw, node.input(0)), node.input(1)}).output();
  const Value narrow = rw.create(ops::ShapeOf{.output_type = ElementType::i32}, node.input(0).node().input(0));
  const Value shape = rw.create(ops::Convert{.destination_type = part.type().element_type}, narrow);
  return rw.copy_with_new_inputs(node, {shape, node.input(1), node.input(2)}).output();
}

/// Reshape(x, [a, b, size i of x, …]) -> the same with the size hidden.
Replacement hide_misplaced_sizes(const Node& node, Rewriter& rw) {
  const Node target = node.input(1).node();
  if (!node.as<ops::Reshape>()->special_zero || !target.is<ops::Concat>())
    return declined("zeros are not special, or the shape is not joined");
  const std::vector<bool> misplaced = misplaced_parts(target, same_shape_source(node.input(0)));
  if (std::find(misplaced.begin(), misplaced.end(), true) == misplaced.end())
    return declined("no size is mistaken for one at its own place");
  std::vector<Value> parts;
  for (std::size_t i = 0; i < misplaced.size(); ++i)
    parts.push_back(misplaced[i] ? hidden(rw, target.input(i)) : target.input(i));
  return rw.create(*node.as<ops::Reshape>(), node.input(0), rw.create(*target.as<ops::Concat>(), parts));
}

}  // namespace

void register_misplaced_sizes_of_reshape(PassRegistry& passes) {
  passes.add(avoid_fault(
                 "MisplacedSizesOfReshape",
                 {.form = "Reshape with special_zero to sizes of another tensor, then to size i of its data at a place "
                          "that is not i",
                  .symptom = "not compiled, or another shape: the size becomes a 0, which copies the size at its place",
                  .first = "2022.1",
                  .last = "2022.1",
                  .replacement = "the size of a shape as i32, converted to i64"})
                 .add(lowering<ops::Reshape>("Reshape", hide_misplaced_sizes)));
}

}  // namespace mo::transformations
