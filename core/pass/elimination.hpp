#pragma once

#include "core/pass/pass.hpp"

/// How rules take nodes away and change them where they stand.
namespace mo {

/// `by` in place of the only output of `node`. Where a Result reads that output, the result keeps its name: `by` takes
/// it, which it can only when it is the one output of a node that is not a Parameter and feeds no Result yet; declined
/// otherwise. nGraph's replace_output_update_name.
Replacement bypass(const Node& node, const Value& by);

/// The rule changed `node`, or what it reads, and the node stays. nGraph's callbacks that edit and return false.
Replacement changed_in_place(const Node& node);

}  // namespace mo
