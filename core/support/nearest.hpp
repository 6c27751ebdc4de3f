#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mo {

/// The candidate with the smallest edit distance to `word`, for "did you mean"; empty when there is none. At most `limit` candidates are
/// looked at, so that a model's million names cost nothing.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates, std::size_t limit = 20'000);

}  // namespace mo
