#pragma once

#include <functional>
#include <string>
#include <unordered_set>

#include "frontends/common/encoding.hpp"
#include "frontends/onnx/model_proto/dimension_names.hpp"
#include "frontends/onnx/model_proto/written_names.hpp"

namespace mo::onnx {

/// Appends what a GraphProto says of tensors: its inputs, outputs and value_info. Entries that the model had are
/// written as they stood. Refers to what it is given.
class ValueInfos {
 public:
  /// `is_body`: the graph is one inside of a linked graph.
  ValueInfos(const Graph& graph, const WrittenNames& names, DimensionNames& dimensions, bool is_body)
      : graph_(graph), names_(names), dimensions_(dimensions), is_body_(is_body) {}

  void encode_inputs(frontends::Encoding& graph);
  /// Error MO-ONNX-0062 when the model has no output left.
  Expected<void> encode_outputs(frontends::Encoding& graph);
  void encode_others(frontends::Encoding& graph);

 private:
  using Names = std::unordered_set<std::string>;
  Names encode_listed(std::string_view list, std::uint32_t field, frontends::Encoding& graph,
                      const std::function<bool(const std::string&)>& wanted) const;
  void encode_initializers_as_inputs(const Names& listed, frontends::Encoding& graph) const;

  const Graph& graph_;
  const WrittenNames& names_;
  DimensionNames& dimensions_;
  bool is_body_;
};

}  // namespace mo::onnx
