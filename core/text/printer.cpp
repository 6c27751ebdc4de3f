#include "core/text/printer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/graph/graph.hpp"
#include "core/graph/tensor_layout.hpp"
#include "core/tensor/convert.hpp"
#include "core/text/attribute_text.hpp"
#include "core/text/complete.hpp"

namespace mo {
namespace {

constexpr std::int64_t kInlineElements = 16;
constexpr std::uint64_t kInlineBytes = 64;

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

/// A real that reads back as a real, not as an integer.
std::string real_text(double value) {
  std::string text = shortest_real(value);
  if (text.find_first_of(".einf") == std::string::npos) text += ".0";
  return text;
}

std::uint64_t hash_of(std::span<const std::byte> bytes) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;  // FNV-1a: small, and only for telling texts apart
  for (const std::byte b : bytes) hash = (hash ^ std::to_integer<std::uint64_t>(b)) * 0x100000001B3ULL;
  return hash;
}

/// Nested lists of `items` by `shape`.
std::string nested(const Shape& shape, const std::vector<std::string>& items) {
  if (shape.empty()) return items.empty() ? "" : items.front();
  if (items.empty()) return "[]";
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i) {
    std::size_t block = 1;
    std::size_t opening = 0;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      block *= static_cast<std::size_t>(shape[axis]);
      if (i % block == 0) ++opening;
    }
    if (i > 0) { text += std::string(opening, ']') + ", "; }
    text += std::string(opening, '[') + items[i];
  }
  return text + std::string(shape.size(), ']');
}

std::string element_text(ElementType type) {
  return is_named(type) ? fmt::format("type(\"{}\")", to_string(type)) : std::string(to_string(type));
}

std::string type_text(ElementType type, const Shape& shape) { return element_text(type) + to_string(shape); }

std::string type_text(const TensorType& type) { return element_text(type.element_type) + type.shape.to_string(); }

std::string strings_text(const Tensor& loaded) {
  std::vector<std::string> items;
  if (const auto strings = to_strings(loaded))
    for (const std::string& s : *strings) items.push_back(quoted(s));
  const std::string text = fmt::format("strings[{}]", fmt::join(items, ", "));
  return loaded.rank() == 1 ? text : fmt::format("{}:{}", text, type_text(ElementType::string, loaded.shape()));
}

/// All bytes, whatever they mean.
std::string bytes_text(const Tensor& loaded) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string digits;
  digits.reserve(2 * loaded.bytes().size());
  for (const std::byte b : loaded.bytes()) {
    digits += kDigits[std::to_integer<unsigned>(b) >> 4U];
    digits += kDigits[std::to_integer<unsigned>(b) & 15U];
  }
  return fmt::format("hex(\"{}\"):{}", digits, type_text(loaded.element_type(), loaded.shape()));
}

/// With all of its bytes.
std::string complete_text(const Tensor& tensor) {
  const auto loaded = tensor.load();
  if (!loaded) return fmt::format("elided(unreadable):{}", type_text(tensor.element_type(), tensor.shape()));
  return tensor.element_type() == ElementType::string ? strings_text(*loaded) : bytes_text(*loaded);
}

std::string tensor_text(const Tensor& tensor, bool elide) {
  const ElementType type = tensor.element_type();
  const auto loaded = tensor.load();
  if (!loaded) return fmt::format("elided(unreadable):{}", type_text(type, tensor.shape()));
  if (type == ElementType::string) return strings_text(*loaded);
  if (is_named(type) && (loaded->byte_size() <= kInlineBytes || !elide)) return bytes_text(*loaded);
  std::vector<std::string> items;
  if (!is_named(type) && (tensor.element_count() <= kInlineElements || !elide)) {
    if (holds_reals(type)) {
      if (const auto numbers = to_reals(*loaded))
        for (const double v : *numbers)
          items.push_back(type == ElementType::f64 ? fmt::format("{}", v) : fmt::format("{}", static_cast<float>(v)));
    } else if (const auto numbers = to_integers(*loaded)) {
      for (const std::int64_t v : *numbers)
        items.push_back(type == ElementType::u64 ? fmt::format("{}", static_cast<std::uint64_t>(v))
                                                 : fmt::format("{}", v));
    }
    // `[]` does not show the other dimensions of an empty tensor.
    if (tensor.element_count() == 0 && tensor.rank() != 1)
      return fmt::format("splat(0):{}", type_text(type, tensor.shape()));
    return fmt::format("{}:{}", nested(tensor.shape(), items), to_string(type));
  }
  const std::span<const std::byte> bytes = loaded->bytes();
  const std::size_t width = bit_width(type) / 8;
  if (width > 0 && std::equal(bytes.begin() + static_cast<std::ptrdiff_t>(width), bytes.end(), bytes.begin())) {
    const auto first = Tensor::from_buffer(type, {}, loaded->buffer(), loaded->offset());
    const auto number = first ? to_reals(*first) : Expected<std::vector<double>>(std::vector<double>{0});
    return fmt::format("splat({}):{}", number ? shortest_real(number->front()) : "0", type_text(type, tensor.shape()));
  }
  return fmt::format("elided({:016x}):{}", hash_of(bytes), type_text(type, tensor.shape()));
}

