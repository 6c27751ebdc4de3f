#pragma once

#include <optional>
#include <vector>

#include "core/rewrite.hpp"
#include "ops/support/port_map.hpp"

/// What passes that take loops apart ask of Loop and TensorIterator alike.
namespace mo::transformations {

/// The parts of a Loop or a TensorIterator. A view: valid while the node lives and keeps its op.
struct LoopParts {
  Graph* body = nullptr;
  std::vector<ops::InputMap>* inputs = nullptr;
  std::vector<ops::OutputMap>* outputs = nullptr;
  std::vector<ops::BackEdge>* back_edges = nullptr;
  bool has_trip_count = false;  ///< a Loop: input 0 is the trip count, input 1 the first condition
};

/// Nothing for other ops, and when a map names a port, a Parameter or a Result that is not there.
std::optional<LoopParts> loop_parts(const Node& node);

/// What a Parameter of the body is in each iteration.
struct LoopArgument {
  const ops::InputMap* map = nullptr;
  const ops::BackEdge* back_edge = nullptr;
  bool is_sliced() const { return map && map->input >= 0 && map->axis && !back_edge; }
  bool is_fixed() const { return map && map->input >= 0 && !map->axis && !back_edge; }
  bool is_state() const { return map && map->input >= 0 && !map->axis && back_edge; }
};

/// By place of the Parameter.
std::vector<LoopArgument> loop_arguments(const LoopParts& parts);

/// The number of a Const. A number that is only known because shapes are known stays what it is, so that the model can
/// be reshaped.
std::optional<std::int64_t> constant_integer(const Value& value);

}  // namespace mo::transformations
