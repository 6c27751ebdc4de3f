#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/registry/pass_registry.hpp"

namespace mo {

/// What is known of a pass of a conversion before its file is called. Written by the build, which calls all files once
/// (main.cpp).
struct PassOutline {
  enum Flag : std::uint8_t {
    enabled = 1,
    into_bodies = 2,
    by_rules = 4,
    last = 8,  ///< no other pass is ordered against it
  };
  /// The parts of the text of a pass, in this order; names in lists are separated by commas.
  enum Field : std::uint8_t {
    name,
    last_release,  ///< that has the fault which it avoids
    after,
    before,
    looks_for,
    needed,  ///< by its rules (needed_ops.hpp)
    fields
  };
  std::uint16_t file;  ///< number in `transformations::register_all_parts`
  std::uint8_t phase;
  std::uint8_t flags;
  std::array<std::uint16_t, fields> sizes;  ///< of what the text has of it
};
struct PassOutlines {
  std::span<const PassOutline> passes;  ///< in the order of their files
  std::string_view text;                ///< one pass after the other
};
PassOutlines pass_outlines();

/// The operators of a framework and their files, for OperatorTable::promise. Written by the build as well.
std::string_view operator_outline(std::string_view framework);

/// Adds the passes of a conversion as `transformations::register_all(registry, false)` does. Most of them are outlines:
/// the pass itself is made when it runs on a graph that has the ops it needs. An outline has no rules, no roots, no
/// settings and no description. With a `release`, passes are left out that avoid faults which it does not have.
void register_outlined(PassRegistry& registry, std::string_view release);

}  // namespace mo
