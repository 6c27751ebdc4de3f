#include "driver/options.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

namespace mo {
namespace {

/// Longest file name that leaves room for ".mapping" and a temporary suffix on every usual file system (255 bytes).
constexpr std::size_t kMaxModelName = 200;

/// Collects everything that is wrong, so that a user corrects a command line once.
class Checks {
 public:
  explicit Checks(const Options& options) : options_(options) {}

  Expected<void> run() {
    check_model();
    check_conflicts();
    check_single_options();
    check_shapes();
    check_values("--mean_values", options_.mean_values);
    check_values("--scale_values", options_.scale_values);
    check_frozen();
    if (problems_.empty()) return {};
    return Error(std::move(problems_));
  }

 private:
  void add(Diagnostic problem) { problems_.push_back(std::move(problem)); }

  void conflict(std::string_view first, std::string_view second, std::string_view hint) {
    add(error("MO-CLI-0007", "{} and {} exclude each other", first, second).hint("{}", hint));
  }

  void check_model() {
    const TensorFlowOptions& tf = options_.tensorflow;
    const bool other_source = !tf.saved_model_dir.empty() || !tf.input_meta_graph.empty() ||
                              !options_.caffe.input_proto.empty() || options_.is_given("input_symbol") ||
                              options_.is_given("pretrained_model_name");
    if (options_.input_model.empty() && !other_source && options_.converts())
      add(error("MO-CLI-0006", "there is no model").hint("give its path, or --input_model with it"));
    if (!options_.input_model.empty() && !tf.saved_model_dir.empty())
      conflict("--input_model", "--saved_model_dir", "name the model once");
  }

  void check_conflicts() {
    const auto& inputs = options_.inputs;
    const bool shape_in_input =
        std::any_of(inputs.begin(), inputs.end(), [](const InputSpec& input) { return input.shape.has_value(); });
    if (!options_.input_shapes.empty() && options_.batch)
      conflict("--input_shape", "--batch", "put the batch into the shape");
    if (shape_in_input && !options_.input_shapes.empty())
      conflict("a shape inside --input", "--input_shape", "give all shapes in one of them");
    if (shape_in_input && options_.batch) conflict("a shape inside --input", "--batch", "put the batch into the shape");
    if (options_.scale && !options_.scale_values.empty())
      conflict("--scale", "--scale_values", "--scale is one number for all channels, --scale_values one per channel");
    if (!options_.caffe.mean_file.empty() && !options_.mean_values.empty())
      conflict("--mean_file", "--mean_values", "subtract the mean once");
    if (!options_.layouts.empty() && !(options_.source_layouts.empty() && options_.target_layouts.empty()))
      conflict("--layout", "--source_layout and --target_layout", "say both in one: --layout \"name(nhwc->nchw)\"");
    if (options_.is_given("use_new_frontend") && options_.is_given("use_legacy_frontend"))
      conflict("--use_new_frontend", "--use_legacy_frontend",
               "leave out both: there is one frontend for each framework");
    if (options_.stateful) check_stateful();
    if (options_.is_given("legacy_ir_generation") && !options_.transform.empty())
      conflict("--legacy_ir_generation", "--transform", "leave out --legacy_ir_generation, it has no effect");
  }

  /// What CheckTarget finds at the end of the conversion, too.
  void check_stateful() {
    if (options_.to_onnx)
      conflict("--stateful", "--to onnx",
               "ONNX has no states: leave out --stateful, the caches stay inputs and outputs");
    else if (options_.written_ir_version() == 10)
      conflict("--stateful", options_.ir_version ? "--ir_version 10" : "--target_runtime",
               fmt::format("states of unknown size need IR version 11 and a runtime from {} on",
                           first_release::with_growing_states));
    else if (options_.target() && is_older(options_.target()->name, first_release::with_growing_states))
      conflict("--stateful", "--target_runtime",
               fmt::format("states of unknown size need a runtime from {} on", first_release::with_growing_states));
  }

