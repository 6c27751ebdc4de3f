#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/pass/pass_list.hpp"
#include "core/pass/pass_manager.hpp"
#include "driver/options.hpp"

namespace mo {

/// The pass list of --transform: `Name`, `Name[key=value;key=value]`, `Name(key=value …)`, separated by commas or
/// blanks. Error MO-CONFIG-0040 with a caret under the place; also for a pass that is listed twice.
Expected<std::vector<PassCall>> parse_transforms(std::string_view text);

/// Adds the library's SmartReshape as a step of the phase middle: it runs when some input has another size than the
/// exported model.
Expected<void> add_smart_reshape(PassManager& manager);

/// Enables the passes that --transform names. Error MO-CONFIG-0041 for one that does not exist or runs anyway, with
/// those that there are.
Expected<void> enable_transforms(PassManager& manager, const Options& options);

/// What --transform gives to the passes that it names, among their settings. Errors: MO-PASS-0022 (a pass has no such
/// setting), MO-PASS-0023 (a value of another kind).
Expected<void> add_transform_settings(Settings& settings, const Options& options, const PassManager& manager);

/// Reads the files of --transformations_config and puts their descriptors among the settings; "auto" waits for the
/// model. Errors: of reading, and MO-CONFIG-0009 for an id without a replacer.
Expected<void> add_replacement_descriptors(Settings& settings, const Options& options, const PassManager& manager,
                                           DiagnosticSink& sink);

/// "--transformations_config auto": adds the built-in configuration that fits the graph as it was read. Gives a line
/// that says which; empty without the option. Error MO-CONFIG-0242.
Expected<std::string> choose_replacement_descriptors(Settings& settings, const Options& options, Graph& graph);

/// The built-in configuration of that name, as it was written. Error MO-CONFIG-0243 with their names.
Expected<std::string> text_of_config(const std::string& name);

/// --tensorflow_custom_operations_config_update: extracts the graph that was read and completes the file by it.
/// Gives a line about it.
Expected<std::string> update_replacement_config(const Options& options, const PassManager& manager, Graph& graph,
                                                PassContext& context);

}  // namespace mo
