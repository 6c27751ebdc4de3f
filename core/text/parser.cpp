#include "core/text/parser.hpp"

#include <map>

#include "core/inference/infer.hpp"
#include "core/text/attribute_parser.hpp"
#include "core/text/complete.hpp"
#include "core/text/literal.hpp"

namespace mo {
namespace {

using text::Lexer;
using text::Literal;
using text::Token;
using text::TokenKind;

constexpr int kMaxNesting = 64;

/// An operand as written.
struct Operand {
  std::string value;               ///< name, when it is a value
  std::optional<Literal> literal;  ///< untyped literal
  Tensor tensor;                   ///< typed literal
  std::size_t offset = 0;
};

class Parser {
 public:
  Parser(Lexer& lexer, const OpRegistry& ops, const ParseOptions& options, int depth)
      : lexer_(lexer), ops_(ops), options_(options), depth_(depth), attributes_(lexer, options.allow_elided, [this]() {
          return body();
        }) {}

  Expected<std::unique_ptr<Graph>> graph() {
    if (depth_ > kMaxNesting) return lexer_.error("bodies are nested too deeply");
    if (!lexer_.take_if_word("graph")) return lexer_.error("\"graph\" is expected");
    graph_ = std::make_unique<Graph>();
    if (lexer_.peek().kind == TokenKind::string) graph_->name = lexer_.take().text;
    MO_TRY(state());
    MO_TRY(lexer_.expect_symbol("("));
    if (!lexer_.take_if_symbol(")")) {
      do { MO_TRY(parameter()); } while (lexer_.take_if_symbol(","));
      MO_TRY(lexer_.expect_symbol(")"));
    }
    MO_TRY(lexer_.expect_symbol("{"));
    while (!lexer_.take_if_word("return")) MO_TRY(statement());
    if (!lexer_.is_symbol("}")) {
      do {
        MO_ASSIGN(const Operand operand, this->operand());
        MO_ASSIGN(const Value source, connect(operand, ElementType::dynamic));
        const Node result = graph_->create_result(source);
        if (!source) pending_.emplace_back(result.in_port(0), operand);
        if (lexer_.peek().kind == TokenKind::string) result.set_name(lexer_.take().text);
        MO_TRY(runtime_info(result));
        MO_TRY(facts(result));
      } while (lexer_.take_if_symbol(","));
    }
    MO_TRY(places("made", creation_.made));
    MO_TRY(places("waits", creation_.waits));
    MO_TRY(places("readers", creation_.readers));
    MO_TRY(lexer_.expect_symbol("}"));
    MO_TRY(connect_forward_references());
    if (complete_) {
      MO_TRY(restore());
    } else if (options_.infer) {
      MO_TRY(infer_graph(*graph_));
    } else {
      for (const Node node : graph_->nodes())
        if (!node.is<Parameter>() && !node.is<Const>() && !node.op_type().dynamic)
          for (const OutPort& port : node.out_ports()) {
            port.data().clear_value();
            port.data().set_type({});
          }
    }
    return std::move(graph_);
  }

 private:
  /// ` state {…}` of a complete graph.
  Expected<void> state() {
    complete_ = lexer_.take_if_word("state");
    if (!complete_) return {};
    MO_ASSIGN(const AttributeMap state, attributes_.record());
    typed_ = text::says_typed(state);
    text::set_properties(*graph_, state);
    return {};
  }

  /// `KEYWORD [numbers]`: nodes by their places in the text, ports, counts.
  Expected<void> places(const char* keyword, std::vector<std::int64_t>& found) {
    if (!complete_ || !lexer_.take_if_word(keyword)) return {};
    MO_TRY(lexer_.expect_symbol("["));
    do {
      const auto number = lexer_.peek().kind == TokenKind::number ? text::integer_of(lexer_.peek().text) : std::nullopt;
      if (!number) return lexer_.error("the place of a node is expected, not \"{}\"", lexer_.peek().text);
      lexer_.take();
      found.push_back(*number);
    } while (lexer_.take_if_symbol(","));
    return lexer_.expect_symbol("]");
  }

  /// Of a complete graph, of which each parameter, statement and result is one node.
  Expected<void> restore() {
    if (const std::string wrong = text::restore(*graph_, creation_); !wrong.empty()) return lexer_.error("{}", wrong);
    graph_->set_has_types(typed_);
    // What is known of values follows from the types.
    return typed_ && depth_ == 0 ? infer_graph(*graph_) : Expected<void>();
  }

  /// `from {…} sources […]` of a node of a complete graph.
  Expected<void> facts(const Node& node) {
    if (!complete_) return {};
    if (lexer_.take_if_word("from")) {
      MO_ASSIGN(const AttributeMap from, attributes_.record());
      node.set_origin(text::origin_in(from));
    }
    if (!lexer_.take_if_word("sources")) return {};
    MO_TRY(lexer_.expect_symbol("["));
    do {
      if (lexer_.peek().kind != TokenKind::string) return lexer_.error("the name of a node is expected");
      node.add_source(lexer_.take().text);
    } while (lexer_.take_if_symbol(","));
    return lexer_.expect_symbol("]");
  }

