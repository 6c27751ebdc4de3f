#include <algorithm>

#include "ops/non_max_suppression.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

bool is_cut_or_unread(const Value& rows, const Value& count) {
  const std::vector<InPort> readers = rows.get_destinations();
  return std::all_of(readers.begin(), readers.end(), [&](const InPort& reader) {
    return reader.node().is<ops::StridedSlice>() && reader.index() == 0 && reader.node().input(2) == count;
  });
}

/// The first `count` of `rows`; the bounds are of type `type`.
Value first_rows(Rewriter& rw, const Value& rows, const Value& count, ElementType type) {
  const auto bound = [&](std::int32_t number) {
    return type == ElementType::i32 ? rw.constant(Tensor::vector(std::vector<std::int32_t>{number}))
                                    : rw.integers({number});
  };
  ops::StridedSlice op;
  op.begin_mask = {0};
  op.end_mask = {0};
  return rw.create(std::move(op), rows, bound(0), count, bound(1));
}

/// Boxes and scores of a NonMaxSuppression -> their rows up to its number of boxes.
template <OpLike T>
Replacement rows_of_boxes(const Node& node, Rewriter& rw) {
  const Value count = node.output(2);
  if (is_cut_or_unread(node.output(0), count) && is_cut_or_unread(node.output(1), count))
    return declined("rows after the last are not read");
  const auto& op = *node.as<T>();
  std::vector<Value> inputs;
  for (std::size_t i = 0; i < node.in_port_count(); ++i) inputs.push_back(node.input(i));
  Outputs outputs = rw.create_node(op, inputs, 3).out_ports();
  for (std::size_t i = 0; i < 2; ++i)
    if (!node.output(i).disconnected()) outputs[i] = first_rows(rw, outputs[i], outputs[2], op.output_type);
  return outputs;
}

}  // namespace

void register_boxes_of_suppression(PassRegistry& passes) {
  passes.add(
      avoid_fault("BoxesOfSuppression", {.form = "NonMaxSuppression-5 or -9",
                                         .symptom = "a row for each box that there may be: those after the last are -1",
                                         .first = "2022.1",
                                         .last = "2022.3",
                                         .replacement = "StridedSlice of the rows up to output 2"})
          .add(lowering<ops::v5::NonMaxSuppression>("RowsOfBoxes5", rows_of_boxes<ops::v5::NonMaxSuppression>))
          .add(lowering<ops::v9::NonMaxSuppression>("RowsOfBoxes9", rows_of_boxes<ops::v9::NonMaxSuppression>)));
}

}  // namespace mo::transformations
