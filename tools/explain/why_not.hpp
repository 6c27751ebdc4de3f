#pragma once

#include <string>
#include <vector>

#include "driver/options.hpp"

namespace mo::tools {

/// What a pass said about one node, or about nodes after it that its patterns start from.
struct WhyNot {
  std::string pass;
  std::string node;
  bool at_node = false;  ///< the lines are about the node itself
  /// one for each rule and node: the deepest partial match and what failed there, or what the rule did
  std::vector<std::string> lines;
};

/// Runs a model to the pass (of its conversion, else of the library of transformations) and asks why it did not replace
/// a node. Patterns start from their last node, so when none started from this one, the answer is about its readers.
/// Errors: of reading and converting, MO-PASS-0011 (there is no such pass), MO-EXPLAIN-0003 (there is no such node when
/// the pass runs).
Expected<WhyNot> why_not(const Options& options, const std::string& pass, const std::string& node,
                         DiagnosticSink& sink);

std::string text_of(const WhyNot& answer);
std::string json_of(const WhyNot& answer);

}  // namespace mo::tools
