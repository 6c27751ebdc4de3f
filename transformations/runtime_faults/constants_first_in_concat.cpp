#include <algorithm>

#include "ops/concat.hpp"
#include "ops/convert.hpp"
#include "ops/reshape.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// Concat(c, x) of [1, n, rest…] along axis 1 -> Concat of [n, rest…] along axis 0, which becomes [1, n, rest…] again.
Replacement joined_without_batch(const Node& node, Rewriter& rw) {
  const PartialShape& shape = node.output_type().shape;
  if (!shape.is_static() || shape.size() < 2 || shape[0] != Dimension(1))
    return declined("the shape is unknown, or the batch is not 1");
  if (normalize_axis(node.as<ops::Concat>()->axis, static_cast<std::int64_t>(shape.size())) != 1)
    return declined("not along axis 1");
  const auto is_stored = [](const Value& x) {
    return x.data().value() || (x.node().is<ops::Convert>() && x.node().input(0).data().value());
  };
  if (!is_stored(node.input(0))) return declined("the first input is computed");
  std::vector<std::int64_t> target{-1};
  for (std::size_t i = 2; i < shape.size(); ++i) target.push_back(shape[i].value());
  if (std::find(target.begin(), target.end(), 0) != target.end()) return declined("no elements");
  std::vector<Value> inputs;
  for (std::size_t i = 0; i < node.in_port_count(); ++i)
    inputs.push_back(rw.fold(ops::Reshape{}, node.input(i), rw.integers(target)));
  target.insert(target.begin(), 1);
  return rw.create(ops::Reshape{}, rw.create(ops::Concat{.axis = 0}, inputs), rw.integers(target));
}

}  // namespace

void register_constants_first_in_concat(PassRegistry& passes) {
  passes.add(avoid_fault("ConstantsFirstInConcat",
                         {.form = "Concat along axis 1, where the batch is 1 and the first input is constant",
                          .symptom = "uninitialized memory instead of the constant",
                          .first = "2021.4",
                          .last = "2021.4",
                          .replacement = "Reshape, Concat along axis 0, Reshape"})
                 .add(lowering<ops::Concat>("JoinedWithoutBatch", joined_without_batch)));
}

}  // namespace mo::transformations
