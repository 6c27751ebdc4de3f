#pragma once

#include "core/pass/rewriter.hpp"

namespace mo::phases {

/// Follows the walk of partial inference over a graph, bodies excluded.
class InferenceWatch {
 public:
  virtual ~InferenceWatch() = default;
  /// `node` is about to be inferred or translated; the types of its inputs are known. Its inputs may be changed.
  virtual void reach(Rewriter& rewriter, const Node& node) = 0;
  /// `node` failed: the watch may add what it knows to the error.
  virtual void explain(const Node& node, Error& error) = 0;
};

}  // namespace mo::phases
