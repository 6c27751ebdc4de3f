#pragma once

#include "core/pass/replacement.hpp"
#include "core/pass/rewriter.hpp"
#include "ops/convert.hpp"

namespace mo::transformations {

/// The elementwise op of `node` on its two inputs converted to `wide`, and the result converted back to its type.
inline Value in_wider_type(const Node& node, Rewriter& rw, ElementType wide) {
  const ops::Convert widen{.destination_type = wide};
  const Node made = rw.copy_with_new_inputs(node, {rw.fold(widen, node.input(0)), rw.fold(widen, node.input(1))});
  return rw.create(ops::Convert{.destination_type = node.output_type().element_type}, made.output());
}

}  // namespace mo::transformations
