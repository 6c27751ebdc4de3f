#include "core/rewrite.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/transpose.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {
namespace {

bool is_preprocessing(const Value& value) {
  const AttributeMap* const info = value.node().rt_info();
  return info && info->find("preprocessing");
}

}  // namespace

void register_transpose_eltwise(PassRegistry& passes) {
  using namespace pattern;
  const Pat order = constant();
  const Pat eltwise = any_op<ops::Add, ops::Subtract, ops::Multiply, ops::Divide, ops::Power, ops::Maximum,
                             ops::Minimum, ops::Mod, ops::FloorMod, ops::SquaredDifference>()
                          .where(is_preprocessing, "an op that preprocessing put there");
  passes.offer(rewrite("TransposeEltwise")
                   .described("Transpose(Op(x, c), order) {preprocessing}", "Op(Transpose(x, order), c transposed)",
                              "x op c: c is one number or has the rank of x; one reader of the Transpose")
                   .match(op<ops::Transpose>(eltwise, order).one_use())
                   .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                     const Node node = m.node(eltwise);
                     const auto parts = tensor_and_constant(node);
                     if (!parts) return declined("it has no constant");
                     Value number = parts->constant;
                     const PartialShape& shape = number.type().shape;
                     const auto rank = m[order].type().shape.element_count();
                     // Only a scalar gives a tensor of lower rank no more dimensions.
                     if (parts->tensor.type().rank() != rank && shape.rank() != 0)
                       return declined("the rank of the tensor is unknown, or another one");
                     if (shape.element_count() != 1) {
                       if (shape.rank() != rank) return declined("the constant has another rank");
                       number = rw.fold(ops::Transpose{}, number, m[order]);
                     }
                     const Value moved = rw.create(ops::Transpose{}, parts->tensor, m[order]);
                     const bool first = node.input(0) == parts->constant;
                     return rw.copy_with_new_inputs(node, {first ? number : moved, first ? moved : number}).output();
                   }));
}

}  // namespace mo::transformations
