#include <algorithm>

#include "ops/compressed_weights.hpp"
#include "ops/reshape.hpp"
#include "ops/squeeze.hpp"
#include "ops/transpose.hpp"
#include "ops/unsqueeze.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {
namespace {

using namespace pattern;

/// A shape with as many dimensions as the weights.
Shape aligned(Shape shape, std::size_t rank) {
  shape.insert(shape.begin(), rank > shape.size() ? rank - shape.size() : 0, 1);
  return shape;
}

/// The shape of a scale on weights that go from shape `from` to `to`: runs of dimensions that hold as many elements
/// correspond, and in each of them the scale is one number or complete. Nothing when it is neither, or a dimension is
/// 0.
std::optional<Shape> scale_after_reshape(const Shape& scale, const Shape& from, const Shape& to) {
  const auto is_empty = [](std::int64_t d) { return d < 1; };
  if (std::any_of(from.begin(), from.end(), is_empty) || std::any_of(to.begin(), to.end(), is_empty))
    return std::nullopt;
  Shape made;
  for (std::size_t i = 0, j = 0; i < from.size() || j < to.size();) {
    std::int64_t old_count = 1;
    std::int64_t new_count = 1;
    bool one = true;
    bool complete = true;
    const std::size_t first = j;
    do {
      if (old_count <= new_count && i < from.size()) {
        one = one && scale[i] == 1;
        complete = complete && scale[i] == from[i];
        old_count *= from[i++];
      } else if (j < to.size()) {
        new_count *= to[j++];
      } else {
        return std::nullopt;
      }
    } while (old_count != new_count);
    if (!one && !complete) return std::nullopt;
    for (std::size_t k = first; k < j; ++k) made.push_back(one ? 1 : to[k]);
  }
  return made.size() == to.size() ? std::optional(made) : std::nullopt;
}

}  // namespace

/// Transpose(CompressedWeights(w)) -> CompressedWeights(Transpose(w)); likewise for Reshape, Squeeze and Unsqueeze:
/// runtimes expect the weights directly before the op that reads them. Weights of 4 bits, two in a byte, are only
/// reshaped.
void register_compressed_weights_movement(PassRegistry& passes) {
  const Pat compressed = op<ops::CompressedWeights>().one_use();
  const Pat transpose = op<ops::Transpose>(compressed, constant());
  const Pat reshape = any_op<ops::Reshape, ops::Unsqueeze, ops::Squeeze, ops::v15::Squeeze>(compressed, constant());

  passes.add(rewrite("CompressedWeightsMovement")
                 .run_after({"LayoutChange"})
                 .run_before({"ConstantFolding"})
                 .match(any_of(transpose, reshape))
                 .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                   const Node node = m.node(compressed);
                   const auto from = node.input_type(0).shape.to_shape();
                   const auto to = m.root().type().shape.to_shape();
                   if (!from || !to || !node.input(0).node().is<Const>())
                     return declined("the shapes are unknown, or the data are not a constant");
                   const bool moves = static_cast<bool>(m.find(transpose));
                   if (moves && bit_width(node.input_type(0).element_type) < 8)
                     return declined("the elements are smaller than a byte");
                   std::vector<Value> inputs;
                   for (std::size_t i = 0; i < node.in_port_count(); ++i) {
                     const Value input = node.input(i);
                     if (!input) continue;
                     const auto shape = input.type().shape.to_shape();
                     if (!shape || shape->size() > from->size() || !input.node().is<Const>())
                       return declined("an input has more dimensions than the data, or is not a constant");
                     const Shape full = aligned(*shape, from->size());
                     if (moves) {
                       inputs.push_back(rw.fold(ops::Transpose{}, reshaped(rw, input, full), m.root().node().input(1)));
                       continue;
                     }
                     const auto made = i == 0 ? to : scale_after_reshape(full, *from, *to);
                     if (!made) return declined("an input cannot be moved to the other shape");
                     inputs.push_back(reshaped(rw, input, *made));
                   }
                   return rw.create(ops::CompressedWeights{}, inputs);
                 }));
}

}  // namespace mo::transformations
