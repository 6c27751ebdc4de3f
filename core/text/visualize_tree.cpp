#include "core/text/visualize_tree.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <unordered_set>

#include "core/graph/builtin_ops.hpp"
#include "core/support/printable.hpp"
#include "core/tensor/convert.hpp"
#include "core/text/picture_nodes.hpp"

namespace mo {
namespace {

/// Text inside of a quoted label.
std::string escaped(std::string_view text) {
  std::string made;
  for (const char c : text) {
    if (c == '"' || c == '\\') made += '\\';
    if (static_cast<unsigned char>(c) < 0x20)
      made += ' ';
    else
      made += c;
  }
  return made;
}

/// Text inside of an HTML-like label.
std::string in_html(std::string_view text) {
  std::string made;
  for (const char c : printable(text)) {
    if (c == '&')
      made += "&amp;";
    else if (c == '<')
      made += "&lt;";
    else if (c == '>')
      made += "&gt;";
    else if (c == '"')
      made += "&quot;";
    else
      made += c == '\n' || c == '\t' ? ' ' : c;
  }
  return made;
}

std::string shape_text(const PartialShape& shape) {
  if (!shape.has_rank()) return "?";
  std::string text;
  for (const Dimension& dim : shape)
    text += (text.empty() ? "" : ",") + (dim.is_known() ? std::to_string(dim.value()) : std::string("?"));
  return "[" + text + "]";
}

TensorType type_at(const Value& value) {
  const Const* const constant = value.node().as<Const>();
  return constant ? constant->value.type() : value.type();
}

/// The longest ways from nodes to each Result; to the farthest one where that would be too much.
class Heights {
 public:
  Heights(const std::vector<Node>& order, const std::vector<Node>& results) {
    constexpr std::size_t kMostEntries = 4'000'000;
    const bool each = order.size() * std::max<std::size_t>(results.size(), 1) <= kMostEntries;
    for (std::size_t i = 0; i < results.size(); ++i) heights_[results[i].id()][each ? static_cast<int>(i) : 0] = 0;
    for (auto node = order.rbegin(); node != order.rend(); ++node) {
      const std::map<int, int> own = heights_[node->id()];
      for (const InPort& port : node->in_ports())
        if (const Value source = port.get_source())
          for (const auto& [result, height] : own) {
            int& of_source = heights_[source.node().id()][result];
            of_source = std::max(of_source, height + 1);
          }
    }
  }

  /// The largest difference over the Results that both lead to.
  int distance(const Node& producer, const Node& reader) const {
    int longest = 1;
    const auto from = heights_.find(producer.id());
    const auto to = heights_.find(reader.id());
    if (from == heights_.end() || to == heights_.end()) return longest;
    for (const auto& [result, height] : to->second)
      if (const auto other = from->second.find(result); other != from->second.end())
        longest = std::max(longest, other->second - height);
    return longest;
  }

 private:
  std::unordered_map<NodeId, std::map<int, int>> heights_;
};

class Picture {
 public:
  Picture(const VisualizeOptions& options, std::string& text, int& clones)
      : options_(options), text_(text), clones_(clones) {}

  void draw(const Graph& graph, const std::string& prefix, int indent) {
    auto order = graph.topological_order();
    if (!order) return;  // a cycle: nothing of it can be put in order
    prefix_ = prefix;
    indent_.assign(static_cast<std::size_t>(indent), ' ');
    const Heights heights(*order, graph.results());
    const std::unordered_set<NodeId> wanted = nodes_of_picture(graph, *order, options_);
    std::vector<Node> from_outputs(order->rbegin(), order->rend());
    for (const Node& node : from_outputs) {
      if (!wanted.contains(node.id())) continue;
      if (options_.compact && !node.is<Const>()) draw_node(node);
      for (std::size_t i = 0; i < node.in_port_count(); ++i)
        if (const Value source = node.input(i); source && wanted.contains(source.node().id()))
          draw_edge(source, node, i, heights);
      if (options_.bodies) draw_bodies(node, indent);
    }
  }

