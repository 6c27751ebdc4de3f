#include "frontends/tensorflow/ops/support/index_type.hpp"
#include "frontends/tensorflow/ops/support/number_type.hpp"
#include "frontends/tensorflow/ops/support/translate.hpp"
#include "ops/squeeze.hpp"
#include "ops/top_k.hpp"

namespace mo::tensorflow {
namespace {

/// ArgMax(x, axis) -> indices of TopK(x, 1). Of equal elements TensorFlow takes the first, as TopK sorted by value
/// does.
Replacement arg_extremum(const FrameworkNode& node, Rewriter& rw, ops::TopKMode mode) {
  MO_TRY(number_type(node));
  MO_ASSIGN(const ElementType index_type, number_type(node, "output_type", ElementType::i64));
  MO_TRY(node.expect_inputs(1));
  std::int64_t axis = 0;
  if (node.has_input(1)) {
    const auto known = single_integer_of(node.input(1));
    if (!known)
      return node.error("MO-TF-0503", "the dimension is not a constant number")
          .hint("the IR needs it as a constant: make input 1 a constant, for example with --input <name>->[1]");
    axis = *known;
  }
  Value x = node.input(0);
  if (type_of(x).element_type == ElementType::boolean) x = as_type(rw, x, ElementType::i32);
  const IndexType index(index_type);
  const Node top = rw.create_node(
      ops::v3::TopK{{.axis = axis, .mode = mode, .sort = ops::TopKSort::value, .index_element_type = index.given}},
      {x, rw.scalar<std::int64_t>(1)});
  return index.convert(rw, rw.create(ops::Squeeze{}, top.output(1), rw.integers({axis})));
}

Replacement arg_max(const FrameworkNode& node, Rewriter& rw) { return arg_extremum(node, rw, ops::TopKMode::max); }
Replacement arg_min(const FrameworkNode& node, Rewriter& rw) { return arg_extremum(node, rw, ops::TopKMode::min); }

}  // namespace

void register_arg_extremum(OperatorTable& table) {
  table.translate("ArgMax", arg_max);
  table.translate("ArgMin", arg_min);
}

}  // namespace mo::tensorflow