class Printer {
 public:
  Printer(const TextOptions& options, int indent) : options_(options), indent_(indent) {}

  std::string print(const Graph& graph) {
    const std::vector<Node> order = canonical_order(graph);
    names_.resize(graph.value_capacity());
    std::string text = "graph";
    if (options_.names && !graph.name.empty()) text += " " + quoted(graph.name);
    if (options_.complete) text += " state " + attribute(AttributeValue(text::state_of(graph)));
    std::vector<Node> shown;  // in the order of the text
    std::vector<std::string> items;
    for (const Node& parameter : graph.parameters()) {
      shown.push_back(parameter);
      number(parameter.output());
      const auto& declared = *parameter.as<Parameter>();
      std::string item = fmt::format("{}: {}", value(parameter.output()),
                                     type_text(TensorType{declared.element_type, declared.shape}));
      items.push_back(item + decorations(parameter) + runtime_info(parameter) + facts_of(parameter) +
                      (options_.complete ? types_of(parameter) : ""));
    }
    text += fmt::format("({}) {{\n", fmt::join(items, ", "));
    for (const Node& node : order)
      if (!node.is<Parameter>() && !node.is<Result>() && !inlined(node)) {
        shown.push_back(node);
        number_outputs(node);
      }
    for (std::size_t i = graph.parameters().size(); i < shown.size(); ++i) text += statement(shown[i]);
    items.clear();
    for (const Node& result : graph.results()) {
      shown.push_back(result);
      items.push_back((result.input(0) ? operand(result.input(0)) : "_") + name_of(result) +
                      (options_.complete ? runtime_info(result) : "") + facts_of(result));
    }
    text += fmt::format("{}return{}{}\n", pad(1), items.empty() ? "" : " ", fmt::join(items, ", "));
    if (options_.complete) text += creation_text(graph, shown);
    return text + pad(0) + "}";
  }

  std::string print(const AttributeValue& value) const { return value.get_if<Body>() ? "graph" : attribute(value); }

 private:
  /// Behind what everybody sees of a node: ` from {…} sources […]`.
  std::string facts_of(const Node& node) const {
    if (!options_.complete) return "";
    std::string text;
    if (const Origin origin = node.origin(); origin != Origin{})
      text += " from " + attribute(AttributeValue(text::record_of(origin)));
    std::vector<std::string> sources;
    for (const std::string_view source : node.sources()) sources.push_back(quoted(source));
    return sources.empty() ? text : text + fmt::format(" sources [{}]", fmt::join(sources, ", "));
  }

  std::string creation_text(const Graph& graph, const std::vector<Node>& shown) const {
    const text::Creation creation = text::creation_of(graph, shown);
    std::string text;
    if (!creation.made.empty()) text += fmt::format("{}made [{}]\n", pad(1), fmt::join(creation.made, ", "));
    if (!creation.waits.empty()) text += fmt::format("{}waits [{}]\n", pad(1), fmt::join(creation.waits, ", "));
    if (!creation.readers.empty()) text += fmt::format("{}readers [{}]\n", pad(1), fmt::join(creation.readers, ", "));
    return text;
  }

