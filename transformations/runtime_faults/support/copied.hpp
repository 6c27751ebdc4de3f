#pragma once

#include "core/pass/rewriter.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/logical.hpp"

namespace mo::transformations {

inline bool can_be_copied(ElementType type) { return type != ElementType::dynamic && type != ElementType::string; }

/// x -> max(x, x), x or x: a form of "copy" that no release removes and that keeps every value.
inline Value copied(Rewriter& rw, const Value& x) {
  return x.type().element_type == ElementType::boolean ? rw.create(ops::LogicalOr{}, x, x)
                                                       : rw.create(ops::Maximum{}, x, x);
}

inline bool is_copy(const Value& value) {
  const Node node = value.node();
  return (node.is<ops::Maximum>() || node.is<ops::LogicalOr>()) && node.input(0) == node.input(1);
}

}  // namespace mo::transformations
