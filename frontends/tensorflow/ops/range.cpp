#include "ops/range.hpp"

#include <algorithm>

#include "frontends/tensorflow/ops/support/tensorflow_movement.hpp"
#include "ops/elementwise_binary.hpp"

namespace mo::tensorflow {
namespace {

/// LinSpace(start, stop, n) -> start + i * (stop - start) / max(n - 1, 1) for i = 0 … n - 1
Replacement linear_space(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(expect_real(node));
  MO_TRY(node.expect_inputs(3));
  if (const auto known = integers_of(node.input(2)); known && (known->size() != 1 || known->front() < 1))
    return node.error("MO-TF-0556", "num is not one positive number").hint("num is the number of values");
  const Value start = node.input(0);
  const ElementType type = type_of(start).element_type;
  const Value count = as_i64(rw, as_scalar(rw, node.input(2)));
  const Value one = rw.scalar<std::int64_t>(1);
  const Value steps = rw.create(ops::Maximum{}, rw.create(ops::Subtract{}, count, one), one);
  const Value step =
      rw.create(ops::Divide{}, rw.create(ops::Subtract{}, node.input(1), start), as_type(rw, steps, type));
  const Value places = rw.create(ops::Range{.output_type = type}, rw.scalar<std::int64_t>(0), count, one);
  return rw.create(ops::Add{}, rw.create(ops::Multiply{}, places, step), start);
}

}  // namespace

void register_range(OperatorTable& table) {
  table.extract("Range", [](const FrameworkNode& node) -> Expected<Op> {
    return ops::Range{.output_type = node.attr("Tidx", ElementType::i32)};
  });
  table.translate("LinSpace", linear_space);
}

}  // namespace mo::tensorflow
