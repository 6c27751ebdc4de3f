#pragma once

#include <optional>
#include <string>

#include "driver/options.hpp"
#include "frontends/common/model_kind.hpp"

namespace mo {

/// The file or folder that the options name as the model: the SavedModel, the MetaGraph, --input_model, the topology.
const std::string& model_path(const Options& options);

/// Error MO-IO-0001 or -0002 when there is nothing at `model_path`, or no file where one must be. Says nothing about
/// models of frameworks that plugins bring.
Expected<void> find_model(const Options& options);

/// Opens the file of a model. Error MO-IO-0001 or -0002; for a pipe with the command line that saves what it brings.
Expected<FilePtr> open_model(const std::string& path);

/// What --input_model is by its content. `unknown` without that option.
frontends::ModelKind kind_of_input_model(const Options& options);

/// Moves --input_model to the option that its content asks for: a SavedModel (its folder, or the saved_model.pb inside)
/// to
/// --saved_model_dir, a MetaGraph to --input_meta_graph. Nothing happens when the options name another framework, or
/// such a model already.
void adopt_model(Options& options, frontends::ModelKind kind);

/// Why `path`, which is a `kind`, cannot be converted as it stands, with the command line to go on with: MO-CLI-0021 (a
/// model of a tool that mo does not read), MO-CLI-0071 (a part or companion of a model), MO-IO-0023 (packed),
/// MO-IO-0025 (no model at all). Nothing for kinds that are read, and for `unknown`.
std::optional<Diagnostic> why_no_model(const std::string& path, frontends::ModelKind kind);

}  // namespace mo
