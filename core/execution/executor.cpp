#include "core/execution/executor.hpp"

#include <fmt/format.h>

#include <unordered_map>

#include "core/inference/evaluate.hpp"
#include "core/support/stopwatch.hpp"

namespace mo {
namespace {

Expected<void> check_input(const Node& parameter, const Tensor& input) {
  const auto& declared = *parameter.as<Parameter>();
  const bool type_fits = declared.element_type == ElementType::dynamic || declared.element_type == input.element_type();
  if (type_fits && declared.shape.compatible(PartialShape(input.shape()))) return {};
  return parameter
      .error("MO-EXEC-0002", "input {} is {}, the model expects {}", parameter.name(), input.type().to_string(),
             TensorType{declared.element_type, declared.shape}.to_string())
      .hint("give an array of that element type and shape");
}

/// Bytes of tensors in memory. Tensors that share a buffer count once. Buffers that are gone are only compared.
class LiveBytes {
 public:
  void add(const Tensor& tensor) {
    if (tensor.empty()) return;
    Uses& uses = uses_[tensor.buffer().get()];
    if (++uses.count == 1) bytes_ += uses.bytes = tensor.buffer()->size();
  }
  void remove(const Buffer* buffer) {
    const auto found = uses_.find(buffer);
    if (found == uses_.end() || --found->second.count > 0) return;
    bytes_ -= found->second.bytes;
    uses_.erase(found);
  }
  std::uint64_t bytes() const { return bytes_; }

 private:
  struct Uses {
    std::size_t count = 0;
    std::uint64_t bytes = 0;
  };
  std::unordered_map<const Buffer*, Uses> uses_;
  std::uint64_t bytes_ = 0;
};

class Execution {
 public:
  Execution(const Graph& graph, const ExecutorOptions& options)
      : graph_(graph), options_(options), values_(graph.value_capacity()), readers_(graph.value_capacity()) {}

  Expected<std::vector<Tensor>> run(const std::vector<Tensor>& inputs) {
    MO_ASSIGN(const std::vector<Node> order, graph_.topological_order());
    for (const Node& node : order)
      for (std::size_t i = 0; i < node.in_port_count(); ++i)
        if (const Value source = node.input(i)) ++readers_[source.id().index];
    MO_TRY(take_inputs(inputs));
    for (const Node& node : order)
      if (!node.is<Parameter>() && !node.is<Result>() && !node.is<Const>()) MO_TRY(step(node));
    return results();
  }

 private:
  bool measures() const { return static_cast<bool>(options_.on_step); }

  void keep(const Value& value, Tensor tensor) {
    if (readers_[value.id().index] == 0) return;
    if (measures()) live_.add(tensor);
    values_[value.id().index] = std::move(tensor);
  }

  Expected<void> take_inputs(const std::vector<Tensor>& inputs) {
    const std::vector<Node> parameters = graph_.parameters();
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (options_.check_inputs) MO_TRY(check_input(parameters[i], inputs[i]));
      MO_ASSIGN(Tensor input, inputs[i].load());
      keep(parameters[i].output(), std::move(input));
    }
    return {};
  }

  /// A constant comes into memory with its first reader.
  Expected<Tensor> read(const Value& source) {
    Tensor& value = values_[source.id().index];
    const Const* const constant = value.empty() ? source.node().as<Const>() : nullptr;
    if (!constant) return value;
    auto loaded = constant->value.load();
    if (!loaded) return source.node().describe(std::move(loaded).error());
    if (options_.on_tensor) MO_TRY(options_.on_tensor(source, *loaded));
    keep(source, *std::move(loaded));
    return value;
  }

  Expected<void> step(const Node& node) {
    const Stopwatch clock;
    std::vector<Tensor> arguments(node.in_port_count());
    for (std::size_t i = 0; i < arguments.size(); ++i)
      if (const Value source = node.input(i)) { MO_ASSIGN(arguments[i], read(source)); }
    // What is not read any more belongs to the op alone.
    std::vector<const Buffer*> gone;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const Value source = node.input(i);
      if (!source || --readers_[source.id().index] > 0) continue;
      gone.push_back(arguments[i].buffer().get());
      values_[source.id().index] = {};
    }
    auto made =
        evaluate_op(node.op_type(), node.payload(), std::move(arguments), node.out_port_count(), options_.kernels);
    if (!made) return node.describe(std::move(made).error());
    if (measures()) tell(node, *made, clock.seconds());
    if (options_.on_tensor)
      for (std::size_t i = 0; i < made->size(); ++i) MO_TRY(options_.on_tensor(node.out_port(i), (*made)[i]));
    for (std::size_t i = 0; i < made->size(); ++i) keep(node.out_port(i), std::move((*made)[i]));
    if (measures())
      for (const Buffer* buffer : gone) live_.remove(buffer);
    return {};
  }

  void tell(const Node& node, const std::vector<Tensor>& made, double seconds) {
    ExecutionStep step{node, seconds, 0, live_.bytes()};
    LiveBytes outputs = live_;
    for (const Tensor& tensor : made) step.output_bytes += tensor.byte_size(), outputs.add(tensor);
    step.live_bytes = outputs.bytes();
    options_.on_step(step);
  }

  Expected<std::vector<Tensor>> results() {
    std::vector<Tensor> results;
    for (const Node& result : graph_.results()) {
      const Value source = result.input(0);
      if (!source) return result.error("MO-EXEC-0004", "the output is not connected");
      MO_ASSIGN(Tensor value, read(source));
      if (value.empty()) return result.error("MO-EXEC-0004", "the output is not connected");
      results.push_back(std::move(value));
    }
    return results;
  }

  const Graph& graph_;
  const ExecutorOptions& options_;
  std::vector<Tensor> values_;          ///< by id of the value
  std::vector<std::uint32_t> readers_;  ///< that are still to come
  LiveBytes live_;                      ///< kept only for measurements
};

}  // namespace

Expected<std::vector<Tensor>> execute(const Graph& graph, const std::vector<Tensor>& inputs,
                                      const ExecutorOptions& options) {
  const std::size_t wanted = graph.parameters().size();
  if (wanted != inputs.size())
    return error("MO-EXEC-0002", "{} inputs are given, the model has {}", inputs.size(), wanted)
        .hint("give one array for each input");
  return Execution(graph, options).run(inputs);
}

Expected<std::vector<Tensor>> EvalContext::run_body(Graph& body, const std::vector<Tensor>& inputs) const {
  return execute(body, inputs, {.kernels = kernels_, .check_inputs = false});
}

}  // namespace mo
