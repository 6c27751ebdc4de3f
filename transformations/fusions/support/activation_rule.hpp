#pragma once

#include <string>
#include <utility>

#include "core/pass/pass.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {

inline Replacement declined_activation() { return declined("not a function of x alone, or it has another reader"); }

/// A rule of `root`, a function of x alone, element by element, that is the op `by`.
template <OpLike T>
RewriteRule activation_rule(std::string name, const Pat& root, const Pat& x, T by) {
  return rewrite(std::move(name)).match(root).rule([=](const Match& m, Rewriter& rw) -> Replacement {
    if (!is_activation_of(m, m[x])) return declined_activation();
    return rw.create(by, m[x]);
  });
}

}  // namespace mo::transformations
