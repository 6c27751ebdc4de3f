#include "ops/one_hot.hpp"

#include "frontends/tensorflow/ops/support/tensorflow_movement.hpp"

namespace mo::tensorflow {
namespace {

/// The IR takes indices of 32 and 64 bits.
Replacement one_hot(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(expect_real(node));
  MO_TRY(node.expect_inputs(4));
  Value indices = node.input(0);
  if (type_of(indices).element_type != ElementType::i64) indices = as_type(rw, indices, ElementType::i32);
  return rw.create(ops::OneHot{.axis = node.attr<std::int64_t>("axis", -1)}, indices, node.input(1), node.input(2),
                   node.input(3));
}

}  // namespace

void register_one_hot(OperatorTable& table) { table.translate("OneHot", one_hot); }

}  // namespace mo::tensorflow
