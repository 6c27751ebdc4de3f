#include "ops/one_hot.hpp"

#include "frontends/tensorflow/ops/support/movement_attributes.hpp"

namespace mo::tensorflow {

void register_one_hot(OperatorTable& table) {
  table.extract("OneHot", [](const FrameworkNode& node) -> Expected<Op> {
    MO_TRY(expect_real(node));
    const auto axis = node.attr<std::int64_t>("axis", -1);
    // The IR takes indices of 32 and 64 bits.
    const auto indices = node.attr("TI", ElementType::i64);
    if (indices != ElementType::i32 && indices != ElementType::i64) return front_op("TfOneHot", {{"axis", axis}});
    return ops::OneHot{.axis = axis};
  });
}

}  // namespace mo::tensorflow