  Expected<void> parameter() {
    MO_ASSIGN(const std::string name, value_name());
    MO_TRY(lexer_.expect_symbol(":"));
    MO_ASSIGN(const TensorType type, this->type());
    const Node node = graph_->create_parameter(type);
    MO_TRY(define(name, node.output()));
    MO_TRY(decorations(node));
    MO_TRY(facts(node));
    return complete_ && lexer_.take_if_symbol(":") ? types(node) : Expected<void>();
  }

  /// Those of the outputs, after a colon.
  Expected<void> types(const Node& node) {
    for (std::size_t i = 0; i < node.out_port_count(); ++i) {
      if (i > 0) MO_TRY(lexer_.expect_symbol(","));
      MO_ASSIGN(const TensorType type, this->type());
      node.out_port(i).data().set_type(type);
    }
    return {};
  }

  Expected<std::string> value_name() {
    if (lexer_.peek().kind != TokenKind::value || lexer_.peek().text.empty())
      return lexer_.error("a value such as %x is expected, not \"{}\"", lexer_.peek().text);
    return lexer_.take().text;
  }

  Expected<void> define(const std::string& name, const Value& value) {
    if (!values_.emplace(name, value).second) return lexer_.error("%{} is defined twice", name);
    return {};
  }

  Expected<TensorType> type() {
    MO_ASSIGN(TensorType type, text::parse_type(lexer_));
    for (const Dimension& d : type.shape) graph_->reserve_symbols(d.symbol());
    return type;
  }

  Expected<void> statement() {
    if (lexer_.peek().kind == TokenKind::end) return lexer_.error("\"return\" is expected before the end");
    std::vector<std::string> outputs;
    if (lexer_.peek().kind == TokenKind::value) {
      do {
        MO_ASSIGN(std::string name, value_name());
        outputs.push_back(std::move(name));
      } while (lexer_.take_if_symbol(","));
      MO_TRY(lexer_.expect_symbol("="));
    }
    const std::size_t place = lexer_.peek().offset;
    MO_ASSIGN(Op op, this->op());
    std::vector<Operand> operands;
    if (lexer_.take_if_symbol("(") && !lexer_.take_if_symbol(")")) {
      do {
        MO_ASSIGN(Operand operand, this->operand());
        operands.push_back(std::move(operand));
      } while (lexer_.take_if_symbol(","));
      MO_TRY(lexer_.expect_symbol(")"));
    }
    if (lexer_.is_symbol("{")) {
      MO_ASSIGN(const AttributeMap attributes, attributes_.record());
      for (const auto& item : attributes)
        if (auto set = op.set_attribute(item.name, item.value); !set)
          return lexer_.at(place, set.error().first().message);
    }
    ElementType literal_type = ElementType::dynamic;
    for (const Operand& operand : operands) {
      if (const auto it = values_.find(operand.value); it != values_.end())
        literal_type = it->second.type().element_type;
      if (!operand.tensor.empty()) literal_type = operand.tensor.element_type();
      if (literal_type != ElementType::dynamic) break;
    }
    std::vector<Value> inputs;
    for (const Operand& operand : operands) {
      MO_ASSIGN(const Value input, connect(operand, literal_type));
      inputs.push_back(input);
    }
    if (const auto* constant = op.as<Const>(); constant && constant->value.empty())
      return lexer_.at(place, "a Const needs a value");
    const Node node = graph_->create_node(std::move(op), inputs, outputs.size());
    for (std::size_t i = 0; i < operands.size(); ++i)
      if (!inputs[i] && !operands[i].value.empty()) pending_.emplace_back(node.in_port(i), operands[i]);
    for (std::size_t i = 0; i < outputs.size(); ++i) MO_TRY(define(outputs[i], node.out_port(i)));
    MO_TRY(decorations(node));
    MO_TRY(facts(node));
    if (lexer_.take_if_symbol(":")) MO_TRY(types(node));
    if (complete_) {
      if (const auto* constant = node.as<Const>()) node.out_port(0).data().set_value(constant->value);
      return {};
    }
    // Types of inner values give literals theirs; a failure is reported by the final inference of the graph.
    // Not through bodies: inference writes the types of their Parameters.
    if (options_.infer || !node.op_type().traits.owns_bodies) static_cast<void>(infer_node(node));
    return {};
  }

  Expected<std::unique_ptr<Graph>> body() {
    return Parser(lexer_, ops_, {false, options_.allow_elided}, depth_ + 1).graph();
  }

