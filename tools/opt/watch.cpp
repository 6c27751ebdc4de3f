#include "tools/opt/watch.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/comparison/closeness.hpp"
#include "core/execution/executor.hpp"
#include "core/tensor/convert.hpp"
#include "core/text/printer.hpp"
#include "tools/common/console.hpp"
#include "tools/common/environment.hpp"
#include "tools/common/picture.hpp"
#include "tools/common/random_inputs.hpp"
#include "tools/common/text_diff.hpp"
#include "tools/common/write_file.hpp"

namespace mo::tools {
namespace {

/// `--time-passes`, and the original's OV_PROFILE_PASS_ENABLE and NGRAPH_PROFILE_PASS_ENABLE: milliseconds in seven
/// columns, name; one line each, pipelines after their steps, then the sum.
class Times final : public Watch {
 public:
  Expected<void> ran(const PassEvent& event) override {
    fmt::print("{:7}ms {}\n", std::llround(event.seconds * 1e3), event.pass.name);
    if (!event.is_pipeline) seconds_ += event.seconds;
    return {};
  }
  Expected<void> finish() override {
    fmt::print("passes done in {}ms\n", std::llround(seconds_ * 1e3));
    return {};
  }

 private:
  double seconds_ = 0;
};

/// `--trace`: complete events of the trace format that browsers show.
class Trace final : public Watch {
 public:
  explicit Trace(std::string path) : path_(std::move(path)) {}

  Expected<void> ran(const PassEvent& event) override {
    const double now = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    events_.push_back({{"name", event.pass.name},
                       {"ph", "X"},
                       {"pid", 1},
                       {"tid", 1},
                       {"ts", (now - event.seconds) * 1e6},
                       {"dur", event.seconds * 1e6},
                       {"args", {{"changed", event.changed}, {"nodes", event.graph.node_count()}}}});
    return {};
  }
  Expected<void> finish() override { return write_file(path_, nlohmann::json{{"traceEvents", events_}}.dump(1)); }

 private:
  std::string path_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  nlohmann::json events_ = nlohmann::json::array();
};

/// `--dump-changes`: lines of the text form that went (-) and came (+).
class Changes final : public Watch {
 public:
  explicit Changes(const Graph& graph) : before_(to_text(graph, {.types = true})) {}

  Expected<void> ran(const PassEvent& event) override {
    if (!event.changed || event.is_pipeline) return {};
    std::string after = to_text(event.graph, {.types = true});
    if (after != before_) fmt::print("# {}\n{}", event.pass.name, text_diff(before_, after));
    before_ = std::move(after);
    return {};
  }

 private:
  std::string before_;
};

/// `--verify-each=numbers`: the same random inputs give the same outputs as before.
class Numbers final : public Watch {
 public:
  static Expected<std::unique_ptr<Watch>> create(const Graph& graph) {
    MO_ASSIGN(std::vector<Tensor> inputs, random_inputs(graph, 1));
    MO_ASSIGN(std::vector<Tensor> outputs, execute(graph, inputs));
    return std::unique_ptr<Watch>(new Numbers(std::move(inputs), std::move(outputs), has_half_numbers(graph)));
  }

  Expected<void> ran(const PassEvent& event) override {
    if (!event.changed || event.is_pipeline) return {};
    MO_ASSIGN(const std::vector<Tensor> inputs, inputs_for(event.graph));
    auto outputs = execute(event.graph, inputs);
    if (!outputs) return std::move(outputs).error().in_phase(fmt::format("after {}", event.pass.name));
    const bool is_coarser = !was_half_ && has_half_numbers(event.graph);
    for (std::size_t i = 0; i < std::min(outputs->size(), outputs_.size()); ++i) {
      const ElementType type = outputs_[i].element_type();
      MO_ASSIGN(const Tensor made, convert((*outputs)[i], type));
      const Closeness& closeness = is_coarser ? closeness::kReordered.half : closeness::kReordered.of(type);
      MO_ASSIGN(const TensorDifference difference, difference_of(made, outputs_[i], closeness));
      if (!difference.close())
        return error("MO-OPT-0003", "{} changed what output {} computes: {}", event.pass.name, i,
                     difference.to_string())
            .hint("--dump-changes shows what it did; --disable {} leaves it out", event.pass.name);
    }
    return {};
  }