 private:
  void line(const std::string& statement) { text_ += indent_ + statement + "\n"; }

  std::string id(const Node& node) const {
    std::string made = prefix_ + std::string(node.type()) + "_" + std::to_string(node.id().index);
    for (char& c : made)
      if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_') c = '_';
    return made;
  }

  void draw_edge(const Value& source, const Node& reader, std::size_t input, const Heights& heights) {
    const Node producer = source.node();
    if (producer.is<Const>() || (producer.is<Parameter>() && !options_.compact)) {
      const std::string clone = "CLONE_" + std::to_string(clones_++);
      line(fmt::format("{} {}", clone, clone_attributes(source)));
      draw_node(reader);
      return line(fmt::format("{} -> {}{}", clone, id(reader), edge_label(input, 1)));
    }
    draw_node(producer);
    draw_node(reader);
    const int distance = heights.distance(producer, reader);
    if (options_.compact || distance <= static_cast<int>(options_.longest_edge))
      return line(fmt::format("{} -> {}{}{}", id(producer), id(reader), weight(distance), edge_label(input, distance)));
    const int number = clones_++;
    line(fmt::format("SEND_{} [shape=\"box\" style=\"solid,filled\" fillcolor=\"#ccffcc\" label=\"Send[{}]\"]", number,
                     escaped(reader.name())));
    line(fmt::format("RECV_{} [shape=\"box\" style=\"solid,filled\" fillcolor=\"#ffcccc\" label=\"Receive[{}]\"]",
                     number, escaped(producer.name())));
    line(fmt::format("{} -> SEND_{}{}", id(producer), number, edge_label(input, distance)));
    line(fmt::format("RECV_{} -> {}{}", number, id(reader), edge_label(input, distance)));
  }

  /// An edge that passes other nodes is the trunk, beside which they are drawn: blocks of a residual net are below each
  /// other then.
  std::string weight(int distance) const { return options_.compact ? fmt::format("[weight={}]", 8 * distance) : ""; }

  std::string edge_label(std::size_t input, int distance) const {
    if (options_.edge_labels) return fmt::format("[label=\" 0 -> {} \"]", input);
    if (options_.edge_jumps && distance > 1) return fmt::format("[label=\"jump={}\"]", distance);
    return "";
  }

  void draw_node(const Node& node) {
    if (!drawn_.insert(node.id()).second) return;
    std::vector<std::string> attributes;
    if (options_.compact) {
      attributes.push_back(fmt::format("label=<{}>", compact_label(node)));
    } else {
      attributes.emplace_back("shape=box");
      if (node.is<Result>())
        attributes.insert(attributes.end(), {"color=crimson", "penwidth=1.5"});
      else
        attributes.emplace_back("color=black");
      attributes.push_back(fmt::format("label=\"{}\"", label(node)));
    }
    if (options_.modify) options_.modify(node, attributes);
    line(fmt::format("{} [{}]", id(node), fmt::join(attributes, " ")));
  }

  std::string label(const Node& node) const {
    const std::string unique = id(node);
    const char* const break_line = "\\n";
    const auto named = [&](const char* member) {
      return options_.member_names ? fmt::format("{}: ", member) : std::string();
    };
    std::string text = named("friendly_name") + escaped(node.name().empty() ? unique : node.name());
    if (!node.name().empty() && node.name() != unique) text += break_line + named("name") + unique;
    text += break_line + named("type_name") + escaped(node.type());
    if (options_.runtime_info) text += break_line + runtime_info(node);
    if (options_.ports) {
      for (std::size_t i = 0; i < node.in_port_count(); ++i)
        if (const Value source = node.input(i))
          text += fmt::format("{}in{}: {}: {}: out{}", break_line, i, type_text(source), escaped(source.node().name()),
                              source.index());
      for (std::size_t i = 0; i < node.out_port_count(); ++i)
        text += fmt::format("{}out{}: {}", break_line, i, type_text(node.output(i)));
    } else if (options_.shapes || options_.types) {
      for (std::size_t i = 0; i < node.out_port_count(); ++i) text += break_line + type_text(node.output(i));
    }
    if (const auto details = options_.details.find(node.type()); details != options_.details.end())
      text += break_line + escaped(details->second(node));
    return text;
  }

