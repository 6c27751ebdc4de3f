#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/registry/part.hpp"
#include "core/registry/registry.hpp"

namespace mo {

/// Which passes of `transformations/` are registered.
enum class BuiltinPasses : std::uint8_t {
  all,             ///< those on request, too, which no conversion runs
  of_conversions,  ///< without them
  /// the same, for those who do nothing but run them: a pass is made when a graph has an op that it needs, and the
  /// operators of a file when a model has one of them (driver/outlines). A selective build, which is small, makes all
  outlined,
  none,  ///< for who runs none; frontends are left out as well
};

/// Everything that is linked in: ops, passes of `transformations/` and `extensions/`, frontends with their extractors.
/// `framework` (may be empty: all) keeps start-up small by leaving out what belongs to other frameworks only.
/// `release`: of outlined passes, those that it has no use for are left out; empty: none.
void register_builtins(Registry& registry, std::string_view framework = {}, BuiltinPasses passes = BuiltinPasses::all,
                       std::string_view release = {});

/// A frontend that is linked in, and the passes for its models.
struct LinkedFrontend {
  std::string_view name;    ///< "tf"
  std::string_view folder;  ///< of its reader
  void (*frontend)(Registry& registry, std::string_view outline);
  void (*passes)(PassRegistry& registry);
  std::span<const Part<OperatorTable>> (*operator_parts)();
  std::span<const Part<PassRegistry>> (*pass_parts)();
};
std::span<const LinkedFrontend> linked_frontends();

/// Whether the build reads models of a framework at all (MO_SELECTIVE).
bool has_frontend(std::string_view framework);
/// Whether the build leaves something out (docs/selective_build.md).
bool is_selective_build();

/// The framework that is meant where none is named and no model tells it: "onnx", unless this build leaves that out.
std::string_view usual_framework();

/// The drop-in files of the build: what each of them registers.
struct BuiltinFrontend {
  std::string_view name;    ///< "tf"
  std::string_view folder;  ///< of its reader
  std::span<const Part<OperatorTable>> operators;
  std::span<const Part<PassRegistry>> passes;
};
struct BuiltinParts {
  std::vector<BuiltinFrontend> frontends;
  std::vector<Part<PassRegistry>> passes;  ///< of all frameworks
  std::span<const Part<OpRegistry>> ops;
};
BuiltinParts builtin_parts();

}  // namespace mo
