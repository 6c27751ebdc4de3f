#pragma once

#include <optional>
#include <vector>

#include "core/op.hpp"

namespace mo::ops {

/// An input of a sub-graph op that feeds a Parameter of its body: whole, or (with `axis`) one slice per iteration.
///
/// Slices of `part_size` elements are taken from `start` to `end`, both inclusive; negative ones count from the back. A
/// negative `stride` goes backwards: start=-1, end=0, stride=-1.
struct InputMap {
  std::int64_t input = 0;      ///< input port of the op; -1 in Loop: the number of the iteration
  std::int64_t parameter = 0;  ///< place among the body's Parameters
  std::optional<std::int64_t> axis;
  std::int64_t start = 0;
  std::int64_t end = -1;
  std::int64_t stride = 1;
  std::int64_t part_size = 1;
  static constexpr auto attributes = Attributes{attr("input", &InputMap::input),
                                                attr("parameter", &InputMap::parameter),
                                                attr("axis", &InputMap::axis),
                                                attr("start", &InputMap::start),
                                                attr("end", &InputMap::end),
                                                attr("stride", &InputMap::stride),
                                                attr("part_size", &InputMap::part_size)};
  bool operator==(const InputMap&) const = default;
};

/// A Result of the body that becomes an output of the op: that of the last iteration, or (with `axis`) of all
/// iterations, concatenated.
struct OutputMap {
  std::int64_t output = 0;  ///< output port of the op; -1 in Loop: whether to go on
  std::int64_t result = 0;  ///< place among the body's Results
  std::optional<std::int64_t> axis;
  std::int64_t start = 0;
  std::int64_t end = -1;
  std::int64_t stride = 1;  ///< negative: the last iteration comes first
  std::int64_t part_size = 1;
  static constexpr auto attributes = Attributes{
      attr("output", &OutputMap::output),      attr("result", &OutputMap::result), attr("axis", &OutputMap::axis),
      attr("start", &OutputMap::start),        attr("end", &OutputMap::end),       attr("stride", &OutputMap::stride),
      attr("part_size", &OutputMap::part_size)};
  bool operator==(const OutputMap&) const = default;
};

/// A Result of the body that feeds a Parameter in the next iteration. The Parameter's input map gives the first value.
struct BackEdge {
  std::int64_t result = 0;
  std::int64_t parameter = 0;
  static constexpr auto attributes =
      Attributes{attr("result", &BackEdge::result), attr("parameter", &BackEdge::parameter)};
  bool operator==(const BackEdge&) const = default;
};

/// Error MO-OPS-0410 for a map that names an input, Parameter, Result or output that is not there, MO-OPS-0411 when a
/// Parameter of `body` or an output of the op is fed by none or by two of them. -1 as input or output is allowed with
/// `loop`; axes only with `sliced`.
struct MapRules {
  bool loop = false;
  bool sliced = false;
};
Expected<void> check_port_maps(const InferContext& ctx, const Graph& body, const std::vector<InputMap>& inputs,
                               const std::vector<OutputMap>& outputs, MapRules rules);
/// Errors MO-OPS-0410 (no such Result or Parameter) and MO-OPS-0412 (the Parameter has no first value, or is sliced, or
/// has two back edges).
Expected<void> check_back_edges(const InferContext& ctx, const Graph& body, const std::vector<InputMap>& inputs,
                                const std::vector<BackEdge>& edges);

/// How many slices the map makes of a dimension. Errors: MO-OPS-0413 (not sliceable like that).
Expected<Dimension> slice_count(const InferContext& ctx, const InputMap& map, const Dimension& size);

/// Slice number `iteration` of `data` along the map's axis, of `count` slices. The map was checked in inference for
/// this very shape.
Expected<Tensor> take_slice(const Tensor& data, const InputMap& map, std::int64_t iteration);
/// Tensors of one type, side by side along `axis`; all dimensions but that are equal, otherwise error MO-OPS-0414.
Expected<Tensor> concatenate_iterations(const EvalContext& ctx, const std::vector<Tensor>& parts, std::int64_t axis,
                                        bool reversed);

/// The type that both may have: unknown where they differ. Error MO-OPS-0415 when the element types differ.
Expected<TensorType> widen(const InferContext& ctx, const TensorType& a, const TensorType& b);

}  // namespace mo::ops
