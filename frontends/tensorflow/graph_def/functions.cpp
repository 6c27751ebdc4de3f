#include "frontends/tensorflow/graph_def/functions.hpp"

#include <algorithm>
#include <map>

#include "frontends/common/field_record.hpp"
#include "frontends/common/fields.hpp"
#include "frontends/tensorflow/fields.hpp"
#include "frontends/tensorflow/graph_def/keys.hpp"
#include "frontends/tensorflow/graph_def/library.hpp"
#include "frontends/tensorflow/graph_def/node_encoder.hpp"
#include "frontends/tensorflow/graph_reader.hpp"

namespace mo::tensorflow {
namespace {

using frontends::WireField;
using frontends::WireReader;
using frontends::WireSource;

/// What outputs of ops are called inside of functions, where nodes refer to them as "node:output:0".
class OutputNames {
 public:
  explicit OutputNames(const ModelState& model) : model_(model) {}

  /// Learns from references that are there.
  void learn(const Node& node) {
    const AttributeValue* const spelled = node.find_attribute(kept_key::kInputs);
    if (!spelled) return;
    std::size_t port = 0;
    for (const std::string_view text : *spelled->get_if<std::vector<std::string>>()) {
      if (text.starts_with('^')) continue;
      const Value source = port < node.in_port_count() ? node.input(port++) : Value();
      const std::size_t colon = text.find(':');
      if (source && colon != std::string_view::npos && text.find(':', colon + 1) != std::string_view::npos)
        known_.emplace(std::pair(op_of(source.node()), source.index()), text.substr(colon + 1));
    }
  }

  /// "argument:index". Error MO-TF-0054.
  Expected<std::string> find(const Value& value) const {
    const std::string op(op_of(value.node()));
    if (const auto known = known_.find({op, value.index()}); known != known_.end()) return known->second;
    if (const auto function = model_.functions.find(op);
        function != model_.functions.end() && value.index() < function->second.outputs.size())
      return function->second.outputs[value.index()] + ":0";
    if (const std::vector<OutputArgument>* const arguments = model_.output_arguments(op)) {
      const bool is_plain = std::all_of(arguments->begin(), arguments->end(), [](const OutputArgument& a) {
        return a.count_attribute.empty() && a.types_attribute.empty();
      });
      if (is_plain && value.index() < arguments->size()) return (*arguments)[value.index()].name + ":0";
      if (arguments->size() == 1) return fmt::format("{}:{}", arguments->front().name, value.index());
    }
    if (value.index() == 0)
      for (const auto& [name, ops] : kSingle)
        if (std::find(ops.begin(), ops.end(), op) != ops.end()) return std::string(name) + ":0";
    return value.node()
        .error("MO-TF-0054", "the name of output {} of {} is unknown: no function of the model reads it", value.index(),
               op)
        .hint("leave out the transform that created the node");
  }

 private:
  /// Ops with one output that transforms make (TensorFlow's op definitions).
  static inline const std::map<std::string_view, std::vector<std::string_view>> kSingle = {
      {"output",
       {"Const", "Identity", "Print", "Dequantize", "BiasAdd", "Conv2D", "DepthwiseConv2dNative", "FusedPadConv2D",
        "FusedResizeAndPadConv2D", "Concat", "ConcatV2"}},
      {"product", {"MatMul"}},
      {"z", {"Add", "AddV2", "Mul", "RealDiv", "Sub"}},
  };

  const ModelState& model_;
  std::map<std::pair<std::string, std::size_t>, std::string> known_;
};

/// What a function returns under one key of its map `ret`.
struct Returned {
  std::string text;  ///< as it was read
  std::string reference;
  std::string op;
};

/// A function while it is edited.
struct OpenFunction {
  FunctionGraph function;
  WireField message;
  std::map<std::string, Returned> returned;
};

std::string reference_of(const Value& value) {
  return value.index() == 0 ? std::string(value.node().name())
                            : fmt::format("{}:{}", value.node().name(), value.index());
}

class LibraryEditor {
 public:
  LibraryEditor(WireSource& source, Graph& graph, DiagnosticSink& sink)
      : source_(source), graph_(graph), model_(source, sink), names_(model_) {}

