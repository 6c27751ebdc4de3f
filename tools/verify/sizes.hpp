#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/graph/graph.hpp"

namespace mo::tools {

/// What unknown dimensions become. Dimensions with the same symbol are one, and get one size.
struct UnknownSizes {
  std::int64_t first = 1;  ///< of one that comes first in an input, which is mostly the batch
  std::int64_t others = 2;
  std::optional<std::size_t> apart =
      /// of the others, counted over all inputs: the one that has the size of two (a mask of past and new tokens)
      {};
  std::size_t rank = 0;    ///< of inputs of unknown rank: all of their dimensions are unknown then
  bool as_needed = false;  ///< dimensions have the sizes that their readers need; these are of the others
};

/// The shapes with sizes in place of unknown dimensions, within their bounds. `symbol_names`: what the model calls its
/// symbols, from symbol 1 on; one that is called like a sum of others ("past + 1") gets the sum of their sizes.
std::vector<Shape> instantiated(const std::vector<PartialShape>& shapes, const std::vector<std::string>& symbol_names,
                                const UnknownSizes& unknown);

/// The choices for a first comparison, in the order in which they are tried until the source runs; and for a second
/// one, after `used` has succeeded. Where no rank is unknown, `rank` has no meaning. `needed`: the shapes with the
/// sizes that readers need, which come first.
std::vector<UnknownSizes> first_choices(const std::vector<PartialShape>& shapes,
                                        const std::vector<PartialShape>& needed);
std::vector<UnknownSizes> second_choices(const UnknownSizes& used);

/// Sizes that were chosen: inputs with unknown dimensions, and their shapes.
using ChosenSizes = std::vector<std::pair<std::string, Shape>>;

/// "'ids' [1,2], 'mask' [1,4]"
std::string to_string(const ChosenSizes& sizes);

}  // namespace mo::tools
