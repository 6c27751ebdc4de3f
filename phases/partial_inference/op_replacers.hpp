#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/pass/pass.hpp"

namespace mo::phases {

/// Passes that look for an op by name, at nodes that translators make.
class OpReplacers {
 public:
  /// `passes` and `context` outlive the object.
  OpReplacers(std::span<const Pass> passes, PassContext& context) : passes_(passes), context_(context) {}

  bool empty() const { return passes_.empty(); }
  /// How many operators have become a single op, whether or not a pass looked for it.
  std::size_t single_ops() const { return single_ops_; }

  /// Offers what the translation of `op`, the framework's operator, gave: the op among `created` that it has become, if
  /// there is one. Says whether a pass replaced it.
  Expected<bool> offer(const std::string& op, const std::vector<Node>& created);

 private:
  bool wants(const Pass& pass, std::string_view ir_op, const std::string& op) const;
  Expected<bool> run(const Pass& pass, const Node& node);

  std::span<const Pass> passes_;
  PassContext& context_;
  std::size_t single_ops_ = 0;
};

}  // namespace mo::phases
