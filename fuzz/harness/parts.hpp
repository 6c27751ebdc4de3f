#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mo::fuzz {

/// Between two files of one input: `.prototxt` and `.caffemodel`, `.xml` and `.bin`. Text, so that text inputs can be
/// read and written by hand, and longer than what a mutation makes by chance.
inline constexpr std::string_view kPartEnd = "\n==== next file ====\n";

/// The files of an input: exactly `count`, the missing ones empty, the last one with all that is left.
std::vector<std::string_view> parts_of(std::string_view input, std::size_t count);

/// All files of an input, for those who do not know how many there should be.
std::vector<std::string> all_parts_of(std::string_view input);

std::string joined(const std::vector<std::string>& parts);

}  // namespace mo::fuzz
