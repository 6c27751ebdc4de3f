#include "frontends/tensorflow/graph_reader.hpp"

#include <algorithm>
#include <charconv>

#include "core/support/nearest.hpp"
#include "frontends/tensorflow/fields.hpp"

namespace mo::tensorflow {

using frontends::WireField;
using frontends::WireReader;

namespace {

/// At most this many errors of one kind are listed.
constexpr std::size_t kListed = 20;

/// Attributes of so many bytes are compared with those of the node before.
constexpr std::uint64_t kComparedAttributes = 512;

/// Up to this GraphDef version a Placeholder without dimensions was one of unknown shape.
constexpr std::int64_t kScalarPlaceholders = 24;

bool is_placeholder(std::string_view op) { return op == "Placeholder" || op == "PlaceholderV2"; }

}  // namespace

GraphReader::GraphReader(ModelState& model, Graph& graph, std::string prefix, Purpose purpose)
    : model_(model), graph_(graph), prefix_(std::move(prefix)), purpose_(purpose) {}

std::string_view GraphReader::local_name(NameId name) const { return graph_.names()[name].substr(prefix_.size()); }

// -- names ------------------------------------------------------------------------------------------------------------

/// "name", "name:port" or "^name"; inside functions "name:argument:index".
Expected<GraphReader::Reference> GraphReader::parse_reference(std::string_view text) {
  const auto malformed = [&](std::string_view why) {
    return error("MO-TF-0005", "the input \"{}\" is malformed: {}", text.substr(0, 200), why)
        .hint("inputs are written \"node\", \"node:port\" or \"^node\"; export the model again");
  };
  Reference reference;
  std::string_view rest = text;
  if (rest.starts_with('^')) {
    reference.is_control = true;
    rest.remove_prefix(1);
  }
  std::string_view name = rest.substr(0, rest.find(':'));
  if (name.empty()) return malformed("it names no node");
  if (name.size() < rest.size()) {
    if (reference.is_control) return malformed("a control input has no port");
    std::string_view port = rest.substr(name.size() + 1);
    if (const std::size_t colon = port.find(':'); in_function_ && colon != std::string_view::npos) {
      reference.argument = graph_.names().intern(port.substr(0, colon));
      port.remove_prefix(colon + 1);
    }
    std::int64_t number = 0;
    const auto [end, cause] = std::from_chars(port.data(), port.data() + port.size(), number);
    if (cause != std::errc() || end != port.data() + port.size() || port.empty() || number < 0)
      return malformed("the port is not a number");
    if (number >= limits::kPorts) return malformed("there are not that many ports");
    reference.port = static_cast<std::uint32_t>(number);
  }
  scratch_.assign(prefix_).append(name);
  reference.producer = graph_.names().intern(scratch_);
  return reference;
}

Diagnostic GraphReader::unknown_node(NameId name) const {
  const std::string_view local = local_name(name);
  std::vector<std::string> known;
  for (const Node node : graph_.nodes()) {
    if (known.size() == 20'000) break;
    if (producer_of(node.name_id()).valid()) known.emplace_back(local_name(node.name_id()));
  }
  std::sort(known.begin(), known.end());
  Diagnostic failed = error("MO-TF-0006", "there is no node '{}'", local.substr(0, 200));
  const std::string close = nearest(local, known);
  if (close.empty()) return std::move(failed).hint("the model is incomplete or was edited: export it again");
  return std::move(failed).hint("did you mean '{}'? Otherwise the model is incomplete: export it again", close);
}

/// TensorFlow numbers all outputs of a node from 0; functions name the output argument and count inside of it.
Expected<std::size_t> GraphReader::port_of(const Node& producer, const Reference& reference) const {
  if (!reference.argument.valid()) return std::size_t{reference.port};
  const std::string_view wanted = graph_.names()[reference.argument];
  const std::string_view op = producer.type().substr(std::string_view("tf::").size());
  if (const auto function = model_.functions.find(std::string(op)); function != model_.functions.end()) {
    const auto& outputs = function->second.outputs;
    const auto at = std::find(outputs.begin(), outputs.end(), wanted);
    return at == outputs.end() ? std::size_t{reference.port} : static_cast<std::size_t>(at - outputs.begin());
  }
  const std::vector<OutputArgument>* arguments = model_.output_arguments(op);
  if (!arguments) return std::size_t{reference.port};
  std::size_t first = 0;
  for (const OutputArgument& argument : *arguments) {
    if (argument.name == wanted) return first + reference.port;
    if (!argument.count_attribute.empty()) {
      first += static_cast<std::size_t>(std::clamp<std::int64_t>(
          producer.attr<std::int64_t>(argument.count_attribute).value_or(1), 0, limits::kPorts));
    } else if (!argument.types_attribute.empty()) {
      first +=
          producer.attr<std::vector<std::string>>(argument.types_attribute).value_or(std::vector<std::string>{}).size();
    } else {
      ++first;
    }
  }
  return error("MO-TF-0007", "op {} has no output '{}'", op, wanted)
      .hint("the function is inconsistent; export the model again");
}

Expected<Value> GraphReader::find(const Reference& reference) {
  if (const auto argument = arguments_.find(reference.producer.index); argument != arguments_.end())
    return argument->second;
  const NodeId found = producer_of(reference.producer);
  if (!found.valid()) return unknown_node(reference.producer);
  const Node producer = graph_.node(found);
  MO_ASSIGN(const std::size_t port, port_of(producer, reference));
  if (port >= static_cast<std::size_t>(limits::kPorts) || (port > 0 && producer.is<Parameter>()))
    return error("MO-TF-0005", "node '{}' has no output {}", local_name(reference.producer), port)
        .hint("the file is corrupt: compare its checksum, and download or export it again");
  if (port >= producer.out_port_count()) {
    const std::size_t before = producer.out_port_count();
    MO_TRY(model_.take_ports(port - before));
    producer.add_output_port(port);
    // What is only rewritten says them by the name of its node.
    for (std::size_t i = before; i <= port && purpose_ == Purpose::conversion; ++i)
      producer.out_port(i).data().add_tensor_name(fmt::format("{}:{}", producer.name(), i));
  }
  return producer.out_port(port);
}

// -- nodes ------------------------------------------------------------------------------------------------------------

Expected<void> GraphReader::read_nodes(const WireField& message, std::uint32_t node_field) {
  MO_ASSIGN(WireReader reader, message_of(model_.source, message));
  return reader.each([&](const WireField& field) -> Expected<void> {
    return field.number == node_field ? read_node(field) : Expected<void>();
  });
}

Expected<void> GraphReader::read_node(const WireField& message) {
  MO_TRY(in_function_ ? model_.take_inlined_nodes() : model_.take_node());
  MO_ASSIGN(WireReader reader, message_of(model_.source, message));
  // One read for the whole node instead of one for each name at the edge of the window.
  if (message.size <= frontends::WireSource::kWindow) MO_TRY(model_.source.fetch(message.offset, message.size));
  inputs_.clear();
  control_inputs_.clear();
  spelled_inputs_.clear();
  is_usual_ = true;
  entries_.clear();
  std::string name;
  std::string op;
  std::string device;
  AttributeReader attributes(*this);
  auto done = reader.each([&](const WireField& field) -> Expected<void> {
    switch (field.number) {
      case node_field::kName:
      case node_field::kOp:
      case node_field::kDevice: {
        MO_ASSIGN(const std::string_view text, short_text_of(model_.source, field));
        (field.number == node_field::kName ? name : field.number == node_field::kOp ? op : device) = text;
        return {};
      }
      case node_field::kInput: {
        if (static_cast<std::int64_t>(inputs_.size() + control_inputs_.size()) == limits::kPorts)
          return error("MO-TF-0011", "a node has more than {} inputs", limits::kPorts)
              .hint("the file is corrupt: compare its checksum, and download or export it again");
        MO_ASSIGN(const std::string_view text, short_text_of(model_.source, field));
        MO_ASSIGN(const Reference reference, parse_reference(text));
        if (purpose_ == Purpose::rewriting) note_input(text, reference);
        if (reference.is_control)
          control_inputs_.push_back(reference.producer);
        else
          inputs_.push_back(reference);
        return {};
      }
      case node_field::kAttribute: {
        if (purpose_ == Purpose::rewriting) return attributes.read_entry(field);
        entries_.push_back(field);
        return {};
      }
      default: return attributes.keep_field(field);
    }
  });
  if (done && !entries_.empty()) done = read_attributes(op, attributes);
  if (!device.empty()) attributes.attributes.set("@device", device);
  for (Diagnostic& remark : attributes.remarks) model_.sink.report(std::move(remark).at_node(name, op));
  if (done && purpose_ == Purpose::rewriting) done = create_as_it_stands(name, op, std::move(attributes.attributes));
  if (done && purpose_ == Purpose::conversion) done = create_node(name, op, std::move(attributes.attributes));
  if (!done) return std::move(done).error().at_node(name, op);
  return {};
}

/// Claims a node name that is not taken yet. Errors: MO-TF-0003, MO-TF-0004.
Expected<NameId> GraphReader::claim_name(std::string_view name, std::string_view op) {
  if (name.empty())
    return error("MO-TF-0003", "a node of op '{}' has no name", op)
        .hint("the file is corrupt: compare its checksum, and download or export it again");
  if (op.empty())
    return error("MO-TF-0003", "node '{}' has no op", name)
        .hint("the file is corrupt: compare its checksum, and download or export it again");
  scratch_.assign(prefix_).append(name);
  const NameId id = graph_.names().intern(scratch_);
  if (const NodeId first = producer_of(id); first.valid())
    return error("MO-TF-0004",
                 "two nodes have the name '{}': the first is number {} of the graph, the second number {}", name,
                 first.index, graph_.node_capacity())
        .hint("every node of a graph needs a unique name; export the model again");
  producers_.make_room();
  return id;
}

GraphReader::OpInfo& GraphReader::op_info(const std::string& op) {
  const auto [place, is_new] = ops_.try_emplace(op);
  OpInfo& info = place->second;
  if (is_new) {
    info.type = &dynamic_op_type("tf::" + op);
    info.origin = graph_.intern_origin({.framework = "TensorFlow", .op = op});
  }
  return info;
}

Expected<void> GraphReader::read_attributes(const std::string& op, AttributeReader& attributes) {
  // In functions they may say something else in each call; the tensors of constants are ranges of the file.
  const std::uint64_t begin = entries_.front().offset;
  const std::uint64_t size = entries_.back().offset + entries_.back().size - begin;
  OpInfo* const info =
      in_function_ || op.empty() || op == "Const" || size > kComparedAttributes ? nullptr : &op_info(op);
  std::string bytes;
  if (info) {
    MO_ASSIGN(const std::byte* const at, model_.source.fetch(begin, size));
    const std::string_view text(reinterpret_cast<const char*>(at), static_cast<std::size_t>(size));
    // The length of the first entry stands before it.
    if (text == info->attribute_bytes && entries_.front().size == info->first_entry) {
      attributes.attributes = info->attributes;
      return {};
    }
    bytes = text;
  }
  for (const WireField& entry : entries_) MO_TRY(attributes.read_entry(entry));
  if (!info || !attributes.remarks.empty()) return {};
  info->attributes = attributes.attributes;
  info->attribute_bytes = std::move(bytes);
  info->first_entry = entries_.front().size;
  return {};
}

Expected<void> GraphReader::create_node(std::string_view name, const std::string& op, AttributeMap attributes) {
  MO_ASSIGN(const NameId id, claim_name(name, op));
  std::string& full = scratch_;                                         // the name with its prefix
  if (in_function_) MO_TRY(model_.take_inlined_name(2 * full.size()));  // its tensor is named, too
  const OpInfo& info = op_info(op);
  Node node;
  if (is_placeholder(op) && !in_function_ && inputs_.empty()) {
    const AttributeValue* dtype = attributes.find("dtype");
    const AttributeValue* shape = attributes.find("shape");
    TensorType type;
    if (dtype && dtype->holds<ElementType>()) type.element_type = *dtype->get_if<ElementType>();
    if (shape && shape->holds<PartialShape>()) type.shape = *shape->get_if<PartialShape>();
    // A complex number is a pair of reals in a dimension of its own.
    const bool is_complex =
        dtype && dtype->holds<std::string>() && dtype->get_if<std::string>()->starts_with("DT_COMPLEX");
    if (is_complex)
      type.element_type = *dtype->get_if<std::string>() == "DT_COMPLEX64" ? ElementType::f32 : ElementType::f64;
    if (is_complex && type.shape.has_rank()) type.shape.dims().emplace_back(2);
    if (type.shape.has_rank() && type.shape.size() == 0 && model_.producer > 0 && model_.producer < kScalarPlaceholders)
      type.shape = PartialShape();
    node = graph_.create_parameter(type, full);
  } else {
    const std::vector<Value> unconnected(inputs_.size());
    node = graph_.create_node(Op(*info.type, new AttributeMap(std::move(attributes))), unconnected, 1);
    node.set_name(id);
  }
  node.set_origin(info.origin);
  node.add_source(id);
  node.out_port(0).data().add_tensor_name(full.append(":0"));
  producers_.put(id.index, node.id().index);
  return connect_inputs(node);
}

Expected<void> GraphReader::connect_inputs(const Node& node) {
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const Reference& input = inputs_[i];
    const InPort port = node.in_port(i);
    if (pending_.empty() && (producer_of(input.producer).valid() || arguments_.contains(input.producer.index))) {
      if (const auto source = find(input); source && source->node() != node) {
        MO_TRY(port.connect(*source));
        continue;
      }
    }
    pending_.push_back({port.id(), input.producer, input.port, input.argument});
  }
  for (const NameId before : control_inputs_) control_.emplace_back(node.id(), before);
  return {};
}

Expected<void> GraphReader::connect_pending() {
  std::vector<Diagnostic> failed;
  for (const Pending& pending : pending_) {
    if (failed.size() == kListed) break;
    const InPort port(&graph_, pending.use);
    auto source = find({pending.producer, pending.port, pending.argument, false});
    if (source && source->node() == port.node())
      source = error("MO-TF-0009", "node '{}' reads its own output", port.node().name())
                   .hint("the file is corrupt: compare its checksum, and download or export it again");
    if (source) {
      MO_TRY(port.connect(*source));
    } else {
      failed.push_back(port.node().describe(source.error().first()));
    }
  }
  for (const auto& [node, before] : control_) {
    if (failed.size() == kListed) break;
    if (arguments_.contains(before.index)) continue;
    if (const NodeId found = producer_of(before); found.valid())
      graph_.node(node).add_control_input(graph_.node(found));
    else
      failed.push_back(graph_.node(node).describe(unknown_node(before)));
  }
  pending_ = {};
  control_ = {};
  if (!failed.empty()) return Error(std::move(failed));
  return {};
}

Expected<void> GraphReader::read_graph_def(const WireField& message) {
  // The library and the version come after the nodes, and are needed before.
  MO_ASSIGN(WireReader reader, message_of(model_.source, message));
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    if (field.number == graph_field::kLibrary) return model_.read_library(field);
    if (field.number != graph_field::kVersions) return {};
    MO_ASSIGN(WireReader versions, message_of(model_.source, field));
    return versions.each([&](const WireField& part) -> Expected<void> {
      if (part.number != version_field::kProducer) return {};
      MO_ASSIGN(model_.producer, integer_of(part));
      return {};
    });
  }));
  MO_TRY(read_nodes(message, graph_field::kNode));
  return connect_pending();
}

Expected<Outputs> GraphReader::read_function(const Function& function, const Outputs& arguments,
                                             const AttributeMap& attributes) {
  in_function_ = true;
  substitutions_ = &attributes;
  if (arguments.size() != function.inputs.size())
    return error("MO-TF-0012", "function '{}' takes {} arguments, the call passes {}", function.name,
                 function.inputs.size(), arguments.size())
        .hint("the model was edited or its exporter is faulty: export it again with a newer exporter");
  for (std::size_t i = 0; i < arguments.size(); ++i)
    arguments_[graph_.names().intern(prefix_ + function.inputs[i].name).index] = arguments[i];
  MO_TRY(read_nodes(function.message, function_field::kNode));
  MO_TRY(connect_pending());
  Outputs results;
  for (const std::string& output : function.outputs) {
    const auto returned = function.returns.find(output);
    if (returned == function.returns.end())
      return error("MO-TF-0012", "function '{}' does not define its output '{}'", function.name, output)
          .hint("the model was edited or its exporter is faulty: export it again with a newer exporter");
    MO_ASSIGN(const Reference reference, parse_reference(returned->second));
    MO_ASSIGN(const Value value, find(reference));
    results.push_back(value);
  }
  return results;
}

}  // namespace mo::tensorflow