  Expected<Encoding> run(const WireField& library, const std::function<Expected<void>(FunctionGraph&)>& edit) {
    MO_TRY(model_.read_library(library));
    MO_ASSIGN(WireReader reader, message_of(source_, library));
    MO_TRY(reader.each([&](const WireField& field) {
      return field.number == library_field::kFunction ? open(field) : Expected<void>();
    }));
    Encoding changed;
    std::size_t next = 0;
    MO_ASSIGN(WireReader again, message_of(source_, library));
    MO_TRY(again.each([&](const WireField& field) -> Expected<void> {
      if (field.number != library_field::kFunction) return copy(field, changed);
      OpenFunction& function = functions_[next++];
      MO_TRY(edit(function.function));
      Encoding message;
      MO_TRY(encode(function, message));
      changed.message(library_field::kFunction, message);
      return {};
    }));
    return changed;
  }

 private:
  Expected<void> copy(const WireField& field, Encoding& into) {
    MO_ASSIGN(const AttributeValue record, frontends::record_of(source_, field));
    encode_record(record, into);
    return {};
  }

  Expected<std::string> name_of(const WireField& message) {
    std::string name;
    MO_ASSIGN(WireReader reader, message_of(source_, message));
    MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
      if (field.number != function_field::kSignature) return {};
      MO_ASSIGN(WireReader signature, message_of(source_, field));
      return signature.each([&](const WireField& part) -> Expected<void> {
        if (part.number != op_field::kName) return {};
        MO_ASSIGN(name, text_of(source_, part, 64 * 1024));
        return {};
      });
    }));
    return name;
  }

  /// Key and value of an entry of `ret` or `control_ret`.
  Expected<std::pair<std::string, std::string>> entry_of(const WireField& field) {
    std::pair<std::string, std::string> entry;
    MO_ASSIGN(WireReader reader, message_of(source_, field));
    MO_TRY(reader.each([&](const WireField& part) -> Expected<void> {
      if (part.number != frontends::entry_field::kKey && part.number != frontends::entry_field::kValue) return {};
      MO_ASSIGN((part.number == frontends::entry_field::kKey ? entry.first : entry.second),
                text_of(source_, part, 64 * 1024));
      return {};
    }));
    return entry;
  }

  Expected<void> open(const WireField& field) {
    OpenFunction open;
    open.message = field;
    FunctionGraph& function = open.function;
    MO_ASSIGN(function.name, name_of(field));
    function.graph = std::make_unique<Graph>();
    function.graph->name = function.name;
    if (const AttributeValue* const fields = graph_.properties.find(kept_key::kFields))
      function.graph->properties.set(kept_key::kFields, *fields);
    GraphReader nodes(model_, *function.graph, {}, Purpose::rewriting);
    const Function& header = model_.functions.at(function.name);
    MO_TRY(nodes.read_function_as_it_stands(header));
    for (const Function::Argument& argument : header.inputs) function.inputs.push_back(argument.name);
    MO_ASSIGN(WireReader reader, message_of(source_, field));
    MO_TRY(reader.each([&](const WireField& part) -> Expected<void> {
      if (part.number != function_field::kReturn && part.number != function_field::kControlReturn) return {};
      MO_ASSIGN(auto entry, entry_of(part));
      if (part.number == function_field::kControlReturn) {
        function.outputs.push_back(entry.second);
        return {};
      }
      MO_ASSIGN(const Value value, nodes.find_returned(entry.second));
      function.outputs.push_back(reference_of(value));
      open.returned.emplace(entry.first,
                            Returned{entry.second, function.outputs.back(), std::string(op_of(value.node()))});
      return {};
    }));
    for (const Node node : function.graph->nodes()) {
      names_.learn(node);
      static_cast<AttributeMap*>(node.payload())->set(kept_key::kSources, sources_of(node));
    }
    functions_.push_back(std::move(open));
    return {};
  }

  Expected<std::string> reference(const Value& value) const {
    const AttributeValue* const argument = value.node().find_attribute(kept_key::kArgument);
    if (argument && value.index() == 0) return *argument->get_if<std::string>();
    if (argument) return fmt::format("{}:{}", *argument->get_if<std::string>(), value.index());
    if (op_of(value.node()) == "Placeholder")
      return value.node()
          .error("MO-TF-0054", "a function has no Placeholder but its arguments")
          .hint("leave out the transform that created the node");
    MO_ASSIGN(const std::string output, names_.find(value));
    return fmt::format("{}:{}", value.node().name(), output);
  }

  Expected<Value> find(const FunctionGraph& function, const std::string& reference) const {
    const std::size_t colon = reference.rfind(':');
    const Node node = function.graph->find_node(reference.substr(0, colon));
    const std::size_t port = colon == std::string::npos ? 0 : std::stoul(reference.substr(colon + 1));
    if (!node || port >= node.out_port_count())
      return error("MO-TF-0054", "'{}', which function '{}' returns, is gone", reference, function.name)
          .hint("leave out the transform that removed it");
    return node.out_port(port);
  }

  Expected<void> encode_returned(const OpenFunction& open, const WireField& field, Encoding& out) {
    MO_ASSIGN(const auto entry, entry_of(field));
    const Returned& returned = open.returned.at(entry.first);
    MO_ASSIGN(const Value value, find(open.function, returned.reference));
    if (op_of(value.node()) == returned.op) return copy(field, out);
    MO_ASSIGN(const std::string text, reference(value));
    Encoding changed;
    changed.bytes(frontends::entry_field::kKey, entry.first);
    changed.bytes(frontends::entry_field::kValue, text);
    out.message(function_field::kReturn, changed);
    return {};
  }

  Expected<void> encode(const OpenFunction& open, Encoding& out) {
    bool has_nodes = false;
    const auto put_nodes = [&]() -> Expected<void> {
      if (std::exchange(has_nodes, true)) return {};
      NodeEncoder encoder([this](const Value& value) { return reference(value); });
      for (const Node node : open.function.graph->nodes()) {
        if (node.has_attr(kept_key::kArgument)) continue;
        MO_ASSIGN(const Encoding* const message, encoder.encode(node));
        out.message(function_field::kNode, *message);
      }
      return {};
    };
    MO_ASSIGN(WireReader reader, message_of(source_, open.message));
    MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
      if (field.number == function_field::kNode) return put_nodes();
      if (field.number == function_field::kReturn) {
        MO_TRY(put_nodes());
        return encode_returned(open, field, out);
      }
      if (field.number == function_field::kControlReturn) {
        MO_ASSIGN(const auto entry, entry_of(field));
        MO_TRY(find(open.function, entry.second));
      }
      return copy(field, out);
    }));
    return put_nodes();
  }

  WireSource& source_;
  Graph& graph_;
  ModelState model_;
  OutputNames names_;
  std::vector<OpenFunction> functions_;
};

}  // namespace

