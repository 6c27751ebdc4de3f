#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "core/registry/extractor.hpp"
#include "core/registry/op_registry.hpp"
#include "core/registry/pass_registry.hpp"

namespace mo {

/// A framework's reader, keyed by the framework's short name ("onnx").
struct Frontend {
  std::string name;                     ///< "onnx": value of --framework, prefix of its dynamic ops ("onnx::Softmax")
  std::string title;                    ///< "ONNX", for messages
  std::vector<std::string> extensions;  ///< ".onnx"
  /// File -> linked graph of framework nodes. `settings` carries what the user asked for beyond the path.
  std::function<Expected<std::unique_ptr<Graph>>(const std::string& path, const AttributeMap& settings, DiagnosticSink& sink)> read;
};

/// Everything that built-ins and plugins contribute. A built-in is a plugin that happens to be linked in.
class Registry {
 public:
  OpRegistry& ops() { return ops_; }
  const OpRegistry& ops() const { return ops_; }
  PassRegistry& passes() { return passes_; }
  ExtractorTable& extractors(const std::string& framework) { return extractors_[framework]; }
  const ExtractorTable* find_extractors(const std::string& framework) const {
    const auto it = extractors_.find(framework);
    return it == extractors_.end() ? nullptr : &it->second;
  }
  void add(Frontend frontend) { frontends_[frontend.name] = std::move(frontend); }
  const std::map<std::string, Frontend>& frontends() const { return frontends_; }

  /// Duplicates and overlaps among what was registered.
  std::vector<Diagnostic> problems() const;

 private:
  OpRegistry ops_;
  PassRegistry passes_;
  std::map<std::string, ExtractorTable> extractors_;
  std::map<std::string, Frontend> frontends_;
};

/// Parameter, Result and Const.
void register_builtin_ops(OpRegistry& registry);

}  // namespace mo
