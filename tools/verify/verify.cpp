#include "tools/verify/verify.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <functional>

#include "core/graph/model_ends.hpp"
#include "driver/convert.hpp"
#include "tools/common/accelerated.hpp"
#include "tools/common/console.hpp"
#include "tools/common/pass_history.hpp"
#include "tools/common/temporary_folder.hpp"
#include "tools/run/inputs.hpp"
#include "tools/verify/bisection.hpp"
#include "tools/verify/inputs.hpp"
#include "tools/verify/models.hpp"
#include "tools/verify/run_account.hpp"
#include "tools/verify/source_runs.hpp"
#include "transformations/control_flow/support/beam_index.hpp"
#include "transformations/control_flow/support/freed_states.hpp"

namespace mo::tools {
namespace {

class Verifier {
 public:
  Verifier(const VerifyRequest& request, Replacers replacers, DiagnosticSink& sink)
      : request_(request), replacers_(replacers), sink_(sink), models_(request.converted_before ? silent_ : sink) {
    how_.kernels = request.portable ? nullptr : accelerated_kernels();
    for (Closeness* closeness : {&tolerances_.numbers.single, &tolerances_.numbers.half}) {
      if (request.relative) closeness->relative = *request.relative;
      if (request.absolute) closeness->absolute = *request.absolute;
    }
  }

  Expected<Verification> run() {
    made_.source = model_name(request_.source);
    MO_TRY(load());
    tolerances_.outputs_may_move = outputs_may_move();
    if (request_.show) request_.show(source_, checked_);
    if (!request_.reference.empty()) {
      MO_TRY(compare_with_reference());
    } else {
      // An IR of version 10 computes in f32 what the model computes in bf16.
      tolerances_.numbers.single = tolerances_.of(*source_.graph);
      MO_TRY(compare_with_source());
    }
    if (made_.verdict == Verdict::different && is_converted_) MO_TRY(explain());
    return std::move(made_);
  }

 private:
  static std::string model_name(const Options& options) {
    return options.input_model.empty() ? output_name(options) : options.input_model;
  }

  /// An IR of version 11, or an ONNX model that was just written, has the outputs of its model as they were, unless
  /// options say otherwise.
  bool outputs_may_move() const {
    const Options& options = request_.source;
    const AttributeValue* const version = checked_.graph->properties.find("ir_version");
    const std::int64_t* const number = version ? version->get_if<std::int64_t>() : nullptr;
    const bool is_written_onnx = options.to_onnx && (request_.converted_before || request_.checked.empty());
    const bool keeps_layout = is_converted_ && ((number && *number == 11) || is_written_onnx);
    return !keeps_layout || !options.layouts.empty() || !options.source_layouts.empty() ||
           !options.target_layouts.empty();
  }

  Expected<void> load() {
    const auto look = [this](const Graph& graph) { find_frozen_inputs(graph, request_.source, frozen_); };
    MO_ASSIGN(source_, load_truth(request_.source, replacers_, models_, request_.read, look));
    is_converted_ = source_.source == ModelSource::framework;
    MO_TRY(start_engine());
    if (!request_.checked.empty()) {
      Options other;
      other.input_model = request_.checked;
      other.extensions = request_.source.extensions;
      other.custom_ops = request_.source.custom_ops;
      other.budget = request_.source.budget;
      MO_ASSIGN(checked_, load_model(other, {.stage = ModelStage::inferred, .weights = request_.weights}, models_));
      MO_TRY(free_states());
      made_.checked = request_.checked;
      if (engine_runs_ir()) job_.model = request_.checked, job_.weights = request_.weights;
      return {};
    }
    if (!is_converted_) {
      if (engine_runs_ir() && source_.source == ModelSource::ir) return check_source_itself();
      if (request_.reference.empty())
        return error("MO-VERIFY-0002", "\"{}\" is not converted by mo, so there is nothing to compare it with",
                     made_.source)
            .hint("give a second model, the folder of true values with --reference, or for an IR --engine openvino");
      checked_ = std::move(source_);
      made_.checked = made_.source;
      return {};
    }
    return convert_source();
  }

