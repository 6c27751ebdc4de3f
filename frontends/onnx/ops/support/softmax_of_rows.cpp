#include "frontends/onnx/ops/support/softmax_of_rows.hpp"

#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/build/rows.hpp"
#include "ops/soft_max.hpp"

namespace mo::onnx {

Expected<Value> softmax_of_rows(const FrameworkNode& node, Rewriter& rw, const Value& x, std::int64_t axis, bool log) {
  MO_ASSIGN(const Rows rows, rows_of(node.node(), rw, x, axis));
  const Value& matrix = rows.matrix;
  return rows.back(rw,
                   log ? rw.create(ops::LogSoftmax{.axis = -1}, matrix) : rw.create(ops::SoftMax{.axis = -1}, matrix));
}

}  // namespace mo::onnx
