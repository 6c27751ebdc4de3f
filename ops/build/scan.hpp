#pragma once

#include "core/pass/rewriter.hpp"
#include "ops/support/port_map.hpp"

namespace mo::build {

/// A loop over slices of sequences that carries states: ONNX Scan. The body takes the states, one slice of each
/// sequence (without the axis of iteration) and captured tensors; it gives the next states and slices of the results.
struct ScanPlan {
  Body body;
  std::size_t states = 0;
  std::size_t scans = 0;
  /// names of the body's Parameters for the inputs after the sequences
  std::vector<std::string> captures;
  std::vector<std::int64_t> input_axes;        ///< of each sequence; empty: 0
  std::vector<std::int64_t> input_directions;  ///< 1: from the last slice to the first; empty: 0
  std::vector<std::int64_t> output_axes;
  std::vector<std::int64_t> output_directions;
};

/// The TensorIterator that does it, with `output_count` outputs: last states, then results put together. `inputs`:
/// states, sequences, captured tensors. `origin` is the node that errors are about. Errors: MO-FRONT-0008,
/// MO-FRONT-0009, MO-FRONT-0010.
Expected<Node> make_scan(Rewriter& rw, const Node& origin, ScanPlan plan, const std::vector<Value>& inputs,
                         std::size_t output_count);

/// Input port and Parameter, output port and Result that belong together as they are.
ops::InputMap whole_input(std::int64_t input, std::int64_t parameter);
ops::OutputMap last_output(std::int64_t output, std::int64_t result);

/// Maps the Parameters of `body` from number `first` on, which stand for captured tensors, to input ports:
/// `captures[i]` is port `first_port + i`. Error MO-FRONT-0008 for a Parameter that is not captured.
Expected<std::vector<ops::InputMap>> map_captures(const Node& origin, const Graph& body, std::size_t first,
                                                  const std::vector<std::string>& captures, std::int64_t first_port);

/// x without its dimension of 1 at `axis`.
Value without_axis(Rewriter& rw, const Value& x, std::int64_t axis);

}  // namespace mo::build
