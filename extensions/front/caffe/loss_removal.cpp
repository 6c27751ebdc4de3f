#include <algorithm>
#include <array>
#include <string>

#include "core/rewrite.hpp"

namespace mo::front::caffe {
namespace {

/// Layers that compare predictions with labels, and how many of their first bottoms are predictions.
struct Measure {
  std::string_view type;
  std::size_t predictions = 1;
};
constexpr std::array<Measure, 11> kMeasures = {{{"caffe::EuclideanLoss"},
                                                {"caffe::HingeLoss"},
                                                {"caffe::MultinomialLogisticLoss"},
                                                {"caffe::SmoothL1Loss"},
                                                {"caffe::CTCLoss"},
                                                {"caffe::Accuracy"},
                                                {"caffe::DetectionEvaluate"},
                                                {"caffe::HDF5Output"},
                                                {"caffe::ContrastiveLoss", 2},
                                                {"caffe::MultiBoxLoss", 2},  // places, confidences
                                                // Hides unwanted blobs.
                                                {"caffe::Silence", 0}}};

/// Losses that have the last function of the network inside: where they are read, they are that function of their first
/// bottom.
constexpr std::array<std::string_view, 3> kFunctions = {"caffe::SoftmaxWithLoss", "caffe::InfogainLoss",
                                                        "caffe::SigmoidCrossEntropyLoss"};

const Measure* measure_of(const Node& node) {
  const auto found =
      std::find_if(kMeasures.begin(), kMeasures.end(), [&](const Measure& measure) { return node.is(measure.type); });
  return found == kMeasures.end() ? nullptr : &*found;
}

bool has_function(const Node& node) {
  return std::any_of(kFunctions.begin(), kFunctions.end(), [&](std::string_view type) { return node.is(type); });
}

/// Takes the layers that only matter in training out of a network.
///
/// - A loss that has the last function of the network inside (SoftmaxWithLoss, SigmoidCrossEntropyLoss) loses its
/// labels; it is that function.
/// - Any other loss or measure goes; the predictions without other readers become outputs of the model in its place, if
/// it was one.
/// - Inputs of the model that have no readers left (labels) go.
class LossRemoval {
 public:
  explicit LossRemoval(Graph& graph) : rw_(graph) {}

  Expected<bool> run() {
    std::vector<Node> losses;
    for (const Node node : rw_.graph().nodes())
      if (measure_of(node) || has_function(node)) losses.push_back(node);
    // Last ones first: a measure, or Silence, may read what another one made.
    for (auto it = losses.rbegin(); it != losses.rend(); ++it) MO_TRY(remove(*it));
    for (const Value& value : wanted_)
      if (value.node().alive() && value.disconnected()) rw_.graph().create_result(value, value.data().result_name());
    for (const Value& value : read_) clean(value);
    return !losses.empty();
  }

 private:
  Expected<void> remove(const Node& node) {
    for (const InPort& port : node.in_ports())
      if (const Value source = port.get_source()) read_.push_back(source);
    if (has_function(node) && is_read(node)) {
      for (std::size_t i = 1; i < node.in_port_count(); ++i) node.in_port(i).disconnect();
      return {};
    }
    // A layer that writes a file (HDF5Output) has no tops: what it writes is a result of the network.
    bool was_output = node.out_port_count() == 0;
    for (const OutPort& top : node.out_ports()) {
      for (const InPort& reader : top.get_destinations()) {
        if (!reader.node().is<Result>())
          return node
              .error("MO-CAFFE-0108", "layer '{}' reads the loss, which is left out of a model for inference",
                     reader.node().name())
              .hint("name the outputs that you want with --output, or take the training layers out of the prototxt");
        was_output = true;
        rw_.graph().erase(reader.node());
      }
    }
    if (was_output) remember_predictions(node);
    rw_.graph().erase(node);
    return {};
  }

  static bool is_read(const Node& node) {
    const auto tops = node.out_ports();
    return std::any_of(tops.begin(), tops.end(), [](const OutPort& top) { return !top.disconnected(); });
  }

  /// The first bottoms, but no inputs of the model: some networks have the label first.
  void remember_predictions(const Node& node) {
    const Measure* measure = measure_of(node);
    std::size_t left = measure ? measure->predictions : 1;
    std::vector<Value> found;
    for (std::size_t i = 0; i < node.in_port_count() && left > 0; ++i) {
      const Value source = node.input(i);
      if (!source || source.node().is<Parameter>()) continue;
      found.push_back(source);
      --left;
    }
    wanted_.insert(wanted_.begin(), found.begin(), found.end());
  }

  void clean(const Value& value) {
    const Node node = value.node();
    if (!node.alive() || !value.disconnected()) return;
    if (!node.is<Parameter>()) return erase_if_dead(node);
    if (rw_.graph().parameters().size() > 1) rw_.graph().erase(node);
  }

  Rewriter rw_;
  std::vector<Value> read_;
  std::vector<Value> wanted_;  ///< in file order
};

}  // namespace

void register_loss_removal(PassRegistry& passes) {
  passes.add(graph_pass("CaffeLossRemoval").phase(Phase::front).run([](Graph& graph, PassContext&) {
    return LossRemoval(graph).run();
  }));
}

}  // namespace mo::front::caffe
