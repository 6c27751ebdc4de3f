#include "transformations/runtime_faults/support/sequence_loops.hpp"

#include "ops/concat.hpp"
#include "ops/unsqueeze.hpp"
#include "transformations/support/recurrent_streams.hpp"
#include "transformations/support/sequence_loop.hpp"

namespace mo::transformations {

Replacement sequence_as_loops(const Node& sequence, const Op& cell, ops::RecurrentDirection direction, bool ends_early,
                              Rewriter& rw) {
  using Place = std::optional<std::int64_t>;
  const PartialShape& data = sequence.input_type(0).shape;
  if (!data.has_rank() || data.size() != 3) return declined("the rank of the data is unknown");
  const bool both = direction == ops::RecurrentDirection::bidirectional;
  const Dimension batch = sequence.output_type(1).shape[0];
  const auto one_way = [&](bool reverse, Place place) {
    return make_sequence_loop({.sequence = sequence,
                               .cell = cell.clone(),
                               .states = SequencePorts(sequence).states,
                               .data = sequence.input(0),
                               .reverse = reverse,
                               .ends_early = ends_early,
                               .place = place,
                               .batch = batch.is_known() ? Place(batch.value()) : std::nullopt},
                              rw);
  };
  const auto with_direction = [&](const Value& x) { return rw.create(ops::Unsqueeze{}, x, rw.integers({1})); };
  Outputs outputs = one_way(direction == ops::RecurrentDirection::reverse, both ? Place(0) : std::nullopt);
  for (Value& output : outputs) output = with_direction(output);
  if (!both) return outputs;
  const Outputs backwards = one_way(true, 1);
  for (std::size_t i = 0; i < outputs.size(); ++i)
    outputs[i] = rw.create(ops::Concat{.axis = 1}, outputs[i], with_direction(backwards[i]));
  return outputs;
}

}  // namespace mo::transformations
