#include <algorithm>

#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/build/inverse.hpp"

namespace mo::onnx {
namespace {

Replacement inverse_of(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  const Value x = node.input(0);
  const PartialShape& shape = x.type().shape;
  // One of the two dimensions is enough: they are equal.
  const auto rows_at = [&](std::size_t from_back) {
    return shape.has_rank() && shape.size() >= 2 && shape[shape.size() - from_back].is_known()
               ? shape[shape.size() - from_back].value()
               : 0;
  };
  if ((shape.has_rank() && shape.size() < 2) || (rows_at(1) > 0 && rows_at(2) > 0 && rows_at(1) != rows_at(2)))
    return node.error("MO-ONNX-0448", "{} holds no square matrices", shape.to_string())
        .hint("the last two dimensions are equal; check the model");
  return inverse(rw, x, std::max(rows_at(1), rows_at(2)));
}

}  // namespace

void register_microsoft_inverse(OperatorTable& table) {
  table.translate("com.microsoft::Inverse", since(1), inverse_of);
}

}  // namespace mo::onnx
