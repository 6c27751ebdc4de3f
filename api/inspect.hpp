#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "core/diagnostics/expected.hpp"
#include "tools/inspect/facts.hpp"
#include "tools/inspect/refusal.hpp"

namespace mo {

using tools::Certainty;
using tools::ControlFlowFacts;
using tools::EndFacts;
using tools::LayerCost;
using tools::ModelFacts;
using tools::Refusal;

/// A command line that was tried, in memory, and converts.
struct ConversionProposal {
  std::vector<std::string> words;  ///< as `parse_options` takes them
  std::string command;             ///< as a shell takes it, with the program
  bool is_whole = true;            ///< it converts all of the model
  std::size_t ops = 0;             ///< of the part: constants not counted
  std::vector<std::string> assumptions;
};

/// What is in a model, and what would stop its conversion.
struct Inspection {
  /// none: it cannot be read as it was given, and `proposal` says how
  std::optional<ModelFacts> model;
  bool is_ir = false;                          ///< an IR or a text form: there is nothing to convert
  bool converts = false;                       ///< as it was given
  std::vector<Refusal> refusals;               ///< why not
  std::vector<Diagnostic> messages;            ///< warnings and notes of the attempt
  std::optional<ConversionProposal> proposal;  ///< none: nothing that was tried converts
  /// all of it, as `mo inspect --json` prints it (docs/schemas/inspect.schema.json)
  std::string json;
};

/// Looks at the model that `words` name, with everything that they say of how it is read and converted: proposals are
/// command lines, so the question is one. Nothing is written, no weight is loaded that no shape depends on. `cancel`:
/// may be set by any thread. Errors: of the words, and of a model that cannot be read at all; that a conversion is
/// refused is none.
Expected<Inspection> inspect(const std::vector<std::string>& words, const std::atomic<bool>* cancel = nullptr);

}  // namespace mo
