#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/graph/graph.hpp"

namespace mo {

/// A node as the framework's file has it: attributes, version, ports. Records which attributes and inputs were asked
/// for, and the first attribute that is missing or of a wrong kind. Nothing of a source node is ignored: an attribute
/// or input that no code asked for ends the conversion.
///
/// An extractor asks for attributes and port counts only. A translator asks for its inputs as well; their types and
/// values are inferred then.
class FrameworkNode {
 public:
  explicit FrameworkNode(const Node& node) : node_(node) {}

  /// The attribute, or `fallback` when it is missing. A value of another kind is kept as an error (see `error`).
  template <class T>
  T attr(std::string_view name, T fallback) const {
    auto value = optional_attr<T>(name);
    return value ? *std::move(value) : std::move(fallback);
  }
  std::string attr(std::string_view name, const char* fallback) const {
    return attr<std::string>(name, std::string(fallback));
  }
  /// The attribute; nothing when it is missing.
  template <class T>
  std::optional<T> optional_attr(std::string_view name) const {
    seen_.insert(std::string(name));
    const AttributeValue& value = node_.attribute(name);
    if (value.is_none()) return std::nullopt;
    auto decoded = AttributeCodec<T>::decode(value);
    if (decoded) return *std::move(decoded);
    fail("MO-FRONT-0003", fmt::format("attribute {}: {}", name, decoded.error().first().message));
    return std::nullopt;
  }
  /// The attribute; a missing one is kept as an error, and a default-constructed T comes back.
  template <class T>
  T required(std::string_view name) const {
    auto value = optional_attr<T>(name);
    if (!value && !failure_) fail("MO-FRONT-0004", fmt::format("attribute {} is missing", name));
    return value ? *std::move(value) : T{};
  }
  /// Moves the graph out of the attribute, which is required and holds an empty one from then on: a copy would copy
  /// every node of it. For the op that takes the place of the node.
  Body take_body(std::string_view name) const;
  /// Marks attributes as known although they are not read. `reason` says why no value of them changes what the node
  /// computes: "a hint for training". An attribute that changes the result for some of its values is read, and refused
  /// for these.
  void ignore(std::initializer_list<std::string_view> names, const char* reason) const {
    for (const std::string_view name : names) ignored_.insert_or_assign(std::string(name), reason);
  }
  /// The same for all attributes of the node that `matches` accepts: those that a framework reserves for notes.
  void ignore_if(const std::function<bool(const std::string& name, const AttributeValue& value)>& matches,
                 const char* reason) const;
  /// The same for an input.
  void ignore_input(std::size_t i, [[maybe_unused]] const char* reason) const { seen_inputs_.insert(i); }
  /// All attributes, for an op that carries them on as they are.
  const AttributeMap& all_attributes() const;
  bool has(std::string_view name) const {
    seen_.insert(std::string(name));
    return node_.has_attr(name);
  }

  /// Says how many outputs the node has when neither the op nor the model does: TensorFlow's nodes list only what they
  /// read.
  void declare_outputs(std::size_t count) const { declared_outputs_ = count; }
  std::size_t declared_outputs() const { return declared_outputs_; }

  /// Operator-set version that the model asks for.
  std::int64_t version() const { return node_.attr<std::int64_t>("@opset").value_or(1); }
  /// After this call all inputs count as read: the caller handles them.
  std::size_t input_count() const {
    counts_inputs_ = true;
    return node_.in_port_count();
  }
  std::size_t output_count() const { return node_.out_port_count(); }
  bool has_input(std::size_t i) const {
    seen_inputs_.insert(i);
    return i < node_.in_port_count() && static_cast<bool>(node_.input(i));
  }
  bool output_used(std::size_t i) const { return i < node_.out_port_count() && !node_.out_port(i).disconnected(); }
  std::string_view name() const { return node_.name(); }
  /// The node itself, for helpers that only report or look.
  const Node& node() const { return node_; }

  // -- for translators ------------------------------------------------------------------------------------------------
  /// The tensor at input `i`; empty when it is not connected.
  Value input(std::size_t i) const {
    seen_inputs_.insert(i);
    return node_.input(i);
  }
  /// Its type; dynamic when it is not connected.
  const TensorType& input_type(std::size_t i) const {
    seen_inputs_.insert(i);
    return node_.input_type(i);
  }
  /// Error MO-FRONT-0006 unless the first `count` inputs are connected.
  Expected<void> expect_inputs(std::size_t count) const;

  /// An error about this node, to be returned from the extractor or translator.
  template <class... Args>
  [[nodiscard]] Diagnostic error(std::string_view code, fmt::format_string<Args...> text, Args&&... args) const {
    return node_.error(code, text, std::forward<Args>(args)...);
  }

  /// Something that the user should know although the node can be converted. Reported when it was.
  void warn(Diagnostic warning) const { warnings_.push_back(std::move(warning)); }
  const std::vector<Diagnostic>& warnings() const { return warnings_; }

  /// Attributes that the model has, and that were neither asked for nor ignored. Names that start with '@' are mo's
  /// own.
  std::vector<std::string> unread_attributes() const;
  /// Connected inputs that were neither asked for nor ignored, in ascending order.
  std::vector<std::size_t> unread_inputs() const;
  /// The reasons of ignored attributes, by name.
  const std::map<std::string, const char*, std::less<>>& ignored() const { return ignored_; }
  /// The first attribute of a wrong kind or missing one.
  const std::optional<Diagnostic>& failure() const { return failure_; }

 private:
  void fail(std::string_view code, const std::string& text) const {
    if (!failure_)
      failure_ = node_.error(code, "{}", text)
                     .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  }
  Node node_;
  mutable std::set<std::string, std::less<>> seen_;
  mutable std::map<std::string, const char*, std::less<>> ignored_;
  mutable std::set<std::size_t> seen_inputs_;
  mutable bool counts_inputs_ = false;
  mutable std::optional<Diagnostic> failure_;
  mutable std::vector<Diagnostic> warnings_;
  mutable std::size_t declared_outputs_ = 0;
};

}  // namespace mo
