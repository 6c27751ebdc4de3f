#pragma once

#include <string>
#include <vector>

namespace mo::fuzz {

/// The file itself, or all files of a folder and its sub-folders, sorted.
std::vector<std::string> input_files(const std::string& path);

/// The bytes of a file. One that ends with `.hex` holds hexadecimal digits, blanks and comments (# to the end of the
/// line): so binary inputs can be kept as text.
std::string read_input(const std::string& path);

}  // namespace mo::fuzz
