#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/attributes/declaration.hpp"
#include "core/diagnostics/diagnostic.hpp"

namespace mo::config {

/// How a descriptor says which nodes it means.
enum class MatchKind : std::uint8_t { scope, points, general };
inline constexpr std::array<std::string_view, 3> kMatchKindNames{"scope", "points", "general"};
constexpr const auto& names_of(MatchKind) { return kMatchKindNames; }

/// A node by a regular expression for its name inside of the scope, and a port of it.
struct PatternPort {
  std::string node;
  std::int64_t port = 0;
  bool operator==(const PatternPort&) const = default;
};

/// All places inside of a sub-graph where one tensor from outside arrives.
struct PatternInput {
  std::vector<PatternPort> places;
  bool operator==(const PatternInput&) const = default;
};

/// One replacement of a JSON configuration (docs/extending.md), without JSON: passes get it among their settings
/// (Replacements).
struct Descriptor {
  std::string replacement_id;
  MatchKind match_kind = MatchKind::general;
  /// of kind scope: regular expressions for the beginnings of names
  std::vector<std::string> scopes;
  std::vector<std::string> start_points;  ///< of kind points: names
  std::vector<std::string> end_points;
  bool include_inputs = true;   ///< start points are part of the sub-graph
  bool include_outputs = true;  ///< end points are part of the sub-graph
  std::vector<PatternInput> inputs;
  std::vector<PatternPort> outputs;
  bool has_inputs = false;  ///< the key is there, even if its list is empty
  bool has_outputs = false;
  /// replace each match by this op; empty: a replacer of that id does something
  std::string op;
  /// the layer `op` wants images channels-first, or as the model has them; unset: as its IR version has it
  std::optional<bool> channels_first;
  AttributeValue custom_attributes;  ///< a record
  std::string location;              ///< "config.json:3:5"

  const AttributeMap& custom() const;
};

/// Settings of the replacers that configurations steer (PassContext::settings): all descriptors of a conversion, in the
/// order of the files.
struct Replacements {
  std::vector<Descriptor> descriptors;
};

}  // namespace mo::config
