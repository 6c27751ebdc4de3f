#include "ops/concat.hpp"
#include "ops/convert.hpp"
#include "ops/gather.hpp"
#include "ops/pad.hpp"
#include "ops/reshape.hpp"
#include "ops/shape_of.hpp"
#include "ops/top_k.hpp"
#include "ops/transpose.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/op_versions/older_classes.hpp"
#include "transformations/runtime_faults/support/readers.hpp"
#include "transformations/support/matching.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// Ops that the runtime takes away where they keep the shape: they move elements or convert them, and then to the same
/// place and type.
bool changes_nothing(const Node& node) {
  const bool is_movement = node.is<ops::Concat>() || node.is<ops::Convert>() || node.is<ops::v1::Gather>() ||
                           node.is<ops::v1::Pad>() || node.is<ops::Reshape>() || node.is<ops::StridedSlice>() ||
                           node.is<ops::Transpose>();
  if (!is_movement) return false;
  const TensorType& from = node.input_type(0);
  const TensorType& to = node.output_type();
  return from.element_type == to.element_type && from.shape.is_static() && from.shape == to.shape;
}

/// An output of TopK with one reader, where nothing but the shape of the other output is read.
bool is_lone_output_of_top_k(const Value& value) {
  const Node node = value.node();
  if (!node.is<ops::v3::TopK>() && !node.is<ops::v1::TopK>()) return false;
  return value.has_one_destination() && readers_of_elements(node.output(1 - value.index())).empty();
}

/// Op(x) -> Op(x + 0), where x is an output of TopK, perhaps after further ops that change nothing.
Replacement of_sum(const Node& node, Rewriter& rw) {
  if (!changes_nothing(node) || !is_model_output(node.output()))
    return declined("it changes its input, or no Result reads it");
  Value source = node.input(0);
  while (changes_nothing(source.node())) source = source.node().input(0);
  if (!is_lone_output_of_top_k(source)) return declined("not of the one output of a TopK that is read");
  std::vector<Value> inputs = inputs_of(node);
  inputs[0] = rw.create(ops::Add{}, inputs[0], rw.scalar_like(inputs[0], 0));
  return rw.copy_with_new_inputs(node, inputs).output();
}

}  // namespace

void register_nothing_behind_top_k(PassRegistry& passes) {
  const Pat movement = pattern::any_op<ops::Concat, ops::Convert, ops::v1::Gather, ops::v1::Pad, ops::Reshape,
                                       ops::StridedSlice, ops::Transpose>();
  passes.add(avoid_fault("NothingBehindTopK",
                         {.form = "op that changes nothing between the one output of a TopK that is read and a Result",
                          .symptom = "not compiled: the op is gone together with the name of the output",
                          .first = "2021.4",
                          .last = "2021.4",
                          .replacement = "addition of zero before it"})
                 .add(rewrite("OfSum").match(movement).rule(
                     [](const Match& m, Rewriter& rw) { return of_sum(m.root().node(), rw); })));
}

}  // namespace mo::transformations
