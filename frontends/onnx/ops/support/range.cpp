#include "frontends/onnx/ops/support/range.hpp"

#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/range.hpp"

namespace mo::onnx {

Value make_range(Rewriter& rw, const Value& start, const Value& limit, const Value& delta) {
  std::vector<Value> bounds;
  ElementType type = ElementType::dynamic;
  for (const Value& bound : {start, limit, delta}) {
    if (type == ElementType::dynamic) type = bound.type().element_type;
    // Exporters write one number as a vector; the IR wants scalars.
    const auto rank = bound.type().shape.rank();
    bounds.push_back(rank && *rank != 0 ? as_scalar(rw, bound) : bound);
  }
  if (type == ElementType::dynamic) return rw.create(ops::v0::Range{}, bounds);
  return rw.create(ops::Range{.output_type = type}, bounds);
}

}  // namespace mo::onnx
