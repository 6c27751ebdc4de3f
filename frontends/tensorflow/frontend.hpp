#pragma once

#include "core/registry/registry.hpp"

namespace mo::tensorflow {

/// The framework "tf": reader and extractors. With an `outline` (OperatorTable::promise), those that are asked for.
void register_frontend(Registry& registry, std::string_view outline = {});

}  // namespace mo::tensorflow