 private:
  Numbers(std::vector<Tensor> inputs, std::vector<Tensor> outputs, bool was_half)
      : inputs_(std::move(inputs)), outputs_(std::move(outputs)), was_half_(was_half) {}

  /// Whether constants or inputs have half the digits: numbers of the model are what these allow.
  static bool has_half_numbers(const Graph& graph) {
    for (const Node node : graph.nodes())
      if (node.is<Const>() || node.is<Parameter>())
        if (const ElementType type = node.output_type().element_type;
            type == ElementType::f16 || type == ElementType::bf16)
          return true;
    return false;
  }

  /// A transformation may change the types of inputs (ConvertFP32ToFP16).
  Expected<std::vector<Tensor>> inputs_for(const Graph& graph) const {
    std::vector<Tensor> inputs = inputs_;
    const std::vector<Node> parameters = graph.parameters();
    for (std::size_t i = 0; i < std::min(inputs.size(), parameters.size()); ++i) {
      const ElementType type = parameters[i].output_type().element_type;
      if (type == ElementType::dynamic || type == inputs[i].element_type() || type == ElementType::string) continue;
      MO_ASSIGN(inputs[i], convert(inputs[i], type));
    }
    return inputs;
  }

  std::vector<Tensor> inputs_;
  std::vector<Tensor> outputs_;
  bool was_half_;
};

/// `--visualize DIR`, and OV_ENABLE_VISUALIZE_TRACING in the current folder: NAME_000_Transformation.svg and .dot for
/// each one that ran.
class Pictures final : public Watch {
 public:
  Pictures(std::string folder, std::string name, std::string ending, VisualizeOptions how)
      : folder_(std::move(folder)), name_(std::move(name)), ending_(std::move(ending)), how_(std::move(how)) {}

  Expected<void> ran(const PassEvent& event) override {
    if (event.is_pipeline) return {};
    const std::string stem = fmt::format("{}/{}_{:03}_{}", folder_, name_, count_++, event.pass.name);
    const std::string dot = visualize_tree(event.graph, how_);
    MO_TRY(write_picture(stem + ".dot", dot));
    return ending_ == "dot" ? Expected<void>() : write_picture(stem + "." + ending_, dot);
  }

 private:
  std::string folder_;
  std::string name_;
  std::string ending_;
  VisualizeOptions how_;
  int count_ = 0;
};

}  // namespace

Expected<std::vector<std::unique_ptr<Watch>>> make_watches(const OptOptions& options, const Graph& graph,
                                                           const std::string& name) {
  std::vector<std::unique_ptr<Watch>> watches;
  MO_ASSIGN(const bool profiled, environment_flag({"OV_PROFILE_PASS_ENABLE", "NGRAPH_PROFILE_PASS_ENABLE"}));
  if (options.time_passes || profiled) watches.push_back(std::make_unique<Times>());
  if (!options.trace.empty()) watches.push_back(std::make_unique<Trace>(options.trace));
  if (options.dump_changes) watches.push_back(std::make_unique<Changes>(graph));
  MO_ASSIGN(const bool traced, environment_flag({"OV_ENABLE_VISUALIZE_TRACING", "NGRAPH_ENABLE_VISUALIZE_TRACING"}));
  if (traced || !options.visualize.empty()) {
    MO_ASSIGN(VisualizeOptions how, visualize_options());
    watches.push_back(std::make_unique<Pictures>(options.visualize.empty() ? "." : options.visualize, name,
                                                 environment({"NGRAPH_VISUALIZE_TRACING_FORMAT"}).value_or("svg"),
                                                 std::move(how)));
  }
  if (options.verify == "numbers") {
    MO_ASSIGN(std::unique_ptr<Watch> numbers, Numbers::create(graph));
    watches.push_back(std::move(numbers));
  }
  return watches;
}

}  // namespace mo::tools
