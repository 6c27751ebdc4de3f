#include <algorithm>

#include "core/registry/pass_registry.hpp"
#include "ops/convolution.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/mat_mul.hpp"
#include "transformations/support/constant_folding_marks.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {
namespace {

/// x - zero point of 8 bits before a weighted op: runtimes that compute in integers look for the Subtract.
bool takes_zero_point_off(const Node& subtract) {
  const ElementType type = subtract.input_type(0).element_type;
  if (type != ElementType::i8 && type != ElementType::u8) return false;
  const std::vector<InPort> readers = subtract.output().get_destinations();
  return std::any_of(readers.begin(), readers.end(), [](const InPort& reader) {
    const Node node = reader.node();
    return node.is<ops::Convolution>() || node.is<ops::GroupConvolution>() || node.is<ops::MatMul>();
  });
}

}  // namespace

void register_convert_subtract(PassRegistry& passes) {
  passes.offer(
      rewrite("ConvertSubtract")
          .described(
              "Subtract(a, b)", "a + b * -1",
              "one signed type; no zero point of 8 bits before a convolution or a MatMul, or of compressed weights")
          .match(pattern::op<ops::Subtract>())
          .replace(of_op<ops::Subtract>([](const Node& node, const ops::Subtract& op, Rewriter& rw) -> Replacement {
            if (node.input_type(0).element_type != node.input_type(1).element_type) return declined("two types");
            if (takes_zero_point_off(node) || is_decompression(node.input(0).node()))
              return declined("takes a zero point off");
            if (!is_signed(node.input_type(1).element_type)) return declined("the type has no -1");
            const Value opposite = rw.create(ops::Multiply{}, node.input(1), rw.scalar_like(node.input(1), -1));
            return rw.create(
                ops::Add{.auto_broadcast = op.auto_broadcast, .auto_broadcast_axis = op.auto_broadcast_axis},
                node.input(0), opposite);
          })));
}

}  // namespace mo::transformations
