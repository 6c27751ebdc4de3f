#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mo::cli {

/// A row of docs/errors.md: what the original Model Optimizer says, and the codes of the same situation.
struct OriginalMessage {
  std::vector<std::string> texts;  ///< fragments of its messages; "…" stands for a name or a number
  std::vector<int> questions;      ///< of its FAQ
  std::vector<std::string> codes;
  std::string advice;
};

/// The rows that `words` ask for: a number of the FAQ ("question #38"), or a message of the original or a part of it;
/// "..." stands for anything. `pages`: the text of docs/errors.md.
std::vector<OriginalMessage> find_original_messages(std::string_view words, std::string_view pages);

}  // namespace mo::cli
