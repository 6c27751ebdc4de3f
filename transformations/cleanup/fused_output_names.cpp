#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/graph/model_ends.hpp"
#include "core/graph/values.hpp"
#include "core/rewrite.hpp"
#include "ops/batch_norm_inference.hpp"
#include "ops/elementwise_binary.hpp"

namespace mo::transformations {
namespace {

/// Layers of Caffe whose bias is an addition with the name of the layer.
constexpr std::array<std::string_view, 3> kBiased = {"InnerProduct", "Convolution", "Deconvolution"};

bool is_constant(const Value& value) { return value && value.node().is<Const>(); }
bool is_zero(const Value& value) {
  const auto numbers = reals_of(value);
  return numbers && std::all_of(numbers->begin(), numbers->end(), [](double number) { return number == 0; });
}

/// The constant operand of an elementwise node; the data is the other one.
std::optional<std::size_t> constant_operand(const Node& node) {
  for (const std::size_t i : {1U, 0U})
    if (is_constant(node.input(i)) && !is_constant(node.input(1 - i))) return i;
  return std::nullopt;
}

/// A chain of multiplications and additions with constants, from its end to its begin, as the original makes it of
/// layers.
struct LinearChain {
  std::size_t muls = 0, adds = 0;
  std::string first_mul, first_add;  ///< names in the original; an empty one is not known
  bool adds_first = false;           ///< the first operation is an addition
  bool adds_nothing = true;

  /// Prepends `node` to the chain and returns its data; nothing for a node that is not part of the chain.
  Value take(const Node& node) {
    const std::string_view layer = node.origin().op;
    if (node.is<ops::BatchNormInference>()) {
      for (std::size_t i = 1; i < node.in_port_count(); ++i)
        if (!is_constant(node.input(i))) return {};
      muls += 2;
      adds += 2;
      first_mul = fmt::format("{}/mean", node.name());
      first_add = fmt::format("{}/variance", node.name());
      adds_nothing = adds_nothing && is_zero(node.input(2)) && is_zero(node.input(3));
      return node.input(0);
    }
    const auto constant = node.is<ops::Add>() || node.is<ops::Multiply>() ? constant_operand(node) : std::nullopt;
    const bool is_bias = std::find(kBiased.begin(), kBiased.end(), layer) != kBiased.end();
    if (!constant || (!is_bias && layer != "Scale")) return {};
    if (node.is<ops::Multiply>()) {
      ++muls;
      first_mul.clear();
    } else {
      ++adds;
      first_add = is_bias ? std::string(node.name()) : "";
      adds_nothing = adds_nothing && is_zero(node.input(*constant));
    }
    return node.input(1 - *constant);
  }

  /// A single operation stays what it is, and so does an addition after a multiplication.
  std::string name() const {
    if (muls + adds < 2 || (muls == 1 && adds == 1 && !adds_first)) return {};
    const std::string& first = adds_nothing ? first_mul : first_add;
    return first.empty() ? std::string() : fmt::format("{}/Fused_{}_", first, adds_nothing ? "Mul" : "Add");
  }
};

LinearChain chain_in_front_of(const Node& result) {
  LinearChain chain;
  Value at = result.input(0);
  while (at && at.node().origin().framework == "Caffe") {
    const Node node = at.node();
    const Value data = chain.take(node);
    if (!data) break;
    chain.adds_first = node.is<ops::Add>();
    at = data.get_destinations().size() == 1 ? data : Value();
  }
  return chain;
}

Expected<bool> name_outputs(Graph& graph, PassContext&) {
  bool changed = false;
  for (const Node& result : graph.results()) {
    if (!result.input(0)) continue;
    const std::string name = chain_in_front_of(result).name();
    if (name.empty()) continue;
    set_public_name(result, name);
    const auto tensor = result.input(0).data();
    if (tensor.first_tensor_name().empty()) tensor.add_tensor_name(result.input(0).node().name());
    for (const std::string& more : {name, name + ":0"}) tensor.add_tensor_name(more);
    changed = true;
  }
  return changed;
}

}  // namespace

/// Linear layers of Caffe at the end of a model (InnerProduct, BatchNorm, Scale) are one multiplication and one
/// addition in the original, called after the first of each: "fc1/Fused_Add_" is the key of the output in programs. The
/// weights take the multiplication later; the addition stays.
void register_fused_output_names(PassRegistry& passes) {
  passes.add(graph_pass("FusedOutputNames")
                 .phase(Phase::middle)
                 .run_before({"MiddleStart"})
                 .only_top_level()
                 .when([](const Graph&, const PassContext& context) { return !context.settings.disable_fusing; })
                 .run(name_outputs));
}

}  // namespace mo::transformations
