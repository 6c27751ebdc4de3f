#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnostics/expected.hpp"
#include "core/op/runtimes.hpp"
#include "core/pass/given_options.hpp"
#include "core/support/budget.hpp"
#include "core/types/layout.hpp"
#include "core/types/partial_shape.hpp"

/// What `mo::convert` is asked to do. Plain data that any program can fill in: nothing here knows a command line, and
/// the defaults describe a conversion of the whole model to IR version 11 in the current directory.
namespace mo {

/// How a user names a place in the graph: `[input port:]name[:output port]`.
///
/// Names of tensors may end in ":0" (TensorFlow, and ONNX files made from it), so a number beside a colon is only
/// *possibly* a port. `text` is what was written; `node` and the ports are the reading in which every such number is a
/// port. Only the graph can tell: see `readings`.
struct PortedName {
  std::string text;             ///< "0:conv:1"
  std::string node;             ///< "conv"
  std::optional<int> in_port;   ///< 0
  std::optional<int> out_port;  ///< 1

  bool operator==(const PortedName&) const = default;
};

/// All ways to understand `name`, to be tried in this order: no number is a port, only the first one, only the last
/// one, both. The first reading that names something in the graph is the meant one.
std::vector<PortedName> readings(const PortedName& name);

/// A constant for an input, not yet converted: its element type comes from the graph.
struct FrozenValue {
  std::vector<std::string> items;  ///< the numbers (or True, False) as written
  bool is_list = false;            ///< written in brackets; otherwise one item that fills the whole input

  bool operator==(const FrozenValue&) const = default;
};

/// A new input of the model: the graph is cut here. Unset members are taken from the model.
struct InputSpec : PortedName {
  std::optional<PartialShape> shape;
  std::optional<ElementType> type;
  std::optional<FrozenValue> value;  ///< the input becomes this constant

  bool operator==(const InputSpec&) const = default;
};

/// A new output of the model: the graph is cut here.
struct OutputSpec : PortedName {
  bool operator==(const OutputSpec&) const = default;
};

/// An input that becomes a constant.
struct FrozenPlaceholder : PortedName {
  FrozenValue value;

  bool operator==(const FrozenPlaceholder&) const = default;
};

/// Mean or scale values of one input, one number per channel. Without a name they belong to the input at the same
/// position.
struct ChannelValues {
  std::optional<std::string> name;
  std::vector<double> values;

  bool operator==(const ChannelValues&) const = default;
};

/// Layouts of one input or output. Without a name they belong to the input at the same position.
struct LayoutSpec {
  std::optional<std::string> name;
  std::optional<Layout> source;  ///< in the model
  std::optional<Layout> target;  ///< in the IR; unset: as in the model

  bool operator==(const LayoutSpec&) const = default;
};

/// Options that only TensorFlow models know.
struct TensorFlowOptions {
  bool input_model_is_text = false;
  std::string input_checkpoint;
  std::string input_meta_graph;
  std::string saved_model_dir;
  bool saved_model_is_input_model = false;  ///< the folder was given as a model: the IR is called after it
  std::vector<std::string> saved_model_tags;
  std::string saved_model_signature;
  std::string custom_operations_config_update;
  std::string object_detection_api_pipeline_config;
  std::string tensorboard_logdir;
  bool disable_nhwc_to_nchw = false;
};

/// Options that only Caffe models know.
struct CaffeOptions {
  std::string input_proto;
  std::string custom_layers_mapping;
  std::string mean_file;
  std::optional<std::vector<std::int64_t>> mean_file_offsets;  ///< {x, y}, both >= 0
  bool disable_omitting_optional = false;
  bool enable_flattening_nested_params = false;
  bool disable_weights = false;  ///< layers without weights get zeros
  /// zoom_factor of Interp is that of sizes, not of the distances between corners
  bool interp_zoom_multiplies = false;
};

/// Steering of the passes, for people who debug them. Passes are named as `print_pipeline` lists them.
struct PassOptions {
  std::vector<std::string> enable;  ///< that do not run by themselves
  std::vector<std::string> disable;
  std::vector<std::string> only;  ///< when not empty, optional passes outside this list don't run
  /// passes that tell what each of their rules did at each node, and why not
  std::vector<std::string> explain;
  /// regular expression: print the graph after each pass whose name matches
  std::string dump_after;
  bool time = false;
  bool verify_each = false;
  bool print_pipeline = false;  ///< list the passes in order instead of converting
};

struct Options {
  // Where from and where to.
  std::string input_model;
  std::string framework;   ///< "onnx", "tf", "caffe", "mxnet", "kaldi", or what a plugin brings; empty: deduced, see
                           ///< driver/framework.hpp
  std::string model_name;  ///< of the files and of the network; empty: see output_name
  std::string output_dir = ".";  ///< created when its parent exists

  // Inputs and outputs.
  std::vector<InputSpec> inputs;    ///< empty: those of the model
  std::vector<OutputSpec> outputs;  ///< empty: those of the model
  /// one per entry of `inputs`, in order; without inputs only one, for the only input
  std::vector<PartialShape> input_shapes;
  /// overwrites the batch of every input: N of its layout, or dimension 0; >= 1
  std::optional<std::int64_t> batch;
  std::vector<FrozenPlaceholder> freeze_placeholder_with_value;

