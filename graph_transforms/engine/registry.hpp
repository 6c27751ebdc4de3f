#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "graph_transforms/engine/context.hpp"

namespace mo::graph_transforms {

/// Changes the graph, or fails and says why; after an error the graph may be half changed.
using TransformFunc = std::function<Expected<void>(Graph& graph, const TransformFuncContext& context)>;

/// Models of which frameworks a transform is for.
enum class Scope {
  tensorflow,  ///< it knows ops of TensorFlow
  any,
};

/// What a transform may do to what the model computes.
enum class Numbers {
  same,       ///< nothing: it moves, names and removes nodes
  rounded,    ///< floats are computed in another order
  quantised,  ///< they lose digits on purpose
};

/// An argument of a transform, for people.
struct ArgumentDescription {
  std::string name;
  std::string type;  ///< "text", "integer", "number", "true or false"
  /// what stands in when it is not given; empty: it has to be given, or nothing stands in, as `help` says
  std::string fallback;
  std::string help;
};

/// What a transform does and takes, for people: what `transform_graph --describe` prints.
struct TransformDescription {
  std::string summary;  ///< a sentence without a full stop
  std::vector<ArgumentDescription> arguments;
};

/// Transforms by name. A file `x.cpp` of graph_transforms/ defines `register_x(TransformRegistry&)`, which calls
/// `register_transform`.
class TransformRegistry {
 public:
  struct Entry {
    TransformFunc run;
    Scope scope = Scope::tensorflow;
    Numbers numbers = Numbers::rounded;
    TransformDescription description = {};
  };

  /// A duplicate name is kept as a problem.
  void register_transform(std::string name, Scope scope, Numbers numbers, TransformFunc transform);
  void register_transform(std::string name, Scope scope, TransformFunc transform) {
    register_transform(std::move(name), scope, Numbers::rounded, std::move(transform));
  }
  void register_transform(std::string name, Numbers numbers, TransformFunc transform) {
    register_transform(std::move(name), Scope::tensorflow, numbers, std::move(transform));
  }
  void register_transform(std::string name, TransformFunc transform) {
    register_transform(std::move(name), Scope::tensorflow, std::move(transform));
  }
  /// Says what a transform that is registered does and takes.
  void describe(std::string_view name, TransformDescription description);
  /// Null when there is none.
  const Entry* find(std::string_view name) const;
  /// In alphabetical order; with Scope::any only those for models of any framework.
  std::vector<std::string> names(Scope scope = Scope::tensorflow) const;
  /// Names that were registered twice.
  const std::vector<Diagnostic>& problems() const { return problems_; }

 private:
  std::map<std::string, Entry, std::less<>> transforms_;
  std::vector<Diagnostic> problems_;
};

/// All transforms of this folder.
void register_all(TransformRegistry& registry);

}  // namespace mo::graph_transforms