  void check_single_options() {
    if (options_.batch && *options_.batch < 1)
      add(error("MO-CLI-0026", "--batch must be at least 1, not {}", *options_.batch)
              .hint("for a batch of any size use --input_shape with -1"));
    if (options_.ir_version && *options_.ir_version != 10 && *options_.ir_version != 11)
      add(error("MO-CLI-0005", "--ir_version: {} is not a version that mo writes", *options_.ir_version)
              .hint("use 10 or 11"));
    if (!options_.target_runtime.empty() && !options_.target())
      add(error("MO-CLI-0005", "--target_runtime: {} is not a release that reads an IR", options_.target_runtime)
              .hint("write it as {} or {}; the first one is {}", last_release::limited_to_version_10,
                    newest_runtime().name, runtime_releases().front().name));
    if (options_.target() && !options_.target()->reads_v11() && options_.ir_version == 11)
      conflict("--ir_version 11", "--target_runtime",
               fmt::format("runtimes before {} read IR version 10: leave out --ir_version",
                           first_release::reading_version_11));
    if (options_.data_type && *options_.data_type != ElementType::f32 && *options_.data_type != ElementType::f16)
      add(error("MO-CLI-0005", "--data_type: {} is not possible for a whole model", to_string(*options_.data_type))
              .hint("use FP32 or FP16"));
    if (options_.scale && *options_.scale == 0)
      add(error("MO-CLI-0016", "--scale: the inputs would be divided by 0")
              .hint("leave out --scale to keep the inputs as they are"));
    check_model_name();
  }

  /// A folder may precede the name: "models/net" is models/net.xml in the output directory.
  static bool leads_out(const std::string& name) {
    if (name.front() == '/' || name.back() == '/') return true;
    const std::filesystem::path path(name);
    return std::any_of(path.begin(), path.end(),
                       [](const std::filesystem::path& part) { return part == "." || part == ".." || part.empty(); });
  }

  /// The name becomes part of two paths: it must not lead out of the output directory.
  void check_model_name() {
    const std::string& name = options_.model_name;
    if (name.empty()) return;
    const bool unprintable =
        std::any_of(name.begin(), name.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; });
    std::string_view reason;
    if (leads_out(name))
      reason = "it leads out of the output directory";
    else if (unprintable)
      reason = "it contains a control character";
    else if (name.size() > kMaxModelName)
      reason = "it is longer than 200 bytes";
    if (!reason.empty())
      add(error("MO-CLI-0023", "--model_name cannot be used as a file name: {}", reason)
              .hint("choose the directory with --output_dir"));
  }

  void check_shapes() {
    const std::size_t shapes = options_.input_shapes.size();
    if (!options_.inputs.empty() && shapes != 0 && shapes != options_.inputs.size())
      add(error("MO-CLI-0019", "--input has {} names, but --input_shape has {} shapes", options_.inputs.size(), shapes)
              .hint("give one shape for each name, in the same order"));
  }

  /// Values need an input each. Without --input only the graph can tell.
  void check_values(std::string_view option, const std::vector<ChannelValues>& lists) {
    if (lists.empty() || options_.inputs.empty()) return;
    if (!lists.front().name) {
      if (lists.size() != options_.inputs.size())
        add(error("MO-CLI-0025", "{} has {} lists, but --input has {} names", option, lists.size(),
                  options_.inputs.size())
                .hint("give one list for each input, or name them: input1(1,2,3)"));
      return;
    }
    std::vector<std::string_view> known;
    for (const InputSpec& input : options_.inputs) {
      known.push_back(input.text);
      known.push_back(input.node);
    }
    std::sort(known.begin(), known.end());
    for (const ChannelValues& list : lists)
      if (list.name && !std::binary_search(known.begin(), known.end(), std::string_view(*list.name)))
        add(error("MO-CLI-0025", "{}: '{}' is not among the names of --input", option, *list.name)
                .hint("use a name as it stands in --input, or add it there"));
  }

  void check_frozen() {
    std::map<std::string_view, const FrozenValue*> seen;
    const auto check = [&](const PortedName& name, const FrozenValue& value) {
      const auto [at, inserted] = seen.emplace(name.text, &value);
      if (!inserted && *at->second != value)
        add(error("MO-CLI-0018", "'{}' is frozen twice, with different values: {} and {}", name.text,
                  shown(*at->second), shown(value))
                .hint("keep one of them"));
    };
    for (const InputSpec& input : options_.inputs) {
      if (!input.value) continue;
      check(input, *input.value);
      check_count(input);
    }
    for (const FrozenPlaceholder& placeholder : options_.freeze_placeholder_with_value)
      check(placeholder, placeholder.value);
  }

  void check_count(const InputSpec& input) {
    if (!input.value->is_list || !input.shape) return;
    const auto expected = input.shape->element_count();
    if (expected && static_cast<std::uint64_t>(*expected) != input.value->items.size())
      add(error("MO-CLI-0024", "--input: '{}' has {} values, but its shape {} holds {}", input.text,
                input.value->items.size(), input.shape->to_string(), *expected)
              .hint("one value without brackets fills the whole input"));
  }

  static std::string shown(const FrozenValue& value) {
    constexpr std::size_t kShown = 8;
    const std::size_t count = std::min(value.items.size(), kShown);
    const std::string text = fmt::format(
        "{}", fmt::join(value.items.begin(), value.items.begin() + static_cast<std::ptrdiff_t>(count), " "));
    return value.is_list ? fmt::format("[{}{}]", text, count < value.items.size() ? " …" : "") : text;
  }

