#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "core/graph/graph.hpp"

namespace mo {

/// The tensor of an input or output of the model: what a Parameter makes, or a Result reads.
inline Value tensor_of_end(const Node& end) { return end.is<Result>() ? end.input(0) : end.output(); }

/// Origin::public_name of a Parameter or Result.
inline std::string_view public_name(const Node& end) { return end.origin().public_name; }
inline void set_public_name(const Node& end, std::string_view name) {
  Origin origin = end.origin();
  origin.public_name = name;
  end.set_origin(origin);
}

/// Whether a Result reads the tensor.
inline bool is_model_output(const Value& value) {
  const std::vector<InPort> readers = value.get_destinations();
  return std::any_of(readers.begin(), readers.end(), [](const InPort& reader) { return reader.node().is<Result>(); });
}

/// Whether users may call the Parameter or Result so: by the name of its node, of the node that a Result reads, or of
/// the tensor.
inline bool is_called(const Node& end, std::string_view name) {
  const Value tensor = tensor_of_end(end);
  if (end.name() == name) return true;
  if (!tensor) return false;
  const auto names = tensor.data().tensor_names();
  return tensor.node().name() == name || std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace mo
