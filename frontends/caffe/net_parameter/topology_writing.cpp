#include <set>

#include "frontends/caffe/net_parameter/keys.hpp"
#include "frontends/caffe/net_parameter/layer_text.hpp"
#include "frontends/caffe/net_parameter/net_parameter.hpp"

namespace mo::caffe {
namespace {

bool is_net_input(const Node& node) { return node.has_attr(kept_key::kNetInput); }
bool is_made(const Node& node) { return !node.has_attr(kept_key::kLayer); }

class TopologyWriter {
 public:
  TopologyWriter(const Graph& graph, const std::vector<Node>& order)
      : graph_(graph), order_(order), names_(graph, order) {
    const AttributeValue* const form = graph.properties.find(kept_key::kForm);
    if (form && *form->get_if<std::int64_t>() != static_cast<std::int64_t>(Form::current)) form_ = Form::v1;
  }

  Expected<std::string> write() {
    std::set<std::string> present;
    for (const Node& node : order_)
      if (const AttributeList* const kept = kept_list(node.find_attribute(kept_key::kLayer)))
        present.insert(*(*kept)[0].get_if<std::string>());
    find_inputs();
    std::string text;
    const AttributeList* const others = kept_list(graph_.properties.find(kept_key::kNetText));
    // Fields after a removed layer move to the beginning.
    write_others(others, text, [&](const std::string& anchor) { return !present.contains(anchor); });
    if (!keeps_inputs_)
      for (const Node& input : inputs_) {
        MO_ASSIGN(const std::string fields, net_input_text(input, names_));
        if (!text.empty() && text.back() != '\n') text += '\n';
        text += fields;
      }
    for (const Node& node : order_) {
      if (is_constant(node) || is_input_of_net(node) || is_only_stored(node)) continue;
      MO_ASSIGN(const std::string layer, layer_text(node, names_, form_));
      text += layer;
      if (const AttributeList* const kept = kept_list(node.find_attribute(kept_key::kLayer)))
        write_others(others, text,
                     [&](const std::string& anchor) { return anchor == *(*kept)[0].get_if<std::string>(); });
    }
    const AttributeValue* const end = graph_.properties.find(kept_key::kEnd);
    return text + (end ? *end->get_if<std::string>() : std::string("\n"));
  }

 private:
  static bool is_only_stored(const Node& node) {
    return node.has_attr(kept_key::kStored) && !node.has_attr(kept_key::kText);
  }
  /// Old forms have no layers for inputs.
  bool is_input_of_net(const Node& node) const {
    return is_net_input(node) || (form_ != Form::current && is_made(node) && layer_type(node) == "Placeholder");
  }

  /// The inputs that are fields of the net, and whether these are what was read.
  void find_inputs() {
    std::vector<std::string> now;
    for (const Node& node : order_) {
      if (!is_input_of_net(node)) continue;
      inputs_.push_back(node);
      now.emplace_back(node.name());
      keeps_inputs_ = keeps_inputs_ && tops_of(node, names_) == kept_names(node, kept_key::kTops);
    }
    const AttributeValue* const read = graph_.properties.find(kept_key::kNetInputs);
    keeps_inputs_ = keeps_inputs_ && read && *read->get_if<std::vector<std::string>>() == now;
  }

  template <class Wanted>
  void write_others(const AttributeList* others, std::string& text, Wanted&& wanted) const {
    if (!others) return;
    for (const AttributeValue& entry : *others) {
      const AttributeList& parts = *entry.get_if<AttributeList>();
      const auto part = [&](std::size_t i) -> const std::string& { return *parts[i].get_if<std::string>(); };
      const bool is_of_inputs = part(0) == "input" || part(0) == "input_shape" || part(0) == "input_dim";
      if (wanted(part(3)) && (keeps_inputs_ || !is_of_inputs)) text += part(1) + part(2);
    }
  }

  const Graph& graph_;
  const std::vector<Node>& order_;
  BlobNames names_;
  Form form_ = Form::current;
  std::vector<Node> inputs_;
  bool keeps_inputs_ = true;
};

}  // namespace

Expected<std::string> topology_text(const Graph& graph) {
  MO_ASSIGN(const std::vector<Node> order, graph.topological_order());
  return TopologyWriter(graph, order).write();
}

}  // namespace mo::caffe
