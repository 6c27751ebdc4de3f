#pragma once

#include <string>
#include <vector>

#include "core/op/op_registry.hpp"
#include "core/pass/pass.hpp"

namespace mo::test {

/// Plugins, or folders of plugins, whose ops and passes the cases may name. Before anything else here is asked. Errors:
/// of the loader, and of what is registered twice.
Expected<void> use_plugins(const std::vector<std::string>& paths);

/// Ops of mo and of the plugins.
const OpRegistry& known_ops();

/// A pass of the default conversions (those of ONNX models first), else of the library of transformations;
/// `library:Name`: of the library. Null when there is none.
const Pass* known_pass(const std::string& name);

}  // namespace mo::test
