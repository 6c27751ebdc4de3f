#pragma once

#include <optional>

#include "core/pass/rewriter.hpp"

namespace mo::ops {
struct If;
}

/// Ifs whose condition is known.
namespace mo::build {

/// The condition of the If `node`; nothing when it is not known, or the node is not fit to be taken apart (its
/// inference says why).
std::optional<bool> known_condition(const Node& node);

/// What the branch for `condition` makes, put in place of the If: one value for each of `output_count` outputs, empty
/// for those that it does not make. Errors: those of Rewriter::inline_body.
Expected<Outputs> inline_branch(Rewriter& rw, const ops::If& conditional, const std::vector<Value>& inputs,
                                std::size_t output_count, bool condition, BodyFate fate);
/// The same for an If that is in the graph.
Expected<Outputs> inline_branch(Rewriter& rw, const Node& node, bool condition, BodyFate fate = BodyFate::kept);

}  // namespace mo::build
