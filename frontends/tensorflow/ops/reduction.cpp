#include "frontends/tensorflow/ops/support/tensorflow_movement.hpp"
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

}  // namespace

void register_reduction(OperatorTable& table) {
  add_reduction<ops::ReduceMax>(table, "Max");
  add_linear_reduction<ops::ReduceMean>(table, "Mean");
  add_reduction<ops::ReduceMin>(table, "Min");
  add_reduction<ops::ReduceProd>(table, "Prod");
  add_linear_reduction<ops::ReduceSum>(table, "Sum");
  add_reduction<ops::ReduceL2>(table, "EuclideanNorm");
}

}  // namespace mo::tensorflow
