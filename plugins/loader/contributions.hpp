#pragma once

#include <string>
#include <vector>

#include "core/registry/registry.hpp"

namespace mo::plugins {

/// What `owner` has put into the registry, sorted: "op acme.FancyNorm", "extractor onnx Relu 13", "pass Fuse (middle)",
/// "ONNX form acme.FancyNorm", "framework tiny". Two equal lists mean that a plugin registered the same things; what
/// these do is not compared.
std::vector<std::string> contributions_of(const Registry& registry, std::string_view owner);

}  // namespace mo::plugins
