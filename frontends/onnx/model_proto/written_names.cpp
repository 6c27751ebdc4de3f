#include "frontends/onnx/model_proto/written_names.hpp"

#include <fmt/format.h>

#include "frontends/onnx/model_proto/keys.hpp"
#include "frontends/onnx/model_proto/tensor_names.hpp"

namespace mo::onnx {

std::string_view operator_in_type(const Node& node) {
  constexpr std::string_view kPrefix = "onnx::";
  return node.type().substr(std::min(kPrefix.size(), node.type().size()));
}

WrittenNames::WrittenNames(const Graph& graph) : is_linked_(!graph.properties.contains(kept_key::kModelOutputs)) {}

bool WrittenNames::is_op(const Node& node, std::string_view op) const {
  return !is_linked_ && operator_in_type(node) == op;
}

void WrittenNames::name_tensors(const std::vector<Node>& nodes) {
  for (const Node& node : nodes) tensors_.emplace(node.name());
  for (const Node& node : nodes)
    for (std::size_t i = 0; i < node.out_port_count(); ++i) {
      std::string name = tensor_name(node, i);
      if (name.empty() || name == node.name() || tensors_.insert(name).second) continue;
      while (!tensors_.insert(name).second) name += '_';
      renamed_.emplace(node.out_port(i).id(), std::move(name));
    }
}

std::string WrittenNames::name_of(const OutPort& tensor) const {
  if (const std::string_view name = tensor.data().first_tensor_name(); is_linked_)
    return name.empty() ? fmt::format("unnamed:{}", tensor.id().index) : std::string(name);
  const auto found = renamed_.find(tensor.id());
  return found == renamed_.end() ? tensor_name(tensor.node(), tensor.index()) : found->second;
}

}  // namespace mo::onnx
