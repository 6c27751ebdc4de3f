#pragma once

/// The SDK of mo: what a plugin includes, and the only thing that it includes.
///
///   #include <mo/plugin.hpp>
///
///   MO_PLUGIN("fancy-norm", "1.0.0", [](mo::Registry& registry) {
///     registry.ops().add<acme::FancyNorm>();
///     registry.operators("onnx").extract("acme::FancyNorm", acme::extract_fancy_norm);
///     registry.passes().add(acme::fancy_norm_fusion());
///   });
///
/// A plugin is a shared library that leaves the symbols of mo undefined: the program that loads it has them. Build it
/// with `mo_add_plugin` of `find_package(mo COMPONENTS sdk)`. See docs/plugins.md.

#include <fmt/format.h>

#include "core/files/file.hpp"
#include "core/inference/infer.hpp"
#include "core/op.hpp"
#include "core/op/define_op.hpp"
#include "core/pass/elimination.hpp"
#include "core/pass/given_options.hpp"
#include "core/pass/subgraph_replacement.hpp"
#include "core/pattern/pattern.hpp"
#include "core/registry/registry.hpp"
#include "core/rewrite.hpp"
#include "core/support/nearest.hpp"
#include "core/tensor/convert.hpp"
#include "core/tensor/packing.hpp"
#include "core/tensor/visit.hpp"
#include "extensions/config/config_replacement.hpp"
#include "extensions/config/matching.hpp"
#include "extensions/object_detection/pipeline_config.hpp"
#include "graph_transforms/engine/extension.hpp"
#include "graph_transforms/engine/matching.hpp"
#include "graph_transforms/engine/names.hpp"
#include "graph_transforms/engine/utilities.hpp"
#include "onnx_emitter/translator.hpp"
#include "plugins/sdk/abi.hpp"
#include "plugins/sdk/ops.hpp"

/// After name and version: a function or a lambda without captures that takes `mo::Registry&`. What it registers
/// belongs to the plugin: a duplicate name is refused.
#define MO_PLUGIN(name, version, ...) MO_DEFINE_PLUGIN(name, version, 0U, __VA_ARGS__)

/// As MO_PLUGIN, and what the plugin registers takes the place of built-in ops, extractors, passes and frameworks of
/// the same name.
#define MO_OVERRIDING_PLUGIN(name, version, ...) MO_DEFINE_PLUGIN(name, version, MO_PLUGIN_OVERRIDES, __VA_ARGS__)

#define MO_DEFINE_PLUGIN(name, version, flags, ...)                                                    \
  extern "C" __attribute__((visibility("default"))) const mo_plugin_description* mo_plugin_describe(); \
  extern "C" const mo_plugin_description* mo_plugin_describe() {                                       \
    static void (*const register_everything)(mo::Registry&) = __VA_ARGS__;                             \
    static const mo_plugin_description description = {                                                 \
        MO_PLUGIN_ABI_VERSION, flags, MO_PLUGIN_BUILD_TAG, name, version, register_everything};        \
    return &description;                                                                               \
  }                                                                                                    \
  static_assert(true, "a semicolon may follow")