  static std::string types_of(const Node& node) {
    std::vector<std::string> types;
    for (const OutPort& port : node.out_ports()) types.push_back(type_text(port.type()));
    return types.empty() ? "" : fmt::format(" : {}", fmt::join(types, ", "));
  }

  std::string constant(const Tensor& tensor) const {
    return options_.complete ? complete_text(tensor) : tensor_text(tensor, options_.elide_constants);
  }

  std::string pad(int more) const { return std::string(static_cast<std::size_t>(2 * (indent_ + more)), ' '); }

  /// Depth first from the results, then whatever they do not reach: the same for equal graphs, however they were built.
  static std::vector<Node> canonical_order(const Graph& graph) {
    std::vector<Node> order;
    std::vector<std::uint8_t> seen(graph.node_capacity());
    struct Frame {
      Node node;
      std::size_t next;
    };
    std::vector<Frame> stack;
    const auto visit = [&](const Node& root) {
      if (seen[root.id().index]) return;
      seen[root.id().index] = 1;
      stack.push_back({root, 0});
      while (!stack.empty()) {
        Frame& frame = stack.back();
        if (frame.next < frame.node.in_port_count()) {
          const Value source = frame.node.input(frame.next++);
          if (!source || seen[source.node().id().index]) continue;
          seen[source.node().id().index] = 1;
          stack.push_back({source.node(), 0});
        } else {
          order.push_back(frame.node);
          stack.pop_back();
        }
      }
    };
    for (const Node& result : graph.results()) visit(result);
    for (const Node node : graph.nodes()) visit(node);
    return order;
  }

  void number(const Value& v) { names_[v.id().index] = ++count_; }
  std::string value(const Value& v) const { return fmt::format("%{}", names_[v.id().index] - 1); }

  void number_outputs(const Node& node) {
    for (const OutPort& port : node.out_ports()) number(port);
  }

  bool inlined(const Node& node) const {
    const auto* constant = options_.complete ? nullptr : node.as<Const>();
    return constant && node.rt_info() == nullptr && node.output().data().tensor_names().empty() &&
           !node.output().disconnected() &&
           (constant->value.element_count() <= kInlineElements ||
            constant->value.element_type() == ElementType::string);
  }

  std::string operand(const Value& v) const {
    const Node node = v.node();
    return inlined(node) ? constant(node.as<Const>()->value) : value(v);
  }

  std::string name_of(const Node& node) const {
    return options_.names && !node.name().empty() ? " " + quoted(node.name()) : "";
  }

  std::string decorations(const Node& node) const {
    if (!options_.names) return "";
    // A constant's own name says little and its literal has none; leave it to tensor names.
    std::string text = node.is<Const>() && !options_.complete ? "" : name_of(node);
    std::size_t shown = 0;
    for (std::size_t i = 0; i < node.out_port_count(); ++i) {
      const auto tensor_names = node.out_port(i).data().tensor_names();
      if (tensor_names.empty()) continue;
      for (; shown < i; ++shown) text += " @[]";
      std::vector<std::string> items;
      for (const std::string_view n : tensor_names) items.push_back(quoted(n));
      text += fmt::format(" @[{}]", fmt::join(items, ", "));
      ++shown;
    }
    return text;
  }

  /// Layouts that follow from the model are not printed.
  std::string runtime_info(const Node& node) const {
    const AttributeMap* const info = node.rt_info();
    if (!info || !options_.runtime_info) return "";
    std::vector<std::string> items;
    for (const AttributeMap::Item& item : *info)
      if (item.name != kLayoutAttribute || options_.complete || has_chosen_layout(node))
        items.push_back(fmt::format("{}={}", key(item.name), attribute(item.value)));
    return items.empty() ? "" : fmt::format(" rt {{{}}}", fmt::join(items, ", "));
  }

