#include "frontends/onnx/graph_reader.hpp"

#include <algorithm>

#include "core/support/nearest.hpp"
#include "frontends/onnx/fields.hpp"

namespace mo::onnx {

using frontends::WireField;
using frontends::WireReader;

GraphReader::GraphReader(ModelState& model, int depth, TensorNames names)
    : model_(model), depth_(depth), tensor_names_(names) {}

Expected<void> GraphReader::check_depth() const {
  if (depth_ < limits::kDepth) return {};
  return error("MO-ONNX-0017", "graphs are nested more than {} deep", limits::kDepth)
      .hint("the file is corrupt or crafted to exhaust parsers: compare its checksum");
}

// -- names ------------------------------------------------------------------------------------------------------------

NameId GraphReader::NodeMessage::first_output() const {
  const auto named = std::find_if(outputs.begin(), outputs.end(), [](NameId id) { return id.valid(); });
  return named == outputs.end() ? NameId{} : *named;
}

NameId GraphReader::title_of_node() {
  if (node_.name && node_.name->valid()) return *node_.name;
  if (const NameId output = node_.first_output(); output.valid()) return output;
  return graph_->names().intern(fmt::format("{}_{}", node_.op_type, graph_->node_capacity()));
}

Expected<NameId> GraphReader::intern(const WireField& field) {
  MO_ASSIGN(const std::string_view text, short_text_of(model_.source, field));
  return text.empty() ? NameId{} : graph_->names().intern(text);
}

Value GraphReader::find(NameId tensor) const {
  const bool known = tensor.index < producers_.size() && producers_[tensor.index].valid();
  return known ? Value(graph_.get(), producers_[tensor.index]) : Value();
}

Expected<void> GraphReader::declare(NameId tensor, const Value& value) {
  if (const Value other = find(tensor))
    return error("MO-ONNX-0010", "tensor '{}' is produced twice, by '{}' and by '{}'", graph_->names()[tensor],
                 other.node().name(), value.node().name())
        .hint("every tensor of a graph needs a unique name; export the model again (onnx.checker finds such errors)");
  if (tensor.index >= producers_.size())
    producers_.resize(std::max<std::size_t>(tensor.index + 1, producers_.size() * 2));
  producers_[tensor.index] = value.id();
  if (tensor_names_ == TensorNames::on_ports) value.data().add_tensor_name(tensor);
  return {};
}

Diagnostic GraphReader::unknown_tensor(NameId tensor) const {
  const std::string_view name = graph_->names()[tensor];
  std::vector<std::string> known;
  for (std::uint32_t i = 0; i < producers_.size() && known.size() < 20'000; ++i)
    if (producers_[i].valid()) known.emplace_back(graph_->names()[NameId{i}]);
  Diagnostic failed = error("MO-ONNX-0011", "there is no tensor '{}'", name.substr(0, 200));
  const std::string close = nearest(name, known);
  if (close.empty()) return std::move(failed).hint("the model is incomplete or was edited: export it again");
  return std::move(failed).hint("did you mean '{}'? Otherwise the model is incomplete: export it again", close);
}

// -- parts ------------------------------------------------------------------------------------------------------------

Expected<void> GraphReader::read_parts(const WireField& message) {
  MO_ASSIGN(WireReader reader, message_of(model_.source, message));
  return reader.each([&](const WireField& field) -> Expected<void> {
    switch (field.number) {
      case graph_field::kNode: return {};  // read later: their constants and inputs may come after them
      case graph_field::kInitializer:
      case graph_field::kSparseInitializer: {
        MO_TRY(model_.take_node());
        MO_ASSIGN(NamedTensor tensor, field.number == graph_field::kInitializer ? model_.tensors.read(field)
                                                                                : model_.tensors.read_sparse(field));
        parts_.initializers.push_back(std::move(tensor));
        break;
      }
      case graph_field::kInput: {
        MO_TRY(model_.take_node());
        MO_ASSIGN(ValueInfo info, read_value_info(model_, field));
        parts_.inputs.push_back(std::move(info));
        break;
      }
      case graph_field::kOutput: {
        MO_TRY(model_.take_node());
        MO_ASSIGN(ValueInfo info, read_value_info(model_, field));
        parts_.outputs.push_back(std::move(info.name));
        break;
      }
      default: break;
    }
    return take_graph_field(field);
  });
}

// -- nodes ------------------------------------------------------------------------------------------------------------

Expected<void> GraphReader::read_nodes(const WireField& message, std::uint32_t node_field) {
  MO_ASSIGN(WireReader reader, message_of(model_.source, message));
  return reader.each([&](const WireField& field) -> Expected<void> {
    return field.number == node_field ? read_node(field) : Expected<void>();
  });
}

Expected<void> GraphReader::read_node(const WireField& message) {
  MO_TRY(model_.take_node());
  MO_ASSIGN(WireReader reader, message_of(model_.source, message));
  // One read for the whole node instead of one for each name at the edge of the window.
  if (message.size <= frontends::WireSource::kWindow) MO_TRY(model_.source.fetch(message.offset, message.size));
  node_.inputs.clear();
  node_.outputs.clear();
  node_.name.reset();
  node_.op_type.clear();
  node_.domain.reset();
  node_.attributes = {};
  auto done = reader.each([&](const WireField& field) -> Expected<void> {
    switch (field.number) {
      case node_field::kInput:
      case node_field::kOutput: {
        std::vector<NameId>& ports = field.number == node_field::kInput ? node_.inputs : node_.outputs;
        if (ports.size() == limits::kPorts)
          return error("MO-ONNX-0019", "a node has more than {} inputs or outputs", limits::kPorts)
              .hint("the file is corrupt: compare its checksum, and download or export it again");
        MO_ASSIGN(const NameId tensor, intern(field));
        ports.push_back(tensor);
        return {};
      }
      case node_field::kName: {
        MO_ASSIGN(node_.name, intern(field));
        return {};
      }
      case node_field::kOpType: {
        MO_ASSIGN(node_.op_type, short_text_of(model_.source, field));
        return {};
      }
      case node_field::kDomain: {
        MO_ASSIGN(node_.domain, short_text_of(model_.source, field));
        return {};
      }
      case node_field::kAttribute: return take_attribute(field);
      default: return take_node_field(field);
    }
  });
  if (done) done = create_node();
  if (!done) return std::move(done).error().at_node(graph_->names()[title_of_node()], node_.op_type);
  return {};
}

Expected<Node> GraphReader::create_connected(Op op, NameId name) {
  values_.clear();
  for (const NameId tensor : node_.inputs) values_.push_back(find(tensor));
  const Node node = graph_->create_node(std::move(op), values_, node_.outputs.size());
  node.set_name(name);
  // What is not known yet is produced by a later node, or comes from outside.
  for (std::size_t i = 0; i < node_.inputs.size(); ++i)
    if (node_.inputs[i].valid() && !values_[i]) pending_.push_back({node.in_port(i).id(), node_.inputs[i]});
  for (std::size_t i = 0; i < node_.outputs.size(); ++i)
    if (node_.outputs[i].valid()) MO_TRY(declare(node_.outputs[i], node.out_port(i)));
  return node;
}

Expected<void> GraphReader::connect_pending() {
  std::vector<Diagnostic> unknown;
  for (const Pending& pending : pending_) {
    const InPort port(graph_.get(), pending.use);
    Value source = find(pending.tensor);
    if (!source) { MO_ASSIGN(source, from_outside(pending.tensor)); }
    if (source) {
      MO_TRY(port.connect(source));
    } else if (unknown.size() < kListed) {
      unknown.push_back(port.node().describe(unknown_tensor(pending.tensor)));
    }
  }
  pending_.clear();
  if (!unknown.empty()) return Error(std::move(unknown));
  return {};
}

}  // namespace mo::onnx