Expected<void> edit_functions(Graph& graph, const std::function<Expected<void>(FunctionGraph&)>& edit) {
  AttributeValue* const fields = graph.properties.find(kept_key::kFields);
  if (!fields) return {};
  DiagnosticList remarks;
  AttributeList changed = *fields->get_if<AttributeList>();
  for (AttributeValue& record : changed) {
    const Tensor* const payload = frontends::payload_of_record(record);
    if (frontends::number_of_record(record) != graph_field::kLibrary || !payload) continue;
    MO_ASSIGN(const Tensor loaded, payload->load());
    WireSource source(loaded.buffer(), "the library of functions");
    const WireField library{.number = graph_field::kLibrary,
                            .type = frontends::WireType::bytes,
                            .offset = loaded.offset(),
                            .size = loaded.byte_size()};
    MO_ASSIGN(const Encoding message, LibraryEditor(source, graph, remarks).run(library, edit));
    std::string bytes;
    MO_TRY(message.append_to(bytes));
    MO_ASSIGN(BufferPtr buffer, frontends::copy_to_buffer(bytes));
    WireSource written(std::move(buffer), "the library of functions");
    const WireField whole{
        .number = graph_field::kLibrary, .type = frontends::WireType::bytes, .offset = 0, .size = bytes.size()};
    MO_ASSIGN(record, frontends::record_of(written, whole));
  }
  graph.properties.set(kept_key::kFields, std::move(changed));
  return {};
}

}  // namespace mo::tensorflow
