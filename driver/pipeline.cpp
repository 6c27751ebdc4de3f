#include "driver/pipeline.hpp"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>

#include "core/op/runtimes.hpp"
#include "core/pass/given_options.hpp"
#include "core/support/log.hpp"
#include "core/support/printable.hpp"
#include "core/text/printer.hpp"
#include "driver/replacements.hpp"
#include "extensions/config/config_ops.hpp"
#include "extensions/front/caffe/custom_layers_mapping.hpp"
#include "extensions/front/caffe/interp_zoom.hpp"
#include "extensions/object_detection/pipeline_config.hpp"
#include "frontends/caffe/mean_file.hpp"
#include "frontends/caffe/reader.hpp"
#include "frontends/tensorflow/reader.hpp"
#include "phases/back/boundary_names.hpp"
#include "phases/back/finish.hpp"
#include "phases/front/batch_size.hpp"
#include "phases/front/cutting.hpp"
#include "phases/front/extraction.hpp"
#include "phases/middle/layout/layout_change.hpp"
#include "phases/middle/preprocessing.hpp"
#include "phases/partial_inference/input_ranks.hpp"
#include "phases/partial_inference/kept_sizes.hpp"
#include "phases/partial_inference/partial_inference.hpp"
#include "transformations/support/constant_folding_settings.hpp"
#include "transformations/support/old_interface.hpp"

