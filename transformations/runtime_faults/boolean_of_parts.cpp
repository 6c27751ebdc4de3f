#include "ops/comparison.hpp"
#include "ops/convert.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// One of several outputs of an op, also through ops that may change nothing (a Reshape to the same shape), which the
/// runtime removes first.
bool is_part(Value x) {
  while (x.node().out_port_count() == 1) {
    const Node node = x.node();
    if (node.in_port_count() == 0 || !node.input(0) || node.op_type().traits.elementwise) return false;
    if (!node.input_type(0).shape.compatible(x.type().shape)) return false;
    x = node.input(0);
  }
  return true;
}

/// Convert(part) to boolean -> part != 0. Real numbers are the matter of BooleanOfNan.
Replacement unequal_zero(const Node& node, Rewriter& rw) {
  const ElementType type = node.input_type(0).element_type;
  if (node.as<ops::Convert>()->destination_type != ElementType::boolean || !is_integral(type))
    return declined("not from integers to booleans");
  if (!is_part(node.input(0))) return declined("the only output of an op");
  return rw.create(ops::NotEqual{}, node.input(0), rw.scalar_like(node.input(0), 0));
}

}  // namespace

void register_boolean_of_parts(PassRegistry& passes) {
  passes.add(avoid_fault("BooleanOfParts", {.form = "Convert to boolean of one of several outputs of an op",
                                            .symptom = "not compiled, or the first output is converted",
                                            .first = "2024.6",
                                            .last = "latest",
                                            .replacement = "NotEqual(x, 0)"})
                 .add(lowering<ops::Convert>("UnequalZero", unequal_zero)));
}

}  // namespace mo::transformations
