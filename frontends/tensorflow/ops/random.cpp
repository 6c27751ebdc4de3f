#include <vector>

#include "core/registry/operator_table.hpp"

namespace mo::tensorflow {
namespace {

/// `kind`: uniform, integers, normal or truncated. Both seeds 0: other numbers in each run.
Expected<Op> stateful(const FrameworkNode& node, std::string_view kind) {
  const ElementType type = kind == "integers" ? node.required<ElementType>("Tout") : node.required<ElementType>("dtype");
  return front_op("TfRandom",
                  {{"kind", kind}, {"type", type}, {"seed", node.attr<std::int64_t>("seed", 0)}, {"seed2", node.attr<std::int64_t>("seed2", 0)}});
}

/// Inputs: shape, seed [2] (limits), or from version 2 on: shape, key, counter, algorithm (limits).
Expected<Op> stateless(const FrameworkNode& node, std::string_view kind, std::int64_t limits_at) {
  return front_op("TfRandom", {{"kind", kind}, {"type", node.attr("dtype", ElementType::f32)}, {"limits", limits_at}, {"stateless", true}});
}

}  // namespace

void register_random(OperatorTable& table) {
  table.extract("RandomUniform", [](const FrameworkNode& node) { return stateful(node, "uniform"); });
  table.extract("RandomUniformInt", [](const FrameworkNode& node) { return stateful(node, "integers"); });
  table.extract("RandomStandardNormal", [](const FrameworkNode& node) { return stateful(node, "normal"); });
  table.extract("TruncatedNormal", [](const FrameworkNode& node) { return stateful(node, "truncated"); });
  struct Row {
    const char* name;
    const char* kind;
  };
  for (const Row row : {Row{"StatelessRandomUniform", "uniform"}, Row{"StatelessRandomUniformInt", "integers"},
                        Row{"StatelessRandomNormal", "normal"}, Row{"StatelessTruncatedNormal", "truncated"}}) {
    table.extract(row.name, [row](const FrameworkNode& node) { return stateless(node, row.kind, 2); });
    table.extract(std::string(row.name) + "V2", [row](const FrameworkNode& node) { return stateless(node, row.kind, 4); });
  }
  table.extract("StatelessRandomGetKeyCounter", [](const FrameworkNode& node) -> Expected<Op> {
    node.declare_outputs(2);
    return front_op("TfRandomKeyCounter");
  });
  table.extract("StatelessRandomGetKeyCounterAlg", [](const FrameworkNode& node) -> Expected<Op> {
    node.declare_outputs(3);
    return front_op("TfRandomKeyCounter");
  });
  table.extract("StatelessRandomGetAlg", [](const FrameworkNode&) -> Expected<Op> { return front_op("TfRandomAlgorithm"); });
  table.extract("Multinomial", [](const FrameworkNode& node) -> Expected<Op> {
    return front_op("TfMultinomial", {{"type", node.attr("output_dtype", ElementType::i64)},
                                      {"seed", node.attr<std::int64_t>("seed", 0)},
                                      {"seed2", node.attr<std::int64_t>("seed2", 0)}});
  });
  table.extract("StatelessMultinomial", [](const FrameworkNode& node) -> Expected<Op> {
    return front_op("TfMultinomial", {{"type", node.attr("output_dtype", ElementType::i64)}, {"stateless", true}});
  });
  table.extract("RandomShuffle", [](const FrameworkNode& node) -> Expected<Op> {
    return front_op("TfRandomShuffle", {{"seed", node.attr<std::int64_t>("seed", 0)}, {"seed2", node.attr<std::int64_t>("seed2", 0)}});
  });
}

}  // namespace mo::tensorflow