  std::string statement(const Node& node) {
    std::vector<std::string> outputs;
    for (const OutPort& port : node.out_ports()) outputs.push_back(value(port));
    const OpType& type = node.op_type();
    std::string op = type.dynamic ? quoted(type.name) : std::string(type.name);
    if (!type.dynamic && type.opset_name.empty() && !node.is<Const>()) op += fmt::format(".v{}", type.version);
    std::vector<std::string> operands;
    for (std::size_t i = 0; i < node.in_port_count(); ++i)
      operands.push_back(node.input(i) ? operand(node.input(i)) : "_");
    std::string text = fmt::format("{}{}{}{}", pad(1), fmt::join(outputs, ", "), outputs.empty() ? "" : " = ", op);
    if (!node.is<Const>()) text += fmt::format("({})", fmt::join(operands, ", "));
    text += attributes(node) + decorations(node) + runtime_info(node) + facts_of(node);
    if (options_.types || options_.complete || (type.dynamic && has_types(node))) text += types_of(node);
    return text + "\n";
  }

  static bool has_types(const Node& node) {
    const auto ports = node.out_ports();
    return std::any_of(ports.begin(), ports.end(), [](const OutPort& port) { return port.type() != TensorType{}; });
  }

  std::string attributes(const Node& node) const {
    std::vector<std::string> items;
    const OpType& type = node.op_type();
    if (type.dynamic) {
      for (const auto& item : node.attributes())
        items.push_back(fmt::format("{}={}", key(item.name), attribute(item.value)));
    } else {
      const Op defaults(type);
      for (const AttributeInfo& info : type.attributes) {
        const AttributeValue v = info.get(node.payload());
        if (info.kind != AttributeKind::body && (v.is_none() || v == info.get(defaults.payload()))) continue;
        items.push_back(fmt::format("{}={}", info.name, attribute(v)));
      }
    }
    return items.empty() ? "" : fmt::format(" {{{}}}", fmt::join(items, ", "));
  }

  /// The name of an attribute; in quotes when it is not a word.
  static std::string key(std::string_view name) {
    const auto in_word = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '@' ||
             c == '-';
    };
    const bool word = !name.empty() && std::all_of(name.begin(), name.end(), in_word) && name.front() != '-' &&
                      !(name.front() >= '0' && name.front() <= '9');
    return word ? std::string(name) : quoted(name);
  }

  std::string attribute(const AttributeValue& value) const {
    const auto list = [](const auto& items, auto&& each) {
      std::vector<std::string> texts;
      for (const auto& item : items) texts.push_back(each(item));
      return fmt::format("[{}]", fmt::join(texts, ", "));
    };
    if (const auto* v = value.get_if<bool>()) return *v ? "true" : "false";
    if (const auto* v = value.get_if<std::int64_t>()) return fmt::format("{}", *v);
    if (const auto* v = value.get_if<double>()) return real_text(*v);
    if (const auto* v = value.get_if<std::string>()) return quoted(*v);
    if (const auto* v = value.get_if<ElementType>()) return element_text(*v);
    if (const auto* v = value.get_if<PartialShape>()) return "shape" + v->to_string();
    if (const auto* v = value.get_if<std::vector<std::int64_t>>()) return fmt::format("[{}]", fmt::join(*v, ", "));
    if (const auto* v = value.get_if<std::vector<double>>()) return list(*v, real_text);
    if (const auto* v = value.get_if<std::vector<std::string>>()) return list(*v, quoted);
    if (const auto* v = value.get_if<Tensor>()) return v->empty() ? "none" : constant(*v);
    if (const auto* v = value.get_if<Body>()) return Printer(options_, indent_ + 1).print(v->graph());
    if (const auto* v = value.get_if<AttributeList>())
      return list(*v, [&](const AttributeValue& item) { return attribute(item); });
    if (const AttributeMap* v = value.map()) {
      std::vector<std::string> items;
      for (const auto& item : *v) items.push_back(fmt::format("{}={}", key(item.name), attribute(item.value)));
      return fmt::format("{{{}}}", fmt::join(items, ", "));
    }
    return "none";
  }

  const TextOptions& options_;
  int indent_;
  std::vector<std::uint32_t> names_;
  std::uint32_t count_ = 0;
};

}  // namespace

std::string to_text(const Graph& graph, const TextOptions& options) { return Printer(options, 0).print(graph) + "\n"; }

std::string attribute_text(const AttributeValue& value) {
  const TextOptions options;
  return Printer(options, 0).print(value);
}

bool Body::operator==(const Body& other) const { return to_text(graph()) == to_text(other.graph()); }

}  // namespace mo
