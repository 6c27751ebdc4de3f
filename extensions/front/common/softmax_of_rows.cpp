#include "extensions/support/front.hpp"
#include "ops/build/rows.hpp"
#include "ops/soft_max.hpp"

namespace mo::front {
namespace {

Value softmax(Rewriter& rw, const Value& x, std::int64_t axis, bool log) {
  if (log) return rw.create(ops::LogSoftmax{.axis = axis}, x);
  return rw.create(ops::SoftMax{.axis = axis}, x);
}

}  // namespace

/// SoftmaxOfRows(x) {axis, log}: x seen as a matrix, whose columns are the dimensions from `axis` on together (ONNX Softmax, LogSoftmax up
/// to opset 12) -> Reshape, SoftMax along the last axis, Reshape back.
void register_softmax_of_rows(PassRegistry& passes) {
  passes.add(front_replacement_op("SoftmaxOfRows").replace_op([](const Node& node, Rewriter& rw) -> Replacement {
    const Value x = node.input(0);
    const bool log = node.attr<bool>("log").value_or(false);
    auto rows = rows_of(node, rw, x, node.attr<std::int64_t>("axis").value_or(1));
    if (!rows) return std::move(rows).error();
    return rows->back(rw, softmax(rw, rows->matrix, -1, log));
  }));
}

}  // namespace mo::front
