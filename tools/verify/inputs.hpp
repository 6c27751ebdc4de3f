#pragma once

#include <vector>

#include "core/graph/graph.hpp"
#include "tools/verify/sizes.hpp"

namespace mo::tools {

/// Which inputs of two models belong together, and what shapes they get.
struct InputPlan {
  /// for each Parameter of the checked model: the place of the source's
  std::vector<std::size_t> source_of;
  std::vector<PartialShape> shapes;  ///< of the source's Parameters, as far as one of the two models says
  std::vector<PartialShape> needed;  ///< as far as their readers say, too (needed_sizes.hpp)
};

/// Inputs belong together by tensor name or name; those that are left, when there are as many on both sides, by order.
/// What the source leaves open of a shape is taken from the checked model. Error MO-VERIFY-0005 (an input of `checked`
/// that the source does not have).
Expected<InputPlan> plan_inputs(const Graph& source, const Graph& checked);

/// The inputs of the source as the checked model takes them: channels where its Parameters have them, element types
/// converted. Error MO-VERIFY-0005.
Expected<std::vector<Tensor>> inputs_for(const Graph& checked, const InputPlan& plan,
                                         const std::vector<Tensor>& inputs);

}  // namespace mo::tools
