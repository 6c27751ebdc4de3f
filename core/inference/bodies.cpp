#include "core/inference/bodies.hpp"

#include "core/inference/infer.hpp"

namespace mo {

void give_facts(Graph& body, const std::vector<TensorFact>& inputs) {
  const std::vector<Node> parameters = body.parameters();
  MO_ASSERT(parameters.size() == inputs.size(), "a body gets one fact for each of its Parameters");
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const TensorFact fact = without_symbols(inputs[i]);
    auto* parameter = parameters[i].as<Parameter>();
    parameter->element_type = fact.type.element_type;
    parameter->shape = fact.type.shape;
    parameters[i].out_port(0).data().clear_value();
  }
}

std::vector<TensorFact> facts_of_results(const Graph& body) {
  std::vector<TensorFact> results;
  for (const Node& result : body.results())
    results.push_back(without_symbols(result.input(0) ? result.input(0).data().fact() : TensorFact{}));
  return results;
}

Expected<std::vector<TensorFact>> infer_body_in_place(Graph& body, const std::vector<TensorFact>& inputs) {
  give_facts(body, inputs);
  MO_TRY(infer_graph(body));
  return facts_of_results(body);
}

Expected<std::vector<TensorFact>> InferContext::infer_body(Graph& body, const std::vector<TensorFact>& inputs,
                                                           bool repeats) const {
  return bodies_ ? bodies_->infer(body, inputs, repeats) : infer_body_in_place(body, inputs);
}

}  // namespace mo