namespace mo {
namespace {

phases::Place place_of(const PortedName& name) {
  phases::Place place{name.text, {}};
  for (const PortedName& reading : readings(name))
    place.readings.push_back({reading.node, reading.in_port, reading.out_port});
  return place;
}

std::vector<phases::Place> output_places(const Options& options) {
  std::vector<phases::Place> places;
  for (const OutputSpec& output : options.outputs) places.push_back(place_of(output));
  return places;
}

std::vector<phases::InputCut> input_cuts(const Options& options) {
  std::vector<phases::InputCut> cuts;
  for (const InputSpec& input : options.inputs) {
    phases::InputCut cut{place_of(input), input.shape, input.type, {}, false};
    if (input.value) {
      cut.value = input.value->items;
      cut.value_is_list = input.value->is_list;
    }
    cuts.push_back(std::move(cut));
  }
  return cuts;
}

/// Names of inputs whose element type the user chose.
std::vector<std::string> typed_inputs(const Options& options) {
  std::vector<std::string> names;
  for (const InputSpec& input : options.inputs)
    if (input.type)
      for (const PortedName& reading : readings(input)) names.push_back(reading.node);
  return names;
}

/// Freezing is a cut of its own, after the shapes were set: `--input x[2]` and `--freeze_placeholder_with_value x->1`
/// go together.
std::vector<phases::InputCut> frozen_inputs(const Options& options) {
  std::vector<phases::InputCut> cuts;
  for (const FrozenPlaceholder& frozen : options.freeze_placeholder_with_value)
    cuts.push_back({place_of(frozen), {}, {}, frozen.value.items, frozen.value.is_list});
  return cuts;
}

/// Whether the user gives some input a shape.
bool gives_shapes(const Options& options) {
  return options.batch || !options.input_shapes.empty() ||
         std::any_of(options.inputs.begin(), options.inputs.end(),
                     [](const InputSpec& input) { return input.shape.has_value(); });
}

phases::CutNames cut_names(std::string_view framework, bool is_v10) {
  if (framework == "onnx") return is_v10 ? phases::CutNames::onnx_2021 : phases::CutNames::onnx_2024;
  if (framework == "tf") return is_v10 ? phases::CutNames::tensorflow_2021 : phases::CutNames::tensorflow_2024;
  return phases::CutNames::caffe;
}

std::vector<phases::LayoutRequest> layout_requests(const Options& options) {
  std::vector<phases::LayoutRequest> requests;
  for (const LayoutSpec& spec : options.layouts) requests.push_back({spec.name, spec.source, spec.target});
  for (const LayoutSpec& spec : options.source_layouts) requests.push_back({spec.name, spec.source, {}});
  // Without names, source and target belong together by their position.
  const std::size_t nameless = requests.empty() || requests.front().name ? 0 : requests.size();
  for (std::size_t i = 0; i < options.target_layouts.size(); ++i) {
    const LayoutSpec& spec = options.target_layouts[i];
    if (!spec.name && i < nameless)
      requests[i].tensor = spec.target;
    else
      requests.push_back({spec.name, {}, spec.target});
  }
  return requests;
}

Expected<phases::PreprocessingRequest> preprocessing_request(const Options& options, std::string_view framework) {
  const auto numbers = [](const std::vector<ChannelValues>& values) {
    std::vector<phases::ChannelNumbers> made;
    for (const ChannelValues& v : values) made.push_back({v.name, v.values});
    return made;
  };
  phases::PreprocessingRequest request{
      numbers(options.mean_values), numbers(options.scale_values), options.scale, options.reverse_input_channels, {},
      layout_requests(options),     framework == "caffe"};
  const CaffeOptions& given = options.caffe;
  if (framework != "caffe" || given.mean_file.empty()) return request;
#if MO_READS_CAFFE
  MO_ASSIGN(Tensor image, caffe::read_mean_image(given.mean_file));
  request.mean_image = phases::MeanImage{std::move(image), {}};
  // The original takes the first one for rows although it calls it x.
  if (given.mean_file_offsets && given.mean_file_offsets->size() == 2)
    request.mean_image->offsets = {(*given.mean_file_offsets)[0], (*given.mean_file_offsets)[1]};
#endif
  return request;
}

tensorflow::ModelSource tensorflow_source(const Options& options) {
  const TensorFlowOptions& given = options.tensorflow;
  tensorflow::ModelSource source;
  source.is_text = given.input_model_is_text;
  source.checkpoint = given.input_checkpoint;
  source.meta_graph = given.input_meta_graph;
  source.saved_model_dir = given.saved_model_dir;
  source.tags = given.saved_model_tags;
  source.signature = given.saved_model_signature;
  return source;
}

caffe::ModelSource caffe_source(const Options& options) {
  caffe::ModelSource source;
  source.topology = options.caffe.input_proto;
  source.disable_weights = options.caffe.disable_weights;
  for (std::size_t i = 0; i < std::max(options.inputs.size(), options.input_shapes.size()); ++i) {
    const InputSpec* input = i < options.inputs.size() ? &options.inputs[i] : nullptr;
    const bool has_shape = input && input->shape;
    if (!has_shape && i >= options.input_shapes.size()) continue;
    source.input_shapes.emplace_back(input ? input->text : "", has_shape ? *input->shape : options.input_shapes[i]);
  }
  return source;
}

/// Errors: MO-DRIVER-0001.
Expected<std::shared_ptr<const RE2>> pattern_of(std::string_view option, const std::string& text) {
  auto pattern = std::make_shared<const RE2>(text, RE2::Quiet);
  if (!pattern->ok())
    return error("MO-DRIVER-0001", "{}: '{}' is not a regular expression: {}", option, text, pattern->error())
        .hint("give a regular expression in RE2 syntax");
  return pattern;
}

Expected<void> configure(PassManager& manager, const Options& options) {
  for (const std::string& name : options.passes.enable) manager.config.enable(name);
  for (const std::string& name : options.passes.disable) manager.config.disable(name);
  if (options.disable_resnet_optimization) manager.config.disable("StridePropagation");
  if (options.enable_concat_optimization) manager.config.enable("ConcatOptimization");
  if (options.stateful) manager.config.enable("StatefulDecoder");
  if (options.disable_gfusing) manager.config.disable("GroupConvolutionFusion");
  if (!options.passes.only.empty()) manager.config.only(options.passes.only);
  if (!options.passes.explain.empty()) {
    manager.config.explain(options.passes.explain);
    manager.on_verdict = [](const RuleVerdict& verdict) { fmt::print(stderr, "{}\n", printable(to_string(verdict))); };
  }
  manager.verify_each = options.passes.verify_each;
  for (const std::string& expression : options.finegrain_fusing) MO_TRY(pattern_of("--finegrain_fusing", expression));
  if (!options.passes.dump_after.empty()) {
    MO_ASSIGN(const auto pattern, pattern_of("--dump-after", options.passes.dump_after));
    manager.also_after_pass([pattern](const PassEvent& event) {
      if (RE2::FullMatch(event.pass.name, *pattern))
        log::write_plain(fmt::format("# after {}\n{}", event.pass.name, to_text(event.graph, {.types = true})));
    });
  }
  return {};
}

}  // namespace

Settings settings_of(const Options& options) {
  Settings settings;
  settings.input_model = options.input_model;
  for (const InputSpec& input : options.inputs) settings.inputs.push_back(input.text);
  for (const OutputSpec& output : options.outputs) settings.outputs.push_back(output.text);
  settings.ir_version = options.written_ir_version();
  if (const RuntimeRelease* runtime = options.target(); runtime && !options.to_onnx) {
    settings.op_set = runtime->op_set;
    settings.op_set_is_fixed = true;
    settings.release = runtime->name;
  } else if (settings.ir_version == 10) {
    settings.release = last_release::limited_to_version_10;
  }
  settings.allow_links = options.allow_links;
  settings.static_shape = options.static_shape;
  settings.compress_to_fp16 = options.wants_fp16();
  settings.disable_fusing = options.disable_fusing;
  settings.finegrain_fusing = options.finegrain_fusing;
  settings.disable_nhwc_to_nchw = options.tensorflow.disable_nhwc_to_nchw;
  settings.set(GivenOptions{options.given, options.known_options});
  settings.set(
      object_detection::DetectionSettings{.pipeline_config = options.tensorflow.object_detection_api_pipeline_config});
  settings.set(
      front::caffe::CustomLayerSettings{.mapping = options.caffe.custom_layers_mapping,
                                        .flattens_nested_params = options.caffe.enable_flattening_nested_params,
                                        .keeps_optional_params = options.caffe.disable_omitting_optional});
  settings.set(front::caffe::InterpSettings{.zoom_multiplies = options.caffe.interp_zoom_multiplies});
  settings.set(transformations::OldInterfaceSettings{.typed_inputs = typed_inputs(options)});
  settings.set(transformations::ConstantFoldingSettings{.shapes = options.static_shape});
  settings.set(tensorflow_source(options));
  settings.set(caffe_source(options));
  return settings;
}

Expected<std::unique_ptr<PassManager>> make_pipeline(Registry& registry, const std::string& framework,
                                                     const Options& options) {
  if (std::vector<Diagnostic> problems = registry.problems(); !problems.empty()) return Error(std::move(problems));
  auto manager = std::make_unique<PassManager>();
  MO_TRY(configure(*manager, options));
  const auto failures = std::make_shared<phases::ExtractionFailures>();
  const auto ignored = std::make_shared<phases::IgnoredAttributes>(options.ignored_attributes);
  const OperatorTable& operators = registry.operators(framework);

  std::vector<Pass> steps;
  steps.push_back(phases::extraction(operators, framework, failures, ignored));
  const phases::CutNames names = cut_names(framework, options.written_ir_version() == 10);
  const auto infer = [&operators, framework, settings = settings_of(options)](Graph& graph) {
    phases::infer_what_is_possible(graph, operators, framework, settings);
  };
  steps.push_back(phases::output_cut(output_places(options), names));
  steps.push_back(phases::input_cut("InputCut", input_cuts(options), options.input_shapes, names, infer));
  Pass freeze = phases::input_cut("FreezeInputs", frozen_inputs(options), {}, names);
  freeze.after = {"InputCut"};
  steps.push_back(std::move(freeze));
  if (options.batch) steps.push_back(phases::batch_size(*options.batch, layout_requests(options)));
  steps.push_back(config::config_ops(registry));
  // TensorFlow's loops are made of nodes with names of their own: configurations see them before they become bodies.
  const std::vector<std::string> control_flow =
      framework == "tf" ? std::vector<std::string>{"TfTensorArrays"} : std::vector<std::string>();
  steps.push_back(phases::structure_attributes(operators, framework, failures, control_flow, ignored));
  for (Pass& pass : config::replacement_anchors(control_flow)) steps.push_back(std::move(pass));
  steps.push_back(phases::report_unsupported(operators, framework, failures));
  std::vector<Pass> replacers;
  for (const Pass& pass : registry.passes().passes())
    if (pass.run_at) replacers.push_back(pass);
  // as ties between passes
  std::sort(replacers.begin(), replacers.end(), [](const Pass& a, const Pass& b) { return a.name < b.name; });
  steps.push_back(phases::partial_inference(operators, framework, ignored, std::move(replacers)));
  steps.push_back(phases::input_ranks());
  if (gives_shapes(options)) MO_TRY(add_smart_reshape(*manager));
  steps.push_back(phases::kept_sizes());
  MO_ASSIGN(phases::PreprocessingRequest preprocessing, preprocessing_request(options, framework));
  steps.push_back(phases::preprocessing(std::move(preprocessing)));
  steps.push_back(phases::layout_change());
  steps.push_back(phases::transpose_fusion());
  steps.push_back(phases::dead_code_elimination());
  steps.push_back(phases::compress_to_fp16());
  steps.push_back(phases::final_inference());
  steps.push_back(phases::boundary_names());
  steps.push_back(phases::check_target());
  steps.push_back(phases::unique_names());
  for (Pass& pass : steps) MO_TRY(manager->add(std::move(pass)));
  std::deque<Pass> registered = registry.passes().take();
  for (const Pass& pass : registered) {
    const Owner& owner = registry.passes().owner_of(pass.name);
    if (owner.is_plugin() && manager->find(pass.name))
      return error("MO-PLUGIN-0021", "pass {} is registered twice: by mo, as a step of every conversion, and by {}",
                   pass.name, owner.name)
          .hint("rename the plugin's pass; steps of every conversion cannot be overridden");
  }
  MO_TRY(manager->add(std::move(registered)));
  MO_TRY(enable_transforms(*manager, options));
  MO_TRY(manager->check());
  return manager;
}

}  // namespace mo
