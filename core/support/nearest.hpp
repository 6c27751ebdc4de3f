#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mo {

/// Number of letters to insert, delete or replace to make one word from the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate with the smallest edit distance to `word`, for "did you mean"; empty when none is within `farthest`.
/// Of several, the one that comes first. At most `limit` candidates are looked at, and fewer when they are long: a
/// model's million names cost some milliseconds. Still to be asked only for a message that is shown.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates, std::size_t farthest = SIZE_MAX,
                    std::size_t limit = 20'000);

/// "did you mean 'x'? " for the nearest of the candidates; empty when none is near, so that a hint can begin with it.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace mo
