#include "ops/pooling.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

template <class T>
Replacement with_dilations(const Node& node, Rewriter& rw) {
  T op = *node.template as<T>();
  if (!op.dilations.empty()) return Replacement::declined();
  op.dilations.assign(op.kernel.size(), 1);
  return rw.create_node(std::move(op), {node.input(0)}, node.out_port_count()).out_ports();
}

}  // namespace

void register_max_pool_without_dilations(PassRegistry& passes) {
  passes.add(avoid_fault("MaxPoolWithoutDilations",
                         {.form = "MaxPool-8 or MaxPool-14 that leaves its dilations out, and whose indices are read",
                          .symptom = "an error during inference: the sizes of kernel and dilations differ",
                          .first = "2022.1",
                          .last = "latest",
                          .replacement = "the dilations, which are 1"})
                 .add(lowering<ops::v8::MaxPool>("MaxPool8", with_dilations<ops::v8::MaxPool>))
                 .add(lowering<ops::v14::MaxPool>("MaxPool14", with_dilations<ops::v14::MaxPool>)));
}

}  // namespace mo::transformations
