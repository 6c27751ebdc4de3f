#pragma once

#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/graph/graph.hpp"
#include "core/registry/owner.hpp"

namespace mo {

/// A range of operator-set versions of a framework.
struct VersionRange {
  std::int64_t first = 0;
  std::int64_t last = std::numeric_limits<std::int64_t>::max();
  bool contains(std::int64_t version) const { return version >= first && version <= last; }
};
inline VersionRange since(std::int64_t first) { return {first, std::numeric_limits<std::int64_t>::max()}; }
inline VersionRange versions(std::int64_t first, std::int64_t last) { return {first, last}; }

/// What an extractor sees of one framework node: its attributes, its version, how many ports it has. Never an edge.
/// Remembers which attributes were asked for, so that unknown ones can be reported.
class FrameworkNode {
 public:
  explicit FrameworkNode(const Node& node) : node_(node) {}

  /// The attribute, or `fallback` when it is missing. A value of another kind is kept as an error (see `error`).
  template <class T>
  T attr(std::string_view name, T fallback) const {
    auto value = optional_attr<T>(name);
    return value ? *std::move(value) : std::move(fallback);
  }
  std::string attr(std::string_view name, const char* fallback) const { return attr<std::string>(name, std::string(fallback)); }
  /// The attribute; nothing when it is missing.
  template <class T>
  std::optional<T> optional_attr(std::string_view name) const {
    seen_.insert(std::string(name));
    const AttributeValue value = node_.attribute(name);
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
  /// Marks attributes as known although their value does not matter.
  void ignore(std::initializer_list<std::string_view> names) const {
    for (const std::string_view name : names) seen_.insert(std::string(name));
  }
  bool has(std::string_view name) const {
    seen_.insert(std::string(name));
    return node_.has_attr(name);
  }

  /// Says how many outputs the node has when neither the op nor the model does: TensorFlow's nodes list only what they read.
  void declare_outputs(std::size_t count) const { declared_outputs_ = count; }
  std::size_t declared_outputs() const { return declared_outputs_; }

  /// Operator-set version that the model asks for.
  std::int64_t version() const { return node_.attr<std::int64_t>("@opset").value_or(1); }
  std::size_t input_count() const { return node_.in_port_count(); }
  std::size_t output_count() const { return node_.out_port_count(); }
  bool has_input(std::size_t i) const { return i < node_.in_port_count() && static_cast<bool>(node_.input(i)); }
  bool output_used(std::size_t i) const { return i < node_.out_port_count() && !node_.out_port(i).disconnected(); }
  std::string_view name() const { return node_.name(); }

  /// An error about this node, to be returned from the extractor.
  template <class... Args>
  [[nodiscard]] Diagnostic error(std::string_view code, fmt::format_string<Args...> text, Args&&... args) const {
    return node_.error(code, text, std::forward<Args>(args)...);
  }

  /// Attributes that the model has and nobody asked for. Reserved ones start with '@', private ones of a framework with '_'; element types
  /// (TensorFlow's T, Tidx …) only repeat what the inputs are.
  std::vector<std::string> unread_attributes() const;
  /// The first attribute of a wrong kind or missing one.
  const std::optional<Diagnostic>& failure() const { return failure_; }

 private:
  void fail(std::string_view code, const std::string& text) const {
    if (!failure_) failure_ = node_.error(code, "{}", text).hint("check how the model was exported");
  }
  Node node_;
  mutable std::set<std::string, std::less<>> seen_;
  mutable std::optional<Diagnostic> failure_;
  mutable std::size_t declared_outputs_ = 0;
};

using Extractor = std::function<Expected<Op>(const FrameworkNode&)>;

/// Framework op and version range -> extractor. One table for each framework; filled by one `register_<file>` function per file.
class ExtractorTable {
 public:
  struct Row {
    VersionRange versions;
    Extractor extract;
    Owner owner;           ///< `overrides`: it took the place of a built-in one
    bool refuses = false;  ///< known, but only to say why it cannot be converted and what to do instead
  };

  /// `op` as the reader names it, without the framework's default domain: "Softmax", "com.microsoft::Gelu".
  /// Overlapping ranges are kept as problems. An extractor of a plugin that overrides takes its versions from built-in ones, which keep the
  /// others. Exceptions of plugins become errors of the node.
  void add(std::string op, VersionRange range, Extractor extractor) { insert(std::move(op), range, std::move(extractor)); }
  void add(std::string op, Extractor extractor) { add(std::move(op), VersionRange{}, std::move(extractor)); }
  /// An op that cannot be expressed: `extractor` gives the error. Not counted as supported.
  void refuse(std::string op, Extractor extractor) {
    if (Row* row = insert(std::move(op), VersionRange{}, std::move(extractor))) row->refuses = true;
  }
  void set_owner(std::string owner, bool override_builtin) { owner_ = {std::move(owner), override_builtin}; }

  const Row* find(std::string_view op, std::int64_t version) const;
  /// All rows by op name; for `--list-ops` and docs.
  const std::map<std::string, std::vector<Row>, std::less<>>& rows() const { return rows_; }
  const std::vector<Diagnostic>& problems() const { return problems_; }

 private:
  /// The new row; null when there was a problem.
  Row* insert(std::string op, VersionRange range, Extractor extractor);

  std::map<std::string, std::vector<Row>, std::less<>> rows_;
  Owner owner_;
  std::vector<Diagnostic> problems_;
};

}  // namespace mo