  bool engine_runs_ir() const { return engine_ && request_.engine.runs_the_ir(); }
  bool engine_runs_source() const { return engine_ && !request_.engine.runs_the_ir(); }

  Expected<void> start_engine() {
    if (!request_.engine.is_asked_for()) return {};
    if (!request_.engine.runs_the_ir()) {
      if (!is_converted_)
        return error("MO-VERIFY-0013", "\"{}\" is not a model of a framework, which {} could compute", made_.source,
                     request_.engine.name)
            .hint("--engine openvino computes an IR");
      MO_ASSIGN(job_, job_of_source(request_.source, request_.engine));
    } else if (!request_.checked.empty() && !request_.checked.ends_with(".xml")) {
      return error("MO-VERIFY-0013", "\"{}\" is not an IR, and openvino computes IRs", request_.checked)
          .hint("convert it first, or leave it out");
    } else if (request_.checked.empty() && request_.source.to_onnx) {
      return error("MO-VERIFY-0013", "--to onnx writes an ONNX model, and openvino computes IRs")
          .hint("leave out --to onnx");
    }
    MO_ASSIGN(engine_, Engine::start(request_.engine));
    made_.engine = engine_->title();
    made_.engine_runs_ir = request_.engine.runs_the_ir();
    return {};
  }

  /// An IR in the runtime against the same IR in our executor.
  Expected<void> check_source_itself() {
    MO_ASSIGN(checked_, load_truth(request_.source, replacers_, models_, {}));
    made_.checked = "the same IR";
    job_.model = request_.source.input_model;
    return {};
  }

  Expected<void> convert_source() {
    MO_ASSIGN(folder_, TemporaryFolder::create("mo_verify"));
    Options options = request_.source;
    options.output_dir = folder_->path();
    options.model_name = "model";
    MO_ASSIGN(const Report report, convert(options, sink_));
    Options written;
    const bool is_onnx = report.xml_path.empty();
    written.input_model = is_onnx ? report.onnx_path : report.xml_path;
    written.extensions = options.extensions;
    written.custom_ops = options.custom_ops;
    MO_ASSIGN(checked_, load_model(written, {.stage = ModelStage::inferred}, sink_));
    MO_TRY(free_states());
    made_.checked = is_onnx ? "its ONNX model" : "its IR";
    if (engine_runs_ir()) job_.model = written.input_model;
    return {};
  }

  /// A decoder that keeps its caches gets them as the source does. An engine computes the IR as it is.
  Expected<void> free_states() {
    const auto selects_rows = [](const Graph& graph) {
      const std::vector<Node> inputs = graph.parameters();
      return std::any_of(inputs.begin(), inputs.end(),
                         [](const Node& input) { return is_called(input, transformations::kBeamIndex); });
    };
    if (engine_runs_ir() || selects_rows(*source_.graph) || !selects_rows(*checked_.graph)) return {};
    MO_TRY(transformations::states_to_inputs(*checked_.graph));
    return {};
  }

  Expected<void> compare_with_source() {
    check_ = [this](const Graph& graph) { return check_with_source(graph); };
    runs_.emplace(*source_.graph, request_.source.budget, how_, engine_runs_source() ? engine_.get() : nullptr, job_,
                  frozen_);
    if (!request_.arrays.empty()) {
      MO_ASSIGN(source_run_.inputs, read_inputs(*source_.graph, request_.arrays, sink_));
      MO_ASSIGN(source_run_.outputs, runs_->outputs(source_run_.inputs));
      return compare(request_.seed);
    }
    MO_ASSIGN(plan_, plan_inputs(*source_.graph, *checked_.graph));
    MO_ASSIGN(const UnknownSizes used, run_with_some_sizes());
    MO_TRY(compare(request_.seed));
    for (unsigned i = 1; i < std::max(1U, request_.seeds) && made_.verdict != Verdict::different; ++i) {
      MO_ASSIGN(source_run_, runs_->run(plan_, request_.seed + i, used));
      MO_TRY(compare(request_.seed + i));
    }
    return is_open() && made_.verdict != Verdict::different ? compare_with_other_sizes(used) : Expected<void>();
  }