  /// The op, below it the name, below that the outputs that are read.
  std::string compact_label(const Node& node) const {
    const std::string_view type = node.type();
    std::string_view op = options_.origin_ops ? node.origin().op : std::string_view();
    if (op.empty()) op = type.substr(type.find("::") == std::string_view::npos ? 0 : type.find("::") + 2);
    const auto line_of = [](int size, std::string_view text) {
      return text.empty()
                 ? std::string()
                 : fmt::format("<br/><font point-size=\"{}\" color=\"#5d6b7e\">{}</font>", size, in_html(text));
    };
    std::string text = fmt::format("<b>{}</b>", in_html(op)) + line_of(9, node.name());
    if (options_.runtime_info) text += line_of(8, runtime_info(node));
    if (options_.ports) {
      for (std::size_t i = 0; i < node.in_port_count(); ++i)
        if (const Value source = node.input(i))
          text += line_of(8, fmt::format("in {}: {} {}", i, compact_type(source), source.node().name()));
      for (std::size_t i = 0; i < node.out_port_count(); ++i)
        text += line_of(8, fmt::format("out {}: {}", i, compact_type(node.output(i))));
    } else {
      for (const OutPort& port : node.out_ports())
        if (!port.disconnected()) text += line_of(8, compact_type(port));
    }
    if (const auto details = options_.details.find(type); details != options_.details.end())
      text += line_of(8, details->second(node));
    return text;
  }

  /// "1×3×224×224", "i64 scalar"; nothing where nothing is known.
  std::string compact_type(const Value& value) const {
    const TensorType type = type_at(value);
    std::string text;
    if (options_.types && type.element_type != ElementType::f32 && type.element_type != ElementType::dynamic)
      text = std::string(to_string(type.element_type));
    if (!options_.shapes || !type.shape.has_rank()) return text;
    std::string shape;
    for (const Dimension& dim : type.shape)
      shape += (shape.empty() ? "" : "×") + (dim.is_known() ? std::to_string(dim.value()) : std::string("?"));
    return text + (text.empty() ? "" : " ") + (shape.empty() ? "scalar" : shape);
  }

  std::string type_text(const Value& value) const {
    const TensorType type = type_at(value);
    return (options_.types ? fmt::format("{{{}}}", to_string(type.element_type)) : "") +
           (options_.shapes ? shape_text(type.shape) : "");
  }

  std::string runtime_info(const Node& node) const {
    std::string text = "rt info: ";
    const AttributeMap* const info = node.rt_info();
    if (!info || info->empty()) return text + "[EMPTY]";
    for (const AttributeMap::Item& item : *info) {
      std::string fields;
      if (const AttributeMap* const map = item.value.map())
        for (const AttributeMap::Item& field : *map)
          if (const auto* value = field.value.get_if<std::string>()) fields += (fields.empty() ? "" : ", ") + *value;
      text += fmt::format("{}{{{}}} ", escaped(item.name), escaped(fields));
    }
    return text;
  }

  std::string clone_attributes(const Value& source) const {
    const Node node = source.node();
    const TensorType type = type_at(source);
    std::string text = escaped(node.name().empty() ? id(node) : node.name());
    text += fmt::format("\\n{{{}}}{}", to_string(type.element_type), shape_text(type.shape));
    if (const Const* const constant = node.as<Const>()) text += "\\nvalue: " + constant_text(constant->value);
    std::vector<std::string> attributes = {"shape=\"box\"", "style=\"dashed\"",
                                           node.is<Const>() ? "color=\"black\"" : "color=\"blue\"",
                                           fmt::format("label=\"{}\"", text)};
    if (options_.modify && node.rt_info()) options_.modify(node, attributes);
    return fmt::format("[{}]", fmt::join(attributes, " "));
  }

