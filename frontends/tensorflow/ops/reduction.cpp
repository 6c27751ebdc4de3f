#include "frontends/tensorflow/ops/support/tensorflow_movement.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/reduce.hpp"

namespace mo::tensorflow {
namespace {

/// The axes are input 1 in TensorFlow as in the IR, a scalar or a vector, and an empty vector reduces nothing in both.
template <class T>
void add_reduction(OperatorTable& table, std::string op) {
  table.extract(std::move(op), [](const FrameworkNode& node) -> Expected<Op> {
    MO_TRY(number_type(node));
    return T{.keep_dims = node.attr("keep_dims", false)};
  });
}

/// The same for ops that reduce the parts of complex numbers one by one; the dimension of the parts is not reduced.
template <class T>
void add_linear_reduction(OperatorTable& table, std::string op) {
  table.translate(std::move(op), [](const FrameworkNode& node, Rewriter& rw) -> Replacement {
    MO_TRY(node.expect_inputs(2));
    const T reduction{.keep_dims = node.attr("keep_dims", false)};
    if (!is_complex(node)) {
      MO_TRY(number_type(node));
      return rw.create(reduction, node.input(0), node.input(1));
    }
    MO_ASSIGN(Integers axes, known_list(node, 1, "the list of axes"));
    for (std::int64_t& axis : axes) axis = with_hidden_axis(node, axis);
    return rw.create(reduction, node.input(0), rw.integers(axes));
  });
}

/// The length of each number on its own where there are no axes: TensorFlow says |x|, the IR's op would give x.
Replacement euclidean_norm(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  MO_TRY(number_type(node));
  const bool keep_dims = node.attr("keep_dims", false);
  if (node.input_type(1).shape.element_count() == 0) return rw.create(ops::Abs{}, node.input(0));
  return rw.create(ops::ReduceL2{.keep_dims = keep_dims}, node.input(0), node.input(1));
}

}  // namespace

void register_reduction(OperatorTable& table) {
  add_reduction<ops::ReduceMax>(table, "Max");
  add_linear_reduction<ops::ReduceMean>(table, "Mean");
  add_reduction<ops::ReduceMin>(table, "Min");
  add_reduction<ops::ReduceProd>(table, "Prod");
  add_linear_reduction<ops::ReduceSum>(table, "Sum");
  table.translate("EuclideanNorm", euclidean_norm);
}

}  // namespace mo::tensorflow
