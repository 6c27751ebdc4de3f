#pragma once

#include <string>
#include <vector>

#include "core/graph/graph.hpp"

namespace mo::phases {

/// The constant that an input is frozen to: numbers as the user wrote them, a list or a single one, which fills the whole input. Error MO-CUT-0005
/// (no number, or as many as do not fit the shape).
Expected<Tensor> frozen_tensor(const Node& parameter, const std::vector<std::string>& items, bool is_list);

}  // namespace mo::phases
