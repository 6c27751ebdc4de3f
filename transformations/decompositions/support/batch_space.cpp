#include "transformations/decompositions/support/batch_space.hpp"

#include <algorithm>

#include "core/graph/values.hpp"

namespace mo::transformations {

std::optional<BlockLists> block_lists(const Node& node) {
  const auto data = node.input_type(0).shape.to_shape();
  auto blocks = constant_integers_of(node.input(1));
  auto begins = constant_integers_of(node.input(2));
  auto ends = constant_integers_of(node.input(3));
  if (!data || data->empty() || !blocks || !begins || !ends) return std::nullopt;
  const std::size_t rank = data->size();
  if (blocks->size() != rank || begins->size() != rank || ends->size() != rank) return std::nullopt;
  if (std::any_of(blocks->begin(), blocks->end(), [](std::int64_t block) { return block < 1; })) return std::nullopt;
  return BlockLists{*data, *std::move(blocks), *std::move(begins), *std::move(ends)};
}

}  // namespace mo::transformations
