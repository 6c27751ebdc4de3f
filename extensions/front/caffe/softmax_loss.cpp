#include "extensions/front/caffe/layer_inputs.hpp"
#include "extensions/support/front_shapes.hpp"
#include "ops/concat.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/soft_max.hpp"
#include "ops/top_k.hpp"

namespace mo::front::caffe {
namespace {

/// ArgMax -> TopK. With an axis: places, or values, along it. Without: the bottom is a row for each sample; the top is [N, 1, k] with places or
/// [N, 2, k] with places and values, and has as many dimensions as the bottom where that has more than three.
Replacement arg_max(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  const auto axis = node.attr<std::int64_t>("axis");
  const bool values = flag_of(node, "out_max_val");
  const Value k = rw.scalar(integer_of(node, "top_k", 1));
  const Value data = axis ? x : rw.create(ops::Reshape{.special_zero = true}, x, rw.integers({0, -1}));
  const Node best = rw.create_node(ops::TopK{.axis = axis.value_or(1)}, {data, k});
  const auto places = [&] { return rw.create(ops::Convert{.destination_type = ElementType::f32}, best.output(1)); };
  if (axis) return values ? best.output(0) : places();
  const Value second = rw.integers({1});
  Value y = rw.create(ops::Unsqueeze{}, places(), second);
  if (values) y = rw.create(ops::Concat{.axis = 1}, y, rw.create(ops::Unsqueeze{}, best.output(0), second));
  if (const auto rank = layer_rank(x)) {
    Integers shape(static_cast<std::size_t>(std::clamp<std::int64_t>(*rank, 3, 64)), 1);
    if (shape.size() == 3) return y;
    std::fill_n(shape.begin(), 3, 0);
    return rw.create(ops::Reshape{.special_zero = true}, y, rw.integers(shape));
  }
  const Value more = rw.create(ops::Maximum{}, rw.create(ops::Subtract{}, rank_of(rw, x), rw.scalar<std::int64_t>(3)), rw.scalar<std::int64_t>(0));
  return rw.create(ops::Reshape{.special_zero = true}, y, join(rw, {rw.integers({0, 0, 0}), ones(rw, more)}));
}

std::string result_name(const Value& value) {
  const auto names = value.data().tensor_names();
  return names.empty() ? fmt::format("{}/sink_port_{}", value.node().name(), value.index()) : fmt::format("{}/sink_port_0", names.front());
}

/// Takes the layers that only matter in training out of a network.
///
/// - A loss that has the last function of the network inside (SoftmaxWithLoss, SigmoidCrossEntropyLoss) becomes that function.
/// - Any other loss or measure goes; the predictions that nobody else reads become outputs of the model in its place, if it was one.
/// - Inputs of the model that nobody reads any more (labels) go.
class LossRemoval {
 public:
  explicit LossRemoval(Graph& graph) : rw_(graph) {}

  Expected<bool> run() {
    std::vector<Node> losses;
    for (const Node node : rw_.graph().nodes())
      if (node.is("CaffeLoss")) losses.push_back(node);
    // Last ones first: a measure, or Silence, may read what another one made.
    for (auto it = losses.rbegin(); it != losses.rend(); ++it) MO_TRY(remove(*it));
    for (const Value& value : wanted_)
      if (value.node().alive() && value.disconnected()) rw_.graph().create_result(value, result_name(value));
    for (const Value& value : read_) clean(value);
    return !losses.empty();
  }

 private:
  Expected<void> remove(const Node& node) {
    const std::string inference = text_of(node, "inference");
    for (const InPort& port : node.in_ports())
      if (const Value source = port.get_source()) read_.push_back(source);
    if (inference != "none" && is_read(node)) {
      const Value y = inference == "softmax" ? rw_.create(ops::SoftMax{.axis = integer_of(node, "axis", 1)}, node.input(0))
                                             : rw_.create(ops::Sigmoid{}, node.input(0));
      rw_.replace(node, Outputs(node.out_port_count(), y));
      return {};
    }
    // A layer that writes a file (HDF5Output) has no tops: what it writes is a result of the network.
    bool was_output = node.out_port_count() == 0;
    for (const OutPort& top : node.out_ports()) {
      for (const InPort& reader : top.get_destinations()) {
        if (!reader.node().is<Result>())
          return node.error("MO-CAFFE-0108", "layer '{}' reads the loss, which is left out of a model for inference", reader.node().name())
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
    auto left = integer_of(node, "predictions");
    std::vector<Value> found;
    for (std::size_t i = 0; i < bottom_count(node) && left > 0; ++i) {
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

void register_softmax_loss(PassRegistry& passes) {
  passes.add(front_replacement_op("CaffeArgMax").replace_op(arg_max));
  passes.add(graph_pass("CaffeLossRemoval").phase(Phase::front).run([](Graph& graph, PassContext&) { return LossRemoval(graph).run(); }));
}

}  // namespace mo::front::caffe
