#pragma once

#include <memory>
#include <string>

#include "core/graph/graph.hpp"
#include "driver/conversion.hpp"
#include "driver/options.hpp"

namespace mo {

/// How far the model of a framework is taken on the way to an IR. An IR and a text form are what they are.
enum class ModelStage {
  read,       ///< what the file says: the framework's nodes, linked
  inferred,   ///< known ops with types, in the layout of the model: inputs and outputs cut, nothing fused
  converted,  ///< what a conversion would write
};

/// What a model was read from.
enum class ModelSource { framework, ir, text };

/// A model in memory, for tools that look at it or change it. The graph has types, except for ModelStage::read and a
/// text form that a conversion left before. The passes and settings of the conversion are there when the model is one
/// of a framework or such a text form.
struct ModelGraph : Conversion {
  ModelSource source = ModelSource::framework;
};

struct LoadOptions {
  ModelStage stage = ModelStage::converted;
  std::string weights = {};    ///< of an IR: the .bin; empty: beside the .xml
  bool check_weights = false;  ///< of an IR: that the .bin is the one that the .xml was written with
  ConversionWatch watch = {};  ///< of a framework's model; nothing is written
  /// Ops of an IR that are not known are nodes known by name only (frontends/ir/reader.hpp): for tools that compute
  /// nothing. Error MO-IR-0015 when options change the sizes of their inputs.
  bool carries_unknown_ops = false;
  /// Of a framework's model: the caller looks at the passes and operators that are registered. Else those that the
  /// model needs are made when they are needed.
  bool looks_at_registry = false;
};

/// Reads the model that the options name: an IR (.xml), a text form (a file that begins with `graph`), or whatever a
/// conversion reads. Errors: of the readers, of the phases that run, MO-IR-… , MO-TEXT-0001.
Expected<ModelGraph> load_model(const Options& options, const LoadOptions& how, DiagnosticSink& sink);

/// Takes a framework's model that was only read on to `stage`; others are what they are. Errors: of the passes.
Expected<void> advance(ModelGraph& model, ModelStage stage, DiagnosticSink& sink, const ConversionWatch& watch = {});

}  // namespace mo
