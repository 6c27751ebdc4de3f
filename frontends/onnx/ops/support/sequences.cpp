#include "frontends/onnx/ops/support/sequences.hpp"

#include <algorithm>
#include <array>

#include "core/graph/values.hpp"

namespace mo::onnx {
namespace {

constexpr std::string_view kSequenceOpConstruct = "onnx::SequenceConstruct";
constexpr std::string_view kSequenceOpEmpty = "onnx::SequenceEmpty";
constexpr std::string_view kSequenceOpInsert = "onnx::SequenceInsert";
constexpr std::string_view kSequenceOpErase = "onnx::SequenceErase";
constexpr std::string_view kSequenceOpSplit = "onnx::SplitToSequence";
constexpr std::string_view kOptionalOp = "onnx::Optional";

bool is_identity(const Node& node) { return node.is("onnx::Identity") || node.is("OnnxIdentity"); }

/// A node as if the model had it.
Value sequence_model_node(Rewriter& rw, std::string_view op, AttributeMap attributes,
                          const std::vector<Value>& inputs) {
  constexpr std::int64_t kFirstWithAll = 15;  // the first operator set with sequences and optional values
  attributes.set("@opset", kFirstWithAll);
  return rw.create_node(Op(op, std::move(attributes)), inputs, 1).output();
}

/// What a body gets in place of a sequence, and how it makes the sequence again.
class CaptureUnpacking {
 public:
  CaptureUnpacking(Graph& body, std::string name, bool used)
      : body_(body), rw_(body), name_(std::move(name)), used_(used) {}

  Value rebuild(const Value& given) {
    const Value value = without_identity(given);
    if (is_optional(value)) {
      const Value content = value.node().input(0);
      return made(content ? rebuild(content) : Value(), [&](const Value& c) { return optional_of(rw_, c); });
    }
    if (is_slices(value)) {
      const AttributeMap cut{{"axis", split_axis(value.node())}, {"keepdims", keeps_split_axis(value.node())}};
      return made(pass_in(value.node().input(0)),
                  [&](const Value& x) { return sequence_model_node(rw_, kSequenceOpSplit, cut, {x}); });
    }
    if (const auto elements = elements_of(value)) {
      std::vector<Value> arguments;
      for (const Value& element : *elements) arguments.push_back(pass_in(element));
      return used_ ? sequence_of(rw_, arguments) : Value();
    }
    return pass_in(value);
  }

  Captures captures;

 private:
  template <class Fn>
  Value made(const Value& content, Fn fn) {
    return used_ ? fn(content) : Value();
  }
  Value pass_in(const Value& tensor) {
    captures.names.push_back(fmt::format("{}/{}", name_, captures.names.size()));
    captures.values.push_back(tensor);
    return used_ ? body_.create_parameter(type_of(tensor), captures.names.back()).output() : Value();
  }

  Graph& body_;
  Rewriter rw_;
  std::string name_;
  bool used_;
};

}  // namespace

Value without_identity(Value value) {
  constexpr int kMostSteps = 64;  // a cycle, which only a broken model has, ends the search
  for (int step = 0; step < kMostSteps && value && is_identity(value.node()); ++step) value = value.node().input(0);
  return value;
}

std::optional<std::vector<Value>> elements_of(Value sequence) {
  // Down to where it begins, then the changes on the way, oldest first.
  std::vector<Node> changes;
  constexpr std::size_t kMostChanges = 10000;
  for (sequence = without_identity(sequence); sequence && changes.size() < kMostChanges;
       sequence = without_identity(sequence.node().input(0))) {
    if (!sequence.node().is(kSequenceOpInsert) && !sequence.node().is(kSequenceOpErase)) break;
    changes.push_back(sequence.node());
  }
  if (!sequence) return std::nullopt;
  std::vector<Value> elements;
  if (sequence.node().is(kSequenceOpConstruct)) {
    for (const InPort& port : sequence.node().in_ports()) elements.push_back(port.get_source());
  } else if (!sequence.node().is(kSequenceOpEmpty)) {
    return std::nullopt;
  }
  for (auto change = changes.rbegin(); change != changes.rend(); ++change) {
    const bool insert = change->is(kSequenceOpInsert);
    const auto size = static_cast<std::int64_t>(elements.size());
    std::int64_t place = insert ? size : size - 1;
    if (const Value position = change->input(insert ? 2 : 1)) {
      const auto known = single_integer_of(position);
      if (!known) return std::nullopt;
      place = *known < 0 ? *known + size : *known;
    }
    if (place < 0 || place > size || (!insert && place == size)) return std::nullopt;
    if (insert)
      elements.insert(elements.begin() + static_cast<std::ptrdiff_t>(place), change->input(1));
    else
      elements.erase(elements.begin() + static_cast<std::ptrdiff_t>(place));
  }
  if (std::any_of(elements.begin(), elements.end(), [](const Value& v) { return !v; })) return std::nullopt;
  return elements;
}

Value sequence_of(Rewriter& rw, const std::vector<Value>& elements) {
  return sequence_model_node(rw, elements.empty() ? kSequenceOpEmpty : kSequenceOpConstruct, {}, elements);
}

bool is_slices(const Value& sequence) {
  return sequence && sequence.node().is(kSequenceOpSplit) && sequence.node().input(0) && !sequence.node().input(1);
}

std::int64_t split_axis(const Node& split) { return FrameworkNode(split).attr<std::int64_t>("axis", 0); }

bool keeps_split_axis(const Node& split) { return FrameworkNode(split).attr("keepdims", true); }

Value slices_of(Rewriter& rw, const Value& x) {
  return sequence_model_node(rw, kSequenceOpSplit, {{"axis", std::int64_t{0}}, {"keepdims", false}}, {x});
}

bool is_optional(const Value& value) { return value && value.node().is(kOptionalOp); }

Value optional_of(Rewriter& rw, const Value& content) {
  return sequence_model_node(rw, kOptionalOp, {}, content ? std::vector<Value>{content} : std::vector<Value>{});
}

bool is_packed(const Value& value) {
  const Value source = without_identity(value);
  return is_optional(source) || is_slices(source) || elements_of(source).has_value();
}

Captures unpack_captures(const std::vector<Graph*>& bodies, const Captures& captures) {
  Captures unpacked;
  for (std::size_t i = 0; i < captures.names.size(); ++i) {
    Captures parts{{captures.names[i]}, {captures.values[i]}};
    if (is_packed(captures.values[i])) {
      for (Graph* body : bodies) {
        const std::vector<Node> parameters = body->parameters();
        const auto place = std::find_if(parameters.begin(), parameters.end(),
                                        [&](const Node& p) { return p.name() == captures.names[i]; });
        CaptureUnpacking unpacking(*body, captures.names[i], place != parameters.end());
        const Value again = unpacking.rebuild(captures.values[i]);
        if (place != parameters.end()) {
          Rewriter(*body).replace_uses(place->output(), again);
          body->erase(*place);
        }
        parts = std::move(unpacking.captures);
      }
    }
    unpacked.names.insert(unpacked.names.end(), parts.names.begin(), parts.names.end());
    unpacked.values.insert(unpacked.values.end(), parts.values.begin(), parts.values.end());
  }
  return unpacked;
}

Diagnostic unknown_pieces(const FrameworkNode& node) {
  return node.error("MO-ONNX-0238", "the elements of the sequence or their positions are not known")
      .hint("the IR has no sequences; cut the model before this node with --output, or export it without them");
}

}  // namespace mo::onnx
