#pragma once

#include "core/pass/rewriter.hpp"
#include "ops/convert.hpp"

namespace mo::tensorflow {

/// TopK gives indices as i32 or i64; others are converted.
struct IndexType {
  explicit IndexType(ElementType type)
      : wanted(type), given(type == ElementType::i32 ? ElementType::i32 : ElementType::i64) {}
  ElementType wanted;
  ElementType given;
  Value convert(Rewriter& rw, const Value& indices) const {
    return wanted == given ? indices : rw.create(ops::Convert{.destination_type = wanted}, indices);
  }
};

}  // namespace mo::tensorflow