  Expected<Op> op() {
    const Token name = lexer_.take();
    if (name.kind == TokenKind::string) return Op(name.text, {});
    if (name.kind != TokenKind::word)
      return lexer_.at(name.offset, fmt::format("an op is expected, not \"{}\"", name.text));
    const OpType* type = nullptr;
    if (lexer_.take_if_symbol(".")) {
      const Token version = lexer_.take();
      const auto number = version.text.starts_with('v') ? text::integer_of(version.text.substr(1)) : std::nullopt;
      if (!number) return lexer_.at(version.offset, "a version such as .v8 is expected");
      type = ops_.find(name.text, static_cast<int>(*number));
    } else {
      type = ops_.newest(name.text);
    }
    if (name.text == "Const") return Op(OpType::of<Const>());
    if (!type)
      return lexer_.at(name.offset,
                       fmt::format("there is no op {} of that version; write \"{}\" in quotes for a dynamic op",
                                   name.text, name.text));
    return Op(*type);
  }

  /// Whether the next string is not a name but the op of the next statement, one without outputs:
  /// `"tf::Init"(%table)`.
  bool begins_statement() const {
    text::Lexer ahead = lexer_;
    ahead.take();
    return ahead.is_symbol("(");
  }

  Expected<void> decorations(const Node& node) {
    if (lexer_.peek().kind == TokenKind::string && !begins_statement()) node.set_name(lexer_.take().text);
    for (std::size_t i = 0; lexer_.is_symbol("@"); ++i) {
      lexer_.take();
      MO_TRY(lexer_.expect_symbol("["));
      if (i >= node.out_port_count()) return lexer_.error("there are more lists of tensor names than outputs");
      if (lexer_.take_if_symbol("]")) continue;
      do {
        if (lexer_.peek().kind != TokenKind::string) return lexer_.error("a tensor name in quotes is expected");
        node.out_port(i).data().add_tensor_name(lexer_.take().text);
      } while (lexer_.take_if_symbol(","));
      MO_TRY(lexer_.expect_symbol("]"));
    }
    return runtime_info(node);
  }

  Expected<void> runtime_info(const Node& node) {
    if (!lexer_.take_if_word("rt")) return {};
    MO_ASSIGN(const AttributeMap info, attributes_.record());
    for (const AttributeMap::Item& item : info) {
      const AttributeMap* const fields = item.value.map();
      if (!fields) return lexer_.error("runtime attribute {} needs a record such as {{}}", item.name);
      node.set_rt_info(item.name, *fields);
    }
    return {};
  }

  Expected<Operand> operand() {
    Operand operand;
    operand.offset = lexer_.peek().offset;
    if (lexer_.peek().kind == TokenKind::value) {
      operand.value = lexer_.take().text;
      return operand;
    }
    if (lexer_.take_if_word("_")) return operand;
    MO_ASSIGN(auto literal, text::parse_literal(lexer_, options_.allow_elided));
    if (auto* tensor = std::get_if<Tensor>(&literal))
      operand.tensor = std::move(*tensor);
    else
      operand.literal = std::get<Literal>(std::move(literal));
    return operand;
  }

  /// The value of an operand; empty for `_` and for a value that is not defined yet.
  Expected<Value> connect(const Operand& operand, ElementType literal_type) {
    if (operand.literal) {
      const ElementType type = literal_type == ElementType::dynamic ? ElementType::f32 : literal_type;
      MO_ASSIGN(Tensor tensor, text::typed(*operand.literal, type));
      return graph_->create_constant(std::move(tensor)).output();
    }
    if (!operand.tensor.empty()) return graph_->create_constant(operand.tensor).output();
    const auto it = values_.find(operand.value);
    return it == values_.end() ? Value() : it->second;
  }

  Expected<void> connect_forward_references() {
    for (const auto& [port, operand] : pending_) {
      if (operand.value.empty()) continue;
      const auto it = values_.find(operand.value);
      if (it == values_.end()) return lexer_.at(operand.offset, fmt::format("%{} is not defined", operand.value));
      MO_TRY(port.connect(it->second));
    }
    return {};
  }

  Lexer& lexer_;
  const OpRegistry& ops_;
  const ParseOptions& options_;
  int depth_;
  text::AttributeParser attributes_;
  std::unique_ptr<Graph> graph_;
  std::map<std::string, Value> values_;
  std::vector<std::pair<InPort, Operand>> pending_;
  bool complete_ = false;  ///< the text says everything (TextOptions::complete)
  bool typed_ = false;
  text::Creation creation_;
};

}  // namespace

Expected<std::unique_ptr<Graph>> parse_graph(std::string_view text, const OpRegistry& ops,
                                             const ParseOptions& options) {
  Lexer lexer(text);
  MO_ASSIGN(std::unique_ptr<Graph> graph, Parser(lexer, ops, options, 0).graph());
  if (lexer.peek().kind != TokenKind::end)
    return lexer.error("expected the end after the graph, got \"{}\"", lexer.peek().text);
  return graph;
}

Expected<AttributeValue> parse_attribute(std::string_view text, const OpRegistry& ops) {
  Lexer lexer(text);
  const ParseOptions options;
  text::AttributeParser parser(lexer, options.allow_elided, [&]() { return Parser(lexer, ops, options, 1).graph(); });
  MO_ASSIGN(AttributeValue value, parser.attribute());
  if (lexer.peek().kind != TokenKind::end)
    return lexer.error("expected the end after the value, got \"{}\"", lexer.peek().text);
  return value;
}

}  // namespace mo
