#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/options.hpp"
#include "tools/inspect/facts.hpp"
#include "tools/inspect/refusal.hpp"

namespace mo::tools {

/// A conversion up to the point where files would be written.
struct Trial {
  std::optional<Error> error;        ///< what the conversion ends with; none: it converts
  std::vector<Refusal> refusals;     ///< the same, by reason
  std::vector<Diagnostic> messages;  ///< warnings and notes
  std::optional<ModelFacts> facts;   ///< none: the model could not be read
  /// The graph after cuts and replacements of the front phase, where places for --input and --output are found; before
  /// them, where these refuse something; null: it was not reached.
  std::unique_ptr<Graph> front;
  /// Of an input in the result, no rank is known: such an IR is compiled by no runtime.
  bool has_open_rank = false;
  bool computes = false;     ///< an output of the result depends on an input, or on a state
  bool only_copies = false;  ///< the result has no operation: its outputs are inputs or constants
  /// By output of the result, in the order of --output: whether it depends on nothing, or only on the fixed sizes of
  /// tensors.
  std::vector<bool> is_constant_output;
  bool is_ir = false;  ///< an IR or a text form: there is nothing to convert

  bool converts() const { return !error; }
};

/// Converts in memory. No weight is loaded beyond what shapes depend on, and nothing is written.
Trial try_conversion(const Options& options);

}  // namespace mo::tools
