#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "core/op/op_registry.hpp"
#include "core/registry/onnx_forms.hpp"
#include "core/registry/operator_table.hpp"
#include "core/registry/pass_registry.hpp"
#include "core/support/owner.hpp"

namespace mo {

/// A framework's reader, keyed by the framework's short name ("onnx").
struct Frontend {
  std::string name;                     ///< "onnx": value of --framework, prefix of its dynamic ops ("onnx::Softmax")
  std::string title;                    ///< "ONNX", for messages
  std::vector<std::string> extensions;  ///< ".onnx"
  /// File -> linked graph of framework nodes. `settings` carries what the user asked for beyond the path.
  std::function<Expected<std::unique_ptr<Graph>>(const std::string& path, const Settings& settings,
                                                 DiagnosticSink& sink)>
      read;
};

/// Everything that built-ins and plugins contribute. A built-in is a plugin that happens to be linked in.
class Registry {
 public:
  OpRegistry& ops() { return add_promised_ops(), ops_; }
  const OpRegistry& ops() const { return add_promised_ops(), ops_; }
  /// `add` is called when the ops are asked for, if they are: most conversions know theirs by their structs.
  void promise_ops(void (*add)(OpRegistry& ops)) { promised_ops_ = add; }
  PassRegistry& passes() { return passes_; }
  const PassRegistry& passes() const { return passes_; }
  /// The extractors of a framework, by its short name ("onnx", "tf").
  OperatorTable& operators(const std::string& framework);
  const OperatorTable* find_operators(const std::string& framework) const {
    const auto it = operators_.find(framework);
    return it == operators_.end() ? nullptr : &it->second;
  }
  const std::map<std::string, OperatorTable>& operators() const { return operators_; }
  /// How ops are written in models of ONNX, as plugins say it.
  OnnxForms& onnx_forms() { return onnx_forms_; }
  const OnnxForms& onnx_forms() const { return onnx_forms_; }
  /// A duplicate framework is a problem, unless a plugin replaces a built-in and has said so.
  void add(Frontend frontend);
  const std::map<std::string, Frontend>& frontends() const { return frontends_; }
  /// Who brought the framework, and whether it took the place of a built-in one.
  const Owner& owner_of_frontend(const std::string& name) const { return frontend_owners_.at(name); }

  /// Whose the next additions are; the loader of plugins calls it. The name is what messages about duplicates say.
  void set_owner(std::string owner, bool override_builtin);

  /// Duplicates and overlaps among what was registered.
  std::vector<Diagnostic> problems() const;

 private:
  void add_promised_ops() const;

  // Mutable, because reading the ops adds the promised ones first. One thread uses a registry.
  mutable OpRegistry ops_;
  mutable void (*promised_ops_)(OpRegistry& ops) = nullptr;
  PassRegistry passes_;
  std::map<std::string, OperatorTable> operators_;
  OnnxForms onnx_forms_;
  std::map<std::string, Frontend> frontends_;
  std::map<std::string, Owner> frontend_owners_;
  Owner owner_;
  std::vector<Diagnostic> problems_;
};

/// Parameter, Result and Const.
void register_builtin_ops(OpRegistry& registry);

}  // namespace mo
