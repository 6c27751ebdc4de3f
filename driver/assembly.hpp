#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/registry/registry.hpp"
#include "driver/options.hpp"
#include "plugins/loader/loader.hpp"

namespace mo {

/// Everything that one conversion works with: what is linked in, and what its plugins bring.
struct Assembly {
  std::string framework;  ///< short name ("onnx"); empty when it is not about one
  std::string title;      ///< for sentences ("ONNX")
  std::vector<plugins::Plugin> plugins;
  Registry registry;
};

/// For a conversion of the model of `options`, without passes on request. The framework is the one that
/// `choose_framework` finds; failing that, the one of a plugin that is called like
/// `--framework` or claims the extension of the model file. Errors: of choose_framework, of the loader, and of whatever
/// is registered twice. `only_runs`: the passes are not looked into, so they are made when they are needed.
Expected<std::unique_ptr<Assembly>> assemble_for_model(const Options& options, bool only_runs = false);

/// For a graph of known ops that no conversion is needed for: ops, and what plugins bring. Errors: of the loader, and
/// of whatever is registered twice.
Expected<std::unique_ptr<Assembly>> assemble_ops(const Options& options);

/// With everything: for one framework, or all of them ("").
Expected<std::unique_ptr<Assembly>> assemble_for(const Options& options, std::string_view framework);

/// `--list-extensions`: all that is registered, and by whom.
std::string describe_extensions(const Assembly& assembly);

}  // namespace mo
