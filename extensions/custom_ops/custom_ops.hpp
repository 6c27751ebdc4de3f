#pragma once

#include "core/registry/registry.hpp"
#include "extensions/custom_ops/description.hpp"

/// Ops that users describe in JSON (`--custom_ops`), without a compiler: which framework node it is, what the IR calls
/// it, its attributes, inputs and output shapes. docs/custom_ops.md.
namespace mo::custom_ops {

/// Reads all files and registers what they say about `framework`: a translator for each op. `frameworks`: all that
/// there are. Errors: of the files, MO-CONFIG-0105 (an op that `mo` knows itself, without "override").
Expected<void> register_files(const std::vector<std::string>& paths, const std::string& framework,
                              const std::vector<std::string>& frameworks, Registry& registry);

/// The same for descriptions that were read before.
Expected<void> register_descriptions(std::vector<Description> descriptions, const std::string& framework,
                                     OperatorTable& operators);

}  // namespace mo::custom_ops
