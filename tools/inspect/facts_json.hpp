#pragma once

#include <nlohmann/json_fwd.hpp>

#include "tools/inspect/facts.hpp"

namespace mo::tools {

/// What is in a model, for programs: "model" of docs/schemas/inspect.schema.json.
nlohmann::ordered_json facts_json(const ModelFacts& facts);

}  // namespace mo::tools
