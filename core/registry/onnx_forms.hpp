#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "core/graph/graph.hpp"
#include "core/support/owner.hpp"

namespace mo::onnx_emitter {
class Translation;
}

namespace mo {

/// How a node of one op is written in a model of ONNX: makes the operators (onnx_emitter/translator.hpp), and gives
/// one tensor for each output of the node, or an error.
using OnnxForm = std::function<Expected<Outputs>(onnx_emitter::Translation& t)>;

/// The forms by op. Those of mo's own ops are a table that only the emitter of ONNX fills; those of plugins are in the
/// registry.
class OnnxForms {
 public:
  struct Row {
    OnnxForm form;
    Owner owner;
  };

  template <class Op>
  void add(OnnxForm form) {
    add(Op::id, std::move(form));
  }
  /// A second form of an op is a problem; see `problems`.
  void add(const OpId& op, OnnxForm form);
  /// Null when the op has none.
  const Row* find(const OpType& type) const;

  void set_owner(std::string owner, bool override_builtin) { owner_ = {std::move(owner), override_builtin}; }
  /// "acme.FancyNorm", "Gelu-7": ops with a form from `owner`, sorted.
  std::vector<std::string> ops_of(std::string_view owner) const;
  /// An op that has a form here and in `built_in`, without that its plugin declares to override. MO-PLUGIN-0037.
  std::optional<Diagnostic> clash_with(const OnnxForms& built_in) const;
  /// Ops with two forms. MO-PLUGIN-0037.
  const std::vector<Diagnostic>& problems() const { return problems_; }

 private:
  using Key = std::tuple<std::string_view, std::string_view, int>;  ///< op, op set of its own, class version

  std::map<Key, Row> rows_;
  Owner owner_;
  std::vector<Diagnostic> problems_;
};

}  // namespace mo
