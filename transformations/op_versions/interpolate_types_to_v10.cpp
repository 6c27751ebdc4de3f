#include "ops/convert.hpp"
#include "ops/interpolate.hpp"
#include "transformations/op_versions/lowering.hpp"

namespace mo::transformations {
namespace {

/// What the class of 2021.4 takes: reals of 16 and 32 bits, and i8.
bool is_readable(ElementType type) {
  return type == ElementType::f32 || type == ElementType::f16 || type == ElementType::bf16 || type == ElementType::i8;
}

Replacement through_f32(const Node& node, Rewriter& rw) {
  const ElementType type = node.input_type(0).element_type;
  if (type == ElementType::dynamic || is_readable(type)) return Replacement::declined();
  std::vector<Value> inputs;
  for (std::size_t i = 0; i < node.in_port_count(); ++i) inputs.push_back(node.input(i));
  inputs[0] = rw.create(ops::Convert{.destination_type = ElementType::f32}, inputs[0]);
  return rw.create(ops::Convert{.destination_type = type}, rw.create(*node.as<ops::v4::Interpolate>(), inputs));
}

}  // namespace

/// Interpolate-4 of other types computes in f32 for IR version 10; integers above 2^24 lose digits there.
void register_interpolate_types_to_v10(PassRegistry& passes) {
  passes.add(graph_rewrite("InterpolateTypesToV10")
                 .phase(Phase::back)
                 .run_after({"LowerOpSets"})
                 .when(is_for_v10)
                 .add(lowering<ops::v4::Interpolate>("Interpolate", through_f32)));
}

}  // namespace mo::transformations
