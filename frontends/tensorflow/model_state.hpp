#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.hpp"
#include "frontends/common/hash_map.hpp"
#include "frontends/common/wire.hpp"

namespace mo::tensorflow {

/// What a model may demand of us; more is error MO-TF-0010 or MO-TF-0011.
namespace limits {
/// nodes of the file, those of functions included
inline constexpr std::uint64_t kNodes = 20'000'000;
inline constexpr std::uint64_t kInlinedNodes = 1'000'000;  ///< nodes made by calls of functions
/// bytes of names of nodes and tensors made by calls of functions
inline constexpr std::uint64_t kInlinedNames = 200'000'000;
/// outputs before one that is read; and an eighth of the bytes of the file
inline constexpr std::uint64_t kSkippedPorts = 1 << 18;
inline constexpr std::size_t kDepth = 64;                      ///< calls in calls, bodies in bodies
inline constexpr std::int64_t kPorts = std::int64_t{1} << 20;  ///< inputs or outputs of one node
inline constexpr std::size_t kAttributes = 4096;               ///< attributes of one node
/// elements of an attribute that is a list
inline constexpr std::size_t kListLength = std::size_t{1} << 22;
}  // namespace limits

/// "Conv2D" for a framework node "tf::Conv2D"; empty for everything else.
inline std::string_view op_of(const OpType& type) {
  return type.name.starts_with("tf::") ? type.name.substr(4) : std::string_view();
}
inline std::string_view op_of(const Node& node) { return op_of(node.op_type()); }

/// The values of an output argument of an op: how many tensors it stands for.
struct OutputArgument {
  std::string name;
  std::string count_attribute;  ///< an integer attribute that says how many; empty: one
  std::string types_attribute;  ///< an attribute that lists their types; empty: one
};

/// A function of the library, before its nodes are read.
struct Function {
  std::string name;
  struct Argument {
    std::string name;
    ElementType type = ElementType::dynamic;
  };
  std::vector<Argument> inputs;
  std::vector<std::string> outputs;
  frontends::HashMap<std::string, std::string> returns;  ///< output -> "node:argument:index" or the name of an input
  frontends::WireField message;
};

/// What all graphs of one model share while they are read.
class ModelState {
 public:
  ModelState(frontends::WireSource& source_, DiagnosticSink& sink_) : source(source_), sink(sink_) {}

  frontends::WireSource& source;
  DiagnosticSink& sink;
  frontends::HashMap<std::string, Function> functions;
  /// Large attributes of functions by the place of their messages: each call has the same.
  frontends::HashMap<std::uint64_t, AttributeValue> function_attributes;
  std::vector<NameId> calls;   ///< names of the calls whose functions were put in place
  bool has_signature = false;  ///< inputs and outputs are those of a signature, and have its names
  /// The call of the main graph that is all of a signature: names inside of its function have no prefix.
  std::string signature_call;
  std::int64_t producer = 0;  ///< GraphDef version of the program that made the graph; 0: not said

  /// Counts nodes against the budget. Error MO-TF-0010.
  Expected<void> take_node();
  Expected<void> take_inlined_nodes(std::uint64_t count = 1);
  /// Error MO-TF-0010 for nodes of calls.
  static Diagnostic too_many_inlined_nodes();
  /// Counts the bytes of a name that a call of a function makes. Error MO-TF-0010.
  Expected<void> take_inlined_name(std::uint64_t bytes);
  /// Counts outputs that a node gets because a later one is read. Error MO-TF-0011.
  Expected<void> take_ports(std::uint64_t count);

  /// FunctionDefLibrary. Error MO-TF-0008 for a function that is defined twice.
  Expected<void> read_library(const frontends::WireField& message);
  /// OpList: what the ops of the model look like, for those with several outputs.
  Expected<void> read_op_list(const frontends::WireField& message);
  /// The output arguments of an op; null when it is not known to have several.
  const std::vector<OutputArgument>* output_arguments(std::string_view op) const;

 private:
  Expected<Function> read_function_header(const frontends::WireField& message);

  frontends::HashMap<std::string, std::vector<OutputArgument>> ops_;
  std::uint64_t nodes_ = 0;
  std::uint64_t inlined_ = 0;
  std::uint64_t inlined_names_ = 0;
  std::uint64_t ports_ = 0;
};

}  // namespace mo::tensorflow
