#pragma once

#include <string>
#include <vector>

#include "core/graph/graph.hpp"

namespace mo::phases {

/// The constant in the place of an input: `items` are numbers, True or False as a user wrote them. One number fills the
/// whole input; a list tells the only size that the input's shape leaves open. Error MO-CUT-0005: what is not a number,
/// or another count than that of the shape.
Expected<Tensor> frozen_tensor(const Node& parameter, const std::vector<std::string>& items, bool is_list);

}  // namespace mo::phases
