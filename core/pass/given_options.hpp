#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/pass/settings.hpp"

namespace mo {

/// One option as its user wrote it, for passes and for the record that the IR keeps (`cli_parameters`,
/// `conversion_parameters`).
struct GivenOption {
  std::string name;  ///< "input_shape"
  std::string text;  ///< "[1,3,224,224]"; "True" or "False" for a flag
  bool is_path =
      false;  ///< the record shows "DIR/<file name>" instead: an IR tells nothing about the machine that made it
  /// Otherwise the record leaves it out: the same model in another place, read with other limits or watched more
  /// closely, is the same IR.
  bool affects_ir = true;

  /// Not a flag that was taken back, and not an empty text, which is as if nothing was given.
  bool is_on() const { return !text.empty() && text != "False"; }
  bool operator==(const GivenOption&) const = default;
};

/// Settings of a conversion: what was written, in order. Programs that embed mo and fill in its options have written
/// nothing.
struct GivenOptions {
  std::vector<GivenOption> options;
  /// First names of all options that there are, constant data; empty if no command line was read.
  std::vector<std::string_view> known;
};

/// For what Settings has no member: the text of an option that the user gave, by its first name in `mo --list-options`;
/// null when it was not given. Plugins ask with this function, since settings of mo's own types are not theirs to find.
/// The original's `graph.graph['cmd_params']`. Misuse with the nearest name when there is no such option.
const std::string* given_option(const Settings& settings, std::string_view name);

/// The same for a flag: whether it was given, and not as false.
bool given_flag(const Settings& settings, std::string_view name);

}  // namespace mo
