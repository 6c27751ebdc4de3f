#include <algorithm>
#include <array>

#include "core/graph/model_ends.hpp"
#include "core/rewrite.hpp"
#include "ops/build/lengths.hpp"
#include "ops/gather.hpp"
#include "ops/read_value.hpp"
#include "transformations/control_flow/support/beam_index.hpp"
#include "transformations/control_flow/support/encoder_states.hpp"
#include "transformations/control_flow/support/input_states.hpp"

namespace mo::transformations {
namespace {

constexpr std::string_view kStatefulDecoder = "StatefulDecoder";

struct StatefulDecoderSettings {
  std::string param_res_names;  ///< "{'input':'output'}"; empty: the caches are recognised by their names
  std::string batch_input;      ///< whose first dimension is the batch; empty: the tokens
  std::int64_t batch_axis = 0;  ///< of the caches
  std::string encoder_input = "encoder_hidden_states";  ///< what an encoder made; a model need not have it
  static constexpr auto attributes = Attributes{attr("param_res_names", &StatefulDecoderSettings::param_res_names),
                                                attr("batch_input", &StatefulDecoderSettings::batch_input),
                                                attr("batch_axis", &StatefulDecoderSettings::batch_axis),
                                                attr("encoder_input", &StatefulDecoderSettings::encoder_input)};
};

/// What exporters call the tokens of a step, or their embeddings.
constexpr std::array<std::string_view, 3> kTokens = {"input_ids", "decoder_input_ids", "inputs_embeds"};

/// The input whose first dimension is the batch. Error MO-CONFIG-0053.
Expected<Node> find_batch_input(const Graph& graph, const std::vector<InputState>& states, const std::string& wanted) {
  std::vector<Node> others;
  for (const Node& parameter : graph.parameters())
    if (std::none_of(states.begin(), states.end(),
                     [&](const InputState& state) { return state.parameter == parameter; }))
      others.push_back(parameter);
  const auto find = [&](std::string_view name) {
    return std::find_if(others.begin(), others.end(), [name](const Node& input) { return is_called(input, name); });
  };
  auto found = others.end();
  if (!wanted.empty()) {
    found = find(wanted);
    if (found == others.end())
      return error("MO-CONFIG-0053", "{}: the model has no input '{}' that is not a state", kStatefulDecoder, wanted)
          .hint("mo inspect lists the inputs");
  }
  for (auto name = kTokens.begin(); found == others.end() && name != kTokens.end(); ++name) found = find(*name);
  if (found == others.end())
    return error("MO-CONFIG-0053", "{}: none of the model's inputs is called {}", kStatefulDecoder,
                 "input_ids, decoder_input_ids or inputs_embeds")
        .hint("name the input whose first dimension is the batch: --transform \"{}[batch_input=NAME]\"",
              kStatefulDecoder);
  if (found->output_type().rank().value_or(0) < 1)
    return found
        ->error("MO-CONFIG-0053", "{}: the batch is not a known dimension of the input '{}': its shape is {}",
                kStatefulDecoder, found->name(), found->output_type().shape.to_string())
        .hint("give its shape with --input or --input_shape");
  return *found;
}

Expected<std::vector<StatePair>> pairs_of(const Graph& graph, const StatefulDecoderSettings& settings) {
  if (!settings.param_res_names.empty()) return parse_state_pairs(settings.param_res_names, kStatefulDecoder);
  std::vector<StatePair> caches = caches_of(graph);
  if (!caches.empty() || graph.has_op(ops::ReadValue::id.type)) return caches;
  return error("MO-CONFIG-0052", "{}: the model has no cache: no input past_key_values.… with an output present.…",
               kStatefulDecoder)
      .hint(
          "export the model with a cache (past_key_values), or name the pairs: --transform "
          "\"{}[param_res_names={{'input':'output','input2':'output2'}}]\"",
          kStatefulDecoder);
}

/// Selects rows of each cache before anything else reads it.
Expected<void> choose_rows(Graph& graph, const std::vector<InputState>& states, const Node& batch_input,
                           std::int64_t axis) {
  const Dimension batch = batch_input.output_type().shape[0];
  const Node beam_index = graph.create_parameter({ElementType::i32, PartialShape{batch}}, kBeamIndex);
  beam_index.output().data().add_tensor_name(kBeamIndex);
  Rewriter rw(graph);
  const Value where = rw.scalar<std::int64_t>(axis);
  for (const InputState& state : states) {
    const auto rank = state.parameter.output_type().rank();
    if (!rank || axis < 0 || axis >= *rank)
      return state.parameter
          .error("MO-CONFIG-0051", "{}: the state '{}' has no axis {}: its shape is {}", kStatefulDecoder,
                 state.parameter.name(), axis, state.parameter.output_type().shape.to_string())
          .hint("give its shape with --input or --input_shape, or the axis of the batch with batch_axis");
    rw.insert_node(state.parameter.output(), ops::Gather{}, beam_index.output(), where);
  }
  if (rw.error()) return Error(*rw.error());
  return {};
}

/// Keys and values that are computed from what an encoder made: the first run of a text computes them. Inputs for them,
/// which nothing reads then, go.
Expected<void> keep_values_of_encoder(Graph& graph, const std::string& encoder_input) {
  for (const Node& parameter : graph.parameters()) {
    if (!is_called(parameter, encoder_input)) continue;
    MO_TRY(keep_values_of(graph, parameter));
    for (const Node& cache : encoder_caches_of(graph))
      if (cache.output().disconnected()) graph.erase(cache);
    break;
  }
  return {};
}

Expected<bool> run_stateful_decoder(Graph& graph, PassContext& context) {
  const auto& settings = context.settings.get<StatefulDecoderSettings>();
  MO_ASSIGN(const std::vector<StatePair> pairs, pairs_of(graph, settings));
  MO_ASSIGN(const std::vector<InputState> states, find_states(graph, pairs, kStatefulDecoder));
  if (states.empty()) return false;
  for (const Node& parameter : graph.parameters())
    if (is_called(parameter, kBeamIndex))
      return parameter.error("MO-CONFIG-0054", "{}: the model has an input '{}' already", kStatefulDecoder, kBeamIndex)
          .hint("make states of a model that reorders its caches itself with --transform MakeStateful");
  MO_ASSIGN(const Node batch_input, find_batch_input(graph, states, settings.batch_input));
  MO_TRY(choose_rows(graph, states, batch_input, settings.batch_axis));
  MO_TRY(make_variables(
      graph, states,
      [&](Rewriter& rw, const Dimension&, std::size_t axis) {
        return static_cast<std::int64_t>(axis) == settings.batch_axis ? build::length_along(rw, batch_input.output(), 0)
                                                                      : Value();
      },
      kStatefulDecoder));
  MO_TRY(keep_values_of_encoder(graph, settings.encoder_input));
  return true;
}

}  // namespace

/// StatefulDecoder: a decoder that gets its caches and returns them keeps them, and gets the rows of the batch in place
/// of them: what OpenVINO's pipelines for text generation expect. With --stateful.
void register_stateful_decoder(PassRegistry& passes) {
  passes.add(graph_pass(std::string(kStatefulDecoder))
                 .described("Parameter(past_key_values.N.key) … Result(present.N.key)",
                            "ReadValue → Gather(beam_idx) … Assign",
                            "caches are recognised by their names (past_key_values.… with present.… or "
                            "present_key_values.…, cache_params.past.… with cache_params.present.…), or "
                            "param_res_names specifies them: {'input':'output'}. They begin without elements, with the "
                            "batch of batch_input (input_ids, decoder_input_ids or inputs_embeds) at batch_axis; the "
                            "new input beam_idx selects the rows of the batch before a run. What is computed of "
                            "encoder_input alone becomes states, too, which are computed after a reset only")
                 .phase(Phase::finish)
                 .run_after({"FinalInference"})
                 .run_before({"CheckTarget"})
                 .disabled_by_default()
                 .settings<StatefulDecoderSettings>()
                 .only_top_level()
                 .whole_graph("names choose the caches")
                 .run(run_stateful_decoder));
}

}  // namespace mo::transformations