  const Options& options_;
  std::vector<Diagnostic> problems_;
};

/// The name of a file or folder without its suffix; empty where the path has none ("..").
std::string stem_of(const std::string& path) {
  std::filesystem::path file(path);
  if (!file.has_filename()) file = file.parent_path();  // "folder/"
  const std::string stem = file.stem().string();
  return stem == "." || stem == ".." ? "" : stem;
}

}  // namespace

std::vector<PortedName> readings(const PortedName& name) {
  std::vector<PortedName> all{{name.text, name.text, std::nullopt, std::nullopt}};
  const std::string_view text = name.text;
  if (name.in_port)
    all.push_back({name.text, std::string(text.substr(text.find(':') + 1)), name.in_port, std::nullopt});
  if (name.out_port)
    all.push_back({name.text, std::string(text.substr(0, text.rfind(':'))), std::nullopt, name.out_port});
  if (name.in_port && name.out_port) all.push_back(name);
  return all;
}

std::string output_name(const Options& options) {
  if (!options.model_name.empty()) return options.model_name;
  const TensorFlowOptions& tf = options.tensorflow;
  for (const std::string* path :
       {&options.input_model, &tf.saved_model_dir, &tf.input_meta_graph, &options.caffe.input_proto}) {
    if (path->empty()) continue;
    const bool is_saved_model = path == &tf.saved_model_dir;
    const std::string stem = is_saved_model && !tf.saved_model_is_input_model ? "" : stem_of(*path);
    if (!stem.empty()) return stem;
    if (is_saved_model) return "saved_model";  // the name that every SavedModel has
  }
  return "model";
}

bool Options::is_given(std::string_view name) const {
  return std::ranges::any_of(given, [&](const GivenOption& option) { return option.name == name && option.is_on(); });
}

std::string Options::given_text(std::string_view name, std::string_view otherwise) const {
  const auto found = std::ranges::find(given, name, &GivenOption::name);
  return found == given.end() || found->text.empty() ? std::string(otherwise) : found->text;
}

const RuntimeRelease* Options::target() const {
  return target_runtime.empty() ? nullptr : find_runtime(target_runtime);
}

int Options::written_ir_version() const {
  if (to_onnx) return 11;
  if (ir_version) return *ir_version;
  const RuntimeRelease* runtime = target();
  return runtime && !runtime->reads_v11() ? 10 : 11;
}

Expected<void> validate(const Options& options) { return Checks(options).run(); }

std::vector<Diagnostic> warnings_about(const Options& options) {
  std::vector<Diagnostic> found;
  const auto idle = [&](std::string_view name, std::string_view reason, std::string_view hint) {
    if (options.is_given(name))
      found.push_back(warning("MO-CLI-0034", "--{} has no effect: {}", name, reason).hint("{}", hint));
  };
  constexpr std::string_view kRemove = "remove it from the command line";
  for (const std::string_view name : {"onnx_opset", "external-data", "check"})
    if (!options.to_onnx)
      idle(name, "the model is written as an IR", "add --to onnx, or remove it from the command line");
  for (const std::string_view name : {"ir_version", "target_runtime"})
    if (options.to_onnx)
      idle(name, "the model is written as ONNX",
           "remove it from the command line; --onnx-opset chooses what readers know");
  if (options.caffe.mean_file.empty()) idle("mean_file_offsets", "there is no --mean_file", kRemove);
  idle("json", "only --list-options and subcommands print JSON",
       "--report FILE.json writes a report of the conversion; `mo inspect` and `mo verify` take --json");
  if (!options.progress) idle("stream_output", "there is no --progress", "add --progress, or remove it");
  if (options.framework == "tf" && options.tensorflow.saved_model_dir.empty())
    for (const std::string_view name : {"saved_model_tags", "saved_model_signature"})
      idle(name, "the model is not a SavedModel", kRemove);
  if (options.framework == "caffe" && options.caffe.custom_layers_mapping.empty())
    for (const std::string_view name : {"disable_omitting_optional", "enable_flattening_nested_params"})
      idle(name, "there is no --custom_layers_mapping", kRemove);
  if (options.scale && *options.scale != 0 && *options.scale < 1)
    found.push_back(
        warning("MO-CLI-0032", "--scale {}: the inputs are divided by this number, which makes them larger",
                *options.scale)
            .hint("to multiply inputs in 0..255 by {0} give --scale {1}", *options.scale, 1 / *options.scale));
  return found;
}

}  // namespace mo
