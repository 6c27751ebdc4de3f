#pragma once

#include "ops/support/port_map.hpp"

namespace mo::ops {

/// What Loop and TensorIterator have in common: a body that runs again and again.
struct Iteration {
  Graph& body;
  const std::vector<InputMap>& inputs;
  const std::vector<OutputMap>& outputs;
  const std::vector<BackEdge>& back_edges;
  /// Loop: the trip count (unknown when unlimited) and whether the first condition holds (nothing: not known).
  /// TensorIterator: nothing.
  struct Limits {
    Dimension trips;
    std::optional<bool> enter;
  };
  std::optional<Limits> limits;
};

/// Checks the maps, finds types that the carried values have in every iteration, and writes the outputs.
/// Errors: those of check_port_maps, check_back_edges, slice_count, widen; MO-OPS-0417 (inputs with different numbers
/// of slices, or none in a TensorIterator), MO-OPS-0418 (no condition among the outputs of a Loop).
Expected<void> infer_iteration(InferContext& ctx, const Iteration& iteration);

/// Exporters write "no limit" as -1 or as the largest number, so the bound holds for every trip count.
inline constexpr std::int64_t kMostIterations = 1'000'000;

/// Runs the body and sets the outputs. `trips`: at most so many iterations, -1 without limit; `enter`: the first
/// condition. Errors: MO-OPS-0419 (no end after kMostIterations), MO-OPS-0408 (an output without an iteration that
/// gives it a value), MO-OPS-0414.
Expected<void> run_iteration(EvalContext& ctx, const Iteration& iteration, std::int64_t trips, bool enter);

}  // namespace mo::ops
