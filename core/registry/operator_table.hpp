#pragma once

#include <functional>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/pass/replacement.hpp"
#include "core/pass/rewriter.hpp"
#include "core/registry/framework_node.hpp"
#include "core/registry/part.hpp"
#include "core/support/owner.hpp"

namespace mo {

/// A range of operator-set versions of a framework.
struct VersionRange {
  std::int64_t first = 0;
  std::int64_t last = std::numeric_limits<std::int64_t>::max();
  bool contains(std::int64_t version) const { return version >= first && version <= last; }
};
inline VersionRange since(std::int64_t first) { return {first, std::numeric_limits<std::int64_t>::max()}; }
inline VersionRange versions(std::int64_t first, std::int64_t last) { return {first, last}; }

/// One framework node -> one op of `ops/`, from its attributes alone. Runs before anything else, so that the front
/// phase may see the op.
using Extractor = std::function<Expected<Op>(const FrameworkNode&)>;

/// One framework node -> the tensors that it computes. Runs when partial inference reaches the node: types of all
/// inputs are as known as they will ever be, constants and shape computations have values (`Value::data()`), and every
/// node that the translator makes is inferred at once. Gives one value for each output that is read, or an error; a
/// node that is not a tensor (a sequence of them) gives its own outputs and stays until its readers have looked at it.
/// Errors of ops that it makes are reported as errors of the framework node.
using Translator = std::function<Replacement(const FrameworkNode&, Rewriter&)>;

/// How many outputs a translated node has when the file does not say it: TensorFlow's nodes list only what they read.
/// The missing ports are made before the front phase, so that `--output` finds those without readers. An extractor
/// calls FrameworkNode::declare_outputs instead.
using OutputCount = std::function<std::size_t(const FrameworkNode&)>;
inline OutputCount outputs(std::size_t count) {
  return [count](const FrameworkNode&) { return count; };
}

/// Framework op and version range -> how it is brought in: an extractor or a translator. One table for each framework;
/// filled by one `register_<file>` function per file of `frontends/<framework>/ops/`.
class OperatorTable {
 public:
  struct Row {
    VersionRange versions;
    Extractor extract;     ///< either this
    Translator translate;  ///< or that
    OutputCount outputs;   ///< of a translated node; may be empty
    Owner owner;           ///< `overrides`: it took the place of a built-in one
    bool refuses = false;  ///< known, but only to say why it cannot be converted and what to do instead
    /// Of an op that a pass of the front phase takes apart: marks the attributes that such passes know. Empty for all
    /// other ops.
    std::function<void(const FrameworkNode&)> know_attributes;
  };

  /// `op` as the reader names it, without the framework's default domain: "Softmax", "com.microsoft::Gelu".
  /// Overlapping ranges are kept as problems. A row of a plugin that overrides takes its versions from built-in ones,
  /// which keep the others. Exceptions of plugins become errors of the node.
  void extract(std::string op, VersionRange range, Extractor extractor);
  void extract(std::string op, Extractor extractor) { extract(std::move(op), VersionRange{}, std::move(extractor)); }
  void translate(std::string op, VersionRange range, Translator translator, OutputCount outputs = {});
  void translate(std::string op, Translator translator, OutputCount outputs = {}) {
    translate(std::move(op), VersionRange{}, std::move(translator), std::move(outputs));
  }
  /// An op that cannot be expressed: `extractor` gives the error. Not counted as supported.
  void refuse(std::string op, VersionRange range, Extractor extractor);
  void refuse(std::string op, Extractor extractor) { refuse(std::move(op), VersionRange{}, std::move(extractor)); }
  /// An op that passes of the front phase take apart, a whole structure of nodes at a time, and that knows
  /// `attributes`. `left_over` gives the error for a node that inference reaches.
  void take_apart(std::string op, std::vector<std::string> attributes, Translator left_over);
  /// Runs before each extractor and translator that is registered after this call: what holds for all operators of the
  /// framework, such as attributes that are notes (FrameworkNode::ignore_if).
  void before_each(std::function<void(const FrameworkNode&)> common) { common_ = std::move(common); }
  void set_owner(std::string owner, bool override_builtin) { owner_ = {std::move(owner), override_builtin}; }

  /// `parts` add their rows when one of their ops is asked for. `outline` says which those are, sorted by op: a
  /// line for each op of a part, "Softmax<tab>12", with the number of the part. Both live as long as the table.
  void promise(std::span<const Part<OperatorTable>> parts, std::string_view outline);

  const Row* find(std::string_view op, std::int64_t version) const;
  /// All rows by op name; for `--list-ops` and docs.
  const std::map<std::string, std::vector<Row>, std::less<>>& rows() const;
  const std::vector<Diagnostic>& problems() const { return problems_; }

 private:
  /// The new row; null when there was a problem.
  Row* insert(const std::string& op, Row row);
  /// What was promised and not asked for yet.
  void call(std::size_t part) const;
  void call_parts_of(std::string_view op) const;

  std::map<std::string, std::vector<Row>, std::less<>> rows_;
  std::function<void(const FrameworkNode&)> common_;
  Owner owner_;
  std::vector<Diagnostic> problems_;
  std::span<const Part<OperatorTable>> parts_;
  mutable std::vector<bool> called_;  ///< of each part; a table that is asked fills itself
  std::string_view outline_;
};

}  // namespace mo