  /// The first elements, eight in a line; only these are loaded.
  std::string constant_text(const Tensor& tensor) const {
    const std::size_t count = static_cast<std::size_t>(tensor.element_count());
    const auto shown = first_elements(tensor, std::min(count, options_.constant_elements));
    if (!shown) return "{ can't be shown }";
    std::string text = "[";
    for (std::size_t i = 0; i < shown->size(); ++i) text += (i == 0 ? "" : i % 8 == 0 ? ", \\n" : ", ") + (*shown)[i];
    text += count > shown->size() ? ", ...]" : "]";
    if (!options_.min_max_denormal) return text;
    const auto numbers = to_reals(tensor);
    return numbers ? text + extremes(*numbers) : text;
  }

  static Expected<std::vector<std::string>> first_elements(const Tensor& tensor, std::size_t count) {
    const ElementType type = tensor.element_type();
    MO_ASSIGN(const Tensor head,
              Tensor::from_buffer(type, {static_cast<std::int64_t>(count)}, tensor.buffer(), tensor.offset()));
    std::vector<std::string> texts;
    if (holds_reals(type)) {
      MO_ASSIGN(const std::vector<double> numbers, to_reals(head));
      for (const double number : numbers)
        texts.push_back(type == ElementType::f64 ? fmt::format("{}", number)
                                                 : fmt::format("{}", static_cast<float>(number)));
    } else {
      MO_ASSIGN(const std::vector<std::int64_t> numbers, to_integers(head));
      for (const std::int64_t number : numbers)
        texts.push_back(type == ElementType::u64 ? fmt::format("{}", static_cast<std::uint64_t>(number))
                                                 : fmt::format("{}", number));
    }
    return texts;
  }

  /// Nothing that a kernel with flushed denormals computes exactly: below 1e-32 or above 1e32.
  static std::string extremes(const std::vector<double>& numbers) {
    if (numbers.empty()) return "";
    const auto [low, high] = std::minmax_element(numbers.begin(), numbers.end());
    std::string places;
    std::size_t count = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const double size = std::abs(numbers[i]);
      if (!(size > 0 && size < 1e-32) && !(size > 1e32)) continue;
      if (count++ < 3) places += fmt::format("{}{}: {}", places.empty() ? "" : ", ", i, numbers[i]);
    }
    return fmt::format("\\n(min: {}, max: {}, denormals: {}{})", *low, *high, count,
                       count == 0 ? "" : fmt::format(" [{}]", places));
  }

  void draw_bodies(const Node& node, int indent) {
    const std::vector<Graph*> bodies = node.bodies();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      line(fmt::format("subgraph cluster_{}_{} {{", id(node), i));
      line(fmt::format("  label=\"body {} of {}\"", i, escaped(node.name())));
      if (options_.compact) line("  style=rounded color=\"#9aa5b3\" fontcolor=\"#5d6b7e\" fontsize=10");
      Picture inner(options_, text_, clones_);
      inner.draw(*bodies[i], fmt::format("{}_body{}_", id(node), i), indent + 2);
      line("}");
    }
  }

  const VisualizeOptions& options_;
  std::string& text_;
  int& clones_;
  std::string prefix_;
  std::string indent_;
  std::unordered_set<NodeId> drawn_;
};

}  // namespace

std::string visualize_tree(const Graph& graph, const VisualizeOptions& options) {
  std::string text = "digraph ngraph\n{\n";
  if (options.compact)
    text +=
        "    graph [fontname=\"Helvetica,Arial,sans-serif\" ranksep=0.35 nodesep=0.25]\n"
        "    node [shape=box style=\"rounded,filled\" fontname=\"Helvetica,Arial,sans-serif\" fontsize=11 "
        "margin=\"0.12,0.05\" "
        "color=\"#9aa5b3\" fillcolor=\"#f6f7f9\"]\n"
        "    edge [color=\"#5d6b7e\" fontcolor=\"#5d6b7e\" fontname=\"Helvetica,Arial,sans-serif\" fontsize=9 "
        "arrowsize=0.7]\n";
  int clones = 0;
  Picture(options, text, clones).draw(graph, "", 4);
  return text + "}\n";
}

}  // namespace mo
