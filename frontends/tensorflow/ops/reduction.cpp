#include "frontends/tensorflow/ops/support/number_type.hpp"
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

}  // namespace

void register_reduction(OperatorTable& table) {
  add_reduction<ops::ReduceMax>(table, "Max");
  add_reduction<ops::ReduceMean>(table, "Mean");
  add_reduction<ops::ReduceMin>(table, "Min");
  add_reduction<ops::ReduceProd>(table, "Prod");
  add_reduction<ops::ReduceSum>(table, "Sum");
  add_reduction<ops::ReduceL2>(table, "EuclideanNorm");
}

}  // namespace mo::tensorflow