  // Preprocessing that becomes part of the model: (x - mean) / scale, after the swap of the channels.
  std::vector<ChannelValues> mean_values;
  std::vector<ChannelValues> scale_values;
  std::optional<double> scale;  ///< one divisor for all inputs
  bool reverse_input_channels = false;
  std::vector<LayoutSpec> layouts;         ///< excludes the two others
  std::vector<LayoutSpec> source_layouts;  ///< only `source` is set
  std::vector<LayoutSpec> target_layouts;  ///< only `target` is set

  // The model that is written.
  bool to_onnx = false;  ///< an ONNX model instead of an IR
  /// of its default operators; without a wish the usual one, or the oldest newer one that has all that the model needs
  std::optional<std::int64_t> onnx_opset;
  bool check = false;  ///< the onnx package of the user's Python checks the ONNX model (tools/verify)

  // The IR.
  std::optional<ElementType> data_type;  ///< f32 or f16 for constants and inputs
  /// constants in f16, followed by a Convert; inputs stay as they are
  bool compress_to_fp16 = false;
  /// 10 or 11; without a wish 11, or 10 where the target runtime reads no other
  std::optional<int> ir_version;
  std::string target_runtime;  ///< "2021.4", "2023.3", "latest": the IR is for this one; empty: for the newest
  bool static_shape = false;   ///< fold ShapeOf and what depends on it
  bool stateful = false;       ///< a decoder keeps its caches (pass StatefulDecoder)

  // Reading.
  std::vector<std::string>
      ignored_attributes;  ///< "OP.NAME": unknown attributes of framework nodes that are treated as absent

  // Optimisations.
  bool disable_fusing = false;
  std::vector<std::string> finegrain_fusing;  ///< regular expressions: nodes that are left out of fusing
  bool disable_gfusing = false;
  bool disable_resnet_optimization = false;
  bool enable_concat_optimization = false;

  // Extensions. `extensions`: plugins and directories of plugins; unset or empty: only what is built in.
  std::optional<std::vector<std::string>> extensions;
  std::string transform;
  std::string transformations_config;
  std::vector<std::string> custom_ops;  ///< files that describe ops which `mo` does not know

  // What the user sees meanwhile. The driver itself prints nothing.
  std::string log_level = "ERROR";
  bool allow_links = false;  ///< follow links to the files that a model names
  bool silent = false;
  /// the file that learns what the conversion used (driver/usage.hpp); empty: none
  std::string record_usage;
  bool durable = false;  ///< wait until the files have reached the disk
  /// the caller checks afterwards that model and IR compute the same; the driver itself does not
  bool verify = false;
  /// the .html or .json report of the conversion (tools/report); the caller writes it, the driver does not
  std::string report;
  bool progress = false;
  bool stream_output = false;
  std::string depfile;  ///< the file that learns what the conversion read, as a rule of make; empty: none
  /// the caller has asked check_content (driver/framework.hpp), before it said anything else
  bool content_is_checked = false;
  /// The process ends after the conversion: what it holds then is left to the system, which takes it back at once.
  bool ends_process = false;
  /// The IR stays in memory, as Report::xml and Report::bin, and no folder is made: for programs that embed mo.
  bool keeps_in_memory = false;

  /// What the conversion may use; without a wish, what follows from the size of the model. A program that embeds mo can
  /// cancel through it.
  BudgetOptions budget;

  TensorFlowOptions tensorflow;
  CaffeOptions caffe;
  PassOptions passes;
  std::string list_ops;          ///< list what is known of this framework ("onnx") instead of converting
  std::string print_config;      ///< print the built-in configuration of that name instead of converting
  bool list_extensions = false;  ///< list everything that is registered, and by whom, instead of converting

  /// in the order of the option table; may be left empty by embedding programs
  std::vector<GivenOption> given;
  /// first names of all options of the command line; may be left empty by embedding programs, too
  std::vector<std::string_view> known_options;

  /// Whether the user gave this option, a flag not as false and others not empty. `name` as in `given`.
  bool is_given(std::string_view name) const;
  /// What the user wrote for it; `otherwise` when that is nothing.
  std::string given_text(std::string_view name, std::string_view otherwise = "") const;
  bool wants_fp16() const { return compress_to_fp16 || data_type == ElementType::f16; }
  /// The release of `target_runtime`; null without one, or when it is none (which the check of the options refuses).
  const RuntimeRelease* target() const;
  /// An ONNX model has the inputs and outputs of an IR of version 11.
  int written_ir_version() const;
  /// Whether there is a model to convert; otherwise something is only listed.
  bool converts() const {
    return !passes.print_pipeline && list_ops.empty() && print_config.empty() && !list_extensions;
  }
  /// Whether plugins may know frameworks, ops and passes that mo does not.
  bool has_plugins() const { return extensions && !extensions->empty(); }
};

/// Name of the files without their extension: `model_name`, else the stem of the model's path, else "model".
std::string output_name(const Options& options);

/// Refuses options that contradict each other or the rules of a single one, all of them at once. Needs no model.
Expected<void> validate(const Options& options);

/// Warnings about options that have no effect beside others, or are most probably a mistake.
std::vector<Diagnostic> warnings_about(const Options& options);

}  // namespace mo