  /// Runs the source, with the first choice of sizes that it takes. Errors: what the first choice said, after
  /// MO-VERIFY-0015 where there were others.
  Expected<UnknownSizes> run_with_some_sizes() {
    const std::vector<UnknownSizes> choices = first_choices(plan_.shapes, plan_.needed);
    std::optional<Error> problem;
    for (const UnknownSizes& sizes : choices) {
      auto ran = runs_->run(plan_, request_.seed, sizes);
      if (ran) {
        source_run_ = *std::move(ran);
        return sizes;
      }
      if (!runs_->may_go_on()) return std::move(ran).error().in_phase("running the source");
      if (!problem) problem = std::move(ran).error();
    }
    Error said = std::move(*problem).in_phase("running the source");
    if (choices.size() < 2) return said;
    std::vector<std::string> open;
    const std::vector<Node> parameters = source_.graph->parameters();
    for (std::size_t i = 0; i < plan_.shapes.size(); ++i)
      if (!plan_.shapes[i].is_static())
        open.push_back(fmt::format("'{}' {}", parameters[i].name(), plan_.shapes[i].to_string()));
    std::vector<Diagnostic> items = {error("MO-VERIFY-0015",
                                           "no sizes were found with which the model runs; {} were tried for {}",
                                           choices.size(), fmt::join(open, ", "))
                                         .hint("give the shapes of these inputs with --input_shape")};
    items.insert(items.end(), said.items().begin(), said.items().end());
    return Error(std::move(items));
  }

  /// Whether sizes must be chosen.
  bool is_open() const {
    return std::any_of(plan_.shapes.begin(), plan_.shapes.end(),
                       [](const PartialShape& shape) { return !shape.is_static(); });
  }

  /// An IR that holds a size of the model is right for this size only. The source may hold it as well: then there is
  /// nothing to compare.
  Expected<void> compare_with_other_sizes(const UnknownSizes& used) {
    for (const UnknownSizes& sizes : second_choices(used)) {
      if (!runs_->may_go_on()) break;
      auto ran = runs_->run(plan_, request_.seed, sizes);
      if (!ran || ran->sizes == source_run_.sizes) continue;
      source_run_ = *std::move(ran);
      return compare(request_.seed);
    }
    return {};
  }

  Expected<void> compare(unsigned seed) {
    const ChosenSizes& sizes = source_run_.sizes;
    if (made_.seeds.empty() || made_.seeds.back() != seed) made_.seeds.push_back(seed);
    if (!sizes.empty() && (made_.sizes.empty() || made_.sizes.back() != sizes)) made_.sizes.push_back(sizes);
    auto check = engine_runs_ir() ? check_ir() : check_(*checked_.graph);
    if (!check) return with_sizes(check.error(), sizes);
    keep(*std::move(check));
    return {};
  }

  Expected<Check> check_with_source(const Graph& graph) {
    const RunAccount account(request_.source.budget);
    MO_ASSIGN(const InputPlan plan, plan_inputs(*source_.graph, graph));
    MO_ASSIGN(const std::vector<Tensor> inputs, inputs_for(graph, plan, source_run_.inputs));
    MO_ASSIGN(Check check, check_outputs(graph, inputs, source_run_.outputs, tolerances_, how_));
    if (check.verdict != Verdict::different) return check;
    MO_ASSIGN(const Truth tensors, runs_->tensors(source_run_.inputs, graph));
    MO_TRY(find_layer(graph, inputs, tensors, tolerances_, how_, check));
    return check;
  }

  Expected<Check> check_ir() {
    const RunAccount account(request_.source.budget);
    const Graph& graph = *checked_.graph;
    MO_ASSIGN(const InputPlan plan, plan_inputs(*source_.graph, graph));
    MO_ASSIGN(const std::vector<Tensor> inputs, inputs_for(graph, plan, source_run_.inputs));
    MO_ASSIGN(EngineCheck made,
              check_in_engine(*engine_, job_, graph, inputs, source_run_.outputs, tolerances_, how_, check_));
    only_engine_differs_ = made.only_engine_differs;
    return std::move(made.check);
  }

