#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/execution/executor.hpp"

namespace mo::tools {

/// A tensor whose value is known to be right.
struct TrueTensor {
  std::string name;  ///< of the tensor, or of the node that makes it
  std::string node;  ///< of the source that makes it; empty when unknown
  std::string op;    ///< what that is: "TensorFlow Conv2D"
  Tensor value;
  Value made = {};  ///< in the source graph; empty when the values are from files
};

/// What a model computes for some inputs. Tensors that a source graph made stand in its topological order.
class Truth {
 public:
  /// Remembers the tensor of an output port under its tensor names, and under the name of its node.
  void add(const Value& made, Tensor value);
  /// Of a file: all there is to know is the name.
  void add(const std::string& name, Tensor value);

  /// Places of the tensors that `value`, of another graph, has a name in common with, the last one first: names of what
  /// was fused move to the end of the chain, so the last one is what the tensor stands for. Tensor names come before
  /// names of nodes.
  std::vector<std::size_t> named_as(const Value& value) const;
  /// The value of an output by what the framework calls it, "NAME" or "NAME:0"; null when there is none.
  const Tensor* find(const std::string& name) const;
  const TrueTensor& operator[](std::size_t place) const { return tensors_[place]; }
  std::size_t size() const { return tensors_.size(); }

 private:
  void remember(std::map<std::string, std::vector<std::size_t>, std::less<>>& names, std::string_view name);
  static std::string node_name_of(const Value& value);

  std::vector<TrueTensor> tensors_;
  std::map<std::string, std::vector<std::size_t>, std::less<>> by_tensor_;
  /// followed by the port, where a node has several
  std::map<std::string, std::vector<std::size_t>, std::less<>> by_node_;
};

/// What a Result is called: the first name of its tensor, else the name of the node that makes it.
std::string output_name(const Node& result);

/// Runs the source. `which`: outputs only, or everything that is computed and that some tensor of `other` has the name
/// of. Errors: of the execution.
Expected<Truth> true_outputs(const Graph& source, const std::vector<Tensor>& inputs, const ExecutorOptions& how);
Expected<Truth> true_tensors(const Graph& source, const std::vector<Tensor>& inputs, const Graph& other,
                             const ExecutorOptions& how);

/// The tensor names of what is computed in `source` and has a name in `other`.
std::vector<std::string> shared_names(const Graph& source, const Graph& other);

/// The `.npy` files of a folder; a file is called like its tensor, with `%xx` for characters that no file name can
/// have. Errors: MO-VERIFY-0003 (no such folder, no array in it), those of read_npy.
Expected<Truth> read_truth(const std::string& folder);

}  // namespace mo::tools
