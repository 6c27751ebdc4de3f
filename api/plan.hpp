#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "api/inspect.hpp"
#include "tools/inspect/plan.hpp"

namespace mo {

/// What `inspect` tells of, before it is an Inspection. The same errors.
Expected<tools::Plan> plan_for(const std::vector<std::string>& words, const std::atomic<bool>* cancel);

}  // namespace mo
