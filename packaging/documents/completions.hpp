#pragma once

#include <string>

namespace mo::documents {

/// Completions of `mo` for three shells: names of options, and for their values files, words, or nothing.
std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

}  // namespace mo::documents
