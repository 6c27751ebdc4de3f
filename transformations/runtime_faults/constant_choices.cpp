#include "ops/select.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/copied.hpp"
#include "transformations/support/computed_values.hpp"
#include "transformations/support/matching.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// An input of the model, or its elements under another shape.
bool is_model_input(Value value) {
  while (value.node().op_type().traits.reinterprets) value = value.node().input(0);
  return value.node().is<Parameter>();
}

/// An output of the model, or of one that StridedSlice or Gather make without taking anything: the runtime lets `value`
/// be that output.
bool becomes_model_output(const Value& value) {
  std::vector<Value> open{value};
  for (std::size_t i = 0; i < open.size(); ++i) {
    if (is_model_output(open[i])) return true;
    for (const InPort& reader : open[i].get_destinations()) {
      const Node node = reader.node();
      const bool takes_all = reader.index() == 0 && (node.is("StridedSlice") || node.is("Gather")) &&
                             same_shape(node.output_type().shape, value.type().shape);
      if (takes_all) open.push_back(node.output());
    }
  }
  return false;
}

/// select(constant, a, b) -> select(constant, copy of a, copy of b), where the runtime cannot put a or b in its place.
Replacement choice_of_copies(const Node& node, Rewriter& rw) {
  if (is_computed(node.input(0))) return declined("the condition is computed");
  const bool is_output = becomes_model_output(node.output());
  bool is_changed = false;
  const auto alternative = [&](const Value& value) {
    const bool takes_place = same_shape(value.type().shape, node.output_type().shape) && !value.node().is<Const>();
    const bool is_named = is_output || becomes_model_output(value) || is_model_input(value);
    if (!takes_place || !is_named || is_copy(value) || !can_be_copied(value.type().element_type)) return value;
    is_changed = true;
    return copied(rw, value);
  };
  const Value first = alternative(node.input(1));
  const Value second = alternative(node.input(2));
  if (!is_changed) return declined("neither it nor what it chooses is an input or output of the model");
  ops::Select op = *node.as<ops::Select>();
  return rw.create(std::move(op), node.input(0), first, second);
}

}  // namespace

void register_constant_choices(PassRegistry& passes) {
  passes.add(avoid_fault("ConstantChoices",
                         {.form = "Select by a condition made of constants and static shapes, of an input or output of "
                                  "the model, or for an output",
                          .symptom = "what it chooses takes its place: the process ends, or the output is not found",
                          .first = "2022.3",
                          .last = "2022.3",
                          .replacement = "Maximum(x, x) or LogicalOr(x, x) as a copy before it"})
                 .only_top_level()
                 .add(lowering<ops::Select>("ChoiceOfCopies", choice_of_copies)));
}

}  // namespace mo::transformations
