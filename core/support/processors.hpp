#pragma once

#include <cstddef>

namespace mo {

/// Processors that this thread may run on (taskset, container): whether a second thread is worth it. At least 1.
std::size_t usable_processors();

}  // namespace mo