  Expected<void> compare_with_reference() {
    MO_ASSIGN(reference_, read_truth(request_.reference));
    check_ = [this](const Graph& graph) { return check_with_reference(graph); };
    MO_ASSIGN(Check check, check_(*checked_.graph));
    keep(std::move(check));
    return {};
  }

  Expected<Check> check_with_reference(const Graph& graph) {
    const RunAccount account(request_.source.budget);
    std::vector<Tensor> inputs;
    InputPlan plan;
    for (const Node& parameter : graph.parameters()) {
      const std::vector<std::size_t> places = reference_.named_as(parameter.output());
      if (places.empty())
        return parameter
            .error("MO-VERIFY-0006", "\"{}\" has no array for input '{}'", request_.reference, parameter.name())
            .hint("the inputs that the true values were computed from belong there, too: add '{}.npy'",
                  parameter.name());
      plan.source_of.push_back(inputs.size());
      inputs.push_back(reference_[places.front()].value);
    }
    MO_ASSIGN(const std::vector<Tensor> fitted, inputs_for(graph, plan, inputs));
    MO_ASSIGN(Check check, check_outputs(graph, fitted, reference_, tolerances_, how_));
    if (check.verdict == Verdict::different) MO_TRY(find_layer(graph, fitted, reference_, tolerances_, how_, check));
    return check;
  }

  /// The worst verdict counts; of equals, the first.
  void keep(Check check) {
    const bool first = made_.check.outputs.empty();
    if (!first && check.verdict <= made_.verdict) return;
    made_.verdict = check.verdict;
    made_.check = std::move(check);
  }

  /// Which passes had to do with it.
  Expected<void> explain() {
    const bool truth_is_of_others = !request_.reference.empty() || engine_runs_source();
    if (request_.bisect && only_engine_differs_) {
      made_.guilty = GuiltyPass{.when = GuiltyPass::When::engine};
    } else if (request_.bisect) {
      MO_ASSIGN(made_.guilty, find_guilty_pass(request_.source, replacers_, check_, truth_is_of_others, silent_));
    }
    if (!made_.check.layer) return {};
    PassHistory history;
    LoadOptions how;
    how.watch.read = [&](Conversion& conversion) { history.watch(*conversion.manager, *conversion.graph); };
    const RunAccount account(request_.source.budget);
    MO_ASSIGN(const ModelGraph converted, load_model(request_.source, how, silent_));
    if (const Node node = converted.graph->find_node(made_.check.layer->layer)) made_.layer_passes = history.of(node);
    return {};
  }

  const VerifyRequest& request_;
  Replacers replacers_;
  DiagnosticSink& sink_;
  SilentSink silent_;
  DiagnosticSink& models_;  ///< where reading models reports
  ExecutorOptions how_;
  Tolerances tolerances_;
  std::unique_ptr<Engine> engine_;  ///< null: our executor computes both
  EngineJob job_;                   ///< the model that the engine computes
  std::vector<EngineTensor> frozen_;
  bool only_engine_differs_ = false;
  ModelGraph source_;
  bool is_converted_ = false;                ///< the source is a model that mo converts
  std::unique_ptr<TemporaryFolder> folder_;  ///< of the IR that is checked; outlives it
  ModelGraph checked_;
  std::optional<SourceRuns> runs_;
  InputPlan plan_;
  SourceRun source_run_;
  Truth reference_;
  std::function<Expected<Check>(const Graph&)> check_;
  Verification made_;
};

}  // namespace

Expected<Verification> carry_out(const VerifyRequest& request, DiagnosticSink& sink) {
  auto verified = Verifier(request, Replacers::left_out, sink).run();
  if (verified || !request.reference.empty() || !has_replacers(request.source)) return verified;
  // An op that only a replacer gives a meaning, or outputs that a configuration has put in the place of the model's.
  auto without_them = Verifier(request, Replacers::kept, sink).run();
  if (!without_them) return without_them;
  sink.report(
      warning(
          "MO-VERIFY-0014",
          "what plugins and configurations have replaced is not checked, only what the conversion does after that: {}",
          verified.error().first().message)
          .hint("compare the outputs of the model in its framework with those of the IR"));
  return without_them;
}

}  // namespace mo::tools
