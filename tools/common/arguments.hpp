#pragma once

#include <string>
#include <vector>

#include "tools/common/subcommand.hpp"

namespace mo::tools {

/// What TensorFlow's tools end with whatever is wrong (-1), and scripts ask for.
inline constexpr int kFailedAsInTensorFlow = 255;

/// Calls `program(argc, argv)` with the words of an invocation, for programs that are written as `main`.
template <class Program>
int with_arguments(const Invocation& invocation, Program program) {
  std::vector<std::string> words = {invocation.name};
  words.insert(words.end(), invocation.words.begin(), invocation.words.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return program(static_cast<int>(words.size()), pointers.data());
}

}  // namespace mo::tools
