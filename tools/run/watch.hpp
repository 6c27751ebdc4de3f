#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/execution/executor.hpp"
#include "core/files/input_files.hpp"
#include "core/files/output_folder.hpp"

namespace mo::tools {

/// Writes every tensor of a run to a folder: NAME.npy, by the first name of the tensor, or that of its node (".1"
/// follows for another output than the first). Characters that no file name can have become "%2F" and the like. Tensors
/// of types that .npy files cannot hold are left out.
class TensorDump {
 public:
  /// Errors: of making the folder.
  static Expected<TensorDump> create(const std::string& folder, const InputFiles& inputs);
  Expected<void> add(const Value& value, const Tensor& tensor);
  /// What was written stays.
  Expected<void> keep() { return folder_->keep(); }

 private:
  TensorDump(std::string path, std::unique_ptr<OutputFolder> folder, const InputFiles& inputs)
      : path_(std::move(path)), folder_(std::move(folder)), inputs_(&inputs) {}
  std::string path_;
  std::unique_ptr<OutputFolder> folder_;
  const InputFiles* inputs_;
};

/// Finds the first layer that makes NaN or infinity of finite numbers.
class NumberCheck {
 public:
  explicit NumberCheck(const Graph& graph) : bad_(graph.value_capacity()) {}
  /// An input of the model, or what a node computes. Error MO-RUN-0014 for a tensor with NaN or infinity whose node
  /// read neither; constants may have both, and mean it.
  Expected<void> add(const Value& value, const Tensor& tensor);

 private:
  std::vector<bool> bad_;  ///< by id of the value
};

/// Adds up what layers cost.
class Profile {
 public:
  void add(const ExecutionStep& step) {
    steps_.push_back({std::string(step.node.name()), std::string(step.node.type()), step});
  }
  /// A line for each layer, the slowest first, and the sums: by op, time, and the most bytes that were in memory at one
  /// time.
  std::string table() const;

 private:
  struct Row {
    std::string name;
    std::string op;
    ExecutionStep step;
  };
  std::vector<Row> steps_;
};

}  // namespace mo::tools
