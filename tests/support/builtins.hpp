#pragma once

#include "core/registry/registry.hpp"

namespace mo::test {

/// Everything that mo has built in, registered once for the process.
Registry& builtins();

}  // namespace mo::test
