#include "tools/test/in_body.hpp"

#include "core/inference/infer.hpp"
#include "ops/if.hpp"

namespace mo::test {

Expected<std::unique_ptr<Graph>> as_branches(const Graph& graph) {
  auto whole = std::make_unique<Graph>();
  ops::If node{.then_body = Body(graph.clone()), .else_body = Body(graph.clone())};
  std::vector<Value> inputs{whole->create_parameter({ElementType::boolean, PartialShape(Shape{})}).output()};
  for (const Node& parameter : graph.parameters()) {
    const auto& declared = *parameter.as<Parameter>();
    const ops::InputMap map{.input = static_cast<std::int64_t>(inputs.size()),
                            .parameter = static_cast<std::int64_t>(inputs.size()) - 1};
    node.then_input_map.push_back(map);
    node.else_input_map.push_back(map);
    inputs.push_back(whole->create_parameter({declared.element_type, declared.shape}).output());
  }
  const std::size_t count = graph.results().size();
  for (std::size_t i = 0; i < count; ++i) {
    const ops::OutputMap map{.output = static_cast<std::int64_t>(i), .result = static_cast<std::int64_t>(i)};
    node.then_output_map.push_back(map);
    node.else_output_map.push_back(map);
  }
  const Node owner = whole->create_node(Op(std::move(node)), inputs, count);
  for (std::size_t i = 0; i < count; ++i) whole->create_result(owner.out_port(i));
  MO_TRY(infer_graph(*whole));
  return whole;
}

const Graph* branch_of(const Graph& whole) {
  const std::vector<Node> results = whole.results();
  const auto* node = results.front().input(0).node().as<ops::If>();
  return node != nullptr && whole.node_count() == 1 + results.size() + whole.parameters().size()
             ? &node->then_body.graph()
             : nullptr;
}

}  // namespace mo::test
